"""Layers of several inputs: `Add`, `Concatenate`, ..., and as functions `add`, `concatenate`.

    layers.Concatenate()([left, right])
    layers.add([left, right])
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from runtime.dtypes import bool_
from runtime.library.arrays import einsum
from runtime.library.layers.beside import MASKS
from runtime.library.layers.layer import Layer
from runtime.library.matrices import normalize
from runtime.ops.records.gradients import ops
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract", "add", "average",
    "concatenate", "dot", "maximum", "minimum", "multiply", "subtract",
]  # fmt: skip


class _Merge(Layer):
    """What layers of several inputs share: a function of two that is applied from the first to the last."""

    _least, _most = 1, 1 << 30

    def call(self, inputs: Any) -> Tensor:
        """inputs: a list of tensors whose shapes broadcast; one of lower rank gets axes of size 1 after the batch."""
        return self._merged(self._aligned(self._checked(inputs)))

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """True where one of the masks is; None where an input has none."""
        whole = not previous_mask or any(mask is None for mask in previous_mask)
        return None if whole else functools.reduce(ops.logical_or, previous_mask)

    def _checked(self, inputs: Any) -> list[Any]:
        name = type(self).__name__
        if not isinstance(inputs, list | tuple):
            raise ValueError(f"{name} takes a list of tensors; got {inputs!r}")
        if not self._least <= len(inputs) <= self._most:
            count = f"{self._least}" if self._least == self._most else f"{self._least} or more"
            raise ValueError(f"{name} takes {count} inputs; got {len(inputs)}")
        return list(inputs)

    def _aligned(self, inputs: list[Any]) -> list[Any]:
        ranks = [x.shape.rank for x in inputs]
        if None in ranks or len(set(ranks)) == 1:
            return inputs
        return [_with_axes(x, max(ranks) - x.shape.rank) for x in inputs]

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(self._of_two, inputs)

    def _of_two(self, a: Any, b: Any) -> Any:
        raise NotImplementedError


def _with_axes(x: Any, count: int) -> Any:
    for _ in range(count):
        x = ops.expand_dims(x, axis=1)
    return x


class Add(_Merge):
    """The sum of the inputs."""

    def _of_two(self, a: Any, b: Any) -> Any:
        return a + b


class Subtract(_Merge):
    """The first input less the second."""

    _least = _most = 2

    def _of_two(self, a: Any, b: Any) -> Any:
        return a - b


class Multiply(_Merge):
    """The product of the inputs; what a mask leaves out of one of them is no factor, and 0 where all masks do so."""

    def call(self, inputs: Any) -> Tensor:
        """inputs: as those of the other layers of several inputs."""
        masks = [MASKS.get(x) for x in self._checked(inputs)]
        factors = [_beside_mask(x, mask, 1) for x, mask in zip(inputs, masks, strict=True)]
        return _beside_mask(super().call(factors), self.compute_mask(inputs, masks), 0)

    def _of_two(self, a: Any, b: Any) -> Any:
        return a * b


def _beside_mask(x: Any, mask: Any, otherwise: int) -> Any:
    if mask is None:
        return x
    return ops.where(ops.expand_dims(mask, axis=-1), x, ops.cast(otherwise, dtype=x.dtype))


class Average(_Merge):
    """The mean of the inputs."""

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: a + b, inputs) / len(inputs)


class Maximum(_Merge):
    """The largest of the inputs, element by element."""

    def _of_two(self, a: Any, b: Any) -> Any:
        return ops.maximum(a, b)


class Minimum(_Merge):
    """The smallest of the inputs, element by element."""

    def _of_two(self, a: Any, b: Any) -> Any:
        return ops.minimum(a, b)


class Concatenate(_Merge):
    """The inputs one after the other along an axis, which is not that of the batch."""

    __guarded__ = ("axis",)

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self.axis = axis

    def call(self, inputs: Any) -> Tensor:
        """inputs: a list of tensors of one rank, whose other axes are of one size."""
        return ops.concat(self._checked(inputs), axis=self.axis)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """The masks one after the other; where features are put together, True where one of the masks is."""
        if self.axis in (-1, inputs[0].shape.rank - 1):
            return super().compute_mask(inputs, previous_mask)
        if self.axis != 1:
            raise ValueError(f"{self.name!r}: masks are of sequences [batch, time, features]; the axis is {self.axis}")
        masks = zip(inputs, previous_mask or (), strict=True)
        return ops.concat([_whole(x) if mask is None else mask for x, mask in masks], axis=1)


def _whole(x: Any) -> Any:
    """The mask of a sequence that has none."""
    return ops.ones_like(x[:, :, 0], dtype=bool_)


class Dot(_Merge):
    """The products of the samples of two inputs, summed over an axis of each. axes: that axis, or one for each input.

    normalize: vectors along the axes have length 1 before.
    """

    __guarded__ = ("axes", "normalize")
    _least = _most = 2

    def __init__(self, axes: Any, normalize: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        pair = tuple(axes) if isinstance(axes, Sequence) else (axes, axes)
        if len(pair) != 2 or 0 in pair or not all(isinstance(axis, int) for axis in pair):
            raise ValueError(f"Dot: axes is an axis, not that of the batch, or one for each input; got {axes!r}")
        self.axes, self.normalize = pair, normalize

    def call(self, inputs: Any) -> Tensor:
        """inputs: two tensors of rank 2 or more, with known ranks."""
        x, y = self._checked(inputs)
        first, second = (axis % t.shape.rank for axis, t in zip(self.axes, (x, y), strict=True))
        if self.normalize:
            x, y = (normalize(t, axis=axis)[0] for t, axis in ((x, first), (y, second)))
        letters = "bcdefghijklmnop"
        left = letters[: x.shape.rank]
        right = "b" + letters[len(left) : len(left) + y.shape.rank - 1]
        right = right[:second] + left[first] + right[second + 1 :]
        kept = [c for c in left[1:] if c != left[first]] + [c for c in right[1:] if c != left[first]]
        found = einsum(f"{left},{right}->b{''.join(kept)}", x, y)
        return found if kept else ops.expand_dims(found, axis=1)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """None: the axes of the masks are summed over."""
        return None


def _as_function(layer: type[_Merge]) -> Callable[..., Any]:
    def merged(inputs: Any, **options: Any) -> Any:
        return layer(**options)(inputs)

    merged.__name__ = merged.__qualname__ = layer.__name__.lower()
    merged.__doc__ = f"`{layer.__name__}` as a function of a list of tensors."
    return merged


add, subtract, multiply, average = map(_as_function, (Add, Subtract, Multiply, Average))
maximum, minimum = map(_as_function, (Maximum, Minimum))


def concatenate(inputs: Any, axis: int = -1, name: str | None = None) -> Any:
    """`Concatenate` as a function."""
    return Concatenate(axis, name)(inputs)


@switches
def dot(inputs: Any, axes: Any = -1, normalize: bool = False, name: str | None = None) -> Any:
    """`Dot` as a function."""
    return Dot(axes, normalize, name)(inputs)
