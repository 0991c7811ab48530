"""Code that is not converted, and is given what only the graph knows, or changes what nobody can look into."""

from __future__ import annotations

import collections
import csv
import enum
import hashlib
import hmac
import io
import os
import pprint
import reprlib
import urllib.parse
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError
from runtime.errors import TraceEffectWarning
from tests.runtime.comparing import assert_same


@pytest.mark.parametrize("make", [
    lambda n: pprint.pformat([n]), lambda n: reprlib.repr([n]), lambda n: urllib.parse.urlencode({"n": n}),
    lambda n: collections.UserString(n).upper(), lambda n: csv.writer(io.StringIO()).writerow([n]),
])  # fmt: skip
def test_text_without_values_is_refused(make: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match="which is not converted, makes text of Tensor"):
        tf.function(make)(tf.constant(3))


def test_numbers_are_written_with_their_values() -> None:
    file = io.StringIO()
    writer = csv.writer(file)

    @tf.function
    def write(n):
        writer.writerow([n])
        return n

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (1, 2, 3, 4):
            write(n)
    assert file.getvalue().split() == ["1", "2", "3", "4"]


def test_texts_with_names() -> None:
    assert_same(lambda n: "%(a)s-%(n)d" % collections.OrderedDict(a="x", n=n), 1, 2)
    assert_same(lambda n: "%(a)s-%(n)d" % collections.UserDict(a="x", n=n), 1, 2)

    def of_the_run(n):
        names = {"a": "x"}
        if n > 1:
            names["b"] = "y"
        return "%(a)s" % names

    assert_same(of_the_run, 1, 2)


HASH, ELEMENT = hashlib.md5(), ElementTree.Element("a")


def updates(n):
    HASH.update(b"a")
    return n


def appends(n):
    ELEMENT.append(ElementTree.Element("b"))
    return n


@pytest.mark.parametrize(("function", "name"), [(updates, "HASH"), (appends, "ELEMENT")])
def test_what_changes_out_of_sight_is_told_once(function: Callable[[Any], Any], name: str) -> None:
    staged = tf.function(function)
    with pytest.warns(TraceEffectWarning, match=f"'{name}' is used by its method .* once for each trace") as told:
        staged(tf.constant(1))
        staged(tf.constant(1.5))
    assert len(told) == 1


def test_what_changes_out_of_sight_keeps_numbers_constant() -> None:
    made = hashlib.md5()

    @tf.function
    def step(n):
        made.update(b"a")
        return n * 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (1, 2, 3, 4, 5):
            step(n)
    assert made.hexdigest() == hashlib.md5(b"aaaaa").hexdigest()


def test_objects_of_the_function_are_no_effects() -> None:
    @tf.function
    def digest(n):
        made = hashlib.md5()
        made.update(b"a")
        return made.hexdigest(), n

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert digest(tf.constant(1))[0].numpy().decode() == hashlib.md5(b"a").hexdigest()


KEYED = hmac.new(b"key", digestmod="sha256")
ROWS = csv.DictWriter(io.StringIO(), ["a"])


@pytest.mark.parametrize("use", [lambda: KEYED.update(b"a"), ROWS.writeheader])
def test_what_objects_of_libraries_keep_in_c_is_theirs(use: Callable[[], Any]) -> None:
    """Their methods change it, once for each trace, whichever way a graph goes."""

    def always(n: Any) -> Any:
        use()
        return n

    def on_one_way(n: Any) -> Any:
        if n > 0:
            use()
        return n

    with pytest.warns(TraceEffectWarning, match="'(KEYED._hmac|use.writer)' is used by its method '(upd|writeh)"):
        tf.function(always)(tf.constant(1))
    with pytest.raises(StagingError, match="is given to '(HMAC.update|DictWriter.writeheader)', which is not"):
        tf.function(on_one_way)(tf.constant(1))


def test_methods_that_only_read_what_is_kept_in_c() -> None:
    def program(n: Any) -> Any:
        if n > 0:
            made = KEYED.copy()
            return made.hexdigest()
        return KEYED.hexdigest()[:8]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same(program, 1, -1)


def test_changes_of_the_process_are_told(tmp_path: Path) -> None:
    @tf.function
    def step(n):
        os.rename(tmp_path, tmp_path)
        return n

    with pytest.warns(TraceEffectWarning, match="'os.rename' writes while the function is traced"):
        step(tf.constant(1))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="of another system")
def test_changes_that_python_tells_nobody_of_are_told_as_well(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    reader, writer = os.pipe()

    def writes(n: Any) -> Any:
        os.write(writer, b"a")
        return n

    def makes(n: Any) -> Any:
        os.mkfifo(path)
        return n

    def in_a_branch(n: Any) -> Any:
        if n > 0:
            os.write(writer, b"b")
        return n

    def reads(n: Any) -> Any:
        return n + len(os.read(reader, 5))

    try:
        for function, name in ((writes, "write"), (makes, "mkfifo")):
            with pytest.warns(TraceEffectWarning, match=f"'os.{name}' writes while the function is traced"):
                tf.function(function)(tf.constant(1))
        with pytest.raises(StagingError, match="os.write changes something of the whole process"):
            tf.function(in_a_branch)(tf.constant(1))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert int(tf.function(reads)(tf.constant(1))) == 2
    finally:
        os.close(reader)
        os.close(writer)


def test_methods_that_a_tensor_exchanges() -> None:
    class Gate:
        def opened(self, n):
            return n + 1

    def doubled(self, n):
        return n * 2

    gate = Gate()

    @tf.function
    def step(n):
        if n > 2:
            Gate.opened = doubled
        return gate.opened(n)

    assert [int(step(tf.constant(n))) for n in (1, 5, 1)] == [2, 10, 2]
    assert Gate.opened is doubled


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


def test_flags_in_attributes() -> None:
    class Door:
        rights = Rights.READ

    door = Door()

    @tf.function
    def step(n):
        if n > 2:
            door.rights = door.rights | Rights.WRITE
        else:
            door.rights = door.rights & ~Rights.WRITE
        return Rights.WRITE in door.rights

    found = []
    for n in (3, 1, 5):
        found.append((bool(step(tf.constant(n))), door.rights))
    assert found == [(True, Rights.READ | Rights.WRITE), (False, Rights.READ), (True, Rights.READ | Rights.WRITE)]
