"""The time, the system's random numbers and its environment: told of in a trace, refused in a loop of the graph."""

from __future__ import annotations

import datetime
import json
import linecache
import os
import random
import secrets
import time
import uuid
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

SYSTEM = random.SystemRandom()

READS: dict[str, Any] = {
    "time.time": lambda x: x + time.time(),
    "time.monotonic_ns": lambda x: x + (time.monotonic_ns() % 7),
    "time.perf_counter": lambda x: x + time.perf_counter(),
    "secrets.randbelow": lambda x: x + secrets.randbelow(5),
    "secrets.token_hex": lambda x: x + len(secrets.token_hex(2)),
    "SystemRandom.choice": lambda x: x + secrets.choice([1, 2]),
    "SystemRandom.random": lambda x: x + SYSTEM.random(),
    "SystemRandom.randint": lambda x: x + SYSTEM.randint(1, 3),
    "os.urandom": lambda x: x + len(os.urandom(2)),
    "os.getenv": lambda x: x + len(os.getenv("HOME") or ""),
    "os.getcwd": lambda x: x + len(os.getcwd()),
    "datetime.now": lambda x: x + datetime.datetime.now().microsecond,
    "date.today": lambda x: x + datetime.date.today().day,
    "open": lambda x: x + len(open(0, closefd=False).mode),
    "os.path.getsize": lambda x: x + os.path.getsize(__file__) % 7,
    "os.listdir": lambda x: x + len(os.listdir(os.path.dirname(__file__))) % 7,
    "Path.exists": lambda x: x + Path(__file__).exists(),
    "uuid.uuid4": lambda x: x + len(str(uuid.uuid4())),
}


@pytest.mark.parametrize("name", READS)
def test_it_is_told_once_for_a_trace_with_the_line(name: str) -> None:
    read = READS[name]

    def twice(x: Any) -> Any:
        return read(read(x)) if x > 0 else x

    staged = tf.function(twice)
    with pytest.warns(tf.errors.TraceEffectWarning, match=f"^{name!r} is read while .* Use ") as caught:
        staged(tf.constant(1.0))
        staged(tf.constant(2.0))
    assert [(warning.filename, warning.lineno) for warning in caught] == [(__file__, read.__code__.co_firstlineno)]


@pytest.mark.parametrize("name", READS)
def test_it_is_refused_where_each_iteration_would_read_it(name: str) -> None:
    read = READS[name]

    def often(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = read(x)
        return x

    with pytest.raises(tf.autograph.StagingError, match=f"{name!r} is called in the body of a loop .* Use "):
        tf.function(often)(tf.constant(1.0), tf.constant(3))
    with pytest.warns(tf.errors.TraceEffectWarning):  # three values for three iterations of Python
        tf.function(lambda x: often(x, 3))(tf.constant(1.0))


BY_LIBRARIES: dict[str, Any] = {
    "pathlib": lambda path: len(Path(path).read_text()),
    "numpy": lambda path: np.loadtxt(path)[0],
    "numpy's own file": lambda path: np.fromfile(path, "uint8")[0] % 7,
    "json": lambda path: json.load(open(path))[0],
    "linecache": lambda path: 0 if linecache.getline(path, 1) else 1,
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", BY_LIBRARIES)
def test_a_file_that_a_library_reads_is_told_of_at_the_line_of_the_program(name: str, tmp_path: Path) -> None:
    read, path = BY_LIBRARIES[name], str(tmp_path / "numbers")
    Path(path).write_text("[1.5]" if name == "json" else "1.5 2")
    staged = tf.function(lambda x: x + read(path))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        staged(tf.constant(1.0))
        staged(tf.constant(2.0))
    told = [(w.filename, w.lineno) for w in caught if w.category is tf.errors.TraceEffectWarning]
    assert told == ([] if name == "linecache" else [(__file__, read.__code__.co_firstlineno)])


def joined(n: Any) -> Any:
    return "".join(secrets.choice("abc") for _ in range(n))


def with_while(n: Any) -> Any:
    code = 0
    while n > 0:
        code = code * 2 + secrets.randbelow(2)
        n -= 1
    return code


def in_a_branch_of_a_loop(n: Any) -> Any:
    code = 0
    for i in range(n):
        if i % 2 == 0:
            code += secrets.randbelow(2)
    return code


def in_a_list(n: Any) -> Any:
    return [time.time_ns() % 1000 for _ in range(n)]


@pytest.mark.parametrize("program", [joined, with_while, in_a_branch_of_a_loop, in_a_list])
def test_one_value_never_stands_for_many(program: Any) -> None:
    with pytest.raises(tf.autograph.StagingError, match="is called in the body of a loop"):
        tf.function(program)(tf.constant(3))


def test_nothing_is_said_outside_of_a_trace() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(tf.autograph.to_graph(joined)(3)) == 3


def test_the_remedies_work() -> None:
    def drawn(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = x + tf.random.uniform([]) + tf.cast(tf.py_function(time.time, [], tf.float64) > 0, tf.float32)
        return x

    assert 4.0 <= float(tf.function(drawn)(tf.constant(1.0), tf.constant(3))) <= 7.0


def test_the_name_of_a_function_makes_it_no_loop() -> None:
    @tf.function
    def while_training(x: Any) -> Any:
        return x + 0 * time.time()

    with pytest.warns(tf.errors.TraceEffectWarning, match=r"'time\.time' is read while the function is traced"):
        assert float(while_training(tf.constant(1.0))) == 1.0


def test_a_file_that_is_written_by_each_call_of_python_is_told(tmp_path: Any) -> None:
    path = tmp_path / "log"

    @tf.function
    def log(x: Any) -> Any:
        file = open(path, "a")
        file.write("called")
        file.close()
        return x

    with pytest.warns(tf.errors.TraceEffectWarning, match="^'open' writes while .* not once for each call. Use "):
        log(tf.constant(1.0))


@pytest.mark.parametrize(("mode", "words"), [("a", "writes while"), ("r", "is read while")])
def test_a_file_that_a_with_statement_opens_is_told(tmp_path: Path, mode: str, words: str) -> None:
    path = tmp_path / "log"
    path.write_text("1")

    @tf.function
    def program(x: Any) -> Any:
        with open(path, mode) as file:
            length = len(file.name)
        return x + length

    with pytest.warns(tf.errors.TraceEffectWarning, match=f"^'open' {words} the function is traced .* Use "):
        program(tf.constant(1))


def test_files_that_operations_read_are_not_told(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("one")

    @tf.function
    def program(x: Any) -> Any:
        return tf.strings.length(tf.io.read_file(str(path))) + x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert int(program(tf.constant(1))) == 4
