"""What belongs to the process or cannot be undone: changes where a tensor decides are refused before they happen, and a
trace that has asked for a setting holds for that answer alone."""

from __future__ import annotations

import abc
import contextlib
import contextvars
import decimal
import functools
import io
import mimetypes
import mmap
import signal
import socket
import subprocess
import sys
import tracemalloc
import types
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError


class Shape(abc.ABC):
    pass


class Square:
    pass


@functools.singledispatch
def sides(value: Any) -> int:
    return 1


FINALIZER = weakref.finalize(Shape, int)
FINALIZER.atexit = False

SETTINGS: list[Callable[[], Any]] = [
    lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN), lambda: socket.setdefaulttimeout(3),
    lambda: mimetypes.add_type("a/b", ".zzq"), lambda: tracemalloc.start(), lambda: Shape.register(Square),
    lambda: sides.register(int, lambda value: 4), lambda: sides.register(int)(lambda value: 4),
    lambda: FINALIZER.detach(),
]  # fmt: skip


@pytest.mark.parametrize("change", SETTINGS)
def test_settings_are_not_changed_where_a_tensor_decides(change: Callable[[], Any]) -> None:
    def f(x: Any) -> Any:
        if x > 0:
            change()
        return x

    with pytest.raises(StagingError, match="changes something of the whole process"):
        tf.function(f)(tf.constant(-1))
    assert not issubclass(Square, Shape) and sides(3) == 1 and FINALIZER.alive
    assert socket.getdefaulttimeout() is None and mimetypes.guess_type("a.zzq")[0] is None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[dict[str, Any]]:
    with (path / "text").open("w") as text, mmap.mmap(-1, 4) as mapped, memoryview(bytearray(2)) as view:
        steps = (i for i in range(3))
        yield {"text": text, "mapped": mapped, "view": view, "buffer": io.StringIO("a"), "steps": steps}


@pytest.mark.parametrize("name", ["text", "mapped", "view", "buffer", "steps"])
def test_what_cannot_be_opened_again_is_not_closed_where_a_tensor_decides(name: str, tmp_path: Path) -> None:
    with _opened(tmp_path) as found:
        held = found[name]

        def f(x: Any) -> Any:
            if x > 0:
                if name == "view":
                    held.release()
                else:
                    held.close()
            return x

        with pytest.raises(StagingError, match="'held' is closed by its method"):
            tf.function(f)(tf.constant(-1))
        assert next(held) == 0 if name == "steps" else held.nbytes == 2 if name == "view" else not held.closed


def test_what_the_statement_opens_it_may_close() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            buffer = io.StringIO()
            buffer.write("abc")
            x = x + len(buffer.getvalue())
            buffer.close()
        return x

    assert int(tf.function(f)(tf.constant(1))) == 4


def test_whether_something_is_closed_is_guarded() -> None:
    buffer = io.BytesIO(b"a")
    f = tf.function(lambda x: x + float(buffer.closed))
    assert float(f(tf.constant(1.0))) == 1.0
    buffer.close()
    assert float(f(tf.constant(1.0))) == 2.0


def test_settings_that_a_trace_has_asked_for() -> None:
    f = tf.function(lambda x: x + (10 if np.geterr()["divide"] == "ignore" else 0))
    assert int(f(tf.constant(1))) == 1
    with np.errstate(divide="ignore"):
        assert int(f(tf.constant(1))) == 11
    assert int(f(tf.constant(1))) == 1 and f.experimental_get_tracing_count() == 2


def test_the_context_of_decimal_numbers() -> None:
    third = tf.function(lambda x: x + float(decimal.Decimal(1) / decimal.Decimal(3) * 3000))

    def narrow(x: Any) -> Any:
        if x > 0:
            decimal.getcontext().prec = 3
        return x

    with decimal.localcontext() as context:
        context.prec = 9
        assert float(third(tf.constant(0.0, tf.float64))) == 999.999999
        with pytest.raises(StagingError, match="is changed inside a branch"):
            tf.function(narrow)(tf.constant(-1))
        assert decimal.getcontext().prec == 9
        context.prec = 3
        assert float(third(tf.constant(0.0, tf.float64))) == 999.0


def test_other_implementations_of_a_generic_function() -> None:
    @functools.singledispatch
    def weight(value: Any) -> int:
        return 1

    f = tf.function(lambda x: x + weight(3))
    assert int(f(tf.constant(1))) == 2
    weight.register(int, lambda value: 10)
    assert int(f(tf.constant(1))) == 11


def test_other_code_of_a_function() -> None:
    """What editors that load code anew do."""

    def one() -> int:
        return 1

    def two() -> int:
        return 2

    f = tf.function(lambda x: x + one())
    assert int(f(tf.constant(1))) == 2
    one.__code__ = two.__code__
    assert int(f(tf.constant(1))) == 3


def test_a_context_variable_is_state() -> None:
    level = contextvars.ContextVar[Any]("level")
    level.set(1)

    def f(x: Any) -> Any:
        if x > 0:
            level.set(x)
        return level.get() * 10

    staged = tf.function(f)
    assert [int(staged(tf.constant(x))) for x in (-3, 4, -3)] == [10, 40, 40]
    assert int(level.get()) == 4


def test_classes_and_their_special_methods() -> None:
    class Small:
        kind = 1

        def __len__(self) -> int:
            return 1

    class Large(Small):
        kind = 2

    held, other = Small(), Small()

    def another_class(x: Any) -> Any:
        if x > 0:
            held.__class__ = Large
        return x

    def another_base(x: Any) -> Any:
        if x > 0:
            Large.__bases__ = (Square,)
        return x

    for function in (another_class, another_base):
        with pytest.raises(StagingError):
            tf.function(function)(tf.constant(-1))
    assert type(held) is Small and Large.__bases__ == (Small,)
    f = tf.function(lambda x: x + len(other))
    assert int(f(tf.constant(1))) == 2
    Small.__len__ = lambda self: 7  # type: ignore[method-assign]
    assert int(f(tf.constant(1))) == 8


def test_classes_of_a_notebook_are_the_users() -> None:
    module = types.ModuleType("a_notebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "a_notebook", module)
        exec("class Plain: pass", module.__dict__)
        model = module.Plain()

        @tf.function
        def f(x: Any) -> Any:
            if x > 0:
                model.seen = x
            return x

        f(tf.constant(-1))
        assert not hasattr(model, "seen")
        f(tf.constant(2))
        assert int(model.seen) == 2


def test_the_first_statement_of_a_process_opens_no_file(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import runtime\n"
        "def save(x):\n"
        "    if x > 0:\n"
        "        with open('text', 'w') as file:\n"
        "            file.write('x')\n"
        "    return x\n"
        "runtime.function(save)(runtime.constant(-1))\n"
    )
    done = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "StagingError: the file 'text' is opened for writing in a statement" in done.stderr
    assert not (tmp_path / "text").exists()
