"""Layers over sequences, images and volumes that have no weights: poolings, `UpSampling2D`, `ZeroPadding2D`, ...

    layers.MaxPooling2D()(images)                   # the largest element of each window of 2 x 2
    layers.GlobalAveragePooling1D()(sequences)      # [batch, time, features] to [batch, features]

Inputs are [batch, *spatial, channels].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from runtime.library import image, nn
from runtime.library.arrays import pad
from runtime.library.layers.recurrent import as_mask
from runtime.library.layers.spatial import Spatial
from runtime.library.places import repeat
from runtime.ops.arrays.shape import cast
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.reductions.reduce import reduce_max, reduce_mean, reduce_sum
from runtime.tensor.tensor import Tensor

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "Cropping1D", "Cropping2D", "Cropping3D",
    "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalMaxPooling1D",
    "GlobalMaxPooling2D", "GlobalMaxPooling3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "UpSampling1D",
    "UpSampling2D", "UpSampling3D", "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D",
]  # fmt: skip

# -- poolings over windows ----------------------------------------------------------------------------------------


class _Pooling(Spatial):
    """pool_size, strides: an integer, or one for each spatial axis; strides: pool_size unless given. padding: "valid"
    or "same"; what it adds does not count."""

    __guarded__ = ("pool_size", "strides", "padding")
    _pooled: ClassVar[Callable[..., Any]]

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid", data_format: str | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self._check_format(data_format)
        self.pool_size = self._numbers(pool_size, "pool_size")
        self.strides = self.pool_size if strides is None else self._numbers(strides, "strides")
        self.padding = padding.upper()

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels]."""
        return type(self)._pooled(self._checked(inputs), self.pool_size, self.strides, self.padding)


class _MaxPooling(_Pooling):
    """The largest element of each window."""

    _pooled = staticmethod(nn.max_pool)


class _AveragePooling(_Pooling):
    """The mean of each window."""

    _pooled = staticmethod(nn.avg_pool)


class MaxPooling1D(_MaxPooling, rank=1): ...
class MaxPooling2D(_MaxPooling, rank=2): ...
class MaxPooling3D(_MaxPooling, rank=3): ...
class AveragePooling1D(_AveragePooling, rank=1): ...
class AveragePooling2D(_AveragePooling, rank=2): ...
class AveragePooling3D(_AveragePooling, rank=3): ...


# -- poolings over everything -------------------------------------------------------------------------------------


class _GlobalPooling(Spatial):
    """What both share. keepdims: the spatial axes stay, of size 1."""

    __guarded__ = ("keepdims",)

    def __init__(self, data_format: str | None = None, keepdims: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        self._check_format(data_format)
        self.keepdims = keepdims

    def _reduced(self, reduce: Callable[..., Any], inputs: Any) -> Any:
        return reduce(self._checked(inputs), axis=list(range(1, self.rank + 1)), keepdims=self.keepdims)


class _GlobalAveragePooling(_GlobalPooling):
    """The mean of each channel: [batch, channels]. keepdims: the spatial axes stay, of size 1."""

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels]."""
        return self._reduced(reduce_mean, inputs)


class _GlobalMaxPooling(_GlobalPooling):
    """The largest element of each channel: [batch, channels]. keepdims: the spatial axes stay, of size 1."""

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels]."""
        return self._reduced(reduce_max, inputs)


class GlobalAveragePooling1D(_GlobalAveragePooling, rank=1):
    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        """inputs: [batch, time, features]; mask: bools [batch, time], False for steps that do not count."""
        if mask is None:
            return super().call(inputs)
        weights = cast(as_mask(mask, self._checked(inputs), self.name), inputs.dtype)
        return self._reduced(reduce_sum, inputs * weights) / self._reduced(reduce_sum, weights)


class GlobalAveragePooling2D(_GlobalAveragePooling, rank=2): ...
class GlobalAveragePooling3D(_GlobalAveragePooling, rank=3): ...
class GlobalMaxPooling1D(_GlobalMaxPooling, rank=1): ...
class GlobalMaxPooling2D(_GlobalMaxPooling, rank=2): ...
class GlobalMaxPooling3D(_GlobalMaxPooling, rank=3): ...


# -- other sizes --------------------------------------------------------------------------------------------------


class _UpSampling(Spatial):
    """Each element several times, side by side. size: how often, an integer, or one for each spatial axis."""

    __guarded__ = ("size",)

    def __init__(self, size: Any = 2, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(name)
        self._check_format(data_format)
        self.size = self._numbers(size, "size")

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels]."""
        found = self._checked(inputs)
        for axis, times in enumerate(self.size, 1):
            found = repeat(found, times, axis=axis)
        return found


class UpSampling1D(_UpSampling, rank=1):
    def __init__(self, size: Any = 2, name: str | None = None) -> None:
        super().__init__(size, name=name)


class UpSampling2D(_UpSampling, rank=2):
    """Each element several times, side by side. size: how often along height and width, an integer or two.
    interpolation: "nearest", or another method of `image.resize`."""

    __guarded__ = ("interpolation",)

    def __init__(
        self, size: Any = (2, 2), data_format: str | None = None, interpolation: str = "nearest",
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(size, data_format, name)
        self.interpolation = interpolation

    def call(self, inputs: Any) -> Tensor:
        """inputs: images."""
        if self.interpolation == "nearest":
            return super().call(inputs)
        known = self._checked(inputs).shape[1:3]
        sizes = shape_of(inputs)[1:3] if None in known else list(known)
        return image.resize(inputs, [sizes[i] * self.size[i] for i in (0, 1)], self.interpolation)


class UpSampling3D(_UpSampling, rank=3): ...


class _Padding(Spatial):
    """Zeros around the spatial axes. padding: how many, a number for all sides, one for each axis, or pairs (before,
    after) for the axes; of sequences a pair."""

    __guarded__ = ("padding",)

    def __init__(self, padding: Any = 1, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(name)
        self._check_format(data_format)
        self.padding = self._sides(padding, "padding")

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels]."""
        return pad(self._checked(inputs), [(0, 0), *self.padding, (0, 0)])


class _Cropping(Spatial):
    """The inputs without their rims. cropping: how wide these are, as the padding of `ZeroPadding2D`."""

    __guarded__ = ("cropping",)

    def __init__(self, cropping: Any = 1, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(name)
        self._check_format(data_format)
        self.cropping = self._sides(cropping, "cropping")

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels]. Raises ValueError where nothing would be left."""
        for size, rims in zip(self._checked(inputs).shape[1:-1], self.cropping, strict=True):
            if size is not None and size <= sum(rims):
                raise ValueError(f"{self.name!r} takes {rims} of {size} elements: nothing is left")
        ends = [slice(before, -after or None) for before, after in self.cropping]
        return inputs[(slice(None), *ends)]


class ZeroPadding1D(_Padding, rank=1): ...
class ZeroPadding2D(_Padding, rank=2): ...
class ZeroPadding3D(_Padding, rank=3): ...


class Cropping1D(_Cropping, rank=1):
    def __init__(self, cropping: Any = (1, 1), name: str | None = None) -> None:
        super().__init__(cropping, name=name)


class Cropping2D(_Cropping, rank=2):
    def __init__(self, cropping: Any = 0, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(cropping, data_format, name)


class Cropping3D(_Cropping, rank=3): ...
