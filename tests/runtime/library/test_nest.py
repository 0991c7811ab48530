"""Structures: what counts as one, the order of leaves, packing back, comparison with messages that name the place."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import attrs
import pytest

import runtime
from runtime import nest

Point = namedtuple("Point", "x y")


@dataclass
class Pair:
    left: Any
    right: Any
    note: str = field(init=False, repr=False, default="-")

    def __post_init__(self) -> None:
        self.computed = "kept"


@dataclass(frozen=True, slots=True)
class Frozen:
    value: Any


@attrs.define
class Celsius:
    degrees: Any
    place: Any = "here"


@attrs.frozen(cache_hash=True)
class Station:
    name: Any
    _height: Any = 0


@attrs.define(slots=False)
class Loose:
    value: Any


class Names(list):
    pass


STRUCTURES = [
    1, None, "text", [], (), {}, [1], (1, [2, (3,)]), {"b": 1, "a": (2, [3])}, Point(1, Point(2, 3)), [None, [None]],
    Pair(1, [2]), Frozen((1, 2)), OrderedDict(z=1, a=2), defaultdict(list, k=[1]), Counter(a=2), {1: "x", "y": 2},
    {2.0: 1, 1: 2}, Names([1, 2]), [[], [()], {}], MappingProxyType({"b": 1, "a": 2}),
    Celsius(1, [2]), Station((1, 2)), Loose({"a": Celsius(3)}),
]  # fmt: skip


@pytest.mark.parametrize("structure", STRUCTURES, ids=repr)
def test_flatten_and_pack_are_inverse(structure: Any) -> None:
    leaves = nest.flatten(structure)
    packed = nest.pack_sequence_as(structure, leaves)
    assert packed == structure and type(packed) is type(structure)
    assert [leaf for _, leaf in nest.flatten_with_paths(structure)] == leaves
    nest.assert_same_structure(structure, packed)
    assert not any(nest.is_nested(leaf) for leaf in leaves)
    assert nest.flatten(nest.map_structure(lambda leaf: (leaf,), structure)) == leaves


def test_order_of_leaves() -> None:
    assert nest.flatten({"b": 1, "a": (2, [3])}) == [2, 3, 1]
    assert nest.flatten({1: "x", "y": 2}) == ["x", 2], "keys that cannot be sorted: insertion order"
    assert list(nest.map_structure(lambda x: x, {"b": 1, "a": 2})) == ["b", "a"], "the order of its own"
    assert nest.flatten(Pair(1, [2])) == [1, 2, "-"]


def test_paths() -> None:
    structure = {"a": [1, Point(2, {"k": 3})], "b": Pair(4, 5)}
    assert nest.flatten_with_paths(structure) == [
        ("['a'][0]", 1), ("['a'][1].x", 2), ("['a'][1].y['k']", 3), ("['b'].left", 4), ("['b'].right", 5),
        ("['b'].note", "-"),
    ]  # fmt: skip


def test_rebuilt_objects_keep_what_is_no_leaf() -> None:
    pair = nest.map_structure(lambda x: x if x == "-" else x * 10, Pair(1, 2))
    assert (pair.left, pair.right, pair.computed) == (10, 20, "kept")
    made = nest.map_structure(len, defaultdict(list, k="abc"))
    assert made["k"] == 3 and made["new"] == []
    assert nest.map_structure(lambda x: x + 1, Frozen(1)) == Frozen(2)


def test_map_over_several_structures() -> None:
    assert nest.map_structure(lambda a, b: a - b, {"x": 5, "y": [7]}, {"y": [1], "x": 2}) == {"x": 3, "y": [6]}
    with pytest.raises(ValueError, match=r"at \['y'\]: they have 1 and 2 parts"):
        nest.map_structure(max, {"y": [7]}, {"y": [1, 2]})


@pytest.mark.parametrize(
    ("a", "b", "kind", "why"),
    [
        ([1], (1,), TypeError, "their types differ"), ([1], 1, ValueError, "one is a structure and the other is not"),
        ([1], [1, 2], ValueError, "they have 1 and 2 parts"), ({"a": 1}, {"b": 1}, ValueError, "their keys differ"),
        ([0, [1]], [0, (1,)], TypeError, r"at \[1\]: their types differ"), (Point(1, 2), (1, 2), TypeError, "types"),
        ({"a": {"b": [1]}}, {"a": {"b": 1}}, ValueError, r"at \['a'\]\['b'\]: one is a structure"),
    ],
)  # fmt: skip
def test_different_structures(a: Any, b: Any, kind: type[Exception], why: str) -> None:
    for first, second in ((a, b), (b, a)):
        with pytest.raises(kind, match="don't have the same nested structure"):
            nest.assert_same_structure(first, second)
    with pytest.raises(kind, match=why):
        nest.assert_same_structure(a, b)


def test_lists_may_stand_for_tuples() -> None:
    nest.assert_same_structure([1, (2,)], (1, [2]), check_types=False)
    with pytest.raises(ValueError):
        nest.assert_same_structure([1, 2], (1,), check_types=False)


def test_wrong_number_of_leaves() -> None:
    with pytest.raises(ValueError, match="more leaves than the 1 that were given"):
        nest.pack_sequence_as([0, [0]], [1])
    with pytest.raises(ValueError, match="fewer leaves than the 3 that were given"):
        nest.pack_sequence_as([0, [0]], [1, 2, 3])


def test_long_structures() -> None:
    assert sum(nest.flatten([[i] for i in range(20_000)])) == sum(range(20_000))
    deep: Any = 0
    for _ in range(200):
        deep = [deep, 1]
    assert sum(nest.flatten(deep)) == 200


def test_flatten_up_to_stops_at_the_leaves_of_the_first() -> None:
    assert nest.flatten_up_to((0, [0]), ([1, 2], (3,))) == [[1, 2], 3]
    assert nest.flatten_up_to({"a": 0, "b": 0}, {"b": {"c": 1}, "a": 2}) == [2, {"c": 1}]
    assert nest.flatten_up_to(0, [1, 2]) == [[1, 2]]
    for shallow, structure in (((0, 0), (1,)), ([0], 1), ({"a": 0}, {"b": 1}), ([[0]], [1])):
        with pytest.raises(ValueError, match="same nested structure"):
            nest.flatten_up_to(shallow, structure)


def test_classes_of_attrs() -> None:
    assert nest.flatten_with_paths(Celsius([7], Station("a"))) == [
        (".degrees[0]", 7), (".place.name", "a"), (".place._height", 0),
    ]  # fmt: skip
    station, loose = Station("a"), Loose(1)
    hash(station)
    loose.extra = "kept"  # type: ignore[attr-defined]
    other = nest.map_structure(lambda leaf: (leaf,), station)
    assert hash(other) == hash(Station(("a",), (0,))) and type(other) is Station
    assert nest.map_structure(str, loose).extra == "kept"
    assert not nest.is_nested(Celsius), "the class is a leaf"
    with pytest.raises(TypeError, match="their types differ"):
        nest.assert_same_structure(Celsius(1), Station(1))


def test_values_of_several_tensors_are_leaves_unless_their_tensors_are_asked_for() -> None:
    array = runtime.TensorArray(runtime.int32, 2).unstack([1, 2])
    assert nest.flatten({"a": array, "b": 3}) == [array, 3]
    assert not nest.is_nested(array)
    assert nest.map_structure(lambda leaf: leaf, (array,)) == (array,)
    (handle,) = nest.flatten(array, expand_composites=True)
    assert handle.dtype.name == "variant"
    again = nest.map_structure(lambda leaf: leaf, [array], expand_composites=True)[0]
    assert again is not array
    assert again.stack().numpy().tolist() == [1, 2]
    assert nest.pack_sequence_as([array], [7]) == [7]
    assert nest.flatten_up_to([0], [array]) == [array]
    nest.assert_same_structure([array], [0])
    with pytest.raises(ValueError, match="one is a structure and the other is not"):
        nest.assert_same_structure([array], [0], expand_composites=True)


def test_a_list_is_no_composite_with_the_same_number_of_parts() -> None:
    array = runtime.TensorArray(runtime.int32, 2).unstack([1, 2])
    with pytest.raises(TypeError):
        nest.flatten_up_to([0], array, expand_composites=True)
    array.mark_used()
