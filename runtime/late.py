"""What is imported when it is first used: the modules that trace, compile and run graphs, about half of the package.

    runtime.cond                        # imports runtime.control_flow.functions, then
    symbolic.__ag_stager__              # the first converted statement on a symbolic tensor imports the stager

A program that only defines functions, or only works eagerly, starts faster by that.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, cast

from runtime.function import pickling
from runtime.higher import HIGHER
from runtime.names.elsewhere import Unknown
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["LATE", "LIBRARY", "MODULES", "late_name"]

LATE: Final = {
    "ConcreteFunction": "runtime.function.concrete",
    "GradientTape": "runtime.autodiff.tape",
    "RaggedTensor": "runtime.composite.ragged_tensor",
    "RaggedTensorSpec": "runtime.composite.ragged_spec",
    "SparseTensor": "runtime.composite.sparse_tensor",
    "SparseTensorSpec": "runtime.composite.sparse_tensor",
    "UnconnectedGradients": "runtime.autodiff.tape",
    "broadcast_dynamic_shape": "runtime.library.places",
    "broadcast_static_shape": "runtime.library.places",
    "case": "runtime.control_flow.functions",
    "clip_by_global_norm": "runtime.library.clipping",
    "clip_by_norm": "runtime.library.clipping",
    "complex": "runtime.ops.elementwise.complex_numbers:complex_",
    "cond": "runtime.control_flow.functions",
    "custom_gradient": "runtime.autodiff.custom",
    "ensure_shape": "runtime.library.places",
    "foldl": "runtime.control_flow.loops.folds",
    "foldr": "runtime.control_flow.loops.folds",
    "gather_nd": "runtime.library.places",
    "gradients": "runtime.autodiff.graph_gradients",
    "histogram_fixed_width": "runtime.library.tallies",
    "load_onnx": "runtime.exits.onnx.loading",
    "map_fn": "runtime.control_flow.loops.folds",
    "meshgrid": "runtime.library.places",
    "progress": "runtime.library.progress_bar",
    "recompute_grad": "runtime.autodiff.custom",
    "register_tensor_conversion_function": "runtime.tensor.conversions",
    "repeat": "runtime.library.places",
    "scan": "runtime.control_flow.loops.folds",
    "scatter_nd": "runtime.library.places",
    "searchsorted": "runtime.library.places",
    "sequence_mask": "runtime.library.places",
    "shape_n": "runtime.library.places",
    "slice": "runtime.library.places",
    "strided_slice": "runtime.library.places",
    "switch_case": "runtime.control_flow.functions",
    "tensor_scatter_nd_add": "runtime.ops.arrays.scatter",
    "tensor_scatter_nd_max": "runtime.ops.arrays.scatter",
    "tensor_scatter_nd_min": "runtime.ops.arrays.scatter",
    "tensor_scatter_nd_sub": "runtime.ops.arrays.scatter",
    "tensor_scatter_nd_update": "runtime.ops.arrays.scatter",
    "to_jax": "runtime.exits.xla.pure",
    "type_spec_from_value": "runtime.library.type_specs",
    "unique": "runtime.library.places",
    "unique_with_counts": "runtime.library.places",
    "vectorized_map": "runtime.library.vectorized",
    "while_loop": "runtime.control_flow.functions",
}
"""Public names of the package, and where they are: a module, or module:name where the name there is another one."""

LIBRARY: Final = frozenset(
    {
        "bitwise", "data", "debugging", "experimental", "export", "image", "io", "keras", "layers", "linalg",
        "losses", "math", "metrics", "nest", "nn", "numpy", "optimizers", "profiler", "ragged", "random", "sets",
        "signal", "sparse", "strings", "summary", "test", "train", "types",
    }
)  # fmt: skip
"""The modules of `runtime.library` that are public, each as one of `runtime`: `import runtime.numpy as tnp`."""

MODULES: Final = frozenset({"autodiff", "distribute", "saved_model"}) | (
    LIBRARY - {"bitwise", "debugging", "nest", "types"}
)
"""Modules that a program may name without having imported them."""


def late_name(name: str) -> Any:
    """The value of a public name that is imported late. Raises AttributeError for all others."""
    if name in MODULES:
        return importlib.import_module(f"runtime.{name}")
    if name not in LATE:
        raise Unknown("runtime", name)
    module, _, attribute = LATE[name].partition(":")
    return getattr(importlib.import_module(module), attribute or name)


class _LibraryModules:
    """Finds `runtime.math`, also for an import statement: it is the module `runtime.library.math`, not another one."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        steps, loader = name.split(".", 2), cast("Any", self)  # importlib.abc takes time to import
        return ModuleSpec(name, loader) if steps[0] == "runtime" and steps[1:] and steps[1] in LIBRARY else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(spec.name.replace("runtime.", "runtime.library.", 1))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It was run when it was made; its own spec comes back in the place of that of its public name."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _LibraryModules())


class _LateStager:
    """Stands for the stager in the class of symbolic tensors, where the module of the stager puts it."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        return importlib.import_module("runtime.control_flow.stager").STAGER


SymbolicTensor.__ag_stager__ = _LateStager()


def _by_graph(value: Any) -> Any:
    """What writes Functions and traces as pickles."""
    return importlib.import_module("runtime.saved_model.pickled").by_graph(value)


pickling.by_graph = _by_graph


def _models() -> Any:
    """What writes models of layers to files, and reads them."""
    return importlib.import_module("runtime.library.keras.models")


HIGHER["keras.models"] = _models
