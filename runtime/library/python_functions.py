"""`py_function` and `numpy_function`: Python code that runs each time that a graph does.

    def log(x):
        history.append(float(x))              # each call, not once for each trace
        return x * 2

    y = runtime.py_function(log, [x], Tout=runtime.float32)

In a graph the call is one operation that keeps its place among other effects. The code sees eager tensors (or arrays)
and may read and assign Variables. A graph with such an operation cannot be saved. `py_function` has gradients, by what
it is given: a tape follows the code while it runs; `numpy_function` has none.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from runtime import structures as nest
from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype
from runtime.errors import InvalidArgumentError
from runtime.ops.flow.python_call import py_function_node, term_of
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.state.scopes import init_scope
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["PythonCall", "numpy_function", "py_function"]


@overload
def py_function(func: Callable[..., Any], inp: Any, Tout: DType | str, name: str | None = None) -> Tensor: ...
@overload
def py_function(
    func: Callable[..., Any], inp: Any, Tout: Sequence[DType | str], name: str | None = None
) -> list[Tensor]: ...
@overload
def py_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any: ...
def py_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """Calls `func` with the tensors of `inp`, eagerly, each time that this runs; its results become tensors of Tout.

    inp: a list of tensors and values. Tout: a dtype, for one result, or a list of dtypes, [] for none; also specs of
    tensors, of ragged and of sparse tensors. What `func` raises passes. Raises InvalidArgumentError for results
    that are not what Tout names. Without func it is a decorator: `@py_function(Tout=runtime.float32)`.
    """
    if func is None:
        return _decorator(py_function, Tout, name)
    return _call(func, inp, Tout, name, EagerTensor, True)


@switches
def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """As `py_function`, for a function of numpy arrays. They are read-only; a scalar is a numpy scalar.

    stateful=False: the function has no effects, so that a call whose results nothing needs is left out.
    """
    if func is None:
        return _decorator(functools.partial(numpy_function, stateful=stateful), Tout, name)
    return _call(func, inp, Tout, name, _read_only, stateful)


def _decorator(make: Callable[..., Any], Tout: Any, name: str | None) -> Callable[..., Any]:
    """What makes of a function one that is called so with its arguments."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def decorated(*args: Any) -> Any:
            return make(func, args, Tout, name=name)

        return decorated

    return decorate


def _call(
    function: Callable[..., Any], inp: Sequence[Any], Tout: Any, name: str | None, wrap: Any, stateful: bool
) -> Any:
    if not callable(function):
        raise TypeError(f"the function to call is no function: {function!r}")
    leaves = nest.flatten(list(inp), nest.is_plain) if isinstance(inp, list | tuple) else [inp]
    inputs = nest.flatten(leaves)
    if any(map(nest.is_nested, leaves)) and wrap is EagerTensor:
        function = _of_composites(function, leaves)
    single = not isinstance(Tout, list | tuple)
    wanted = [Tout] if single else list(Tout)
    specs = nest.flatten(wanted)
    if any(map(nest.is_nested, wanted)):
        function, single = _of_structures(function, wanted, single), False
    dtypes = tuple(as_dtype(spec.dtype if isinstance(spec, TensorSpec) else spec) for spec in specs)
    tensors: list[Any] = [convert_to_tensor(value) for value in inputs]
    call = PythonCall(function, wrap, dtypes, single)
    recorder = current_recorder()
    if recorder is None:
        results: Any = call.eager(tensors)
    else:
        attributes = {
            "function": term_of(function, call),
            "dtypes": dtypes,
            "shapes": (TensorShape(None),) * len(dtypes),
            "stateful": stateful,
        }
        results = recorder.record(py_function_node, tensors, attributes, name)
    checked = [
        ops.ensure_shape(made, spec.shape) if isinstance(spec, TensorSpec) and spec.shape.rank is not None else made
        for made, spec in zip(results or (), specs, strict=True)
    ]
    packed = nest.pack_sequence_as(wanted, checked)
    return packed or None if isinstance(Tout, list | tuple) else packed[0]


def _of_structures(function: Callable[..., Any], wanted: Sequence[Any], single: bool) -> Callable[..., Any]:
    """The function with the tensors as its results of which those are made that Tout names. Raises as `py_function`."""

    @functools.wraps(function)
    def of_parts(*args: Any) -> list[Any]:
        made = function(*args)
        values = [made] if single else list(made) if isinstance(made, list | tuple) else [made]
        try:
            nest.assert_same_structure(list(wanted), values, check_types=False)
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"{getattr(function, '__name__', 'the function')}() did not return what Tout names: {error}"
            ) from None
        return nest.flatten(values)

    return of_parts


def _of_composites(function: Callable[..., Any], models: Sequence[Any]) -> Callable[..., Any]:
    """The function of values some of which are made of several tensors, as one of all these tensors."""
    counts = [len(nest.flatten(model)) for model in models]

    @functools.wraps(function)
    def of_parts(*parts: Any) -> Any:
        ends = list(itertools.accumulate(counts, initial=0))
        groups = [parts[a:b] for a, b in itertools.pairwise(ends)]
        return function(*map(nest.pack_sequence_as, models, groups))

    return of_parts


class PythonCall:
    """A call of a Python function on arrays: what a graph runs.

    differentiable: whether the function works with tensors, so that a tape can follow it.
    """

    __slots__ = ("differentiable", "dtypes", "function", "single", "wrap")

    def __init__(self, function: Callable[..., Any], wrap: Any, dtypes: tuple[DType, ...], single: bool) -> None:
        self.function = function
        self.wrap = wrap
        self.dtypes = dtypes
        self.single = single
        self.differentiable = wrap is EagerTensor

    def __call__(self, *arrays: Array) -> list[Array]:
        with init_scope():
            return [tensor._array for tensor in self.of_tensors(list(map(EagerTensor, arrays)))]

    def eager(self, tensors: Sequence[EagerTensor]) -> tuple[EagerTensor, ...]:
        """The results for tensors; tapes that are open follow the function."""
        if self.differentiable:
            return tuple(self.of_tensors(tensors))
        return tuple(map(EagerTensor, self(*[tensor._array for tensor in tensors])))

    def of_tensors(self, tensors: Sequence[EagerTensor]) -> list[EagerTensor]:
        """The results of the function, as tensors of their dtypes."""
        given = tensors if self.differentiable else [self.wrap(tensor._array) for tensor in tensors]
        return _results(self.function, self.function(*given), self.dtypes, self.single)


def _results(function: Any, value: Any, dtypes: tuple[DType, ...], single: bool) -> list[EagerTensor]:
    if not dtypes:
        return []
    values = [value] if single else list(value) if isinstance(value, list | tuple) else [value]
    called = getattr(function, "__name__", type(function).__name__)
    if len(values) != len(dtypes):
        raise InvalidArgumentError(
            f"{called}() returned {len(values)} values, Tout names {len(dtypes)}: {', '.join(d.name for d in dtypes)}"
        )
    tensors: list[Any] = []
    for part, dtype in zip(values, dtypes, strict=True):
        if part is None:
            raise InvalidArgumentError(f"{called}() returned None where Tout names {dtype.name}; Tout=[] for no result")
        try:
            tensors.append(convert_to_tensor(part, dtype))
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(f"{called}() returned no {dtype.name}, which Tout names: {error}") from None
    return tensors


def _read_only(array: Array) -> Any:
    if array.ndim == 0:
        return array[()]
    view: Array = np.asarray(array).view()
    view.flags.writeable = False
    return view
