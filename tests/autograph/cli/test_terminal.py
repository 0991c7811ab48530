"""Colours, the progress line, and which of them a stream gets."""

import re

import pytest

from autograph.cli.color import color_diff, color_python
from autograph.cli.terminal import Talk, visible, visible_text
from tests.autograph.cli.conftest import Terminal

TEXT = "def f(x):  # é\n    y = '''a\nb''' + f'{x!r:>{x}}'\n    return ag__.not_(x)\n"


def without_color(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


@pytest.mark.parametrize("text", [TEXT, TEXT * 3, "", "x", "x\n\n", "f(", "'''", "\tx\n  y\n", "\x0cx = '\\\n'\n"])
def test_colours_change_nothing_but_the_colour(text):
    assert without_color(color_python(text)) == text
    assert without_color(color_diff(text)) == text


def test_python_colours():
    assert color_python("return 1 # c\n") == "\x1b[35mreturn\x1b[0m 1 \x1b[2m# c\x1b[0m\n"
    assert color_python("x = ag__.f('s')") == "x = \x1b[36mag__\x1b[0m.f(\x1b[32m's'\x1b[0m)"


def test_diff_colours():
    assert (
        color_diff("@@ -1 +1 @@\n-a\n+b\n c") == "\x1b[36m@@ -1 +1 @@\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n c"
    )


@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "colored"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {}, False),
    ],
)
def test_who_gets_colours(run, write, monkeypatch, choice, terminal, environment, colored):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    outcome = run("--color", choice, write("a.py", "import this\n"), out_is_terminal=terminal, err_is_terminal=terminal)
    assert without_color(outcome.out) == "import this\n"
    assert without_color(outcome.err) == "a.py: has no function to convert\n"
    assert ("\x1b[" in outcome.out) is colored
    assert ("\x1b[" in outcome.err) is colored


def test_colours_never_get_into_a_file(run, write, tmp_path):
    run("--color", "always", write("a.py", "import this\n"), "-o", "b.py")
    assert (tmp_path / "b.py").read_text() == "import this\n"


def test_progress_is_shown_on_a_terminal_and_wiped_away(run, write):
    files = [write("a.py", "a = 1\n"), write("b.py", "b = 1\n")]
    outcome = run(*files, "--color", "never", err_is_terminal=True)
    assert outcome.err == (
        "\r[1/2] a.py\r\x1b[Ka.py: has no function to convert\n\r[2/2] b.py\r\x1b[Kb.py: has no function to convert\n"
    )
    assert "\r" not in run(*files).err
    assert "\r" not in run(files[0], err_is_terminal=True).err
    assert run(*files, "--quiet", err_is_terminal=True).err == ""


def test_progress_is_gone_before_stdout_is_written():
    stream = Terminal()
    talk = Talk(stream=stream)
    talk.progress(1, 2, "a.py")
    talk.clear()
    talk.clear()
    assert stream.getvalue() == "\r[1/2] a.py\r\x1b[K"


def test_control_characters_become_visible():
    assert visible("a\tb\nc\r\x1b\x7f\x9b\u2066\udc80é漢") == "a\\tb\\nc\\r\\x1b\\x7f\\x9b\\u2066\\udc80é漢"
    assert visible_text("a\tb\nc\r\x1b\u202e") == "a\tb\nc\\r\\x1b\\u202e"
