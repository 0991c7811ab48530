"""Classes of the user with methods of `collections.abc`: these ask the class's own, which may raise in some runs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


class Positive(Mapping[str, Any]):
    def __init__(self, held: dict[str, Any]) -> None:
        self.held = held

    def __getitem__(self, key: str) -> Any:
        if self.held[key] < 0:
            raise KeyError(key)
        return self.held[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


class Row(Sequence[Any]):
    def __init__(self, held: list[Any]) -> None:
        self.held = held

    def __getitem__(self, place: Any) -> Any:
        return self.held[place]

    def __len__(self) -> int:
        return len(self.held)


def key_in(x: Any) -> Any:
    return 1.0 if "a" in Positive({"a": x}) else 2.0


def key_not_in(x: Any) -> Any:
    return 1.0 if "a" not in Positive({"a": x}) else 2.0


def other_key_in(x: Any) -> Any:
    return 1.0 if "b" in Positive({"a": x}) else 2.0


def guarded(x: Any) -> Any:
    table, total = Positive({"a": x, "c": x + 3}), 0.0
    for key in ("a", "b", "c"):
        if key in table:
            total = total + table[key]
    return total


def get(x: Any) -> Any:
    return Positive({"a": x}).get("a", 5.0)


def get_in_a_loop(x: Any) -> Any:
    table, total, i = Positive({"a": x - 1}), 0.0, 0
    while i < x:
        total += table.get("a", 7.0)
        i += 1
    return total


def in_views(x: Any) -> Any:
    table = Positive({"a": x})
    return (1.0 if "a" in table.keys() else 2.0) + (10.0 if ("a", 2.0) in table.items() else 20.0)


def in_a_sequence(x: Any) -> Any:
    return (1.0 if x in Row([1.0, 2.0]) else 2.0) + (10.0 if 2.0 in Row([1.0, x]) else 20.0)


def counted(x: Any) -> Any:
    return Row([2.0, x, 1.0]).count(2.0)


PROGRAMS = [key_in, key_not_in, other_key_in, guarded, get, get_in_a_loop, in_views, in_a_sequence, counted]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x in (2.0, -2.0, 1.0, 0.5):
        assert float(staged(tf.constant(x))) == program(x)


def test_what_a_library_does_to_the_process_is_told_with_the_users_line(tmp_path: Path) -> None:
    held = tempfile.TemporaryDirectory(dir=tmp_path)

    @tf.function
    def program(x: Any) -> Any:
        if x > 0:
            held.cleanup()
        return x

    with pytest.raises(StagingError, match=rf"depends on a tensor \(at {__file__}:\d+ in program\)"):
        program(tf.constant(1.0))
    assert Path(held.name).exists()
    held.cleanup()
