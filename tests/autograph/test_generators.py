"""The form of a generator that hands its items to a loop: its text, what is refused; generators without a trace."""

from __future__ import annotations

import types
from typing import Any

import pytest

import autograph
from autograph import pipeline, syntax
from autograph.errors import UnsupportedSyntaxError
from autograph.options import STANDARD_OPTIONS


def text_of(source: str, stoppable: bool) -> str:
    node = syntax.parse_module(source, "g.py").body[0]
    made = pipeline.convert_generator(
        node, options=STANDARD_OPTIONS, filename="g.py", qualname=node.name, stoppable=stoppable
    )
    return syntax.unparse(made)


SOURCE = """
def count(n):
    while n > 0:
        yield n
        n -= 1
"""


def test_a_loop_that_takes_all() -> None:
    assert text_of(SOURCE, stoppable=False) == (
        "def tf__count(consumer, /, n):\n"
        "    with ag__.FunctionScope('count', 'fscope', ag__.STD) as fscope:\n"
        "\n"
        "        def get_state():\n"
        "            return (n,)\n"
        "\n"
        "        def set_state(vars_):\n"
        "            nonlocal n\n"
        "            n, = vars_\n"
        "\n"
        "        def loop_body():\n"
        "            nonlocal n\n"
        "            consumer.take(n)\n"
        "            n -= 1\n"
        "\n"
        "        def loop_test():\n"
        "            return n > 0\n"
        "        consumer.while_stmt(loop_test, loop_body, get_state, set_state, ('n',), {})"
    )


def test_a_loop_that_may_be_left() -> None:
    text = text_of(SOURCE, stoppable=True)
    assert "consumer.if_stmt(consumer.take(n), if_body, else_body, " in text
    assert "consumer.while_stmt(" in text


def test_only_what_items_are_handed_over_in_is_staged_by_the_consumer() -> None:
    text = text_of("def g(t):\n    for x in t:\n        if x:\n            x += 1\n        yield x\n", stoppable=False)
    assert "ag__.if_stmt(" in text and "consumer.for_stmt(" in text


def test_names_of_the_user_are_kept_clear() -> None:
    text = text_of("def g(consumer):\n    yield consumer\n", stoppable=False)
    assert text.startswith("def tf__g(consumer_1, /, consumer):")


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("x = yield 1", "a 'yield' whose value is used"),
        ("print((yield 1))", "a 'yield' whose value is used"),
        ("x = yield from t", "a 'yield' whose value is used"),
        ("yield (yield 1)", "a 'yield' whose value is used"),
        ("return (yield 1)", "a 'yield' whose value is used"),
        ("if (yield 1):\n        pass", "a 'yield' whose value is used"),
        ("for x in (yield 1):\n        yield x", "a 'yield' whose value is used"),
        ("try:\n        yield 1\n    finally:\n        pass", "'yield' inside 'try'"),
        ("for x in t:\n        with x:\n            yield 1", "'yield' inside 'with'"),
    ],
)
def test_refused(body: str, construct: str) -> None:
    with pytest.raises(UnsupportedSyntaxError) as error:
        text_of(f"def g(t):\n    {body}\n", stoppable=False)
    assert error.value.construct == construct
    assert error.value.lineno >= 2


def doubled(items):
    for item in items:
        yield item * 2


@autograph.convert()
def made(items: Any) -> Any:
    return doubled(items), (x for x in items), [doubled(items), 1]


def test_without_a_trace_generators_are_those_of_python() -> None:
    generator, expression, (other, _) = made([1, 2])
    assert [type(g) for g in (generator, expression, other)] == [types.GeneratorType] * 3
    assert list(generator) == [2, 4]
    assert list(expression) == [1, 2]


@autograph.convert()
def left_early(items: Any, log: list[str]) -> Any:
    def watched():
        try:
            for item in items:
                log.append(f"give {item}")
                yield item
        finally:
            log.append("closed")

    for item in watched():
        log.append(f"take {item}")
        if item > 1:
            break
    log.append("after")
    return log


def test_a_generator_that_is_left_is_closed_at_once() -> None:
    assert left_early([1, 2, 3], []) == ["give 1", "take 1", "give 2", "take 2", "closed", "after"]
