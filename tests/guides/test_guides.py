"""The programs of the guides answer as TensorFlow's recorded answers say, and name all that they are about."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import runtime
from tests.guides import files, images
from tests.guides.answers import agree, answer, read
from tests.guides.programs import GUIDES

ROWS = [(guide, name) for guide, programs in GUIDES.items() for name in programs]
ANSWERS = {guide: read(guide) for guide in GUIDES}


@pytest.mark.parametrize(("guide", "name"), ROWS)
def test_the_program_answers_as_tensorflow_does(guide: str, name: str) -> None:
    found = answer(GUIDES[guide][name], runtime)
    assert agree(found, ANSWERS[guide][name])


@pytest.mark.parametrize("guide", GUIDES)
def test_each_answer_has_a_program(guide: str) -> None:
    assert ANSWERS[guide].keys() == GUIDES[guide].keys()


def test_the_programs_over_images_name_all_that_there_is() -> None:
    text = inspect.getsource(images) + inspect.getsource(files)
    assert not [name for name in runtime.image.__all__ if not re.search(rf"image\.{name}\b", text)]


@pytest.mark.parametrize(
    ("found", "wanted"),
    [([1.0], [1.1]), (["int32", 1], ["int64", 1]), ([1], [1, 2]), (1, True), ({"a": 1}, {"b": 1}), (1.0, None)],
)
def test_answers_that_differ_do_not_agree(found: Any, wanted: Any) -> None:
    assert not agree(found, wanted)


def test_errors_agree_where_the_recorded_class_catches_them() -> None:
    wanted = answer(lambda m: m.errors.fail, runtime) | {"raises": "ValueError", "also": ["Exception"]}
    assert agree(answer(lambda m: m.image.resize([1.0], [2, 2]), runtime), wanted)
    assert not agree({"raises": "KeyError", "also": ["LookupError", "Exception"]}, wanted)
    assert not agree(["float32", 1.0], wanted)
