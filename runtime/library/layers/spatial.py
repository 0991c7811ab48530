"""What layers over sequences, images and volumes share: 1, 2 or 3 spatial axes between the batch and the channels.

    class MaxPooling1D(_MaxPooling, rank=1): ...

One class says what is computed and is documented; its subclasses say over how many axes.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from runtime.errors import ShapeMismatchError
from runtime.library.layers.core import check_format
from runtime.library.layers.layer import Layer, whole

__all__ = ["Spatial"]

_MANY: Final = {1: "one", 2: "two", 3: "three"}
_AXES: Final = {1: "time, features", 2: "height, width, channels", 3: "depth, height, width, channels"}


class Spatial(Layer):
    """A layer over inputs [batch, *spatial, channels]. rank: the number of spatial axes."""

    rank: ClassVar[int]

    def __init_subclass__(cls, rank: int | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if rank is not None:
            cls.rank, cls.__doc__ = rank, inspect.getdoc(cls)

    def _check_format(self, data_format: str | None) -> None:
        check_format(type(self).__name__, data_format)

    def _checked(self, inputs: Any) -> Any:
        """The inputs. Raises ShapeMismatchError unless they have as many axes as the layer works over."""
        if inputs.shape.rank not in (self.rank + 2, None):
            wanted = f"[batch, {_AXES[self.rank]}]"
            raise ShapeMismatchError(f"{self.name!r} takes {wanted}; the input has the shape {inputs.shape}")
        return inputs

    def _numbers(self, given: Any, what: str) -> tuple[int, ...]:
        """One number for all spatial axes, or one for each. Raises ValueError for anything else."""
        what = f"{type(self).__name__}: {what}"
        several = tuple(given) if isinstance(given, Iterable) else (given,) * self.rank
        if len(several) != self.rank:
            raise ValueError(f"{what} is a positive integer or {_MANY[self.rank]} of them; got {given!r}")
        return tuple(whole(number, what) for number in several)

    def _sides(self, given: Any, what: str) -> tuple[tuple[int, int], ...]:
        """How much before and after, for each spatial axis: one number for all, one for each axis, or pairs (for one
        axis a pair). Raises ValueError for anything else."""
        axes = (given,) * self.rank if not isinstance(given, Iterable) else (given,) if self.rank == 1 else tuple(given)
        pairs = [tuple(axis) if isinstance(axis, Iterable) else (axis, axis) for axis in axes]
        flat = [number for pair in pairs for number in pair]
        if len(pairs) != self.rank or any(len(pair) != 2 for pair in pairs) or not all(_counts(n) for n in flat):
            raise ValueError(
                f"{type(self).__name__}: {what} is a number that is not negative, one for each of {self.rank} axes, or"
                f" a pair (before, after) for each; got {given!r}"
            )
        return tuple((int(before), int(after)) for before, after in pairs)


def _counts(number: Any) -> bool:
    try:
        return operator.index(number) >= 0
    except TypeError:
        return False
