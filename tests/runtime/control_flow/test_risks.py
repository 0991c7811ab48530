"""What operations raise when a graph runs is what `try` is told: compared with the error samples of all records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.graph.risks import exceptions_of
from runtime.ops.records.families import load_all
from runtime.ops.records.record import REGISTRY, Op
from runtime.ops.records.samples import Failure
from tests.every_case import every_case
from tests.runtime.comparing import observe
from tests.runtime.raising import assert_alike


def failures() -> list[Any]:
    load_all()
    return [
        pytest.param(op, failure, id=f"{op.name}-{number}")
        for op in sorted(REGISTRY.values(), key=lambda op: op.name)
        for number, failure in enumerate(op.errors)
    ]


def failing_graph(op: Op, failure: Failure, known: bool) -> tuple[Graph, list[Any]] | None:
    """The operation on inputs of known or of unknown shapes, and arrays; None if it is refused at once."""
    sizes = len(op.tensors)
    arguments = list(failure.arguments[:sizes])
    if op.variadic:
        arguments += next(iter(failure.arguments[sizes:]), [])
    rest = failure.arguments[sizes + bool(op.variadic) :]
    graph = Graph("g")
    try:
        values = [a if isinstance(a, tf.Tensor) else tf.constant(a) for a in arguments]
        inputs = [graph.placeholder(v.dtype, v.shape if known else None, f"x{i}") for i, v in enumerate(values)]
        with graph.as_default():
            operands = [*inputs[:sizes], inputs[sizes:]] if op.variadic else inputs
            result = op(*operands, *rest, **failure.attributes)
    except (tf.errors.OpError, TypeError):
        return None
    graph.outputs = list(result) if isinstance(result, list | tuple) else [result]
    return graph, [np.asarray(v) for v in values]


@every_case(failures())
def test_what_comes_was_foretold(op: Op, failure: Failure) -> None:
    for known in (False, True):
        made = failing_graph(op, failure, known)
        if made is None:
            continue
        graph, arrays = made
        with pytest.raises(Exception) as caught:
            compile_plan(graph).run(arrays)
        foretold = {kind for operation in graph.operations for kind in exceptions_of(operation)}
        assert type(caught.value) in foretold, f"{type(caught.value).__name__}, not among {foretold}; {known=}"


def test_most_samples_fail_only_when_the_graph_runs() -> None:
    made = [failing_graph(op, failure, False) for op in REGISTRY.values() for failure in op.errors]
    assert sum(m is not None for m in made) > 80


def zero_divisor(x):
    try:
        return 10 // x
    except ZeroDivisionError:
        return -1


def zero_divisor_of_a_rest(x):
    y = 0
    for i in range(3):
        try:
            y += 10 % (x - i)
        except ArithmeticError:
            y += 100
    return y


def zero_divisor_escapes(x):
    try:
        y = 10 // x
    except LookupError:
        y = 1
    return y


@pytest.mark.parametrize("program", [zero_divisor, zero_divisor_of_a_rest])
def test_division_by_zero_is_caught_as_in_python(program: Callable[..., Any]) -> None:
    assert_alike(program, -2, 0, 1, 2, 3)
    for x in (0, 1, 2):
        assert program(tf.constant(x)) == program(x)


def test_division_by_zero_is_both_errors() -> None:
    for call in (zero_divisor_escapes, tf.function(zero_divisor_escapes)):
        result, _ = observe(call, tf.constant(0))
        assert isinstance(result, ZeroDivisionError) and isinstance(result, tf.errors.InvalidArgumentError)


def reads_an_item(x):
    values = tf.range(4)
    try:
        return values[x]
    except IndexError:
        return -1


def writes_an_item(x):
    values = tf.zeros([4], tf.int32)
    total = 0
    for i in range(x):
        try:
            values[i] = i + 1
        except IndexError as error:
            total += len(type(error).__name__)
    return tf.reduce_sum(values) + total


def adds_to_an_item_of_a_helper(x):
    values = [1, 2, 3]

    def item(i):
        return tf.constant(values)[i]

    try:
        return item(x) + item(x + 1)
    except (KeyError, IndexError):
        return 0


@pytest.mark.parametrize("program", [reads_an_item, adds_to_an_item_of_a_helper])
def test_indices_out_of_range_are_caught(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x in (-5, -1, 0, 1, 3, 4, 7):
        assert observe(staged, tf.constant(x))[0] == observe(program, tf.constant(x))[0]


def test_items_are_written_until_the_end() -> None:
    staged = tf.function(writes_an_item)
    for x, expected in ((0, 0), (2, 3), (4, 10), (6, 10 + 2 * len("OutOfRangeError"))):
        assert int(staged(tf.constant(x))) == expected


def test_division_by_numbers_that_are_known_raises_only_if_one_is_zero() -> None:
    def program(x):
        return x % 97, x // tf.constant([1, 2]), x % tf.constant([1, 0]), x // x

    graph = tf.function(program).get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    found = [bool(exceptions_of(o)) for o in graph.operations if o.op.name in ("floordiv", "floormod")]
    assert found == [False, False, True, True]


def risks_of(shape: Any, code: Callable[[Any], Any]) -> list[str]:
    """The operations that may raise, which `code` makes of a tensor."""
    graph = Graph("g")
    x = graph.placeholder(tf.int32, shape, "x")
    with graph.as_default():
        code(x)
    return [operation.type for operation in graph.operations if exceptions_of(operation)]


def test_places_that_were_checked_while_the_graph_was_built_are_no_risk() -> None:
    known = [
        lambda x: x[2], lambda x: x[-1], lambda x: x[1:], lambda x: x[tf.constant(1)], lambda x: x[[0, 2]],
        lambda x: REGISTRY["setitem"](x, [4, 5], spec=((0, 2, None),)),
    ]  # fmt: skip
    for code in known:
        assert risks_of([3], code) == []
        assert risks_of([None], code)
    assert risks_of([3], lambda x: x[x[0]]) == ["getitem"]
    for code in (lambda x: x[3], lambda x: x[tf.constant(3)], lambda x: x[[0, 3]]):
        with pytest.raises(tf.errors.OutOfRangeError):
            risks_of([3], code)
    with pytest.raises(tf.errors.ShapeMismatchError):
        risks_of([3], lambda x: REGISTRY["setitem"](x, [4, 5, 6], spec=((0, 2, None),)))
