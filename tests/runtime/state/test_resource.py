"""The memory of a Variable: written in place exactly where nobody else can see the array."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.ops.kernels.resource import Resource
from runtime.shapes import TensorShape


def memory() -> Resource:
    return Resource(np.zeros(3, np.float32), runtime.float32, TensorShape([3]), "m:0")


ONE = np.ones(3, np.float32)


def is_written_in_place(of: Resource) -> bool:
    """Whether an update was told where to write."""
    counts: list[int] = []

    def add(*arrays: Any) -> Any:
        counts.append(len(arrays))
        return np.add(*arrays)

    of.update(add, ONE)
    return counts == [3]


def test_in_place_while_nobody_sees_it() -> None:
    m = memory()
    assert is_written_in_place(m)
    assert is_written_in_place(m)
    assert m.read().tolist() == [2, 2, 2]


HOLDERS: dict[str, Callable[[Any], Any]] = {
    "the array": lambda array: array,
    "a view": lambda array: array[1:],
    "a view of a view": lambda array: array[::-1].reshape(3, 1),
    "a memoryview": memoryview,
    "an iterator": iter,
    "a transposed one in a list": lambda array: [array.T],
}


@pytest.mark.parametrize("name", HOLDERS)
def test_elsewhere_while_somebody_sees_it(name: str) -> None:
    m = memory()
    holder = HOLDERS[name](m.read())
    before = m.read().copy()
    assert not is_written_in_place(m)
    assert is_written_in_place(m), "the new array is its own"
    del holder
    assert m.read().tolist() == (before + 2).tolist()
    holder = HOLDERS[name](m.read())
    del holder
    assert is_written_in_place(m), "nobody sees it any more"


@pytest.mark.parametrize("hand_over", [Resource.assign, Resource.take])
def test_what_is_handed_over_is_not_written_to_while_others_see_it(hand_over: Any) -> None:
    base = np.zeros(6, np.float32)
    read_only = np.zeros(3, np.float32)
    read_only.flags.writeable = False
    # Each view is made in the call: then the memory has the only reference to it.
    for give in (lambda: base[:3], lambda: base[::2], lambda: read_only, lambda: base[3:]):
        m = memory()
        seen = m.read()
        hand_over(m, give())
        m.update(np.add, ONE)
        m.change(lambda array: array.__setitem__(0, 9))
        assert m.read().tolist() == [9, 1, 1]
        assert seen.tolist() == [0, 0, 0]
    assert base.tolist() == [0] * 6
    assert read_only.tolist() == [0, 0, 0]


def test_a_fresh_array_becomes_the_memory() -> None:
    m = memory()
    fresh = np.full(3, 5, np.float32)
    place = fresh.__array_interface__["data"]
    m.take(fresh)
    del fresh
    assert m.read().__array_interface__["data"] == place
    assert is_written_in_place(m)


def test_a_finalizer_may_use_the_memory_while_it_is_written() -> None:
    m = memory()

    class Last:
        def __del__(self) -> None:
            m.update(np.add, ONE)

    def change(array: Any) -> None:
        last = Last()
        del last
        array[0] = 9

    worker = threading.Thread(target=m.change, args=(change,), daemon=True)
    worker.start()
    worker.join(timeout=20)
    assert not worker.is_alive()
    assert m.read()[0] == 9


CHANGES: list[tuple[Callable[[Resource], Any], list[float]]] = [
    (lambda m: m.read(), [5, 6, 7]),
    (lambda m: m.update(np.add, ONE), [6, 7, 8]),
    (lambda m: m.advance(ONE), [6, 7, 8]),
    (lambda m: m.change(lambda array: array.fill(2)), [2, 2, 2]),
    (lambda m: m.assign(ONE), [1, 1, 1]),
    (lambda m: m.take(ONE.copy()), [1, 1, 1]),
]


@pytest.mark.parametrize(("change", "wanted"), CHANGES)
def test_a_value_that_is_elsewhere_comes_when_somebody_wants_it(change: Any, wanted: list[float]) -> None:
    m, fetched = memory(), []

    def fetch() -> Any:
        fetched.append(1)
        return np.array([5, 6, 7], np.float32)

    m.leave(fetch)
    assert m.elsewhere is fetch and not fetched
    change(m)
    assert m.read().tolist() == wanted and m.elsewhere is None and fetched == [1]


def test_a_value_that_is_elsewhere_keeps_its_shape() -> None:
    m = memory()
    m.leave(lambda: ONE)
    with pytest.raises(runtime.errors.ShapeMismatchError):
        m.take(np.zeros(0, np.float32))
    assert m.read().tolist() == [1, 1, 1]


def test_a_newer_value_stays_where_an_older_one_has_been_moved() -> None:
    m = memory()
    moved = m.read()
    m.assign(ONE)
    m.leave(lambda: moved, instead_of=moved)
    assert m.elsewhere is None and m.read().tolist() == [1, 1, 1]
    m.leave(lambda: ONE * 2, instead_of=m.read())
    assert m.read().tolist() == [2, 2, 2]
