"""The static methods of `Dataset`: what makes a dataset of something else, or one of several.

    Dataset.range(5), Dataset.zip(a, b)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

import numpy as np

from runtime.library.data import dask_collections, making, mixing, steps
from runtime.tensor.tensor import Operators, Tensor
from runtime.tensor.tensor_like import TensorLike

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["StaticMethods"]

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
K = TypeVar("K")


class StaticMethods:
    """A part of `Dataset`, which is too long for one file."""

    __slots__ = ()

    @overload
    @staticmethod
    def from_tensor_slices(
        tensors: Operators | np.ndarray[Any, Any] | list[Any], name: str | None = None
    ) -> Dataset[Tensor]: ...
    @overload
    @staticmethod
    def from_tensor_slices(
        tensors: tuple[TensorLike, TensorLike], name: str | None = None
    ) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensor_slices(
        tensors: tuple[TensorLike, TensorLike, TensorLike], name: str | None = None
    ) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensor_slices(tensors: Mapping[K, object], name: str | None = None) -> Dataset[dict[K, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensor_slices(tensors: object, name: str | None = None) -> Dataset[Any]: ...
    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset[Any]:
        """The rows of tensors. tensors: a structure of them, all of one first dimension; a list is one tensor."""
        return making.from_tensor_slices(tensors)

    @overload
    @staticmethod
    def from_tensors(
        tensors: Operators | np.ndarray[Any, Any] | complex | str | bytes | list[Any], name: str | None = None
    ) -> Dataset[Tensor]: ...
    @overload
    @staticmethod
    def from_tensors(tensors: object, name: str | None = None) -> Dataset[Any]: ...
    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset[Any]:
        """One element."""
        return making.from_tensors(tensors)

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Dataset[Any]:
        """What the iterable `generator(*args)` gives. It stays in Python, and is called anew for each pass.

        output_signature: a structure of TensorSpecs; or output_types and output_shapes, of dtypes and shapes. args:
        tensors, which the function gets as arrays. An element that does not fit is an error that names it.
        """
        return making.from_generator(generator, output_types, output_shapes, args, output_signature)

    @staticmethod
    def from_dask(collection: Any, element_spec: Any = None, name: str | None = None) -> Dataset[Any]:
        """The rows of a dask array, or of a structure of arrays of equally many rows; the items of a bag; the rows of
        the arrays (or structures of them) that a list of `dask.delayed` objects makes, one after the other.

        Nothing is computed before its turn, but the first partition where it must show what the elements are:
        element_spec says it otherwise. Raises ImportError without the extra `dask`.
        """
        return dask_collections.from_dask(collection, element_spec)

    @staticmethod
    def range(*args: SupportsIndex, output_type: Any = None, name: str | None = None) -> Dataset[Tensor]:
        """The integers of Python's range(*args), as scalars of dtype int64 or `output_type`."""
        return making.range_(*args, output_type=output_type)

    @staticmethod
    def counter(start: Any = 0, step: Any = 1, dtype: Any = "int64", name: str | None = None) -> Dataset[Tensor]:
        """start, start + step, ... without end."""
        return making.counter(start, step, dtype)

    @staticmethod
    def random(
        seed: int | None = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
    ) -> Dataset[Tensor]:
        """Random integers of dtype int64 from [0, 2**32), without end."""
        return making.random(seed, bool(rerandomize_each_iteration))

    @staticmethod
    def list_files(
        file_pattern: Any, shuffle: bool | None = None, seed: int | None = None, name: str | None = None
    ) -> Dataset[Tensor]:
        """The names of the files that match a glob pattern (or several), in random order unless shuffle=False."""
        return making.list_files(file_pattern, shuffle, seed)

    @overload
    @staticmethod
    def zip(a: Dataset[A], b: Dataset[B], /, *, name: str | None = None) -> Dataset[tuple[A, B]]: ...
    @overload
    @staticmethod
    def zip(a: tuple[Dataset[A], Dataset[B]], /, *, name: str | None = None) -> Dataset[tuple[A, B]]: ...
    @overload
    @staticmethod
    def zip(
        a: Dataset[A], b: Dataset[B], c: Dataset[C], /, *, name: str | None = None
    ) -> Dataset[tuple[A, B, C]]: ...
    @overload
    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset[Any]: ...
    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset[Any]:
        """Elements of several datasets side by side, as many as the shortest has. args: datasets, or a structure."""
        if datasets is not None:
            args = (datasets,)
        if not args:
            raise TypeError("Dataset.zip takes datasets")
        return steps.zipped(args[0] if len(args) == 1 else args)

    @staticmethod
    def choose_from_datasets(
        datasets: Sequence[Dataset[A]], choice_dataset: Dataset[Any], stop_on_empty_dataset: bool = True
    ) -> Dataset[A]:
        """For each number of `choice_dataset`, scalars of dtype int64, the next element of that one of the datasets.

        stop_on_empty_dataset: whether one that is at its end is the end of all, or is passed over.
        """
        return mixing.choose(datasets, choice_dataset, stop_on_empty_dataset)

    @staticmethod
    def sample_from_datasets(
        datasets: Sequence[Dataset[A]], weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset[A]:  # fmt: skip
        """The elements of several datasets, drawn at random. weights: a share for each of them; alike by default.

        stop_on_empty_dataset: as for `choose_from_datasets`. rerandomize_each_iteration: whether each pass over a
        dataset with a seed has another order.
        """
        again = seed is None if rerandomize_each_iteration is None else rerandomize_each_iteration
        return mixing.sample(datasets, weights, seed, stop_on_empty_dataset, again)
