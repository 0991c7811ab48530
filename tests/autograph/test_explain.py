"""`explain`: each function and statement that a call meets, by file and line."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.operators.classes import tracing
from autograph.report import Report
from tests.autograph.recording_stager import RecordingStager

FILE = __file__


def helper(x: Any) -> Any:
    return x if x > 0 else x + 1


@functools.lru_cache
def cached(x: int) -> int:
    return x


@autograph.do_not_convert
def plain(x: Any) -> Any:
    return x


def batches() -> Any:
    yield 1


def mixed(n: int) -> int:
    total = 0
    for i in range(n):
        if i % 2:
            total += helper(i)
    while total > 3:
        total -= 1
    warnings.warn("odd", stacklevel=1)
    return cached(plain(total)) + len(list(batches()))


def line(code: Any, offset: int) -> int:
    return int(getattr(code, "__wrapped__", code).__code__.co_firstlineno) + offset


def report_of(capsys: Any, *args: Any) -> Report:
    report = autograph.explain(*args)
    assert capsys.readouterr().out == f"{report}\n"
    return report


def traced(function: Any) -> Any:
    import runtime

    return runtime.function(function)


def scaled(x: Any, *, by: Any, bias: Any = 0) -> Any:
    return x * by + bias


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [((), {}, "missing a required argument: 'x'"), ((1,), {}, "missing a required"), ((1, 2), {"by": 1}, "too many"),
     ((1,), {"by": 2, "on": 3}, "unexpected keyword argument 'on'")],
)  # fmt: skip
@pytest.mark.parametrize("made", [lambda function: function, functools.partial, traced])
def test_arguments_that_do_not_fit_are_refused_with_the_call(made: Any, args: Any, kwargs: Any, words: str) -> None:
    function = made(scaled)
    with pytest.raises(TypeError, match=r"autograph\.explain\(\w+, x, by=\.\.\.\)$") as caught:
        autograph.explain(function, *args, **kwargs)
    assert words in str(caught.value)


def test_a_wrapper_takes_what_it_takes(capsys: Any) -> None:
    @functools.wraps(scaled)
    def doubled(x: Any) -> Any:
        return scaled(x, by=2)

    assert report_of(capsys, doubled, 3).error is None


def test_everything_is_in_the_report(capsys: Any) -> None:
    report = report_of(capsys, mixed, 5)
    assert report.error is None
    functions = {f.place.function: (f.place.lineno, f.reason, f.calls) for f in report.functions}
    assert functions == {
        "mixed": (line(mixed, 0), None, 1),
        "helper": (line(helper, 0), None, 2),
        "cached": (line(cached, 0), "a _lru_cache_wrapper object calls it", 1),
        "plain": (line(plain, 0), "it is marked do_not_convert", 1),
        "batches": (line(batches, 0), "it is a generator function", 1),
    }
    statements = {(s.kind, s.place.lineno): s.outcomes for s in report.statements}
    assert statements == {
        ("for", line(mixed, 2)): ("Python, 5 times",),
        ("if", line(mixed, 3)): ("Python",),
        ("conditional expression", line(helper, 1)): ("Python",),
        ("while", line(mixed, 5)): ("Python, 1 time",),
    }
    assert [(w.place.filename, w.place.lineno, w.text) for w in report.warnings] == [(FILE, line(mixed, 7), "odd")]
    assert {e.place.filename for e in (*report.functions, *report.statements)} == {FILE}


def test_statements_that_are_staged(capsys: Any) -> None:
    stager = RecordingStager()

    def staged(x: Any) -> Any:
        if x:
            x = helper(x)
        for _ in range(2):
            while x:
                x = x + 1
        return x

    with tracing(stager):
        report = report_of(capsys, staged, stager.symbol("x"))
    outcomes = {s.kind: s.outcomes for s in report.statements}
    assert outcomes["if"] == outcomes["while"] == outcomes["conditional expression"] == ("staged by recording",)
    assert outcomes["for"] == ("unrolled 2 times",)


def test_an_error_is_part_of_the_report(capsys: Any) -> None:
    def fails(x: int) -> int:
        if x:
            raise LookupError("no such thing")
        return x

    report = report_of(capsys, fails, 1)
    assert isinstance(report.error, LookupError)
    assert str(report).endswith("raised LookupError: no such thing")


def test_what_cannot_be_converted_raises() -> None:
    with pytest.raises(autograph.ConversionError):
        autograph.explain(batches)


def test_methods_partial_objects_and_callable_objects(capsys: Any) -> None:
    class Model:
        def __call__(self, x: int) -> int:
            return x

        def step(self, x: int) -> int:
            return x

    for fn in (Model(), Model().step, functools.partial(Model().step, 1)):
        args = () if isinstance(fn, functools.partial) else (1,)
        assert [f.reason for f in report_of(capsys, fn, *args).functions] == [None]
    assert report_of(capsys, plain, 1).functions[0].reason == "it is marked do_not_convert"


def test_nothing_stays_behind_and_other_threads_are_not_watched(capsys: Any) -> None:
    before = dict(vars(autograph.operators))

    def elsewhere() -> None:
        autograph.to_graph(helper)(2)

    def f(x: int) -> int:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return x

    report = report_of(capsys, f, 1)
    assert not report.statements
    assert dict(vars(autograph.operators)) == before


def test_a_report_is_a_table_in_notebooks_and_short_by_its_repr() -> None:
    report = autograph.explain(mixed, 2)
    table = ElementTree.fromstring(report._repr_html_()).find("table")
    assert table is not None
    rows = [["".join(cell.itertext()) for cell in row] for row in table]
    assert rows[0] == [FILE] and len(rows) - 1 == len(str(report).splitlines())
    assert [int(row[0]) for row in rows[1:]] == [entry.place.lineno for entry in report._entries()]
    assert any(row[1].strip() == "for i in range(n):" for row in rows[1:])
    assert "\n" not in repr(report) and repr(report).startswith("<Report: ")


def test_a_report_in_ipython_is_shown_once(tmp_path: Path) -> None:
    cells = [
        "import autograph\nfrom IPython.utils.capture import capture_output",
        "def f(x):\n    return x if x else 1",
        "report = autograph.explain(f, 2)",
        "autograph.explain(f, 2)",
        "report",
        "with capture_output() as seen:\n    autograph.explain(f, 2)",
        "print(len(seen.outputs), sorted(seen.outputs[0].data), 'Cell In[2]' in seen.outputs[0].data['text/html'])",
    ]
    script = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance(colors='nocolor')\n"
        "shell.history_manager.enabled = False\n"
        f"for cell in {cells!r}:\n    print('--')\n    shell.run_cell(cell, store_history=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    parts = done.stdout.split("--\n")[1:]
    assert [part.count("f: converted") for part in parts[:-1]] == [0, 0, 1, 1, 1, 0]
    assert "1 ['text/html', 'text/plain'] True" in parts[-1]
