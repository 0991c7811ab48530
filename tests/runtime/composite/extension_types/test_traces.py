"""Which calls of Functions with ExtensionTypes share a trace: their Specs, Python fields, methods, captured values."""

from __future__ import annotations

from typing import Any, Union

import pytest

import runtime
from runtime.errors import SignatureError
from runtime.library.experimental import ExtensionType
from tests.runtime.composite.extension_types.test_in_functions import SPEC, Point, Scaled, both, numbers


def test_tensors_share_a_trace_and_python_fields_have_their_own() -> None:
    traced: list[Any] = []

    @runtime.function
    def doubled(value: Any) -> Any:
        traced.append(value.scale)  # an effect of the trace
        return Scaled(value.values * 2.0, value.scale, value.rows)

    with pytest.warns(runtime.errors.TraceEffectWarning):
        assert doubled(Scaled([1.0, 2.0])).values.numpy().tolist() == [2, 4]
    assert doubled(Scaled([3.0, 4.0])).values.numpy().tolist() == [6, 8] and len(traced) == 1
    for other, count in [
        (Scaled([3.0]), 2), (Scaled([1.0, 2.0], 2.0), 3), (Scaled([5.0, 6.0], 2.0), 3), (Scaled([1, 2], -0.0), 4),
        (Scaled([1.0, 2.0], rows=runtime.ragged.constant([[1], [2]])), 5),
        (Scaled([1.0, 2.0], rows=runtime.ragged.constant([[1, 2, 3], [2]])), 5),
    ]:  # fmt: skip
        if other.values.dtype is runtime.int32:
            other = Scaled(runtime.cast(other.values, runtime.float32), other.scale)
        before = len(traced)
        result = doubled(other)
        assert len(traced) == doubled.experimental_get_tracing_count() == count, (other, before)
        assert bool(result == Scaled(other.values * 2.0, other.scale, other.rows))


def test_python_values_that_are_equal_and_differ() -> None:
    class Keyed(ExtensionType):
        x: runtime.Tensor
        key: Union[int, float, bool]

    @runtime.function
    def key(value: Any) -> Any:
        return runtime.constant(repr(value.key))

    for given in (0.0, -0.0, 1, 1.0, True, float("nan"), float("nan"), 0.0, 1):
        assert key(Keyed([1.0], given)).numpy().decode() == repr(given)
    assert key.experimental_get_tracing_count() == 6


def test_a_spec_makes_one_trace() -> None:
    spec = Scaled.Spec(SPEC([None]), 1.0, None)
    total = runtime.function(lambda s: runtime.reduce_sum(s.values), input_signature=[spec])
    assert [float(total(Scaled([1.0] * n))) for n in (1, 2, 5)] == [1, 2, 5]
    assert total.experimental_get_tracing_count() == 1
    for wrong in (Scaled([1.0], 2.0), Scaled([1, 2]), Point(1.0, 2.0), runtime.constant([1.0])):
        with pytest.raises(SignatureError, match="'s'"):
            total(wrong)
    concrete = runtime.function(lambda s: Scaled(s.values + 1.0, s.scale)).get_concrete_function(spec)
    assert concrete(Scaled([1.0, 2.0])).values.numpy().tolist() == [2, 3]
    assert type(concrete.structured_outputs) is Scaled
    assert concrete.structured_input_signature[0][0].values.shape == [None]


def test_reduce_retracing_opens_the_shapes_of_fields() -> None:
    @runtime.function(reduce_retracing=True)
    def total(value: Any) -> Any:
        return runtime.reduce_sum(value.values)

    assert [float(total(Scaled([1.0] * n))) for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert total.experimental_get_tracing_count() == 2


def test_a_method_has_one_trace_for_all_values() -> None:
    for x in range(4):
        assert numbers(Point(float(x), 2.0).walked(runtime.constant(3))) == [x + 3, 5]
    assert Point.walked.experimental_get_tracing_count() == 1
    assert both(lambda p: p.walked(runtime.constant(2)).x, Point(1.0, 2.0)).numpy() == 3


def test_values_that_a_function_closes_over() -> None:
    point = Point(1.0, 2.0)

    @runtime.function
    def moved(by: Any) -> Any:
        return point + by

    assert numbers(moved(1.0)) == [2, 3]
    point = Point([5.0, 6.0], 2.0)
    assert numbers(moved(1.0)) == [[6, 7], 3]
