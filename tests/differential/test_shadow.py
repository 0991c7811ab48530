"""The stagers that tests bring along keep up with what operators ask of a stager."""

from __future__ import annotations

import inspect
from inspect import Parameter

import pytest

from autograph.operators.stager import Stager
from tests.autograph.recording_stager import RecordingStager

from .oracle import convert
from .shadow import Poison, Shadow, ShadowStager, shadowed

ASKED = sorted(name for name in vars(Stager) if not name.startswith("_") and name != "name")


@pytest.mark.parametrize("stager", [RecordingStager, ShadowStager])
@pytest.mark.parametrize("name", ASKED)
def test_a_stager_answers_each_question(stager: type, name: str) -> None:
    """With as many arguments as the protocol hands over."""
    given = inspect.signature(getattr(Stager, name)).parameters.values()
    by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.VAR_POSITIONAL)
    assert all(each.kind in by_place for each in given)
    inspect.signature(getattr(stager, name)).bind(*given)


def test_the_protocol_is_not_empty() -> None:
    assert len(ASKED) > 20


def test_elements_of_a_list_are_taken_back_where_a_branch_is_not_taken() -> None:
    def program(x, y):
        items = [y, 1]
        if x > 0:
            if y > 0:
                pass
            else:
                items[1] = 4
        return items[0] + items[1] * 10

    staged = shadowed(convert(program))
    for x in (0, 1):
        for y in (0, 1):
            assert staged(x, y) == program(x, y)


def test_what_is_dead_after_a_statement_is_poisoned() -> None:
    values = {"a": 1, "items": [2]}
    stager = ShadowStager()

    def change() -> None:
        values["a"] = 3

    def put(state: tuple[object, ...]) -> None:
        values.update(zip(values, state, strict=True))

    stager.if_stmt(Shadow(True), change, lambda: None, lambda: tuple(values.values()), put, ("a", "items"), 1)
    assert values["a"].value == 3  # type: ignore[attr-defined]
    assert isinstance(values["items"], Poison)
