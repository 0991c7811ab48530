"""Kinds of objects, times ways to them, times statements, times changes: each does what Python does, or is refused.

A sample of the matrix runs with the suite; all of it with `-m slow`. A kind that is added to a table of the heap must
have a sample here, and is in the matrix by that.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from runtime.heap.kinds import kinds_by_class
from runtime.heap.leads import PARTS
from tests.runtime.heap.programs import Cell, cells, close_files, namespace, verdict
from tests.runtime.heap.samples import SAMPLES

CELLS = [cell for cell in cells() if cell.sample.kind != "itertools.batched" or hasattr(itertools, "batched")]
SAMPLE = 150


def run(chosen: Iterable[Cell], folder: Path) -> Counter[str]:
    names = namespace(folder)
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for number, cell in enumerate(chosen):
        try:
            found[verdict(cell, names, number)] += 1
        except AssertionError as error:
            wrong.append(str(error))
    close_files(names)
    assert not wrong, f"{len(wrong)} cells differ from Python, such as:\n" + "\n\n".join(wrong[:5])
    return found


def test_a_sample_of_the_matrix(tmp_path: Path) -> None:
    found = run(random.Random(12).sample(CELLS, SAMPLE), tmp_path)
    print(f"{SAMPLE} of {len(CELLS)} cells: {dict(found)}")
    assert found["carried"] > SAMPLE // 4


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({sample.kind for sample in SAMPLES} - {"itertools.batched"}))
def test_the_whole_matrix(kind: str, tmp_path: Path) -> None:
    chosen = [cell for cell in CELLS if cell.sample.kind == kind]
    print(f"{len(chosen)} cells of {len(CELLS)}: {dict(run(chosen, tmp_path))}")


_OTHERWISE = {
    "functools.partialmethod", "functools.cached_property", "contextlib.ExitStack", "types.GenericAlias",
    "contextlib._GeneratorContextManager", "builtins.staticmethod", "builtins.classmethod", "builtins.property",
    "builtins.method-wrapper", "weakref.KeyedRef", "weakref.WeakMethod", "weakref.CallableProxyType",
    "weakref.CallableProxyType", "builtins.cell", "numpy.ndarray",
    "runtime.control_flow.objects.maybe_contents.MaybeDict", "runtime.control_flow.objects.maybe_contents.MaybeSet",
    "runtime.control_flow.objects.maybe_contents.MaybeCounter",
    "runtime.control_flow.objects.maybe_contents.MaybeDefaultDict",
    "runtime.control_flow.objects.maybe_contents.MaybeOrderedDict",
    "runtime.control_flow.lists.keyed_dicts.KeyedDict", "runtime.control_flow.lists.keyed_sets.KeyedSet",
    "runtime.control_flow.lists.keyed_dicts.KeyedOrderedDict",
    "runtime.control_flow.lists.keyed_counters.KeyedCounter", "runtime.control_flow.lists.dict_views.DictView",
    "runtime.control_flow.lists.deques.GrowingDeque", "runtime.control_flow.lists.rows.Row",
    "runtime.control_flow.lists.tensor_list.TensorList",
    "runtime.ndarrays.buffer.Buffer", "runtime.ndarrays.element_iterator.ElementIterator",
    "runtime.ndarrays.traced.TracedArray",
}  # fmt: skip
"""What is tried elsewhere: descriptors and managers by their statements, arrays and growing lists by others."""

_CALLED = {
    "builtins.method": "types.MethodType",
    "builtins.builtin_function_or_method": "builtin method",
    "builtins.mappingproxy": "types.MappingProxyType",
    "weakref.ReferenceType": "weakref.ref",
    "weakref.ProxyType": "weakref.proxy",
    "_contextvars.ContextVar": "contextvars.ContextVar",
    "numpy.random.mtrand.RandomState": "numpy.random.RandomState",
    "numpy.random._generator.Generator": "numpy.random.Generator",
    "numpy.random.bit_generator.BitGenerator": "numpy.random.BitGenerator",
}


def test_each_kind_of_the_table_is_in_the_matrix() -> None:
    known = {sample.kind for sample in SAMPLES} | _OTHERWISE
    for kind in (*kinds_by_class(), *PARTS):
        name = f"{kind.__module__}.{kind.__qualname__}"
        names = {_CALLED.get(name, name), name.replace("_io.", "io."), name.removeprefix("builtins.")}
        assert not known.isdisjoint(names), f"{name} is in the table of kinds, and has no sample"
