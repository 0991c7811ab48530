"""Objects that say themselves which trace they use: `__tf_tracing_type__`, TraceType and its placeholder."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass
from typing import Any

import pytest

import runtime as tf

from .own_types import Apple, Between, Fruit, FruitType, Mango, Range, Small

t = tf.constant
TraceType = tf.types.experimental.TraceType


def mixed() -> tuple[Any, list[Any]]:
    seen: list[Any] = []

    @tf.function
    def get_mixed_flavor(fruit_a: Any, fruit_b: Any) -> Any:
        seen.append((type(fruit_a).__name__, type(fruit_b).__name__))
        return fruit_a.flavor + fruit_b.flavor

    return get_mixed_flavor, seen


def limits() -> Any:
    @tf.function
    def limit(small: Any) -> Any:
        return small.number + 0

    return limit


def test_objects_of_equal_types_share_a_trace() -> None:
    flavor, seen = mixed()
    for _ in range(3):
        assert flavor(Apple(), Mango()).numpy().tolist() == [4, 6]
        gc.collect()  # the objects of the trace are gone
    assert flavor(fruit_b=Mango(), fruit_a=Apple()).numpy().tolist() == [4, 6]
    assert seen == [("Apple", "Mango")]
    assert flavor(Mango(), Mango()).numpy().tolist() == [6, 8]
    assert seen[1:] == [("Mango", "Mango")]


def test_without_the_protocol_each_object_is_traced() -> None:
    class Plain:
        flavor = t([1, 2])

    flavor, seen = mixed()
    for _ in range(3):
        flavor(Plain(), Plain())
    assert len(seen) == 3


def test_the_function_sees_the_very_object_by_default() -> None:
    seen = []

    @tf.function
    def f(fruit: Any) -> int:
        seen.append(fruit)
        return 0

    apple = Apple()
    f(apple)
    assert seen == [apple]


def test_the_object_is_not_kept_alive() -> None:
    flavor, _ = mixed()
    apple = Apple()
    gone = weakref.ref(apple)
    concrete = flavor.get_concrete_function(apple, Mango())
    del apple
    gc.collect()
    assert gone() is None
    assert concrete().numpy().tolist() == [4, 6]


def test_in_structures_and_beside_tensors() -> None:
    seen = []

    @tf.function
    def f(basket: Any, x: Any) -> Any:
        seen.append(basket)
        return basket["best"][0].flavor * x + basket["n"]

    for n in (1, 2):
        assert f({"best": [Apple(), 7], "n": t(n)}, t(10)).numpy().tolist() == [10 + n, 20 + n]
    assert len(seen) == 1 and type(seen[0]["best"][0]) is Apple
    assert f({"best": [Mango(), 7], "n": t(1)}, t(10)).numpy().tolist() == [31, 41]
    assert f({"best": [Mango(), 8], "n": t(1)}, t(10)).numpy().tolist() == [31, 41]
    assert len(seen) == 3


def test_in_sets_the_order_does_not_matter() -> None:
    class Red(Apple):
        def __init__(self, place: int) -> None:
            self.place = place

        def __hash__(self) -> int:
            return self.place

    class Green(Red):
        pass

    count = tf.function(lambda fruits: len(fruits))
    for fruits in ({Red(0)}, {Red(0), Green(1)}, {Red(1), Green(0)}):
        assert count(frozenset(fruits)).numpy() == len(fruits)
    assert count.experimental_get_tracing_count() == 2


def test_protocol_comes_before_the_fields_of_a_dataclass() -> None:
    @dataclass
    class Settings:
        label: str
        scale: Any

        def __tf_tracing_type__(self, context: Any) -> Range:
            return Range(self.scale)

    f = tf.function(lambda settings, x: x * settings.number)
    assert f(Settings("a", 3), t(2)).numpy() == f(Settings("b", 3), t(2)).numpy() == 6
    assert f.experimental_get_tracing_count() == 1


def test_a_subtype_uses_the_trace_of_the_most_specific_type() -> None:
    for order in ((10, 5, 20), (20, 10, 5), (5, 20, 10)):
        limit = limits()
        for n in order:
            limit.get_concrete_function(Range(n))
        assert [limit(Small(n)).numpy() for n in (3, 5, 6, 10, 11, 20)] == [5, 5, 10, 10, 20, 20]
        assert limit.experimental_get_tracing_count() == 3
        assert limit(Small(21)).numpy() == 21


def test_reduce_retracing_takes_a_type_that_is_none_of_the_arguments() -> None:
    @tf.function(reduce_retracing=True)
    def hull(between: Any, x: Any) -> Any:
        return x * 0 + between.high - between.low

    assert [hull(Between(*ends), t(1)).numpy() for ends in ((1, 2), (4, 5), (2, 3), (1, 5))] == [1, 4, 4, 4]
    assert hull.experimental_get_tracing_count() == 2


def test_reduce_retracing_takes_the_type_above() -> None:
    f = tf.function(limits().python_function, reduce_retracing=True)
    assert [f(Small(n)).numpy() for n in (3, 7, 5, 2)] == [3, 7, 7, 3]
    assert f.experimental_get_tracing_count() == 2
    flavor = tf.function(mixed()[0].python_function, reduce_retracing=True)
    assert flavor(Apple(), Apple()).numpy().tolist() == [2, 4], "types with none above them"
    assert flavor(Mango(), Apple()).numpy().tolist() == [4, 6]
    assert flavor.experimental_get_tracing_count() == 2


def test_placeholder_is_seen_inside_of_other_functions_too() -> None:
    limit = limits()

    @tf.function
    def outer(x: Any, small: Any) -> Any:
        return x + limit(small)

    assert outer(t(1), Small(4)).numpy() == 5
    assert outer(t(2), Small(4)).numpy() == 6
    assert outer.experimental_get_tracing_count() == 1


def test_concrete_functions_take_objects_of_the_type_or_none() -> None:
    flavor, _ = mixed()
    concrete = flavor.get_concrete_function(Apple(), Mango())
    assert concrete is flavor.get_concrete_function(Apple(), Mango())
    for result in (concrete(), concrete(Apple(), Mango()), concrete(fruit_b=Mango())):
        assert result.numpy().tolist() == [4, 6]
    with pytest.raises(TypeError, match="FruitType.*in fruit_a, but was called with Mango value"):
        concrete(Mango(), Mango())
    with pytest.raises(TypeError, match="in fruit_a, but was called with int value 3"):
        concrete(3)
    assert concrete.structured_input_signature == ((FruitType(Apple), FruitType(Mango)), {})
    assert str(concrete).splitlines()[0] == (
        f"ConcreteFunction get_mixed_flavor(fruit_a=FruitType(fruit_type={Apple!r}),"
        f" fruit_b=FruitType(fruit_type={Mango!r}))"
    )
    above = limits().get_concrete_function(Range(9))
    assert above(Small(4)).numpy() == above().numpy() == 9
    with pytest.raises(TypeError, match=r"Range\(limit=9\).*in small, but was called with Small"):
        above(Small(10))


def test_a_type_alone_has_no_object_to_trace_with() -> None:
    flavor, _ = mixed()
    with pytest.raises(TypeError, match="needs an object to trace with: .*define placeholder_value"):
        flavor.get_concrete_function(FruitType(Apple), FruitType(Mango))
    with pytest.raises(TypeError, match=r"get_mixed_flavor\(\) was called with a FruitType; those are for get_conc"):
        flavor(FruitType(Apple), Mango())
    with pytest.raises(TypeError, match="was called with a Range"):
        limits()(Range(3))


def test_attributes_of_such_objects_are_not_guarded() -> None:
    class Weighted(Fruit):
        def __init__(self, weight: int) -> None:
            self.weight = weight

    f = tf.function(lambda fruit, x: fruit.weight * x)
    apple = Weighted(2)
    assert f(apple, t(10)).numpy() == 20
    apple.weight = 3
    assert f(apple, t(10)).numpy() == 20, "its type is the same, and that decides"
    assert f(Weighted(4), t(10)).numpy() == 20
    assert f.experimental_get_tracing_count() == 1


def test_methods_of_an_object_with_a_type() -> None:
    class Model(Fruit):
        @tf.function
        def scaled(self, other: Any, x: Any) -> Any:
            return other.flavor * x

    model = Model()
    assert [model.scaled(Apple(), t(2)).numpy().tolist() for _ in range(2)] == [[2, 4]] * 2
    assert model.scaled.experimental_get_tracing_count() == 1


class Broken:
    def __init__(self, returned: Any) -> None:
        self.returned = returned

    def __tf_tracing_type__(self, context: Any) -> Any:
        return self.returned


class NoHash(FruitType):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def test_types_that_are_of_no_use_are_refused_by_the_name_of_the_argument() -> None:
    f = tf.function(lambda x, y: 0)
    with pytest.raises(TypeError, match=r"argument 'y': __tf_tracing_type__ of Broken returned 3, which is no T"):
        f(1, Broken(3))
    with pytest.raises(TypeError, match=r"argument 'x_0_k': its TraceType NoHash cannot be hashed .*define __hash__"):
        f([{"k": Broken(NoHash(Apple))}], 1)
    with pytest.raises(TypeError, match="abstract class Half"):

        class Half(TraceType):
            def is_subtype_of(self, other: Any) -> bool:
                return True

        Half()  # type: ignore[abstract]


def test_an_exception_of_the_protocol_passes_as_it_is() -> None:
    class Failing:
        def __tf_tracing_type__(self, context: Any) -> Any:
            raise TypeError("mine")

    with pytest.raises(TypeError, match="^mine$"):
        tf.function(lambda x: 0)(Failing())


@pytest.mark.filterwarnings("error::runtime.errors.RetracingWarning")
def test_retracing_is_explained_by_the_types() -> None:
    f = tf.function(lambda small: 0)
    with pytest.raises(
        tf.errors.RetracingWarning,
        match=r"argument 'small' changed each time, last from Range\(limit=4\) to Range\(limit=5\): its __",
    ):
        for n in range(1, 6):
            f(Small(n))


def test_specs_are_trace_types() -> None:
    for kind in (tf.TensorSpec, tf.VariableSpec):
        exact, wide, other = kind([2, 3]), kind([None, 3]), kind([2, 3], tf.int32)
        assert isinstance(exact, TraceType)
        assert exact.is_subtype_of(wide) and exact.is_subtype_of(kind(None)) and exact.is_subtype_of(exact)
        assert not wide.is_subtype_of(exact) and not exact.is_subtype_of(other) and not exact.is_subtype_of(3)
        assert exact.most_specific_common_supertype([kind([4, 3]), exact]) == wide
        assert exact.most_specific_common_supertype([other]) is None
    assert not tf.VariableSpec([2]).is_subtype_of(tf.VariableSpec([2], trainable=False))
    assert tf.VariableSpec([2]).most_specific_common_supertype([tf.VariableSpec([2], trainable=False)]) is None


def test_names_of_the_namespace() -> None:
    types = tf.types.experimental
    assert types.GenericFunction is tf.Function and types.ConcreteFunction is tf.ConcreteFunction
    assert isinstance(Apple(), types.SupportsTracingProtocol) and not isinstance(3, types.SupportsTracingProtocol)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = types.Nothing
