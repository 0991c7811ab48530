"""`runtime.progress` and the bar of `fit`: what is shown on a terminal, and that nothing else changes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.library.progress_bar import progress as shown_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A standard error that is one, without tqdm, and a clock that goes on by a second with each look."""
    stream, seconds = Terminal(), iter(range(10_000))
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr("time.monotonic", lambda: float(next(seconds)))
    return stream


def test_nothing_is_written_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(runtime.progress([1, 2, 3], label="files")) == [1, 2, 3]
    assert capsys.readouterr() == ("", "")


def test_a_line_counts_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    written = terminal(monkeypatch)
    assert list(runtime.progress([5, 6, 7], label="files")) == [5, 6, 7]
    lines = written.getvalue().split("\r")
    assert lines[1].rstrip() == "files: 0/3 [00:01]" and lines[3].rstrip() == "files: 2/3 [00:03]"
    assert lines[-2].strip() == lines[-1] == ""


def test_items_without_a_length_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    written = terminal(monkeypatch)
    assert list(runtime.progress(iter("ab"))) == ["a", "b"]
    assert "\r1 [00:02]" in written.getvalue()


def test_the_line_goes_away_when_the_loop_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    written = terminal(monkeypatch)
    for item in runtime.progress(range(100)):
        if item == 3:
            break
    del item
    assert written.getvalue().endswith("\r")


def test_a_bar_of_tqdm_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    module, calls = ModuleType("tqdm"), []

    def tqdm(items: Iterable[Any], **options: Any) -> Iterator[Any]:
        calls.append(options)
        return iter(items)

    module.tqdm = tqdm  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm", module)
    assert list(runtime.progress([1, 2], label="steps")) == [1, 2]
    assert calls == [{"total": 2, "desc": "steps", "leave": False}]


def test_a_loop_of_the_graph_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    written = terminal(monkeypatch)
    @runtime.function
    def total(data):
        found = runtime.constant(0, runtime.int64)
        for item in runtime.progress(data):
            found += item
        return found

    assert int(total(runtime.data.Dataset.range(5))) == 10
    assert written.getvalue() == ""


def test_fit_shows_its_epochs_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    written = terminal(monkeypatch)
    model = runtime.keras.Sequential([runtime.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    x = np.ones((64, 2), np.float32)
    model.fit(x, x[:, :1], epochs=2, batch_size=16)
    assert "\rEpoch 2/2: 3/4 [" in written.getvalue()
    model.fit(x, x[:, :1], epochs=1, verbose=0)
    assert written.getvalue().count("Epoch 1/1") == 0
    assert shown_progress is runtime.progress
