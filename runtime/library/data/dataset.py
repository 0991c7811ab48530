"""`Dataset`: a sequence of elements, described step by step, made one by one when it is gone through.

    >>> dataset = Dataset.range(10).filter(lambda x: x % 2 == 0).map(lambda x: x * x).batch(2)
    >>> [x.tolist() for x in dataset.as_numpy_iterator()]
    [[0, 4], [16, 36], [64]]

A dataset is immutable and holds no elements (`cache` does); each `for` over it begins a pass of its own. Functions that
are given to its methods are converted and traced once; in them, tensors and Variables of the program can be used. All
of it works in a Function as well: a dataset may be an argument, come from outside, or be made there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Iterator as PythonIterator
from typing import Any, Final, Generic, TypeVar, TypeVarTuple, overload

from autograph.operators.consumer import Consumer
from autograph.operators.stager import WHILE_TRACING
from runtime.context import current_recorder
from runtime.library.data import buckets, by_key, dask_collections, grouping, making, steps
from runtime.library.data.handles import known_node
from runtime.library.data.iterator import Iterator, iterate, joined_structure, refusal
from runtime.library.data.node import INFINITE, UNKNOWN
from runtime.library.data.resampling import resampled
from runtime.library.data.shown import dataset_html, dataset_svg
from runtime.library.data.static_methods import StaticMethods
from runtime.library.data.steps import AUTOTUNE
from runtime.library.data.structure import DatasetSpec, Structure
from runtime.ops.flow.check import check
from runtime.ops.flow.dataset import dataset_cardinality
from runtime.tensor.tensor import Tensor

__all__ = ["Dataset"]

T_co = TypeVar("T_co", covariant=True)
Ts = TypeVarTuple("Ts")
U = TypeVar("U")

NO_LENGTH: Final = {
    INFINITE: "The dataset is infinite; it has no len()", UNKNOWN: "The dataset is of unknown length; it has no len()",
}  # fmt: skip


class Dataset(StaticMethods, Generic[T_co]):
    """See the module's docstring. Made by the static methods, such as `Dataset.range(5)`."""

    __slots__ = ("__weakref__", "_kind", "handle", "structure")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    kind = "Dataset"

    def __init__(self, handle: Any, structure: Structure, kind: str = "") -> None:
        self.handle = handle
        """The tensor of dtype variant that holds the pipeline."""
        self.structure = structure
        self._kind = kind

    # -- functions of elements -----------------------------------------------------------------------------------

    @overload
    def map(self: Dataset[tuple[*Ts]], map_func: Callable[[*Ts], U], *args: Any, **options: Any) -> Dataset[U]: ...
    @overload
    def map(self, map_func: Callable[[T_co], U], *args: Any, **options: Any) -> Dataset[U]: ...
    def map(
        self, map_func: Any, num_parallel_calls: Any = None, deterministic: bool | None = None, name: str | None = None
    ) -> Dataset[Any]:
        """`map_func` of each element; a tuple is its arguments. It may return tensors and structures of them.

        num_parallel_calls: how many elements are worked on at once, by threads; the order stays.
        """
        return steps.map_(self, map_func, num_parallel_calls)

    def filter(self, predicate: Any, name: str | None = None) -> Dataset[T_co]:
        """The elements for which the predicate, a scalar bool, is true."""
        return steps.filter_(self, predicate)

    def take_while(self, predicate: Any, name: str | None = None) -> Dataset[T_co]:
        """The elements before the first one for which the predicate is false."""
        return steps.take_while(self, predicate)

    def flat_map(self, map_func: Callable[..., Dataset[U]], name: str | None = None) -> Dataset[U]:
        """The elements of the datasets that `map_func` makes of the elements, one dataset after the other."""
        return steps.interleave(self, map_func, 1, 1, None, "flat_map")

    def interleave(
        self, map_func: Callable[..., Dataset[U]], cycle_length: Any = None, block_length: Any = None,
        num_parallel_calls: Any = None, deterministic: bool | None = None, name: str | None = None,
    ) -> Dataset[U]:  # fmt: skip
        """As flat_map, but `cycle_length` datasets take turns, with `block_length` elements each."""
        cycle = AUTOTUNE if cycle_length is None else cycle_length
        block = 1 if block_length is None else block_length
        return steps.interleave(self, map_func, cycle, block, num_parallel_calls, "interleave")

    def scan(
        self, initial_state: Any, scan_func: Any, name: str | None = None, use_default_device: Any = None
    ) -> Dataset[Any]:
        """`state, result = scan_func(state, element)` from the initial state on; the results."""
        return steps.scan(self, initial_state, scan_func)

    def reduce(self, initial_state: Any, reduce_func: Any, name: str | None = None) -> Any:
        """The last of `state = reduce_func(state, element)`, from the initial state on."""
        return making.reduce(self, initial_state, reduce_func)

    def apply(self, transformation_func: Callable[[Dataset[T_co]], U]) -> U:
        """`transformation_func(self)`, which must be a dataset."""
        made = transformation_func(self)
        if not isinstance(made, Dataset):
            raise TypeError(f"apply: the function returns a dataset; it returned {made!r}")
        return made

    # -- groups --------------------------------------------------------------------------------------------------

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset[T_co]:
        """Groups of elements as one, with a new first dimension. drop_remainder: leave out a last, smaller one."""
        return grouping.batch(self, batch_size, drop_remainder)

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset[T_co]:
        """As batch, of elements of different shapes, which are padded to the largest of their batch.

        padded_shapes: a structure of shapes, None or -1 in them for the largest. padding_values: scalars; 0, or "".
        """
        return grouping.padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder)

    def ragged_batch(
        self, batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = "int64", name: str | None = None
    ) -> Dataset[Any]:
        """As batch, of tensors of different lengths, which become the rows of RaggedTensors.

        Tensors of a shape that is known as a whole are stacked.
        """
        return grouping.ragged_batch(self, batch_size, drop_remainder, row_splits_dtype)

    def group_by_window(
        self, key_func: Any, reduce_func: Callable[..., Dataset[U]], window_size: Any = None,
        window_size_func: Any = None, name: str | None = None,
    ) -> Dataset[U]:  # fmt: skip
        """The elements of `reduce_func(key, dataset)` of each `window_size` elements for which `key_func` is the same.

        key_func gives integers. window_size_func: the size for a key, in the place of window_size. What is left at the
        end are smaller groups, the smallest key first.
        """
        return by_key.group_by_window(self, key_func, reduce_func, window_size, window_size_func)

    def bucket_by_sequence_length(
        self, element_length_func: Any, bucket_boundaries: Sequence[int], bucket_batch_sizes: Sequence[int],
        padded_shapes: Any = None, padding_values: Any = None, pad_to_bucket_boundary: bool = False,
        no_padding: bool = False, drop_remainder: bool = False, name: str | None = None,
    ) -> Dataset[T_co]:  # fmt: skip
        """Padded batches of elements of about one length: shorter than the first boundary, the second, ..., and others.

        bucket_batch_sizes: one more than there are boundaries. pad_to_bucket_boundary: to one less than the boundary,
        in the place of the longest of the batch. The rest as for `padded_batch`.
        """
        return buckets.bucket_by_sequence_length(
            self, element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
            pad_to_bucket_boundary, no_padding, drop_remainder,
        )  # fmt: skip

    def unbatch(self, name: str | None = None) -> Dataset[T_co]:
        """The rows of the elements, one by one."""
        return grouping.unbatch(self)

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset[Any]:
        """Datasets of `size` elements, which begin `shift` apart (`size` by default); one for each leaf."""
        return grouping.window(self, size, shift, stride, drop_remainder)

    def rebatch(self, batch_size: Any, drop_remainder: bool = False, name: str | None = None) -> Dataset[T_co]:
        """Batches of another size, of the rows of batches."""
        return grouping.rebatch(self, batch_size, drop_remainder)

    # -- order ---------------------------------------------------------------------------------------------------

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None, name: str | None = None
    ) -> Dataset[T_co]:
        """The elements in random order, each drawn out of a buffer of `buffer_size`.

        seed: the order depends on it alone. reshuffle_each_iteration: whether each pass has another order (True).
        """
        return steps.shuffle(self, buffer_size, seed, reshuffle_each_iteration)

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset[T_co]:
        """The elements `count` times over, each time by a new pass; without end for None or -1."""
        return steps.repeat(self, count)

    def take(self, count: Any, name: str | None = None) -> Dataset[T_co]:
        """At most the first `count` elements; all for -1."""
        return steps.take(self, count)

    def skip(self, count: Any, name: str | None = None) -> Dataset[T_co]:
        """All but the first `count` elements."""
        return steps.skip(self, count)

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset[T_co]:
        """Every `num_shards`-th element, from number `index` on."""
        return steps.shard(self, num_shards, index)

    def unique(self, name: str | None = None) -> Dataset[T_co]:
        """Each element the first time that it comes. Elements are tensors of integers, bools or texts."""
        return steps.unique(self)

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset[T_co]:
        """The elements without those that fail. log_warning: whether a warning tells of each."""
        return steps.ignore_errors(self, log_warning)

    def concatenate(self, dataset: Dataset[T_co], name: str | None = None) -> Dataset[T_co]:
        """The elements of this dataset, then those of another one."""
        return steps.concatenate(self, dataset)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset[tuple[Tensor, T_co]]:
        """Pairs (number, element), the numbers of dtype int64 from `start` on."""
        return steps.zipped((making.counter(start, 1, "int64"), self))

    def rejection_resample(
        self, class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: int | None = None,
        name: str | None = None,
    ) -> Dataset[tuple[Tensor, T_co]]:  # fmt: skip
        """Pairs (class, element), some left out at random so that each class has its share of target_dist.

        class_func: the class of an element, an integer from 0 on. initial_dist: the shares of the classes; unless given
        they are counted on the way.
        """
        return resampled(self, class_func, target_dist, initial_dist, seed)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset[T_co]:
        """The same elements; up to `buffer_size` of them are made ahead, by a thread."""
        return steps.prefetch(self, buffer_size)

    def cache(self, filename: str = "", name: str | None = None) -> Dataset[T_co]:
        """The same elements, made in one pass and kept for later ones: in memory, or in a file of this name."""
        return steps.cache(self, str(filename))

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def element_spec(self) -> Any:
        """The specs of an element, in its structure."""
        return self.structure.spec

    def cardinality(self, name: str | None = None) -> Tensor:
        """The number of elements, an int64 scalar tensor: also INFINITE_CARDINALITY, UNKNOWN_CARDINALITY."""
        return dataset_cardinality(self.handle)

    def get_single_element(self, name: str | None = None) -> T_co:
        """The only element. Raises InvalidArgumentError if there are none or several."""
        return making.single(self)

    def as_numpy_iterator(self) -> PythonIterator[Any]:
        """The elements with numpy arrays and scalars as leaves."""
        if current_recorder() is not None:
            raise refusal("a dataset")
        return making.numpy_elements(self)

    def to_dask(self, npartitions: int) -> Any:
        """The elements, with numpy arrays as leaves, as a `dask.bag` of so many partitions, in order.

        They are made here, now. Raises InvalidArgumentError for an infinite dataset, ImportError without Dask.
        """
        if current_recorder() is not None:
            raise refusal("a dataset")
        return dask_collections.to_dask(self, npartitions)

    def __iter__(self) -> Iterator[T_co]:
        if current_recorder() is not None:
            raise refusal("a dataset")
        return iterate(self.handle, self.structure)

    def __len__(self) -> int:
        node = known_node(self.handle)
        if node is None:
            raise TypeError("The dataset has no len() before the function runs; call cardinality()")
        if node.cardinality < 0:
            raise TypeError(NO_LENGTH[node.cardinality])
        return node.cardinality

    def __ag_len__(self) -> Any:
        """What `len` gives in a converted function: a tensor where the trace does not know it."""
        if known_node(self.handle) is not None:
            return len(self)
        count = self.cardinality()
        for special, message in NO_LENGTH.items():
            check(count != special, [], message=message, exception="TypeError")
        return count

    def __bool__(self) -> bool:
        """True, also of no elements; `__ag_truth__` is what conditions in converted functions ask for."""
        return True

    __ag_truth__ = __bool__

    def __repr__(self) -> str:
        return f"<{self._kind}Dataset element_spec={self.element_spec!r}>"

    _repr_html_, _repr_svg_ = dataset_html, dataset_svg  # for notebooks

    # -- in converted code

    def __ag_iter__(self) -> Iterator[T_co]:
        return iterate(self.handle, self.structure)

    def __ag_push__(self, consumer: Consumer) -> None:
        self.__ag_iter__().__ag_push__(consumer)

    # -- as a structure with its handle as the one part (runtime.nest)

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".handle", self.handle)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Dataset[T_co]:
        return Dataset(parts[0], self.structure, self._kind)

    def _nest_check(self, other: Any) -> None:
        if not self.structure.accepts(other.structure):
            raise TypeError(f"datasets of {self.element_spec!r} and of {other.element_spec!r} have no common type")

    def _nest_static(self) -> Any:
        return "dataset", self.structure.key

    @staticmethod
    def _nest_joined(values: Sequence[Dataset[Any]]) -> Structure | None:
        """The structure of elements that may be those of each; None if there is none."""
        return joined_structure([value.structure for value in values])

    def _nest_as(self, wanted: Structure | None) -> Dataset[T_co]:
        return self if wanted is None else Dataset(self.handle, wanted, self._kind)


DatasetSpec._nest_stands_for = DatasetSpec.value_type = Dataset
DatasetSpec._nest_make = Dataset
