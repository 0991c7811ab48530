"""numpy's functions that give views: of a traced array they give a view of the same buffer.

    np.transpose(a)          the axes in another order
    np.reshape(a, (2, -1))   a view where numpy gives one, which depends on the strides; a copy where it copies
    np.broadcast_to(a, s)    a view that cannot be written to
    np.split(a, 2)           a list of views

Whether numpy copies is asked of numpy itself, with an ndarray of the same shape and strides (`TracedArray.layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from runtime.ndarrays.buffer import READ_ONLY, Buffer
from runtime.ndarrays.layout import asked_layout, known_layout, memory_order, needs_shape
from runtime.ndarrays.steps import Flat, Part, Permute, ReadOnly, Reshape, Undecided, view_in_shape
from runtime.ndarrays.traced import TracedArray, array_of, fresh, is_known, known_of
from runtime.tensor.numpy_calls.operands import Table, operand, rank_of, wanted_shape
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["VIEWS", "flat", "reshaped"]

VIEWS: Final = Table()


# -- the order of the axes


def _permuted(a: TracedArray, order: tuple[int, ...]) -> TracedArray:
    layout = a.layout
    return a.through(Permute(order), layout=None if layout is None else layout.transpose(order))


def _order_of(function: Any, a: TracedArray, *args: Any) -> tuple[int, ...]:
    """The order of the axes that a function of numpy gives, found on an array whose sizes are the numbers of axes."""
    axes = np.empty(tuple(range(rank_of(a, function.__name__))), np.bool_)
    return function(axes, *args).shape


@VIEWS.of(np.transpose)
def _transpose(a: TracedArray, axes: Any = None) -> TracedArray:
    return _permuted(a, _order_of(np.transpose, a, axes))


def _reordered(function: Any) -> Callable[..., TracedArray]:
    return lambda a, *args, **kwargs: _permuted(a, _order_of(partial_of(function, kwargs), a, *args))


VIEWS.update({f: _reordered(f) for f in (np.swapaxes, np.moveaxis, np.rollaxis, np.matrix_transpose)})
VIEWS[np.linalg.matrix_transpose] = VIEWS[np.matrix_transpose]


def partial_of(function: Any, kwargs: dict[str, Any]) -> Any:
    """The function with arguments by name, under its name."""
    made = partial(function, **kwargs)
    made.__name__ = function.__name__  # type: ignore[attr-defined]
    return made


# -- the shape


def reshaped(a: TracedArray, shape: Any, name: str) -> Any:
    """The elements in another shape: a view, or a copy where numpy makes one."""
    wanted = tuple(wanted_shape(operand(shape) if not isinstance(shape, tuple | list) else shape))
    layout = asked_layout(a)
    if layout is None or any(isinstance(size, Tensor) for size in wanted):
        if _is_whole(a):
            return a.through(Reshape(wanted))
        refusal = (
            f"np.{name} of an array of which only the run knows the strides is a view or a copy, and nobody can tell"
            " which, when one of them is written to: write a.copy() where the copy is wanted"
        )
        return a.through(Undecided(wanted, None, a.buffer, a.buffer.tensor(), refusal))
    view = view_in_shape(layout, wanted)
    if view is None:
        return _copied(a, wanted)
    return a.through(Reshape(view.shape, layout.shape), layout=view)


def _copied(a: TracedArray, shape: tuple[Any, ...]) -> Any:
    """A copy of the elements in another shape; of one element in no axis the number."""
    array = a.known()
    return fresh(Reshape(shape).read(a.value())) if array is None else fresh(np.array(array).reshape(shape)[...])


def _is_whole(a: TracedArray) -> bool:
    """Whether the view shows the elements of its buffer in their order, without a gap."""
    return all(isinstance(step, Reshape) for step in a.steps)


@VIEWS.of(np.reshape)
def _reshape(a: TracedArray, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    shape = newshape if shape is None else shape
    if _reads_columns(a, order):
        turned = _transpose(a)
        rest = reshaped(turned, tuple(wanted_shape(shape))[::-1], "reshape")
        return _transpose(rest)
    made = reshaped(a, shape, "reshape")
    return made.__copy__() if copy and isinstance(made, TracedArray) else made


def _reads_columns(a: TracedArray, order: str) -> bool:
    """Whether the first axis is the fastest one in this order of reading; "A" takes that in which the elements lie."""
    if order not in ("C", "F", "A"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    layout = asked_layout(a) if order == "A" else a.layout
    return order == "F" or (order == "A" and layout is not None and layout.flags.fnc)


@VIEWS.of(np.ravel)
def _ravel(a: TracedArray, order: str = "C") -> Any:
    if order == "K":
        a = a if asked_layout(a) is None else _permuted(a, memory_order(a.layout))
    elif _reads_columns(a, order):
        a = _transpose(a)
    if asked_layout(a) is not None and not a.layout.flags.c_contiguous:
        return _copied(a, (-1,))
    return reshaped(a, (-1,), "ravel")


def flat(a: TracedArray) -> TracedArray:
    """`a.flat`: the elements one after the other, whatever the strides are."""
    return a.through(Flat((-1,), None if a.layout is None else a.layout.shape))


def _with_shape_of(function: Any) -> Callable[..., Any]:
    """Views that only put axes of size 1 in or take them away."""

    def made(a: TracedArray, *args: Any, **kwargs: Any) -> Any:
        if a.layout is None:
            return a[_key_of(function, a, *args, **kwargs)]
        layout = function(asked_layout(a), *args, **kwargs)
        return a.through(Reshape(layout.shape, a.layout.shape), layout=layout)

    return made


def _key_of(function: Any, a: TracedArray, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """The index that gives the same view. Raises StagingError where the sizes decide, and nobody knows them."""
    rank = rank_of(a, function.__name__)
    if function is np.squeeze:
        return _squeezed(a.shape.dims or (), *args, **kwargs)
    shape = function(np.empty([2] * rank, np.bool_), *args, **kwargs).shape
    return tuple(None if size == 1 else slice(None) for size in shape)


def _squeezed(sizes: Sequence[int | None], axis: Any = None) -> tuple[Any, ...]:
    axes = range(len(sizes)) if axis is None else normalize_axis_tuple(axis, len(sizes))
    if any(sizes[i] is None for i in axes):
        raise needs_shape("np.squeeze")
    gone = {i for i in axes if sizes[i] == 1}
    if axis is not None and len(gone) < len(axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return tuple(0 if i in gone else slice(None) for i in range(len(sizes)))


VIEWS.update({f: _with_shape_of(f) for f in (np.squeeze, np.expand_dims)})


def _at_least(function: Any) -> Callable[..., Any]:
    one = _with_shape_of(function)

    def made(*arrays: Any) -> Any:
        found = tuple(one(array_of(a)) for a in arrays)
        return found[0] if len(found) == 1 else found

    return made


VIEWS.update({f: _at_least(f) for f in (np.atleast_1d, np.atleast_2d, np.atleast_3d)})


# -- parts


def _indexed(function: Any) -> Callable[..., Any]:
    """Functions that turn axes round or over: by numpy's own slices of an ndarray with the same axes."""

    def made(m: TracedArray, *args: Any, **kwargs: Any) -> Any:
        rank = rank_of(m, function.__name__)
        axes = np.empty(tuple(range(2, rank + 2)), np.bool_)
        turned = function(axes, *args, **kwargs)
        order = tuple(size - 2 for size in turned.shape)
        steps = [turned.strides[i] < 0 for i in range(rank)]
        view = m if order == tuple(range(rank)) else _permuted(m, order)
        return view[tuple(slice(None, None, -1 if step else None) for step in steps)] if any(steps) else view

    return made


VIEWS.update({f: _indexed(f) for f in (np.flip, np.fliplr, np.flipud, np.rot90)})


def _split(function: Any) -> Callable[..., Any]:
    def made(ary: TracedArray, *args: Any, **kwargs: Any) -> Any:
        if not ary.shape.is_fully_defined() and function in (np.split, np.array_split):
            return _split_at(ary, function.__name__, *args, **kwargs)
        dims = _sizes_of(ary, f"np.{function.__name__}")
        grid = np.meshgrid(*[np.arange(size) for size in dims], indexing="ij", sparse=True)
        parts = [function(np.broadcast_to(axis, dims), *args, **kwargs) for axis in grid]
        return [ary[tuple(_range_of(axis[i], n) for n, axis in enumerate(parts))] for i in range(len(parts[0]))]

    return made


def _split_at(ary: TracedArray, name: str, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """The parts between places, of an array whose size only the graph knows."""
    places: Any = known_of(indices_or_sections) if is_known(indices_or_sections) else 0
    if np.ndim(places) == 0:
        raise needs_shape(f"np.{name}")
    before = (slice(None),) * normalize_axis_index(axis, rank_of(ary, name))
    ends = pairwise([0, *places, None])
    return [ary[(*before, slice(start, end))] for start, end in ends]


def _sizes_of(a: TracedArray, name: str) -> tuple[int, ...]:
    if a.layout is None and a.shape.is_fully_defined():
        return tuple(a.shape.as_tuple())
    return known_layout(a, name).shape


def _range_of(numbers: Any, axis: int) -> slice:
    """The slice of an axis that a part covers. numbers: of each element of the part its place along the axis."""
    if numbers.size == 0:
        return slice(None) if numbers.shape[axis] else slice(0, 0)
    return slice(int(numbers.flat[0]), int(numbers.flat[-1]) + 1)


VIEWS.update({f: _split(f) for f in (np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit)})


def _read_only(function: Any) -> Callable[..., Any]:
    def made(a: TracedArray, *args: Any, **kwargs: Any) -> Any:
        call = partial(function, **kwargs) if not args else lambda x: function(x, *args, **kwargs)
        layout = None if a.layout is None else function(a.layout, *args, **kwargs)
        return a.through(ReadOnly(call, function.__name__), layout=layout)

    return made


VIEWS.update({f: _read_only(f) for f in (np.diagonal, np.broadcast_to, np.lib.stride_tricks.sliding_window_view)})


@VIEWS.of(np.linalg.diagonal)
def _diagonal_of_matrices(x: TracedArray, /, *, offset: int = 0) -> Any:
    return VIEWS[np.diagonal](x, offset, -2, -1)


@VIEWS.of(np.broadcast_arrays)
def _broadcast_arrays(*arrays: Any, subok: bool = False) -> Any:
    arrays = tuple(a if isinstance(a, Operators) else array_of(np.asarray(a)) for a in arrays)
    layouts = [a.layout if isinstance(a, TracedArray) else a for a in arrays]
    if any(layout is None or (isinstance(layout, Operators) and layout.shape.rank is None) for layout in layouts):
        raise needs_shape("np.broadcast_arrays")
    shape = np.broadcast_shapes(*(np.shape(layout) for layout in layouts))
    return tuple(
        a if np.shape(layout) == shape else VIEWS[np.broadcast_to](array_of(a), shape)
        for a, layout in zip(arrays, layouts, strict=True)
    )


@VIEWS.of(np.unstack)
def _unstack(x: TracedArray, /, *, axis: int = 0) -> Any:
    return tuple(VIEWS[np.moveaxis](x, axis, 0))


@VIEWS.of(np.diag)
def _diag(v: TracedArray, k: int = 0) -> Any:
    if rank_of(v, "diag") == 2:
        return VIEWS[np.diagonal](v, k)
    array = v.known()
    return fresh(np.diag(v.value() if array is None else array, k))


@VIEWS.of(np.real)
def _real(val: TracedArray) -> Any:
    return val.through(Part(False)) if val.dtype.is_complex else val


@VIEWS.of(np.imag)
def _imag(val: TracedArray) -> Any:
    if val.dtype.is_complex:
        return val.through(Part(True))
    array = val.known()
    return TracedArray(Buffer(np.imag(val.value() if array is None else array), refusal=READ_ONLY))


@VIEWS.of(np.array)
def _array(
    a: TracedArray, dtype: Any = None, *, copy: Any = True, order: str = "K", subok: bool = False, ndmin: int = 0,
    like: Any = None,
) -> Any:  # fmt: skip
    is_of_dtype = dtype is None or np.dtype(getattr(dtype, "numpy", dtype)) == a.dtype.numpy
    made: Any = a if is_of_dtype else a.astype(dtype, order)
    layout = made.layout if order in ("K", "A") else known_layout(made, f"np.array with order={order!r}")
    fits = order in ("K", "A") or layout.flags[f"{order}_CONTIGUOUS"]
    if made is a and (copy or not fits):
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        made = a.__copy__(order)
    missing = ndmin - rank_of(made, "array") if ndmin else 0
    return made[(None,) * missing] if missing > 0 else made


@VIEWS.of(np.asarray, np.asanyarray)
def _as_array(a: TracedArray, dtype: Any = None, order: Any = None, *, copy: Any = None, **kwargs: Any) -> Any:
    return _array(a, dtype, copy=copy, order=order or "K")


@VIEWS.of(np.copy)
def _copy(a: TracedArray, order: str = "K", subok: bool = False) -> Any:
    return _array(a, order=order)


@VIEWS.of(np.ascontiguousarray)
def _contiguous(a: TracedArray, dtype: Any = None, *, like: Any = None) -> Any:
    return _array(a, dtype, copy=None, order="C", ndmin=1)


@VIEWS.of(np.asfortranarray)
def _columns_first(a: TracedArray, dtype: Any = None, *, like: Any = None) -> Any:
    return _array(a, dtype, copy=None, order="F")


@VIEWS.of(np.require)
def _require(a: TracedArray, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    wanted = {str(word).upper()[0] for word in requirements or ()}
    made = _array(a, dtype, copy=None, order="F" if "F" in wanted else "C" if "C" in wanted else "K")
    must_copy = ("W" in wanted and made.buffer.refusal) or ("O" in wanted and made.steps)
    return made.__copy__("K") if must_copy else made
