"""What a name that a module does not have may stand for: the same name in another module, that of another library.

    runtime.erf                 # AttributeError: module 'runtime' has no attribute 'erf'. Use runtime.math.erf
    runtime.concatenate         # ... Use runtime.concat
    runtime.keras.applications  # ... It is not provided: ...

Tables of names say what is meant; spelling is asked last. Nothing is looked for before the error is shown.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Callable
from typing import Any, Final

from runtime.names.tensorflow import meant

__all__ = ["Unknown", "explain"]

_MODULES: Final = (
    "math", "linalg", "nn", "random", "strings", "data", "signal", "sets", "sparse", "ragged", "bitwise", "debugging",
    "nest", "layers", "losses", "metrics", "optimizers", "io", "train", "saved_model", "autodiff", "numpy",
)  # fmt: skip
"""Where the same name may be, the likeliest place first."""


def _rows(text: str) -> dict[str, str]:
    pairs = (row.split(maxsplit=1) for row in text.strip().splitlines())
    return {name: use for names, use in pairs for name in names.split(",")}


_OF_RUNTIME: Final = _rows("""
    sum,reduce_summation reduce_sum
    mean,average reduce_mean
    max,amax reduce_max
    min,amin reduce_min
    prod reduce_prod
    any reduce_any
    all reduce_all
    std math.reduce_std
    var math.reduce_variance
    mul multiply
    sub subtract
    div,realdiv,true_divide divide
    neg negative
    power pow
    absolute abs
    dot,mm,bmm matmul
    concatenate,cat,hstack,vstack concat
    array,asarray,as_tensor,from_numpy convert_to_tensor
    arange range
    clip,clamp clip_by_value
    permute transpose
    view,resize,flatten,ravel reshape
    to_float,to_double,to_int32,to_int64,to_bool,astype cast
    jit,njit,compile function
    grad,value_and_grad GradientTape
    vmap vectorized_map
    Dataset data.Dataset
    random_normal,randn random.normal
    random_uniform,rand random.uniform
    truncated_normal random.truncated_normal
    random_shuffle random.shuffle
    set_random_seed,manual_seed random.set_seed
    get_variable,Parameter Variable
    py_func py_function
    is_nan,isnan math.is_nan
    matrix_inverse linalg.inv
    matrix_solve linalg.solve
    svd linalg.svd
    Model,Sequential,callbacks keras
    fori_loop while_loop
    load_model keras.models.load_model
    save_model keras.models.save_model
    clear_session keras.backend.clear_session
    optim optimizers
    no_grad,detach,stop_grad stop_gradient
    prange range
    jnp numpy
""")
_GONE: Final = {
    "Session,InteractiveSession,global_variables_initializer,get_default_graph": "there are no sessions: write a"
    " runtime.function and call it",
    "placeholder,placeholder_with_default": "inputs are the arguments of a runtime.function",
    "variable_scope,get_collection": "keep Variables in attributes of a runtime.Module",
    "compat,contrib,flags,app,logging": "what TensorFlow keeps there for its first version is not provided",
    "estimator,hub,lite,tpu,raw_ops": "it is not provided",
    "applications,preprocessing,datasets": "it is not provided: there are no trained models and no data here;"
    " load arrays with numpy.load or runtime.data",
    "cuda,gpu,device_put": "the programs run on processors; runtime.function(backend=\"jax\") runs them on others",
    "lax": "write Python's `if`, `while` and `for` in a runtime.function",
}
_OF_NN: Final = _rows("""
    Linear layers.Dense
    Conv2d layers.Conv2D
    CrossEntropyLoss losses.SparseCategoricalCrossentropy
    MSELoss losses.MeanSquaredError
    BCELoss losses.BinaryCrossentropy
    functional nn
""")
_NOT_PROVIDED: Final = {name: why for names, why in _GONE.items() for name in names.split(",")}


class Unknown(AttributeError):
    """A module has no such name. What may be meant is found when the error is shown."""

    def __init__(self, module: str, missed: str) -> None:
        module = module.replace("runtime.library.", "runtime.")
        super().__init__(f"module {module!r} has no attribute {missed!r}", name=missed, obj=None)  # we suggest names
        self._module, self._missed = module, missed

    def __reduce__(self) -> Any:
        return AttributeError, (str(self),)

    def __str__(self) -> str:
        return f"{self.args[0]}{self._hint()}"

    def _hint(self) -> str:
        name = self._missed
        if name.startswith("_"):
            return ""
        if self._module == "runtime" and name in _OF_RUNTIME:
            return f". Use runtime.{_OF_RUNTIME[name]}"
        if self._module == "runtime.nn" and name in _OF_NN:
            return f". Use runtime.{_OF_NN[name]}"
        if name in _NOT_PROVIDED:
            return f": {_NOT_PROVIDED[name]}"
        if of_tensorflow := meant(self._module, name):
            return of_tensorflow
        found = self._of_other_libraries() or self._in_other_modules() or self._spelled_alike()
        return f". Use {found}" if found else ""

    def _of_other_libraries(self) -> str | None:
        return f"runtime.{_OF_RUNTIME[self._missed]}" if self._missed in _OF_RUNTIME else None

    def _in_other_modules(self) -> str | None:
        for module in ("", *_MODULES):
            full = f"runtime.{module}".rstrip(".")
            if full != self._module and self._missed in getattr(importlib.import_module(full), "__all__", ()):
                return f"{full}.{self._missed}"
        return None

    def _spelled_alike(self) -> str | None:
        names = [name for name in dir(importlib.import_module(self._module)) if not name.startswith("_")]
        near = difflib.get_close_matches(self._missed, names, 1, 0.75)
        return f"{self._module}.{near[0]}" if near else None


# What users see and catch; IPython shows the name, a traceback the qualified one.
Unknown.__module__, Unknown.__name__, Unknown.__qualname__ = "builtins", "AttributeError", "AttributeError"


def explain(*modules: str) -> None:
    """Lets the errors of modules for names that they do not have say what may be meant."""
    for module in modules:
        vars(sys.modules[module]).setdefault("__getattr__", _missing(module))


def _missing(module: str) -> Callable[[str], Any]:
    def getattr_of_module(name: str) -> Any:
        raise Unknown(module, name)

    return getattr_of_module
