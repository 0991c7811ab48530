"""Loops over the first dimension, written as function calls: `map_fn`, `foldl`, `foldr`, `scan`.

    map_fn(lambda x: x * x, runtime.constant([1, 2, 3]))                  # [1 4 9]
    foldl(lambda total, x: total + x, runtime.constant([1, 2, 3]))        # 6
    scan(lambda total, x: total + x, runtime.constant([1, 2, 3]))         # [1 3 6]

`elems` is a tensor or a structure of tensors with one first dimension; the function gets an element in that structure.
In a graph each is one loop, whatever the length, and can be differentiated. `vectorized_map` computes all elements
together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType
from typing import Any, Final, TypeVarTuple, overload

import numpy as np

from runtime import structures
from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.rows import of_row, of_rows
from runtime.context import executing_eagerly
from runtime.control_flow.functions import while_loop
from runtime.control_flow.lists.collected_rows import collector, shaped, stacked
from runtime.dtypes import DType
from runtime.errors import InvalidArgumentError
from runtime.ops.records.record import REGISTRY, Op
from runtime.shapes import TensorShape
from runtime.state.calling import staged
from runtime.state.tensor_array import TensorArray
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["Rows", "converted", "foldl", "foldr", "map_fn", "scan"]

Function = Callable[..., Any]
Ts = TypeVarTuple("Ts")


@overload
def map_fn(
    fn: Callable[..., Tensor | float], elems: Any, dtype: None = None, parallel_iterations: int | None = None,
    back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True, name: str | None = None,
    fn_output_signature: DType | TensorSpec | None = None,
) -> Tensor: ...  # fmt: skip
@overload
def map_fn(
    fn: Callable[..., tuple[*Ts]], elems: Any, dtype: Any = None, parallel_iterations: int | None = None,
    back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True, name: str | None = None,
    fn_output_signature: Any = None,
) -> tuple[*Ts]: ...  # fmt: skip
@overload
def map_fn(
    fn: Function, elems: Any, dtype: Any = None, parallel_iterations: int | None = None, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, name: str | None = None, fn_output_signature: Any = None,
) -> Any: ...  # fmt: skip

@switches
def map_fn(
    fn: Function,
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """The results of `fn` for all rows, stacked.

    fn_output_signature (or dtype): a structure of dtypes, TensorSpecs or RaggedTensorSpecs. Results that a
    RaggedTensorSpec describes differ in shape, and become a RaggedTensor; with ragged_rank=0 they are tensors. Without
    it the results have the structure and dtypes of the rows of elems. `parallel_iterations`, `back_prop` and
    `swap_memory` are accepted for compatibility and change nothing.
    """
    rows = Rows("map_fn", elems)
    wanted = fn_output_signature if fn_output_signature is not None else dtype
    model = rows.model if wanted is None else wanted
    collectors = [collector(leaf, infer_shape) for leaf in structures.flatten(model, structures.has_rows)]
    begin = [c.arrays(rows.count) for c in collectors]
    ends = list(itertools.accumulate(map(len, begin), initial=0))
    call = converted(fn)
    shapes: list[TensorShape] = []

    def grouped(arrays: Sequence[TensorArray]) -> list[tuple[Any, Sequence[TensorArray]]]:
        return [(c, arrays[a:b]) for c, (a, b) in zip(collectors, itertools.pairwise(ends), strict=True)]

    def body(i: Any, *arrays: TensorArray) -> list[Any]:
        result = call(rows.at(i))
        _check(model, result, "map_fn: the function returned another structure than fn_output_signature says", True)
        leaves = structures.flatten_up_to(model, result, nested=structures.has_rows)
        written = [a for (c, own), v in zip(grouped(arrays), leaves, strict=True) for a in c.write(own, i, v)]
        shapes[:] = [array.element_shape for array in written]
        return [i + 1, *written]

    final = while_loop(lambda i, *arrays: i < rows.count, body, [0, *itertools.chain(*begin)])[1:]
    if shapes and not executing_eagerly():  # the trace has told them, unless `fn` raises for each row
        final = [shaped(array, shape) for array, shape in zip(final, shapes, strict=True)]
    made = [c.whole(own, rows.static) for c, own in grouped(final)]
    return of_rows(structures.pack_sequence_as(model, made, structures.has_rows), rows.static)


@switches
def foldl(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """The last of `value = fn(value, row)`, from the initializer on, or else from the first row."""
    return _folded("foldl", fn, elems, initializer, False)


@switches
def foldr(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """As foldl, from the last row to the first."""
    return _folded("foldr", fn, elems, initializer, True)


def _folded(what: str, fn: Function, elems: Any, initializer: Any, backwards: bool) -> Any:
    rows = Rows(what, elems)
    value, start = rows.first(initializer, backwards)
    call, flatten = converted(fn), structures.flatten

    def body(i: Any, *leaves: Any) -> list[Any]:
        result = call(structures.pack_sequence_as(value, leaves), rows.at(rows.place(i, backwards)))
        _check(value, result, f"{what}: the function returned another structure than it was given")
        return [i + 1, *_alike(flatten(result), leaves)]

    final = while_loop(lambda i, *leaves: i < rows.count, body, [start, *flatten(value)])
    return structures.pack_sequence_as(value, final[1:])


@switches
def scan(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All of `value = fn(value, row)`, stacked; as foldl, whose result is the last. reverse: from the last row on."""
    rows = Rows("scan", elems)
    value, start = rows.first(initializer, reverse)
    for leaf in structures.flatten(value, structures.has_rows):
        if not isinstance(leaf, Tensor):
            raise TypeError(
                f"scan: its states are stacked, so that they are tensors; got a {type(leaf).__name__}. Use foldl for"
                " the last one, or a `for` statement with a list"
            )
    call, flatten = converted(fn), structures.flatten
    count = len(flatten(value))
    arrays = [TensorArray(leaf.dtype, rows.count, infer_shape=infer_shape) for leaf in flatten(value)]
    if initializer is None:
        at = rows.place(0, reverse)
        arrays = [array.write(at, leaf) for array, leaf in zip(arrays, flatten(value), strict=True)]

    def body(i: Any, *state: Any) -> list[Any]:
        leaves, at = state[:count], rows.place(i, reverse)
        result = call(structures.pack_sequence_as(value, leaves), rows.at(at))
        _check(value, result, "scan: the function returned another structure than it was given")
        made = _alike(flatten(result), leaves)
        return [i + 1, *made, *(a.write(at, v) for a, v in zip(state[count:], made, strict=True))]

    final = while_loop(lambda i, *state: i < rows.count, body, [start, *flatten(value), *arrays])
    last_ones, arrays = final[1 : 1 + count], final[1 + count :]  # the states are of the shape that all have in common
    if not executing_eagerly():
        arrays = [shaped(array, last.shape) for array, last in zip(arrays, last_ones, strict=True)]
    stacks = [stacked(array, rows.static, leaf) for array, leaf in zip(arrays, flatten(value), strict=True)]
    for stack, last in zip(stacks, last_ones, strict=True):
        stack.set_shape(TensorShape([rows.static]).concatenate(last.shape))
    return of_rows(structures.pack_sequence_as(value, stacks), rows.static)


def _is_structure(value: Any) -> bool:
    """Whether a value is several tensors; a list of numbers is one."""
    if not structures.has_rows(value):
        return False
    return not isinstance(value, list) or any(isinstance(v, Tensor | np.ndarray) for v in structures.flatten(value))


class Rows:
    """The rows of a structure of tensors. count: how many there are, an int or a scalar tensor; static: if known."""

    def __init__(self, what: str, elems: Any) -> None:
        self._what = what
        self.leaves = [_with_rows(leaf) for leaf in structures.flatten(elems, _is_structure)]
        self._elems = elems
        if not self.leaves:
            raise ValueError(f"{what}: elems holds no tensor")
        first = [leaf.shape.dims[0] if leaf.shape.dims else None for leaf in self.leaves]
        if any(leaf.shape.rank == 0 for leaf in self.leaves):
            raise InvalidArgumentError(f"{what}: elems are tensors with rows; a scalar has none")
        known = {dim for dim in first if dim is not None}
        if len(known) > 1:
            raise InvalidArgumentError(f"{what}: the tensors have different numbers of rows: {sorted(known)}")
        self.static = next(iter(known), None)
        self.count: Any = _count(self.leaves[0]) if self.static is None else self.static

    @property
    def model(self) -> Any:
        """The structure of a row, with specs that leave the shapes of tensors open, but where there will be none."""
        no_results = self.static == 0 and executing_eagerly()
        return of_row(self.pack([_row_spec(leaf, no_results) for leaf in self.leaves]))

    def pack(self, leaves: Sequence[Any]) -> Any:
        """These values in the structure of the tensors."""
        return structures.pack_sequence_as(self._elems, leaves, _is_structure)

    def at(self, place: Any) -> Any:
        """One row of each tensor."""
        return of_row(self.pack([leaf[place] for leaf in self.leaves]))

    def place(self, number: Any, backwards: bool) -> Any:
        """Where the row stands that comes as number `number`."""
        return self.count - 1 - number if backwards else number

    def first(self, initializer: Any, backwards: bool) -> tuple[Any, int]:
        """What a fold begins with, and how many rows are used up by that."""
        if initializer is not None:
            return structures.map_structure(convert_to_tensor, initializer), 0
        if self.static == 0:
            raise InvalidArgumentError(f"{self._what}: elems has no rows; an initializer is needed")
        return self.at(self.place(0, backwards)), 1


def _row_spec(leaf: Any, with_shape: bool) -> Any:
    """What describes a row of a tensor, or of a ragged tensor. Raises TypeError for other composites."""
    inner = leaf.shape[1:] if leaf.shape.rank else None
    if isinstance(leaf, Tensor):
        return TensorSpec(inner if with_shape else None, leaf.dtype)
    if isinstance(leaf, RaggedTensor):
        rows = RaggedTensorSpec.from_value(leaf).shape
        inner = rows[1:] if rows.rank else None
        return RaggedTensorSpec(inner, leaf.dtype, leaf.ragged_rank - 1, leaf.row_splits.dtype)
    raise TypeError(f"map_fn: give fn_output_signature for results from the items of {leaf!r}")


def _with_rows(leaf: Any) -> Any:
    """A leaf of elems: a tensor, or a composite value that has items (a ragged tensor) as it is. Raises TypeError."""
    if structures.is_separable(leaf) and not isinstance(leaf, list | tuple):
        raise TypeError(
            f"several values of {type(leaf).__name__} are not known to make one, with rows; derive it from"
            " runtime.experimental.BatchableExtensionType if its tensors have these rows"
        )
    return leaf if hasattr(type(leaf), "__ag_items__") else convert_to_tensor(leaf)


def _count(leaf: Any) -> Any:
    return REGISTRY["shape"](leaf)[0] if isinstance(leaf, Tensor) else leaf.__ag_items__()[0]


def converted(fn: Function, traced: bool = False) -> Function:
    """The function as it is called: in a graph converted by autograph, so that its control flow is staged.

    traced: it will be in a graph, though nothing is traced yet.
    """
    if not callable(fn):
        raise TypeError(f"a function was expected; got {fn!r}")
    if (executing_eagerly() and not traced) or isinstance(fn, NO_SOURCE) or getattr(fn, "__ag_do_not_convert__", False):
        return fn
    return staged(fn)


NO_SOURCE: Final = (Op, np.ufunc, type, BuiltinFunctionType)
"""Functions that are called as they are."""


def _check(model: Any, result: Any, words: str, composites_are_leaves: bool = False) -> None:
    nested = structures.has_rows if composites_are_leaves else structures.is_nested
    try:
        structures.assert_same_structure(model, result, check_types=False, nested=nested)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{words}: {error}") from None


def _alike(values: Sequence[Any], before: Sequence[Any]) -> list[Any]:
    """The values as tensors; numbers adapt to the dtypes that were there before."""
    return [
        convert_to_tensor(v, None if isinstance(v, Tensor) else t.dtype) for v, t in zip(values, before, strict=True)
    ]
