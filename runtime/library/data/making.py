"""What the sources of `Dataset` do, and the methods that go through one at once."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

import autograph
from autograph.operators.scope import conversion_enabled
from runtime import structures
from runtime.context import current_recorder
from runtime.dtypes import as_dtype, int64, string
from runtime.errors import EndOfDataError, InvalidArgumentError
from runtime.library.data import steps
from runtime.library.data.batching import rows_within
from runtime.library.data.blocks import Block
from runtime.library.data.files import matching
from runtime.library.data.functions import as_element
from runtime.library.data.handles import Pipeline, boxed_node
from runtime.library.data.iterator import element_of
from runtime.library.data.lines import texts
from runtime.library.data.node import INFINITE, Node
from runtime.library.data.shuffling import Seeds, shuffled
from runtime.library.data.sources import counting, generated, given
from runtime.library.data.stream import Stream
from runtime.library.data.structure import Structure, as_leaves, is_inner, structure_of
from runtime.ops.random.random import GENERATORS
from runtime.ops.records.record import Array
from runtime.state.parameters import Parameter
from runtime.state.scopes import init_scope
from runtime.state.variable import Variable
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["counter", "from_generator", "from_tensor_slices", "from_tensors", "list_files", "numpy_elements", "random",
           "range_", "reduce", "single"]  # fmt: skip


def _tensors(value: Any, what: str) -> tuple[Any, list[Any]]:
    """The element with tensors as leaves, and those. What has a value becomes a tensor outside of any trace."""
    element = _with_tensors(value, what)
    return element, [getattr(leaf, "handle", leaf) for _, leaf in as_leaves(element)]


def _with_tensors(value: Any, what: str) -> Any:
    if is_inner(value):
        return structures.rebuild(value, [_with_tensors(part, what) for _, part in structures.children(value)])
    if any(isinstance(leaf, SymbolicTensor | Variable | Parameter) for leaf in structures.flatten(value)):
        return as_element(value, what)
    with init_scope():
        return as_element(value, what)


def from_tensors(value: Any) -> Dataset[Any]:
    element, leaves = _tensors(value, "from_tensors")
    structure = structure_of(element)

    def build(*values: Any) -> Node:
        return given(Block([[_as_array(value)] for value in values], 1), structure)

    return steps.dataset("Tensor", build, leaves, structure)


def _as_array(value: Any) -> Array:
    return value if isinstance(value, np.ndarray) else boxed_node(value, "")


def from_tensor_slices(value: Any) -> Dataset[Any]:
    element, leaves = _tensors(value, "from_tensor_slices")
    whole = structure_of(element)
    whole.require_rows("from_tensor_slices")
    for component in whole.components:
        if component.shape.rank == 0:
            raise ValueError(
                f"from_tensor_slices: a scalar has no rows; got {component!r}. from_tensors makes one element of it"
            )
    if not leaves:
        raise ValueError("from_tensor_slices needs a tensor at least")
    structure = whole.without_leading()

    def build(*arrays: Array) -> Node:
        return given(rows_within(whole, arrays, "from_tensor_slices: the tensors need"), structure)

    return steps.dataset("TensorSlice", build, leaves, structure)


def from_generator(generator: Any, types: Any, shapes: Any, args: Any, signature: Any) -> Dataset[Any]:
    if not callable(generator):
        raise TypeError(f"from_generator takes a function that returns an iterable; got {generator!r}")
    if (signature is None) == (types is None):
        raise TypeError("from_generator takes output_signature, or output_types (and output_shapes)")
    structure = Structure(_signature(types, shapes) if signature is None else _tuples(signature))
    given = [] if args is None else list(args)
    make = generator

    def build(*values: Array) -> Node:
        return generated(make, structure, tuple(_given(value) for value in values))

    return steps.dataset("FlatMap", build, given, structure)


def _given(array: Array) -> Any:
    return array[()] if array.ndim == 0 else array


def _tuples(signature: Any) -> Any:
    return tuple(signature) if isinstance(signature, list) else signature


def _signature(types: Any, shapes: Any) -> Any:
    types = _tuples(types)
    if not is_inner(types):
        return TensorSpec(shapes, as_dtype(types))
    if shapes is None:
        return structures.rebuild(types, [_signature(part, None) for _, part in structures.children(types)])
    parts = structures.corresponding(types, _tuples(shapes) if isinstance(types, tuple) else shapes, check_types=False)
    return structures.rebuild(types, [_signature(dtype, shape) for dtype, shape, _ in parts])


def range_(*args: Any, output_type: Any) -> Dataset[Any]:
    dtype = int64 if output_type is None else as_dtype(output_type)
    if not 1 <= len(args) <= 3:
        raise TypeError(f"Dataset.range takes one to three integers; got {len(args)}")
    if not (dtype.is_integer or dtype.is_floating):
        raise TypeError(f"Dataset.range gives integers; output_type is {dtype.name}")
    structure = Structure(TensorSpec([], dtype))

    def build(*bounds: Array) -> Node:
        numbers = [steps.integer(bound, "range: a bound") for bound in bounds]
        if len(numbers) == 3 and numbers[2] == 0:
            raise InvalidArgumentError("range: the step is not 0")
        span = range(*numbers)
        return counting(span.start, span.step, len(span), dtype.numpy, structure)

    return steps.dataset("Range", build, list(args), structure)


def counter(start: Any, step: Any, dtype: Any) -> Dataset[Any]:
    kind = as_dtype(dtype)
    structure = Structure(TensorSpec([], kind))

    def build(first: Array, by: Array) -> Node:
        return counting(steps.integer(first, "start"), steps.integer(by, "step"), INFINITE, kind.numpy, structure)

    return steps.dataset("Counter", build, [start, step], structure)


def random(seed: int | None, again: bool) -> Dataset[Any]:
    structure = Structure(TensorSpec([], int64))

    def build() -> Node:
        root = GENERATORS.get(None).integers(0, 2**62) if seed is None else seed
        passes = itertools.count()

        def numbers() -> Iterator[int]:
            generator = np.random.default_rng([abs(int(root)), int(root < 0), next(passes) if again else 0])
            while True:
                yield from generator.integers(0, 2**32, 256).tolist()

        return generated(numbers, structure)

    return steps.dataset("Random", build, [], structure)


def list_files(pattern: Any, shuffle: bool | None, seed: Any) -> Dataset[Any]:
    structure = Structure(TensorSpec([], string))

    def build(patterns: Array, *seeds: Array) -> Node:
        found = matching([os.fsdecode(p) for p in np.ravel(patterns).tolist()])
        node = given(Block([texts([os.fsencode(name) for name in found])], len(found)), structure)
        number = steps.integer(seeds[0], "list_files: seed") if seeds else None
        return node if shuffle is False else shuffled(node, len(found), Seeds(number, True))

    if isinstance(pattern, os.PathLike):
        pattern = os.fspath(pattern)
    return steps.dataset("MatchingFiles", build, [pattern, *([] if seed is None else [seed])], structure)


# -- going through one at once -----------------------------------------------------------------------------------------


def _stream(dataset: Dataset[Any]) -> Stream:
    pipeline: Pipeline = dataset.handle._array.item()[0]
    return pipeline.iterate()


def numpy_elements(dataset: Dataset[Any]) -> Iterator[Any]:
    dataset.structure.refuse_types("as_numpy_iterator")
    stream, structure = _stream(dataset), dataset.structure
    of_tensors = not structure.has_composites
    try:
        while True:
            try:
                row = stream.take()
            except EndOfDataError:
                return
            values = map(EagerTensor, row)
            yield structure.pack([value.numpy() for value in values] if of_tensors else list(values))
    finally:
        stream.close()


def single(dataset: Dataset[Any]) -> Any:
    if current_recorder() is None and isinstance(dataset.handle, EagerTensor):
        found = list(itertools.islice(dataset, 2))
        if len(found) != 1:
            raise InvalidArgumentError(f"get_single_element: the dataset has {'several' if found else 'no'} elements")
        return found[0]
    return dataset.__ag_iter__().get_next()


def reduce(dataset: Dataset[Any], initial: Any, function: Callable[..., Any]) -> Any:
    if current_recorder() is not None or not isinstance(dataset.handle, EagerTensor):
        if conversion_enabled.get() is False:
            function = autograph.do_not_convert(function)
        return autograph.converted(_staged_reduce)(dataset, as_element(initial, "reduce"), function)
    start = as_element(initial, "reduce")
    structure, run = steps.runner(dataset, function, start)
    state = tuple(getattr(leaf, "handle", leaf)._array for _, leaf in as_leaves(start))
    stream = _stream(dataset)
    try:
        while stream.more():
            state = run.row((*state, *stream.take()))
    finally:
        stream.close()
    return element_of(state, structure)


def _staged_reduce(dataset: Any, state: Any, function: Callable[..., Any]) -> Any:
    for element in dataset:
        state = function(state, element)
    return state
