"""Programs of the matrix: an object of each kind, reached and changed in each way, in each statement.

    cells()                        # all of them
    Cell(sample, path, statement, change).source
    verdict(cell, workplace)       # "carried", or "refused"; an AssertionError where a program does another thing
"""

from __future__ import annotations

import importlib.util
import linecache
import sys
import textwrap
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import OperatorNotAllowedInGraphError, TraceEffectWarning
from tests.runtime.heap.samples import SAMPLES, Sample

__all__ = ["Cell", "cells", "close_files", "namespace", "verdict"]

PATHS: Final = {
    "name": ("", "o"),
    "alias before": ("p = o", "p"),
    "attribute": ("p = Box(o)", "p.v"),
    "slot": ("p = Slotted(o)", "p.v"),
    "item": ("p = [o]", "p[0]"),
    "value of a dict": ("p = {'k': o}", "p['k']"),
    "container in container": ("p = [{'k': (o,)}]", "p[0]['k'][0]"),
    "attribute of a library's object": ("p = library.Box(o)", "p.v"),
    "proxy": ("p = types.MappingProxyType({'k': o})", "p['k']"),
    "global": ("global PLACE\nPLACE = o", "PLACE"),
    "result of a helper": ("p = [o]\ndef get():\n    return p[0]", "get()"),
    "default argument": ("def get(q=o):\n    return q", "get()"),
    "bound argument": ("p = functools.partial(the_same, o)", "p()"),
    "weak reference": ("p = weakref.ref(o)", "p()"),
    "context variable": ("VARIABLE.set(o)", "VARIABLE.get()"),
}
"""What is done before the statement, and how the object is reached in it."""

STATEMENTS: Final = {
    "if": "if x > 0:\n    CHANGE",
    "else": "if x > 2:\n    y = 1\nelse:\n    CHANGE",
    "alias inside": "if x > 0:\n    q = OBJECT\n    change(q)",
    "if in if": "if x > 0:\n    if x > 2:\n        CHANGE",
    "while": "i = 0\nwhile i < x:\n    i = i + 1\n    CHANGE",
    "for": "for i in tf.range(x):\n    CHANGE",
    "ternary": "change(OBJECT) if x > 0 else 0",
    "and": "x > 0 and change(OBJECT) == 0",
    "match": "match x > 0:\n    case True:\n        CHANGE",
    "with": "with passing():\n    if x > 0:\n        CHANGE",
    "try": "try:\n    if x < 0:\n        raise ValueError\n    CHANGE\nexcept ValueError:\n    y = 1",
    "handler": "try:\n    if x > 0:\n        raise ValueError\nexcept ValueError:\n    CHANGE",
    "comprehension": "[change(OBJECT) for i in tf.range(x)]",
    "call": "def part():\n    if x > 0:\n        CHANGE\npart()",
    "recursion": "def part(n):\n    if n > 0:\n        CHANGE\n        part(n - 1)\npart(x)",
}
"""Statements that a tensor decides. CHANGE: one of the sample's; `change(OBJECT)` does the same in a helper."""

_NAMES: Final = """
import array, collections, contextlib, contextvars, csv, ctypes, dataclasses, decimal, functools, hashlib, io, itertools
import logging, mmap, queue, random, sqlite3, tempfile, threading, types, weakref, zlib
import xml.etree.ElementTree as ElementTree
import numpy as np
import runtime as tf

class Box:
    def __init__(self, v): self.v = v
    def add(self, d): self.v = self.v + d

class Slotted:
    __slots__ = ("v",)
    def __init__(self, v): self.v = v

class Guarded:
    def __init__(self): self._v = 1.0
    @property
    def v(self): return self._v
    @v.setter
    def v(self, value): self._v = value

class Values:
    def __init__(self): self.known = {}
    def __get__(self, owner, kind=None): return self.known.get("d", 0.0)
    def __set__(self, owner, value): self.known["d"] = value

class Described:
    def __init__(self): type(self).__dict__["d"].known.clear()
    d = Values()

@dataclasses.dataclass
class Data:
    v: float

@dataclasses.dataclass(frozen=True)
class Frozen:
    v: float
    items: list

class Steps:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        return self.n

class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double)]

class Derived(library.Frame):
    def __init__(self):
        super().__init__()
        self.v = 1.0
    def add(self): self.v += 1.0

Pair = collections.namedtuple("Pair", "a b")
KEPT = [Box(1.0), Box(1.0)]
OPEN = queue.SimpleQueue()  # of which a call that is refused leaves what it has put there
VARIABLE = contextvars.ContextVar("VARIABLE")
VARIABLE.set(None)
TEXT = io.StringIO()
PLACE = None

def the_same(o): return o

def with_default():
    def one(a=1.0, *, b=1.0): return a
    return one

def of_two(a=2.0, *, b=1.0): return 2.0

def of_kinds():
    @functools.singledispatch
    def one(a): return 1.0
    return one

def with_attribute(function):
    function.v = 1.0
    return function

def local_with(value):
    made = threading.local()
    made.v = value
    return made

def module_with(value):
    made = types.ModuleType("made")
    made.v = value
    return made

class Caching:
    def __init__(self):
        self.made = 0.0

    @functools.cached_property
    def v(self):
        self.made = self.made + 1.0
        return 5.0

def variable_with(value):
    made = contextvars.ContextVar("made")
    made.set(value)
    return made

def opened(*how, **more):
    with tempfile.NamedTemporaryFile("w", dir=FOLDER, delete=False) as made:
        made.write("abcd")
    file = open(made.name, *how, **more)
    OPEN.put(file)
    return file

def file_state(file):
    return 99.0 if file.closed else float(file.tell())

def database():
    made = sqlite3.connect(":memory:")
    OPEN.put(made)
    made.execute("create table t (a)")
    return made

def rows(made): return made.execute("select count(*) from t").fetchone()[0]

def number(value):
    while not isinstance(value, (int, float)):
        value = next(iter(value)) if isinstance(value, tuple) else 7
    return float(value)

@contextlib.contextmanager
def passing():
    yield
"""

_LIBRARY: Final = '''
import queue

class Box:
    def __init__(self, v):
        self.v = v

class Frame:
    made = 0
    def __init__(self): self.columns = {"a": 1.0}
    def put(self, k, v): self.columns[k] = v
    def __getitem__(self, k): return self.columns[k]
    def __setitem__(self, k, v): self.columns[k] = v
    @classmethod
    def count(cls): cls.made += 1

class Slots:
    __slots__ = ("v",)
    def __init__(self): self.v = 1.0
    def add(self): self.v += 1.0

class Holder:
    def __init__(self): self.inside = queue.SimpleQueue()
    def put(self, v): self.inside.put(v)
    def size(self): return self.inside.qsize()

def put(o, name, value): setattr(o, name, value)
'''


@dataclass(frozen=True)
class Cell:
    """One program."""

    sample: Sample
    path: str
    statement: str
    change: str

    @property
    def name(self) -> str:
        return f"{self.sample.kind} | {self.path} | {self.statement} | {self.change}"

    @property
    def source(self) -> str:
        before, reached = PATHS[self.path]
        change = self.change.replace("o.", f"{reached}.").replace("o[", f"{reached}[")
        change = change.replace("(o)", f"({reached})").replace("(o,", f"({reached},").replace("=o)", f"={reached})")
        if self.change.startswith("o("):
            change = reached + change[1:]
        statement = STATEMENTS[self.statement].replace("CHANGE", change).replace("OBJECT", reached)
        lines = [
            "def f(x):", f"    o = {self.sample.make}", "    def change(o):", f"        {self.change}",
            "        return 0", "    y = 0", textwrap.indent(before, "    "), textwrap.indent(statement, "    "),
            f"    return {self.sample.look}", "",
        ]  # fmt: skip
        return "\n".join(lines)


def cells() -> Iterator[Cell]:
    """All programs; a change of a name itself (`o += ...`) is none of them."""
    for sample in SAMPLES:
        for path in PATHS:
            for statement in STATEMENTS:
                for change in sample.changes:
                    yield Cell(sample, path, statement, change)


def library_in(folder: Path) -> types.ModuleType:
    """An installed package, as far as anybody can tell."""
    path = folder / "site-packages" / "library.py"
    path.parent.mkdir(parents=True)
    path.write_text(_LIBRARY)
    spec = importlib.util.spec_from_file_location("library", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["library"] = module
    spec.loader.exec_module(module)
    return module


def namespace(folder: Path) -> dict[str, Any]:
    """What the programs name."""
    module = types.ModuleType("programs_of_the_heap")
    sys.modules[module.__name__] = module
    module.__dict__.update(library=library_in(folder), FOLDER=str(folder))
    file = str(folder / "names.py")
    linecache.cache[file] = (len(_NAMES), None, _NAMES.splitlines(True), file)
    exec(compile(_NAMES, file, "exec"), module.__dict__)
    return module.__dict__


def close_files(names: dict[str, Any]) -> None:
    """Closes what the programs have opened."""
    while not names["OPEN"].empty():
        names["OPEN"].get().close()


ARGUMENTS: Final = (-1, 1, 3)

_REFUSALS: Final = (StagingError, OperatorNotAllowedInGraphError)


def verdict(cell: Cell, names: dict[str, Any], number: int) -> str:
    """What becomes of a program: "carried" where all answers are Python's, "refused" where it is an error that says so.

    Raises AssertionError for all else.
    """
    file = f"{names['FOLDER']}/program_{number}.py"
    source = cell.source
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), names)
    program = names["f"]
    expected = [_answer(program, x, names) for x in ARGUMENTS]
    if all(isinstance(answer, str) for answer in expected):
        return "no program"
    traced = tf.function(program)
    for x, answer in zip(ARGUMENTS, expected, strict=True):
        _reset(names)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", TraceEffectWarning)
                found: Any = float(traced(tf.constant(x)).numpy())
        except _REFUSALS as error:
            assert str(error), cell.name
            return "refused"
        except Exception as error:
            found = type(error).__name__
        assert found == answer, f"{cell.name}: x = {x}: {found} and not {answer}\n{source}"
    return "carried"


def _answer(program: Any, x: int, names: dict[str, Any]) -> Any:
    _reset(names)
    try:
        return float(program(x))
    except Exception as error:
        return type(error).__name__


def _reset(names: dict[str, Any]) -> None:
    for kept in names["KEPT"]:
        kept.v = 1.0
    names["library"].Frame.made = 0
    names["PLACE"] = None
    names["VARIABLE"].set(None)
    names["TEXT"].seek(0)
