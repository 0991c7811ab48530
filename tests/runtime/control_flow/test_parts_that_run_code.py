"""Parts of objects whose reading or setting runs code: a statement uses them as often as the program does."""

from __future__ import annotations

import collections
import enum
import weakref
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


class Counting:
    """A property that counts how often it is read and set."""

    def __init__(self) -> None:
        self.held = 0.0
        self.uses = 0

    @property
    def level(self) -> Any:
        self.uses = self.uses + 1
        return self.held

    @level.setter
    def level(self, value: Any) -> None:
        self.uses = self.uses + 100
        self.held = value


class Table:
    def __init__(self) -> None:
        self.rows: dict[str, Any] = {"a": 1.0}
        self.uses = [0]

    def __getitem__(self, key: str) -> Any:
        self.uses[0] = self.uses[0] + 1
        return self.rows[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.uses[0] = self.uses[0] + 100
        self.rows[key] = value


class Loose:
    """Attributes in a dict of its own."""

    def __init__(self) -> None:
        object.__setattr__(self, "kept", {"level": 0.0})

    def __setattr__(self, name: str, value: Any) -> None:
        self.kept[name] = value

    def __getattr__(self, name: str) -> Any:
        self.kept["asked"] = self.kept.get("asked", 0) + 1
        return self.kept[name]


class Defaults:
    level = 0.0


class Empty:
    pass


def attribute_in_a_branch(o, x):
    r = 0.0
    if x > 0:
        o.level = x
        r = o.level + 1
    return r + x


def attribute_in_a_loop(o, x):
    i = 0.0
    while i < x:
        o.level = o.level + x
        i = i + 1
    return i


def attribute_in_a_short_loop(o, x):
    r = 0.0
    for i in range(3):
        if x > i:
            o.level += x
            r = r + o.level
    return r


def attribute_in_a_handler(o, x):
    r = 0.0
    try:
        if x > 0:
            raise ValueError
    except ValueError:
        o.level = x
        r = o.level + 1
    return r + x


def item_in_a_branch(o, x):
    r = 0.0
    if x > 0:
        o["a"] = x
        r = o["a"] + 1
    return r + x


def item_in_a_loop(o, x):
    i = 0.0
    while i < x:
        o["a"] = x + i
        i = i + 1
    return i


def item_in_a_handler(o, x):
    r = 0.0
    try:
        if x > 0:
            raise ValueError
    except ValueError:
        o["a"] = x
        r = o["a"] + 1
    return r + x


def shown(value: Any) -> Any:
    if isinstance(value, tf.Tensor):
        return value.numpy().item()
    if isinstance(value, dict):
        return {key: shown(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shown(part) for part in value]
    return shown(vars(value)) if hasattr(value, "__dict__") else value


def history(call: Any, o: Any, values: Any) -> list[Any]:
    return [(shown(call(x)), shown(o)) for x in values]


@pytest.mark.parametrize("values", [(2.0, -1.0, 3.0), (-1.0, 2.0)])
@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (program, kind)
        for kind, programs in {
            Counting: (
                attribute_in_a_branch, attribute_in_a_loop, attribute_in_a_short_loop, attribute_in_a_handler,
            ),
            Defaults: (
                attribute_in_a_branch, attribute_in_a_loop, attribute_in_a_short_loop, attribute_in_a_handler,
            ),
            Loose: (attribute_in_a_branch,),
            Table: (item_in_a_branch, item_in_a_loop, item_in_a_handler),
        }.items()
        for program in programs
    ],
    ids=lambda part: part.__name__,
)  # fmt: skip
def test_is_run_as_often_as_the_program_says(program: Any, kind: Any, values: Any) -> None:
    o, plain = kind(), kind()
    staged = tf.function(lambda x: program(o, x))
    found = history(lambda x: staged(tf.constant(x)), o, values)
    assert found == history(lambda x: program(plain, x), plain, values)


def test_a_dict_that_makes_its_items_makes_none_on_the_other_way() -> None:
    tables: Any = collections.defaultdict(dict)

    @tf.function
    def put(x):
        if x > 0:
            tables["a"]["b"] = x
        return x

    @tf.function
    def put_in_a_loop(x):
        while x > 0:
            tables["a"]["b"] = x
            x = x - 1
        return x

    for program in (put, put_in_a_loop):
        with pytest.raises(StagingError, match="tables"):
            program(tf.constant(-1.0))
        assert tables == {}
    tables["a"]["b"] = 0.0
    put(tf.constant(-1.0))
    assert tables == {"a": {"b": 0.0}}
    put_in_a_loop(tf.constant(2.0))
    assert shown(tables) == {"a": {"b": 1.0}}


def test_a_mapping_of_mappings_gets_no_key_on_the_other_way() -> None:
    first: Any = {}
    maps = collections.ChainMap(first, {"b": 2.0})

    @tf.function
    def put(x):
        if x > 0:
            maps["b"] = x
        return x

    put(tf.constant(-1.0))
    assert first == {}
    put(tf.constant(3.0))
    assert shown(first) == {"b": 3.0}


def test_an_attribute_by_another_way_is_the_attribute() -> None:
    o, other = Empty(), Empty()
    proxy = weakref.proxy(o)

    @tf.function
    def put(x):
        if x > 0:
            proxy.level = x
            other.__dict__["level"] = x
        return x

    put(tf.constant(-1.0))
    assert (vars(o), vars(other)) == ({}, {})
    put(tf.constant(3.0))
    assert (shown(o), shown(other)) == ({"level": 3.0}, {"level": 3.0})


class Logged(Loose):
    """What `__getattr__` is asked for is put into a list, with something that no graph can have."""

    def __init__(self) -> None:
        object.__setattr__(self, "kept", {})
        object.__setattr__(self, "asked", [])

    def __getattr__(self, name: str) -> Any:
        self.asked.append(self.entry(name))
        return self.kept[name]

    def entry(self, name: str) -> Any:
        return object()


class LoggedNames(Logged):
    def entry(self, name: str) -> Any:
        return name


def read_back(o: Any, x: Any) -> Any:
    r = 0.0
    if x > 0:
        o.level = x
        r = o.level
    return r


def test_a_refusal_leaves_nothing_behind() -> None:
    o = Logged()
    with pytest.raises(TypeError, match="elements of a list that grows in a graph are .*; got a value of type object"):
        tf.function(lambda x: read_back(o, x))(tf.constant(1.0))
    assert (o.kept, o.asked) == ({}, [])


def test_code_of_an_attribute_makes_a_list_longer() -> None:
    o, plain = LoggedNames(), LoggedNames()
    read = tf.function(lambda x: read_back(o, x))
    for x in (1.0, -1.0, 2.0):
        assert float(read(tf.constant(x))) == read_back(plain, x)
        assert (shown(o.kept), o.asked) == (plain.kept, plain.asked)


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


def test_members_of_an_enum_are_made_in_a_branch() -> None:
    @tf.function
    def width(x):
        r = x * 0
        if x > 0:
            r = x * (Mode.READ | Mode.WRITE).value
        return r

    assert [float(width(tf.constant(x))) for x in (2.0, -1.0, 2.0)] == [6.0, 0.0, 6.0]


def test_a_library_may_take_the_key_error_of_what_a_dict_has_in_no_run() -> None:
    """`ChainMap` asks one dict after the other."""
    first: Any = {}
    maps = collections.ChainMap(first, {"a": 5.0})

    @tf.function
    def ask(x):
        if x > 0:
            first["b"] = x
        return x + maps["a"]

    assert [float(ask(tf.constant(x))) for x in (2.0, -1.0, 2.0)] == [7.0, 4.0, 7.0]
