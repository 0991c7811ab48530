"""TraceTypes that tell of the tensors in their objects: each call gives its own to the trace."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf

t = tf.constant
TraceType = tf.types.experimental.TraceType


class Batch:
    """Rows of any number, and weights beside them."""

    def __init__(self, rows: Any, scale: Any, unit: str = "m") -> None:
        self.rows, self.scale, self.unit = rows, scale, unit

    def __tf_tracing_type__(self, context: Any) -> BatchType:
        return BatchType(self.unit)


class BatchType(TraceType):
    def __init__(self, unit: str) -> None:
        self.unit = unit

    def is_subtype_of(self, other: Any) -> bool:
        return self == other

    def most_specific_common_supertype(self, others: Any) -> Any:
        return self if all(self == other for other in others) else None

    def flatten(self) -> list[Any]:
        return [tf.TensorSpec([None, 2]), tf.TensorSpec([])]

    def to_tensors(self, value: Any) -> list[Any]:
        return [value.rows, value.scale]

    def from_tensors(self, tensors: Iterator[Any]) -> Batch:
        return Batch(next(tensors), next(tensors), self.unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BatchType) and self.unit == other.unit

    def __hash__(self) -> int:
        return hash(self.unit)


class ByContext(BatchType):
    """Asks its components for what stands for them, as TraceTypes of TraceTypes do."""

    def placeholder_value(self, placeholder_context: Any) -> Batch:
        rows, scale = (spec.placeholder_value(placeholder_context) for spec in self.flatten())
        return Batch(rows, scale, self.unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByContext) and self.unit == other.unit

    __hash__ = BatchType.__hash__


class ContextBatch(Batch):
    def __tf_tracing_type__(self, context: Any) -> ByContext:
        return ByContext(self.unit)


def batch(n: int, scale: float, unit: str = "m", kind: type[Batch] = Batch) -> Batch:
    return kind(t(np.arange(2.0 * n, dtype=np.float32).reshape(n, 2)), t(scale), unit)


def weight(b: Batch) -> float:
    return float(np.sum(np.asarray(b.rows)) * np.asarray(b.scale)) * (100 if b.unit == "cm" else 1)


def total(b: Any) -> Any:
    result = tf.reduce_sum(b.rows) * b.scale
    return result * 100 if b.unit == "cm" else result


@pytest.mark.parametrize("kind", [Batch, ContextBatch])
def test_each_call_uses_the_tensors_of_its_own_object(kind: type[Batch]) -> None:
    f = tf.function(total)
    for given in (batch(2, 3.0, kind=kind), batch(5, 0.5, kind=kind), batch(1, 2.0, kind=kind)):
        assert f(given).numpy() == weight(given)
    assert f.experimental_get_tracing_count() == 1
    other = batch(2, 3.0, "cm", kind)
    assert f(other).numpy() == weight(other)
    assert f.experimental_get_tracing_count() == 2


def test_in_structures_and_beside_tensors() -> None:
    @tf.function
    def f(x: Any, pair: Any, *more: Any, last: Any) -> Any:
        return x + total(pair["b"]) + pair["n"] + sum(total(b) for b in more) + total(last)

    for n in (1, 3):
        given = [batch(n, 2.0), batch(n + 1, 3.0), batch(2, 1.0), batch(n, 5.0)]
        found = f(t(1.0), {"b": given[0], "n": t(2.0)}, *given[1:3], last=given[3])
        assert found.numpy() == pytest.approx(3 + sum(map(weight, given)))
    assert f.experimental_get_tracing_count() == 1


def test_the_shapes_are_those_that_the_type_tells() -> None:
    shapes = []

    @tf.function
    def f(b: Any) -> Any:
        shapes.append((b.rows.shape.as_list(), b.scale.shape.as_list()))
        return b.scale

    with pytest.warns(tf.errors.TraceEffectWarning):
        f(batch(3, 1.0))
    f(batch(4, 1.0))
    assert shapes == [([None, 2], [])]


def test_inside_of_other_functions_and_in_control_flow() -> None:
    inner = tf.function(total)

    @tf.function
    def outer(b: Any, n: Any) -> Any:
        result = inner(b)
        for _ in range(n):
            result += inner(Batch(b.rows + 1.0, b.scale, b.unit))
        return result

    given = batch(2, 3.0)
    more = Batch(given.rows + 1.0, given.scale)
    assert outer(given, t(2)).numpy() == weight(given) + 2 * weight(more)


def test_concrete_functions_take_such_objects() -> None:
    f = tf.function(lambda x, b: x + total(b))
    concrete = f.get_concrete_function(t(1.0), batch(2, 1.0))
    assert [i.shape.as_list() for i in concrete.inputs] == [[], [None, 2], []]
    for given in (batch(4, 2.0), batch(1, 5.0)):
        assert concrete(t(2.0), given).numpy() == concrete(x=t(2.0), b=given).numpy() == 2 + weight(given)
    assert f.get_concrete_function(t(1.0), BatchType("m")) is concrete
    for wrong in (batch(2, 1.0, "cm"), t(1.0), 3):
        with pytest.raises(tf.errors.SignatureError, match="'b'"):
            concrete(t(1.0), wrong)
    with pytest.raises(tf.errors.SignatureError, match="'b'"):
        concrete(t(1.0))


def test_results_are_objects_again() -> None:
    @tf.function
    def grown(b: Any, n: Any) -> Any:
        return {"more": Batch(tf.concat([b.rows, b.rows], 0), b.scale * n, b.unit), "n": n}

    @tf.function
    def twice(b: Any) -> Any:
        return grown(grown(b, t(2.0))["more"], t(3.0))["more"]

    for rows in (1, 3):
        given = batch(rows, 2.0, "cm")
        found = grown(given, t(5.0))
        more = found["more"]
        assert type(more) is Batch and more.unit == "cm" and found["n"].numpy() == 5
        assert more.rows.numpy().tolist() == given.rows.numpy().tolist() * 2
        assert (more.scale.numpy(), weight(twice(given))) == (10, pytest.approx(4 * 6 * weight(given)))
        concrete = grown.get_concrete_function(given, t(1.0))
        assert concrete(given, t(1.0))["more"].rows.shape == (2 * rows, 2)
    assert grown.experimental_get_tracing_count() == 1
    with tf.GradientTape() as tape:
        tape.watch(given.scale)
        result = total(twice(given))
    assert tape.gradient(result, given.scale).numpy() == pytest.approx(4 * 6 * weight(given) / 2)


def test_the_signature_shows_the_type() -> None:
    concrete = tf.function(total).get_concrete_function(batch(2, 1.0))
    assert concrete.structured_input_signature == ((BatchType("m"),), {})


def test_the_objects_are_not_kept_alive() -> None:
    f = tf.function(total)
    given = batch(3, 2.0)
    f(given)
    concrete = f.get_concrete_function(given)
    rows, alive = weakref.ref(given.rows), weakref.ref(given)
    del given
    gc.collect()
    assert (rows(), alive()) == (None, None)
    assert concrete(batch(1, 1.0)).numpy() == weight(batch(1, 1.0))


def test_tensors_that_are_others_than_the_type_tells_are_refused() -> None:
    f = tf.function(total)
    for wrong in (Batch(t([1.0]), t(1.0)), Batch(t([[1, 2]]), t(1.0)), Batch("rows", t(1.0))):
        with pytest.raises(TypeError, match="'b'.*`to_tensors`.*BatchType.*flatten"):
            f(wrong)


class Silent(BatchType):
    from_tensors = TraceType.from_tensors

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Silent)

    __hash__ = BatchType.__hash__


class Greedy(ByContext):
    def placeholder_value(self, placeholder_context: Any) -> Any:
        return [tf.TensorSpec([None, 2]).placeholder_value(placeholder_context) for _ in range(3)]


def test_what_types_have_to_define() -> None:
    class Quiet(Batch):
        def __tf_tracing_type__(self, context: Any) -> Silent:
            return Silent("m")

    class Wanting(Batch):
        def __tf_tracing_type__(self, context: Any) -> Greedy:
            return Greedy("m")

    with pytest.raises(TypeError, match="Silent tells of tensors by `flatten`: define from_tensors"):
        tf.function(lambda b: b.rows)(batch(1, 1.0, kind=Quiet))
    with pytest.raises(TypeError, match=r"asks for a tensor of TensorSpec\(shape=\(None, 2\)"):
        tf.function(lambda b: b)(batch(1, 1.0, kind=Wanting))


class Layer:
    """Holds a Variable: what is an input is its memory."""

    def __init__(self, w: Any) -> None:
        self.w = w

    def __tf_tracing_type__(self, context: Any) -> LayerType:
        return LayerType()


class LayerType(TraceType):
    def is_subtype_of(self, other: Any) -> bool:
        return self == other

    def most_specific_common_supertype(self, others: Any) -> Any:
        return self

    def flatten(self) -> list[Any]:
        return [tf.VariableSpec([2])]

    def to_tensors(self, value: Any) -> list[Any]:
        return [value.w]

    def from_tensors(self, tensors: Iterator[Any]) -> Layer:
        return Layer(next(tensors))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LayerType)

    def __hash__(self) -> int:
        return 1


def test_variables_among_them_are_read_and_written() -> None:
    @tf.function
    def step(layer: Any) -> Any:
        layer.w.assign_add([1.0, 1.0])
        return layer.w * 2.0

    layers = [Layer(tf.Variable([float(n), 0.0])) for n in range(3)]
    assert [step(layer).numpy().tolist() for layer in layers] == [[2, 2], [4, 2], [6, 2]]
    assert [layer.w.numpy().tolist() for layer in layers] == [[1, 1], [2, 1], [3, 1]]
    assert step.experimental_get_tracing_count() == 1


class LayerByContext(LayerType):
    def placeholder_value(self, placeholder_context: Any) -> Layer:
        return Layer(tf.VariableSpec([2]).placeholder_value(placeholder_context))


def test_variables_of_a_context() -> None:
    class Other(Layer):
        def __tf_tracing_type__(self, context: Any) -> LayerByContext:
            return LayerByContext()

    add = tf.function(lambda layer: layer.w.assign_add([1.0, 2.0]) + 0.0)
    assert [add(Other(tf.Variable([n, n]))).numpy().tolist() for n in (0.0, 5.0)] == [[1, 2], [6, 7]]
    assert add.experimental_get_tracing_count() == 1


def test_an_object_may_have_the_type_of_a_tensor() -> None:
    class Celsius:
        def __init__(self, degrees: Any) -> None:
            self.degrees = degrees

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.asarray(self.degrees)

        def __tf_tracing_type__(self, context: Any) -> Any:
            return tf.TensorSpec([None])

    f = tf.function(lambda c: c + 273.0)
    with pytest.raises(TypeError, match="'c'"):
        f(Celsius(t([1.0])))
