"""Classes of a program as tensors and as structures, by registration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.other_threads import at_each_line


def test_values_of_a_registered_class_are_operands() -> None:
    class Money:
        def __init__(self, cents: int) -> None:
            self.cents = cents

    class Euro(Money):
        pass

    def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return tf.constant(value.cents, dtype)

    with pytest.raises((TypeError, ValueError)):
        tf.convert_to_tensor(Money(3))
    tf.register_tensor_conversion_function(Money, convert)
    assert int(tf.convert_to_tensor(Euro(3))) == 3
    assert tf.convert_to_tensor(Money(3), tf.float32).dtype == tf.float32
    assert int(tf.add(Money(3), 4)) == 7 and int(tf.constant(10) - Money(4)) == 6
    assert tf.stack([Money(1), Money(2)]).numpy().tolist() == [1, 2]
    assert tf.convert_to_tensor([[Money(1), 5]]).numpy().tolist() == [[1, 5]]

    @tf.function
    def double(x: Any) -> Any:
        return x + Money(5)

    assert double(tf.constant(2)).numpy() == 7


def test_priorities_and_functions_that_are_not_responsible() -> None:
    class Box:
        pass

    order: list[str] = []

    def named(name: str, result: Any) -> Any:
        def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False, label: str = name) -> Any:
            order.append(label)
            return result if result is NotImplemented else tf.constant(result, dtype)

        return convert

    tf.register_tensor_conversion_function(Box, named("late", 3), 200)
    tf.register_tensor_conversion_function(Box, named("first", NotImplemented))
    tf.register_tensor_conversion_function((Box,), named("second", 2))
    assert int(tf.convert_to_tensor(Box())) == 2
    assert order == ["first", "second"]
    tf.register_tensor_conversion_function(Box, named("early", 1), priority=1)
    assert int(tf.convert_to_tensor(Box())) == 1


def test_a_registered_class_that_is_a_list() -> None:
    class Path(list):  # type: ignore[type-arg]
        pass

    tf.register_tensor_conversion_function(Path, lambda v, dtype=None, name=None, as_ref=False: tf.constant(len(v)))
    assert int(tf.convert_to_tensor(Path([1, 2, 3]))) == 3


def test_mistakes_of_registration() -> None:
    for base, words in ((int, "anyway"), (np.ndarray, "anyway"), (tf.Tensor, "anyway"), ("Money", "class")):
        with pytest.raises(TypeError, match=words):
            tf.register_tensor_conversion_function(base, lambda value, **options: value)

    class Odd:
        pass

    with pytest.raises(TypeError, match="function"):
        tf.register_tensor_conversion_function(Odd, 3)  # type: ignore[arg-type]
    tf.register_tensor_conversion_function(Odd, lambda value, dtype=None, name=None, as_ref=False: tf.constant(1.5))
    with pytest.raises(TypeError, match="returned float32 where int32 was asked for"):
        tf.convert_to_tensor(Odd(), tf.int32)

    class Odder:
        pass

    tf.register_tensor_conversion_function(Odder, lambda value, dtype=None, name=None, as_ref=False: 3)
    with pytest.raises(TypeError, match="registered for Odder, returned no tensor but 3"):
        tf.convert_to_tensor(Odder())


# -- structures --------------------------------------------------------------------------------------------------------


class Pair:
    def __init__(self, left: Any, right: Any, unit: str = "m") -> None:
        self.left, self.right, self.unit = left, right, unit


@dataclass
class Tagged:
    value: Any
    tag: str

    def __tf_flatten__(self) -> Any:
        return self.tag, (self.value,)

    @classmethod
    def __tf_unflatten__(cls, tag: Any, parts: Any) -> Any:
        return cls(parts[0], tag)


tf.nest.register(Pair, lambda p: ((p.left, p.right), p.unit), lambda unit, parts: Pair(*parts, unit))


def test_registered_classes_are_structures() -> None:
    pair = Pair(1, {"b": 2, "a": [3]}, "cm")
    assert tf.nest.flatten([pair, None, 5]) == [1, 3, 2, None, 5]
    doubled = tf.nest.map_structure(lambda x: x * 2, pair)
    assert (doubled.left, doubled.right, doubled.unit) == (2, {"b": 4, "a": [6]}, "cm")
    assert tf.nest.pack_sequence_as(pair, list("xyz")).right == {"a": ["y"], "b": "z"}
    tf.nest.assert_same_structure(Pair(1, 2), Pair(3, 4))
    with pytest.raises(ValueError, match="they differ in 'm' and 'cm'"):
        tf.nest.assert_same_structure(Pair(1, 2), Pair(3, 4, "cm"))
    with pytest.raises(TypeError, match="types differ"):
        tf.nest.assert_same_structure(Pair(1, 2), (1, 2))
    with pytest.raises(ValueError, match="is known as a structure already"):
        tf.nest.register(Pair, lambda p: ((), None), lambda s, p: Pair(1, 2))
    with pytest.raises(ValueError, match="is known"):
        tf.nest.register(dict, lambda p: ((), None), lambda s, p: {})


def test_classes_may_say_themselves_how_they_are_taken_apart() -> None:
    tagged = Tagged((1, 2), "t")
    assert tf.nest.flatten(tagged) == [1, 2], "the tag is no leaf"
    assert tf.nest.map_structure(lambda x: -x, tagged) == Tagged((-1, -2), "t")


def test_they_are_arguments_and_results_of_functions() -> None:
    @tf.function
    def swapped(pair: Any) -> Any:
        return Pair(pair.right + 1, pair.left, pair.unit), Tagged(pair.left, pair.unit)

    one, two = tf.constant(1), tf.constant(2)
    pair, tagged = swapped(Pair(one, two))
    assert (int(pair.left), int(pair.right), pair.unit) == (3, 1, "m")
    assert (int(tagged.value), tagged.tag) == (1, "m")
    swapped(Pair(two, one))
    assert swapped.experimental_get_tracing_count() == 1
    assert swapped(Pair(one, two, "cm"))[0].unit == "cm"
    assert swapped.experimental_get_tracing_count() == 2


def test_they_are_elements_of_datasets_and_states_of_loops() -> None:
    (element,) = tf.data.Dataset.from_tensors(Pair(1, 2.5)).map(lambda p: Pair(p.right, p.left, "x"))
    assert isinstance(element, Pair) and float(element.left) == 2.5 and element.unit == "x"

    @tf.function
    def swap(n: Any) -> Any:
        pair = Pair(tf.constant(0), tf.constant(1))
        for _ in tf.range(n):
            pair = Pair(pair.right, pair.left + pair.right)
        return pair.left

    assert int(swap(tf.constant(10))) == 55


def test_values_that_another_thread_converts_while_a_class_is_registered() -> None:
    class Earlier:
        pass

    class Later:
        pass

    tf.register_tensor_conversion_function(Earlier, lambda value, **_: tf.constant(1))

    def work() -> int:
        try:
            tf.convert_to_tensor(Later())
        except TypeError:
            pass
        return int(tf.convert_to_tensor(Earlier()))

    with at_each_line(work, ("runtime/tensor/conversions.py",)) as found:
        tf.register_tensor_conversion_function(Later, lambda value, **_: tf.constant(2))
    assert set(found) == {1} and len(found) > 3
    assert int(tf.convert_to_tensor(Later())) == 2
