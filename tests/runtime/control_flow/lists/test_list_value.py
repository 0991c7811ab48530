"""The persistent list behind a handle: what it does is what Python's list does, and old values stay as they were."""

from __future__ import annotations

import random
import sys
import threading
import tracemalloc

import numpy as np
import pytest

from runtime.ops.kernels.list_value import EMPTY, ListValue, boxed, unboxed

SIZES = (0, 1, 31, 32, 33, 64, 65, 1024, 1055, 1056, 1057, 1089, 32_799, 32_800, 32_801)


def grown(size: int) -> ListValue:
    made = EMPTY
    for i in range(size):
        made = made.push(i)
    return made


@pytest.mark.parametrize("size", SIZES)
def test_made_at_once_and_grown_are_the_same(size: int) -> None:
    for made in (ListValue.of(range(size)), grown(size)):
        assert list(made) == list(range(size)) and len(made) == size
        assert [made.get(i) for i in range(0, size, 13)] == list(range(0, size, 13))
        assert list(made.push(-1)) == [*range(size), -1]


@pytest.mark.parametrize("size", SIZES[:-3])
def test_popped_to_the_end(size: int) -> None:
    for made in (ListValue.of(range(size)), grown(size)):
        for i in reversed(range(size)):
            made, item = made.pop()
            assert item == i and len(made) == i
        assert list(made.push(7)) == [7]


@pytest.mark.parametrize("seed", range(4))
def test_any_mixture_of_operations_leaves_old_values_as_they_were(seed: int) -> None:
    choose = random.Random(seed)
    kept: list[tuple[list[int], ListValue]] = [([], EMPTY)]
    for step in range(3000):
        wanted, value = choose.choice(kept)
        wanted = list(wanted)
        kind = choose.random()
        if kind < (0.7 if step // 700 % 2 == 0 else 0.3):
            wanted.append(step)
            value = value.push(step)
        elif kind < 0.8 and wanted:
            at = choose.choice([-1, -1, -1, choose.randrange(-len(wanted), len(wanted))])
            value, item = value.pop(at)
            assert item == wanted.pop(at)
        elif kind < 0.9 and wanted:
            at = choose.randrange(-len(wanted), len(wanted))
            wanted[at] = step
            value = value.set(at, step)
            assert value.get(at) == step
        elif kind < 0.95:
            at = choose.randrange(-2 - len(wanted), 3 + len(wanted))
            wanted.insert(at, step)
            value = value.insert(at, step)
        else:
            more = [step] * choose.choice([0, 1, 40])
            wanted += more
            value = value.extend(more)
        kept = [*kept[-2:], (wanted, value)]
        for expected, found in kept:
            assert list(found) == expected


@pytest.mark.parametrize("size", (0, 3))
@pytest.mark.parametrize("name", ("get", "set", "pop"))
def test_positions_outside_raise_what_python_raises(size: int, name: str) -> None:
    python = {"get": lambda l, i: l[i], "set": lambda l, i: l.__setitem__(i, 0), "pop": lambda l, i: l.pop(i)}[name]
    for index in (size, -size - 1, size + 40):
        with pytest.raises(IndexError) as wanted:
            python(list(range(size)), index)
        with pytest.raises(IndexError) as found:
            getattr(ListValue.of(range(size)), name)(index, *([0] if name == "set" else []))
        assert str(found.value) == str(wanted.value)


def test_boxes() -> None:
    value = ListValue.of([np.int32(1)])
    assert unboxed(boxed(value)) is value and boxed(value).shape == ()


@pytest.mark.parametrize("size", [1024, 1055, 1056, 1057, 16 * 1024, 16 * 1024 + 33])
def test_a_stack_costs_the_same_at_any_size(size: int) -> None:
    """Push and pop in turns around the end of a leaf, on a long list: each makes a few nodes, and copies no more."""
    value = grown(size)
    tracemalloc.start()
    try:
        for _ in range(70):
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            value = value.push(1).pop()[0].pop()[0].push(2)
            assert tracemalloc.get_traced_memory()[1] - before < 4096  # a copy of all elements takes 8 bytes for each
    finally:
        tracemalloc.stop()


def test_pushes_to_one_value_keep_apart() -> None:
    for size in SIZES:
        value = grown(size)
        branches = [value.push(f"branch {i}") for i in range(3)]
        longer = [branch.push(i) for i, branch in enumerate(branches)]
        shorter, _ = longer[1].pop()
        assert list(shorter.push("again")) == [*range(size), "branch 1", "again"]
        for i, branch in enumerate(longer):
            assert list(branch) == [*range(size), f"branch {i}", i]
        assert list(value) == list(range(size))


def test_threads_that_push_to_one_value_see_their_own_elements_only() -> None:
    rounds, size = 300, 3
    shared = [grown(size) for _ in range(rounds)]
    found: dict[int, list[list[object]]] = {}
    start = threading.Barrier(4)

    def work(number: int) -> None:
        start.wait()
        found[number] = [list(value.push((number, 0)).push((number, 1))) for value in shared]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    for number in range(4):
        assert found[number] == [[*range(size), (number, 0), (number, 1)]] * rounds
    assert all(list(value) == list(range(size)) for value in shared)
