"""Objects whose methods are Functions and are called again and again: after each call all is as plain Python leaves it.

Compared are results, all attributes, and which of them are one object. What a run leaves for an array or a number may
be a tensor; where arrays are left, they lie in the same memory.
"""

from __future__ import annotations

import itertools
import warnings
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning
from tests.algorithms.objects import CALLS


def parts_of(value: Any) -> list[tuple[Any, Any]]:
    """What a value leads to, with the key of each."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list | tuple | deque):
        return list(enumerate(value))
    return list(vars(value).items()) if hasattr(value, "__dict__") else []


def shown(value: Any, path: str = "", seen: dict[int, str] | None = None) -> Iterator[tuple[str, Any]]:
    """All places that a value leads to, each with what it holds, or with the first place that holds the same object."""
    seen = {} if seen is None else seen
    if isinstance(value, tf.Tensor | np.ndarray | np.generic | bool | int | float | str | None):
        yield path, value.numpy() if isinstance(value, tf.Tensor) else value
        return
    if id(value) in seen:
        yield path, f"is {seen[id(value)]}"
        return
    seen[id(value)] = path
    parts = parts_of(value)
    yield path, (type(value).__name__, [key for key, _ in parts])
    for key, part in parts:
        yield from shown(part, f"{path}.{key}", seen)


def assert_same(found: Any, wanted: Any) -> None:
    pairs = list(zip(shown(found), shown(wanted), strict=True))
    for (place, now), (other, was) in pairs:
        assert place == other
        if isinstance(was, np.ndarray | np.generic | float | int):
            np.testing.assert_allclose(now, was, rtol=1e-9, atol=1e-12, err_msg=place)
            assert np.asarray(now).dtype.kind == np.asarray(was).dtype.kind
        else:
            assert now == was, place


def arrays_of(value: Any) -> dict[str, Any]:
    return {place: held for place, held in shown(value) if type(held) is np.ndarray and held.flags.writeable}


def assert_same_memory(found: Any, wanted: Any) -> None:
    """Of the places where arrays are left."""
    now, was = arrays_of(found), arrays_of(wanted)
    for a, b in itertools.combinations(now, 2):
        assert np.shares_memory(now[a], now[b]) == np.shares_memory(was[a], was[b]), (a, b)


def given(value: Any, as_tensors: bool) -> Any:
    if isinstance(value, str) or not as_tensors:
        return np.asarray(value)[()] if isinstance(value, float | int) else value
    return tf.constant(np.asarray(value))


@pytest.mark.parametrize("as_tensors", [False, True], ids=["numbers of numpy", "tensors"])
@pytest.mark.parametrize("kind", CALLS, ids=lambda kind: kind.__name__)
def test_each_call_leaves_what_plain_python_does(kind: type, as_tensors: bool) -> None:
    methods = {row[0]: tf.function(getattr(kind, row[0])) for row in CALLS[kind]}
    staged, plain = type(kind.__name__, (kind,), methods)(), kind()
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        for name, *arguments in CALLS[kind]:
            found = getattr(staged, name)(*[given(value, as_tensors) for value in arguments])
            wanted = getattr(plain, name)(*arguments)
            assert_same(found, wanted)
            assert_same(staged, plain)
            assert_same_memory(staged, plain)
