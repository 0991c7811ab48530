"""Every program of the language table does what the page says of it, and the pages are made from that table."""

from __future__ import annotations

import contextlib
import inspect
import io
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from docs.language_page import ROOT, pages
from runtime.graph.nesting import nested_graphs
from tests.language import CONSTRUCTS
from tests.language.construct import Construct
from tests.language.running import outcome
from tests.one_in import one_in

STAGED = [row for row in CONSTRUCTS if row.error is None]
REFUSED = [row for row in CONSTRUCTS if row.error is not None]


def tensors(given: tuple[Any, ...]) -> list[Any]:
    """The arguments as tensors of the dtypes that literals get, int32 and float32; arrays too."""
    return [tf.constant(a.tolist() if isinstance(a, np.ndarray) else a) for a in given]


@pytest.mark.parametrize("row", STAGED, ids=lambda row: row.program.__name__)
def test_a_construct_gives_what_python_gives(row: Construct) -> None:
    function = tf.function(row.program)
    for given in row.inputs:
        assert outcome(function, tuple(tensors(given))) == outcome(row.program, given), given
    assert function.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("row", STAGED, ids=lambda row: row.program.__name__)
def test_a_converted_construct_is_plain_python_on_plain_values(row: Construct) -> None:
    converted = autograph.to_graph(row.program)
    for given in row.inputs:
        assert outcome(converted, given) == outcome(row.program, given), given


@pytest.mark.parametrize("row", one_in(2, STAGED), ids=lambda row: row.program.__name__)
def test_a_construct_works_in_a_function_that_is_called(row: Construct) -> None:
    def caller(*given: Any) -> Any:
        return row.program(*given)

    for given in row.inputs:
        assert outcome(tf.function(caller), tuple(tensors(given))) == outcome(row.program, given), given


# Printing tells how often: a loop prints in each iteration, and Python's print in each trace of it.
NESTED = [row for row in STAGED if "print(" not in "".join(map(inspect.getsource, (row.program, *row.uses)))]


@pytest.mark.parametrize("row", one_in(3, NESTED), ids=lambda row: row.program.__name__)
def test_a_construct_works_in_a_staged_branch(row: Construct) -> None:
    def in_a_branch(flag: Any, *given: Any) -> Any:
        if flag > 0:
            return row.program(*given)
        else:
            result = row.program(*given)
        return result

    nested = tf.function(in_a_branch)
    for given in row.inputs:
        for flag in (1, -1):
            assert outcome(nested, (tf.constant(flag), *tensors(given))) == outcome(row.program, given), given


@pytest.mark.parametrize("row", one_in(3, NESTED, 1), ids=lambda row: row.program.__name__)
def test_a_construct_works_in_a_staged_loop(row: Construct) -> None:
    def in_a_loop(times: Any, *given: Any) -> Any:
        result = None
        for _ in range(times):  # each time with tensors of its own: a program may write to them
            result = row.program(*[tf.identity(value) if tf.is_tensor(value) else value for value in given])
        return result

    nested = tf.function(in_a_loop)
    for given in row.inputs:
        for times in (1, 2):
            assert outcome(nested, (tf.constant(times), *tensors(given))) == outcome(row.program, given), given


@pytest.mark.parametrize("row", [row for row in STAGED if row.graph], ids=lambda row: row.program.__name__)
def test_a_construct_records_the_operation_that_the_page_names(row: Construct) -> None:
    graph = tf.function(row.program).get_concrete_function(*tensors(row.inputs[0])).graph
    graphs = [graph, *graph.functions.values()]
    recorded = {operation.type for outer in graphs for inner in nested_graphs(outer) for operation in inner.operations}
    assert row.graph in recorded


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.program.__name__)
def test_a_refused_construct_says_why(row: Construct) -> None:
    for given in row.inputs:
        with pytest.raises(Exception) as caught, contextlib.redirect_stdout(io.StringIO()):
            tf.function(row.program).get_concrete_function(*tensors(given))
        assert caught.type is row.error
        assert row.words in str(caught.value)


def test_no_construct_is_shown_twice() -> None:
    names = [(row.section, row.name) for row in CONSTRUCTS]
    assert len(set(names)) == len(names)
    assert len(CONSTRUCTS) >= 60
    assert len(REFUSED) >= 5


def test_a_difference_would_be_seen() -> None:
    """The comparison tells values, types of exceptions and their messages apart."""

    def raises(x: int) -> int:
        raise ValueError(f"got {x}")

    assert outcome(raises, (1,)) == "raises `ValueError: got 1`"
    assert len({outcome(raises, (1,)), outcome(raises, (2,)), outcome(abs, (-1,)), outcome(float, (1,))}) == 4


def test_the_pages_of_the_language_are_up_to_date() -> None:
    there = [ROOT / "docs" / "language.md", *(ROOT / "docs" / "language").iterdir()]
    found = {path.relative_to(ROOT / "docs").as_posix(): path.read_text(encoding="utf-8") for path in there}
    assert found == pages(), "run: python docs/language_page.py"
