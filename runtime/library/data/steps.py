"""What the methods of `Dataset` do: check their arguments, work out the type of the elements, make the handle.

Each function takes the dataset and returns another one. Arguments that may be tensors are inputs of the handle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import bool_
from runtime.errors import InvalidArgumentError
from runtime.library.data import ordering
from runtime.library.data.caching import Memory, Spill, cached
from runtime.library.data.functions import Runner, Traced, as_element, trace_elements
from runtime.library.data.handles import handle_of
from runtime.library.data.mapping import filtered, mapped, scanned, taken_while
from runtime.library.data.nested import interleaved
from runtime.library.data.node import Node
from runtime.library.data.shuffling import Seeds, shuffled
from runtime.library.data.structure import DatasetSpec, Structure, as_leaves, mapped_components, structure_of
from runtime.library.data.threads import mapped_in_parallel, prefetched
from runtime.ops.records.record import Array
from runtime.tensor.dispatch import flag_of
from runtime.tensor.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["AUTOTUNE"]

AUTOTUNE: Final = -1
"""In the place of a number of calls or elements: as this machine and the data suggest."""

PARALLEL: Final = 4
AHEAD: Final = 16


def dataset(kind: str, build: Callable[..., Node], inputs: Sequence[Any], structure: Structure) -> Dataset[Any]:
    """A dataset of these inputs (see `handles.handle_of`)."""
    from runtime.library.data.dataset import Dataset

    return Dataset(handle_of(kind, build, inputs), structure, kind)


def alike(source: Dataset[Any], kind: str, build: Callable[..., Node], *inputs: Any) -> Dataset[Any]:
    """A dataset of this one and more inputs, with elements of the same type."""
    return dataset(kind, build, [source, *inputs], source.structure)


def integer(value: Array, what: str, least: int | None = None) -> int:
    """An argument that is an integer. Raises InvalidArgumentError."""
    if np.ndim(value) or not np.issubdtype(value.dtype, np.integer):
        raise InvalidArgumentError(f"{what} is an integer; got {value.dtype} of the shape {np.shape(value)}")
    number = int(value)
    if least is not None and number < least:
        raise InvalidArgumentError(f"{what} is at least {least}; got {number}")
    return number


# -- functions of elements ---------------------------------------------------------------------------------------------


def arguments_of(structure: Structure) -> list[Structure]:
    """What a function of elements takes: a tuple is its arguments."""
    return [Structure(part) for part in structure.spec] if type(structure.spec) is tuple else [structure]


def traced(function: Any, arguments: Sequence[Structure], what: str) -> Traced:
    from runtime.library.data.dataset import Dataset

    return trace_elements(function, arguments, what, Dataset)


def map_(source: Dataset[Any], function: Any, calls: Any) -> Dataset[Any]:
    found = traced(function, arguments_of(source.structure), "map")
    structure = found.results
    number = PARALLEL if calls == AUTOTUNE else 1 if calls is None else calls

    def build(node: Node, *captured: Any) -> Node:
        run = found.bind(captured)
        together = number > 1 and not (run.steady and run.vectorized)
        return mapped_in_parallel(node, run, number, structure) if together else mapped(node, run, structure)

    if number < 1:
        raise ValueError(f"map: num_parallel_calls is at least 1, or AUTOTUNE; got {calls}")
    return dataset("Map" if calls is None else "ParallelMap", build, [source, *found.captures], structure)


def _predicate(source: Dataset[Any], function: Any, what: str) -> Traced:
    found = traced(function, arguments_of(source.structure), what)
    spec = found.results.spec
    if not isinstance(spec, TensorSpec) or spec.dtype is not bool_ or spec.shape.rank not in (0, None):
        raise ValueError(f"{what}: the predicate returns a scalar of dtype bool; it returned {spec!r}")
    return found


def filter_(source: Dataset[Any], function: Any) -> Dataset[Any]:
    found = _predicate(source, function, "filter")
    return alike(source, "Filter", lambda node, *values: filtered(node, found.bind(values)), *found.captures)


def take_while(source: Dataset[Any], function: Any) -> Dataset[Any]:
    found = _predicate(source, function, "take_while")
    return alike(source, "TakeWhile", lambda node, *values: taken_while(node, found.bind(values)), *found.captures)


def interleave(source: Dataset[Any], function: Any, cycle: Any, block: Any, calls: Any, what: str) -> Dataset[Any]:
    found = traced(function, arguments_of(source.structure), what)
    spec = found.results.spec
    if not isinstance(spec, DatasetSpec):
        raise TypeError(f"{what}: the function returns a dataset; it returned {spec!r}")
    structure = Structure(spec.element_spec)
    workers = 0 if calls is None else PARALLEL if calls == AUTOTUNE else calls

    def build(node: Node, cycle: Array, block: Array, *captured: Any) -> Node:
        turns = PARALLEL if int(cycle) == AUTOTUNE else integer(cycle, f"{what}: cycle_length", 1)
        length = integer(block, f"{what}: block_length", 1)
        return interleaved(node, found.bind(captured), turns, length, structure, workers)

    kind = "FlatMap" if what == "flat_map" else "Interleave"
    return dataset(kind, build, [source, cycle, block, *found.captures], structure)


def scan(source: Dataset[Any], initial: Any, function: Any) -> Dataset[Any]:
    start = as_element(initial, "scan")
    _, found = fixed_point(function, structure_of(start), source.structure, "scan", _state_of_pair)
    structure = Structure(found.results.spec[1])
    given = [getattr(leaf, "handle", leaf) for _, leaf in as_leaves(start)]

    def build(node: Node, *values: Any) -> Node:
        row = tuple(values[: len(given)])
        return scanned(node, found.bind(values[len(given) :]), row, structure)

    return dataset("Scan", build, [source, *given, *found.captures], structure)


def _state_of_pair(result: Any) -> Any:
    if type(result) is not tuple or len(result) != 2:
        raise TypeError(f"scan: the function returns (state, result); it returned {result!r}")
    return result[0]


def fixed_point(
    function: Any, state: Structure, element: Structure, what: str, state_of: Callable[[Any], Any]
) -> tuple[Structure, Traced]:
    """`function(state, element)` traced for a state whose shapes hold for all of its results, too."""
    for _ in range(ROUNDS):
        found = traced(function, [state, element], what)
        after = Structure(state_of(found.results.spec))
        try:
            wider = state.relaxed(after, what)
        except TypeError:
            raise TypeError(
                f"{what}: the state is {state.spec!r} before the function and {after.spec!r} after it; structures and"
                " dtypes must stay"
            ) from None
        if wider.spec == state.spec:
            return state, found
        state = wider
    raise RuntimeError(f"{what}: the shapes of the state do not settle")


ROUNDS: Final = 8


# -- order -------------------------------------------------------------------------------------------------------------


def take(source: Dataset[Any], count: Any) -> Dataset[Any]:
    return alike(source, "Take", lambda node, n: ordering.taken(node, integer(n, "take: count")), count)


def skip(source: Dataset[Any], count: Any) -> Dataset[Any]:
    return alike(source, "Skip", lambda node, n: ordering.skipped(node, integer(n, "skip: count")), count)


def repeat(source: Dataset[Any], count: Any) -> Dataset[Any]:
    given = -1 if count is None else count
    return alike(source, "Repeat", lambda node, n: ordering.repeated(node, integer(n, "repeat: count")), given)


def shard(source: Dataset[Any], shards: Any, index: Any) -> Dataset[Any]:
    def build(node: Node, shards: Array, index: Array) -> Node:
        number, which = integer(shards, "shard: num_shards", 1), integer(index, "shard: index", 0)
        if which >= number:
            raise InvalidArgumentError(f"shard: index is less than num_shards, {number}; got {which}")
        return ordering.sharded(node, number, which)

    return alike(source, "Shard", build, shards, index)


def unique(source: Dataset[Any]) -> Dataset[Any]:
    spec = source.element_spec
    hashable = isinstance(spec, TensorSpec) and (spec.dtype.is_integer or spec.dtype.family in ("bool", "string"))
    if not hashable:
        raise TypeError(f"unique takes tensors of integers, bools or texts; the elements are {spec!r}")
    return alike(source, "Unique", ordering.unique)


def ignore_errors(source: Dataset[Any], tell: bool) -> Dataset[Any]:
    return alike(source, "IgnoreErrors", lambda node: ordering.without_errors(node, tell))


def concatenate(source: Dataset[Any], other: Dataset[Any]) -> Dataset[Any]:
    structure = source.structure.relaxed(other.structure, "concatenate")
    return dataset("Concatenate", lambda a, b: ordering.chained((a, b), structure), [source, other], structure)


def zipped(datasets: Any) -> Dataset[Any]:
    """datasets: a structure of datasets; their elements stand in that structure."""
    from runtime.library.data.dataset import Dataset

    if isinstance(datasets, list):
        raise TypeError("zip takes datasets, or a tuple or dict of them; a list is no structure of elements")
    parts = [part for _, part in as_leaves(datasets)]
    for part in parts:
        if not isinstance(part, Dataset):
            raise TypeError(f"zip takes datasets, or a structure of them; got {part!r}")
    structure = Structure(mapped_components(datasets, lambda part: part.element_spec))
    return dataset("Zip", lambda *nodes: ordering.zipped(nodes, structure), parts, structure)


def shuffle(source: Dataset[Any], size: Any, seed: Any, again: Any) -> Dataset[Any]:
    again = flag_of("shuffle", "reshuffle_each_iteration", again, True)

    def build(node: Node, size: Array, *seed: Array) -> Node:
        seeds = Seeds(integer(seed[0], "shuffle: seed") if seed else None, again)
        return shuffled(node, integer(size, "shuffle: buffer_size", 1), seeds)

    return alike(source, "Shuffle", build, size, *([] if seed is None else [seed]))


def prefetch(source: Dataset[Any], size: Any) -> Dataset[Any]:
    def build(node: Node, size: Array) -> Node:
        number = integer(size, "prefetch: buffer_size", -1)
        return prefetched(node, AHEAD if number == AUTOTUNE else number) if number else node

    return alike(source, "Prefetch", build, size)


def cache(source: Dataset[Any], filename: str) -> Dataset[Any]:
    return alike(source, "Cache", lambda node: cached(node, Spill(filename) if filename else Memory()))


def runner(source: Dataset[Any], function: Any, start: Any) -> tuple[Structure, Runner]:
    """For `reduce`: the structure of the state, and the function from state and element to it."""
    state, found = fixed_point(function, structure_of(start), source.structure, "reduce", lambda result: result)
    assert current_recorder() is None
    return state, found.bind(())
