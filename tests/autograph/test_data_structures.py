"""`stack`, `tensor_list`, `set_element_type` and calls of converted functions, as stagers see them."""

from __future__ import annotations

from typing import Any

import pytest

import autograph
from autograph.operators.data_structures import set_element_type, stack, tensor_list
from autograph.operators.stager import tracing_stager

from .recording_stager import RecordingStager


def test_outside_of_traces_lists_are_pythons() -> None:
    given = [1, 2]
    made = tensor_list(given, element_dtype="float32")
    assert made == given and made is not given and tensor_list((3,)) == [3]
    assert set_element_type(made, "float32", ()) is None and made == given
    assert stack(made, strict=False) is made
    with pytest.raises(ValueError, match=r"\[1, 2\] must be stackable when strict=True"):
        stack(made)


def test_types_say_how_they_are_stacked_where_nobody_traces() -> None:
    class Value:
        __ag_stack__ = staticmethod(lambda values, dtype: ("stacked", values, dtype))

    value = Value()
    assert stack([value], "int32") == ("stacked", [value], "int32") and stack(value) == ("stacked", value, None)


def test_the_owner_of_a_list_or_of_its_elements_is_asked() -> None:
    stager = RecordingStager()
    x = stager.symbol("x")
    assert [str(stack([1, x])), str(stack(x)), str(tensor_list((x,)))] == ["stack([1, x])", "stack(x)", "list((x,))"]
    set_element_type([x], "int32")
    assert stager.lines == ["elements of [x] are int32"]


def test_while_tracing_plain_lists_belong_to_the_tracer() -> None:
    stager = RecordingStager()
    token = tracing_stager.set(stager)
    try:
        assert [str(tensor_list([])), str(stack([1, 2]))] == ["list([])", "stack([1, 2])"]
        set_element_type([], "int32")
    finally:
        tracing_stager.reset(token)
    assert stager.lines == ["elements of [] are int32"]


def helper(x: Any, *, scale: int = 2) -> Any:
    return x * scale


def program(x: Any) -> Any:
    def inner(y: Any) -> Any:
        return helper(y, scale=3)

    return inner(x) + helper(x)


def test_the_tracer_carries_out_calls_of_converted_functions() -> None:
    calls = []

    class Tracer(RecordingStager):
        def call(self, function: Any, original: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            calls.append((original.__name__, args, kwargs))
            assert function.__name__ == original.__name__
            return function(*args, **kwargs)

    converted = autograph.converted(program)
    token = tracing_stager.set(Tracer())
    try:
        assert converted(5) == 25
    finally:
        tracing_stager.reset(token)
    assert calls == [("inner", (5,), {}), ("helper", (5,), {"scale": 3}), ("helper", (5,), {})]
    calls.clear()
    assert converted(5) == 25 and not calls
