"""Functions are converted wherever Python keeps their text: cells, doctests, zip files, programs, registered text."""

from __future__ import annotations

import importlib
import inspect
import linecache
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf
from autograph.errors import SourceUnavailableError, StaleSourceError
from tests.tools.program import PROGRAM, imported, python

STAGED = """\
import runtime

@runtime.function
def f(x):
    if x > 0:
        y = x + 1
    else:
        y = -x
    return y
"""
SHOWN = "print(int(f(runtime.constant(4))), int(f(runtime.constant(-3))))\n"


def test_a_cell_of_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, text in enumerate([STAGED, STAGED.replace("x + 1", "x * 10")], 1):  # the cell, and its second version
        name = f"<ipython-input-{number}-0123456789ab>"
        monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(True), name))
        exec(compile(text, name, "exec"), names)
        assert int(names["f"](tf.constant(4))) == (5 if number == 1 else 40)
        assert int(names["f"](tf.constant(-3))) == 3
        assert inspect.getsource(names["f"].python_function).startswith("@runtime.function\n")


def in_ipython(folder: Path, cells: list[str]) -> str:
    """What cells write that are run one after the other."""
    script = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance(colors='nocolor')\n"
        "shell.history_manager.enabled = False\n"
        f"for cell in {cells!r}:\n    shell.run_cell(cell, store_history=True)\n"
    )
    done = python(folder, "-W", "ignore", "-c", script)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_cells_of_ipython(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    # The second cell is the first one edited and run again; what the first one made stays.
    cells = [STAGED, "f_1 = f\n" + STAGED.replace("x + 1", "x * 10"), SHOWN + SHOWN.replace("f(", "f_1(")]
    assert in_ipython(tmp_path, cells).splitlines()[-2:] == ["40 3", "5 3"]


def test_ipython_shows_source_and_errors_of_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    broken = STAGED.replace("y = -x", "y = missing + x")
    shown = in_ipython(tmp_path, [STAGED, "f??", broken, "f(runtime.constant(-3))"])
    assert "Signature:" in shown and "f(x)" in shown and "    if x > 0:\n        y = x + 1\n" in shown
    _, _, error = shown.partition("NameError")
    assert "y = missing + x" in error and "name 'missing' is not defined" in error
    packages = str(Path(tf.__file__).parent)
    assert packages not in error and "operators" not in error


def test_the_argument_of_python_c(tmp_path: Path) -> None:
    for options in (["-c"], ["-W", "error", "-uc"]):
        done = python(tmp_path, *options, STAGED + SHOWN)
        assert (done.returncode, done.stdout) == (0, "5 3\n"), done.stderr


def test_exec_in_the_argument_of_python_c(tmp_path: Path) -> None:
    """Its code has the file name of the whole, whose text it is not."""
    done = python(tmp_path, "-c", f"exec({STAGED!r})\n{SHOWN}")
    assert done.returncode == 1 and done.stdout == ""
    assert "SourceUnavailableError: <string>:3: the source of 'f' cannot be found" in done.stderr


def test_a_program_that_is_typed_in(tmp_path: Path) -> None:
    done = python(tmp_path, "-", script=STAGED + SHOWN)
    assert done.returncode == 1 and done.stdout == ""
    assert "SourceUnavailableError: <stdin>:3: the source of 'f' cannot be found" in done.stderr
    assert "Put the function into a file" in done.stderr


def test_exec_needs_its_text_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    exec(compile(STAGED, "<made up>", "exec"), names)
    with pytest.raises(SourceUnavailableError, match="register its text in linecache.cache under a file name"):
        names["f"](tf.constant(4))
    monkeypatch.setitem(linecache.cache, "<made up>", (len(STAGED), None, STAGED.splitlines(True), "<made up>"))
    assert [int(names["f"](tf.constant(x))) for x in (4, -3)] == [5, 3]  # the same Function, once it has its text


def test_exec_with_a_loader_in_its_globals() -> None:
    class Loader:
        def get_source(self, name: str) -> str:
            return STAGED

    names: dict[str, Any] = {"__name__": "generated_by_loader", "__loader__": Loader()}
    exec(compile(STAGED, "generated/by_a_loader.py", "exec"), names)
    assert [int(names["f"](tf.constant(x))) for x in (4, -3)] == [5, 3]


DOCTEST = '''\
def square(x):
    """Squares.

    >>> import runtime
    >>> @runtime.function
    ... def f(x):
    ...     if x > 0:
    ...         return square(x) + 1
    ...     return x
    >>> print(int(f(runtime.constant(3))), int(f(runtime.constant(-3))))
    10 -3
    >>> g = runtime.function(lambda x: x if x > 1 else -x)
    >>> int(g(runtime.constant(-3)))
    3
    >>> runtime.autograph.to_graph(square)(4)
    16
    """
    if x == 0:
        return x
    return x * x
'''


def test_a_doctest(tmp_path: Path) -> None:
    (tmp_path / "documented.py").write_text(DOCTEST, encoding="utf-8")
    done = python(tmp_path, "-m", "doctest", "-v", "documented.py")
    assert done.returncode == 0 and "Test passed." in done.stdout, done.stdout
    (tmp_path / "documented.py").write_text(DOCTEST.replace("10 -3", "11 -3"), encoding="utf-8")
    assert python(tmp_path, "-m", "doctest", "documented.py").returncode == 1


def test_a_package_in_a_zip_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "bundle.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        bundle.writestr("zipped_tools/__init__.py", "from .parts.inner import f, g\n")
        bundle.writestr("zipped_tools/parts/__init__.py", "")
        inner = STAGED + "\n\ndef g(x):\n    while x < 10:\n        x = f(x) * 2\n    return x\n"
        bundle.writestr("zipped_tools/parts/inner.py", inner)
    monkeypatch.syspath_prepend(str(archive))
    try:
        module = importlib.import_module("zipped_tools")
        assert str(archive) in module.g.__code__.co_filename
        assert [int(module.f(tf.constant(x))) for x in (4, -3)] == [5, 3]
        assert [int(tf.function(module.g)(tf.constant(x))) for x in (1, 40)] == [10, 40]
        assert autograph.to_graph(module.g)(tf.constant(1)) == 10
        assert inspect.getsource(module.f).startswith("@runtime.function\n")
    finally:
        for name in [name for name in sys.modules if name.startswith("zipped_tools")]:
            del sys.modules[name]


@pytest.mark.parametrize("edit", ["shifted", "changed", "broken"])
def test_a_file_edited_after_the_import(edit: str, tmp_path: Path) -> None:
    module = imported(tmp_path, STAGED, f"edited_{edit}")
    path = Path(str(module.__file__))
    edits = {"shifted": "# new\n" + STAGED, "changed": STAGED.replace("x + 1", "x + 2"), "broken": "def f(:\n"}
    path.write_text(edits[edit], encoding="utf-8")
    os.utime(path, (1, 1))
    with pytest.raises(StaleSourceError, match=rf"edited_{edit}.py:3: the source of 'f' is not the text"):
        module.f(tf.constant(4))
    path.write_text(STAGED, encoding="utf-8")
    os.utime(path, (2, 2))
    assert int(module.f(tf.constant(4))) == 5  # put back, it is the text again


def test_a_module_that_is_edited_and_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "loaded_again.py"
    path.write_text(STAGED, encoding="utf-8")
    try:
        module = importlib.import_module("loaded_again")
        before = module.f
        assert int(module.f(tf.constant(4))) == 5
        path.write_text("# a new first line\n" + STAGED.replace("x + 1", "x * 100"), encoding="utf-8")
        importlib.reload(module)
        assert [int(module.f(tf.constant(x))) for x in (4, -3)] == [400, 3]
        assert int(module.f(tf.constant(2.0))) == 200
        assert autograph.to_graph(module.f.python_function)(5) == 500
        assert int(before(tf.constant(4))) == 5  # its trace is as it was
        assert inspect.getsource(module.f).startswith(
            "@runtime.function\ndef f(x):"
        ) and "x * 100" in inspect.getsource(module.f)
    finally:
        sys.modules.pop("loaded_again", None)


def test_a_trace_made_before_the_edit_stays(tmp_path: Path) -> None:
    module = imported(tmp_path, STAGED, "edited_later")
    assert int(module.f(tf.constant(4))) == 5
    Path(str(module.__file__)).write_text("x = 1\n", encoding="utf-8")
    assert int(module.f(tf.constant(-3))) == 3
    assert int(module.f(tf.constant(4.0))) == 5  # a new trace of what was converted while the text was there


def test_a_module_run_as_a_program(tmp_path: Path) -> None:
    package = tmp_path / "packed"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "tool.py").write_text(PROGRAM, encoding="utf-8")
    (package / "__main__.py").write_text(STAGED + SHOWN, encoding="utf-8")
    done = python(tmp_path, "-m", "packed.tool")
    assert (done.returncode, done.stdout) == (0, "result 9.0\n"), done.stderr
    done = python(tmp_path, "-m", "packed")
    assert (done.returncode, done.stdout) == (0, "5 3\n"), done.stderr


@pytest.mark.parametrize("option", [pytest.param("-O", marks=pytest.mark.slow), "-OO", "-Xno_debug_ranges"])
def test_options_of_python(option: str, tmp_path: Path) -> None:
    """Each of the first two compiles both packages anew; the second leaves out all that the first does, and more."""
    (tmp_path / "program.py").write_text(STAGED + SHOWN, encoding="utf-8")
    done = python(tmp_path, option, "program.py")
    assert (done.returncode, done.stdout) == (0, "5 3\n"), done.stderr
