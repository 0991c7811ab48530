"""Files that cannot be used: each gives exit code 1 and a message with the file, the line, the reason and a remedy.

Also the promise that a file is parsed and nothing else: neither it nor its neighbours are ever run.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.autograph.cli.conftest import ENVIRONMENT

DEEP = 100_000

BAD_TEXTS = {
    "syntax": (b"x = 1\ndef f(:\n", ":2: cannot parse: "),
    "indentation": (b"def f():\n    x\n  y\n", ":3: cannot parse: "),
    "unclosed": (b"x = 1\n\nf(1,\n", ":3: cannot parse: "),
    "nul": (b"x = 1\ny = '\x00'\n", ":2: cannot parse: a NUL character; remove it"),
    "nested operators": (b"y = 1\nx = " + b"-" * DEEP + b"1\n", "too deep for Python's parser; split it (line 2 is"),
    "long sum": (b"x = " + b"+".join([b"1"] * DEEP) + b"\n", ": cannot parse: "),
    "nested parentheses": (b"x = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b"\n", ":1: cannot parse: "),
    "nested blocks": (b"".join(b" " * n + b"if x:\n" for n in range(500)) + b" " * 500 + b"x\n", ": cannot parse: "),
    "huge number": (b"x = " + b"9" * 10_000 + b"\n", ":1: cannot parse: "),
    "not utf-8": (b"x = 1\n\n# caf\xe9\n", ":3: cannot decode: byte 0xe9 is not utf-8. Save the file as UTF-8"),
    "not utf-8 at the start": (b"# caf\xe9\n", ":1: cannot decode: byte 0xe9 is not utf-8. "),
    "unknown encoding": (b"#!python\n# coding: klingon\nx = 1\n", ":2: cannot decode: unknown encoding: klingon. "),
    "encoding of bytes": (
        b"# coding: rot13\nx = 1\n",
        ":1: cannot decode: the comment names an encoding that does not fit: 'rot13'",
    ),
    "contradiction": (b"\xef\xbb\xbf# coding: latin-1\n", ":1: cannot decode: the byte order mark says UTF-8"),
    "wrong encoding": (b"# coding: ascii\nx = '\xc3\xa9'\n", ":2: cannot decode: byte 0xc3 is not ascii. "),
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_text_that_is_no_python(run, write, name):
    data, message = BAD_TEXTS[name]
    for outcome in (run(write("bad.py", data)), run("-", "--stdin-filename", "bad.py", stdin=data)):
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.startswith("bad.py:")
        assert message in outcome.err
        assert outcome.err.count("\n") == 1


def test_a_file_that_is_too_large(run, write):
    write("large.py", b"x = 1\n" * 100)
    outcome = run("--max-bytes", "599", "large.py")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "large.py: larger than 599 bytes. Raise the limit with --max-bytes\n"
    assert run("--max-bytes", "600", "large.py").code == 0
    assert run("--max-bytes", "5", "-", stdin=b"x = 12").err == outcome.err.replace("large.py", "<stdin>").replace(
        "599", "5"
    )


def test_ten_megabytes_are_the_limit_unless_told_otherwise(run, write):
    outcome = run(write("large.py", b"#" * 10_000_001))
    assert outcome.code == 1
    assert outcome.err == "large.py: larger than 10,000,000 bytes. Raise the limit with --max-bytes\n"


def test_an_endless_file_is_read_no_further_than_the_limit(run):
    outcome = run("--max-bytes", "1000", "/dev/zero")
    assert outcome.err == "/dev/zero: larger than 1,000 bytes. Raise the limit with --max-bytes\n"


def test_a_missing_file(run):
    outcome = run("missing.py")
    assert (outcome.code, outcome.err) == (
        1,
        "missing.py: there is no such file. Check the name and the current folder\n",
    )


def test_a_folder(run, tmp_path):
    (tmp_path / "src").mkdir()
    outcome = run("src")
    assert (outcome.code, outcome.err) == (1, "src: is a folder, not a file. Name the Python files in it: src/*.py\n")


def test_an_unreadable_file(run, write, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    write("secret.py", "x = 1\n")
    # The mode of a file does not stop every user (root), so the refusal itself is put in place.
    monkeypatch.setattr("builtins.open", refuse)
    outcome = run("secret.py")
    monkeypatch.undo()
    assert outcome.code == 1
    assert outcome.err.startswith("secret.py: no permission to read it. Change its permissions, ")


def test_a_name_that_no_file_can_have(run):
    assert run("a\0b.py").err == "a\\x00b.py: cannot be read: embedded null byte. Check the name\n"
    long = run("n" * 5_000)
    assert long.code == 1
    assert ": cannot be read: " in long.err


def test_control_characters_in_names_and_text_are_escaped_when_shown(run, write):
    name = write("a\x1b[2J\nb\u202e.py", "def f(:\n")
    shown = "a\\x1b[2J\\nb\\u202e.py"
    assert run(name).err.startswith(f"{shown}:1: cannot parse: ")
    write(name, "x = 1  # \x1b[31m\x07\n")
    plain = run(name, "--quiet")
    assert plain.out == "x = 1  # \x1b[31m\x07\n"
    assert run(name, "--quiet", out_is_terminal=True).out.endswith("# \\x1b[31m\\x07\x1b[0m\n")
    assert run(name, name, "--quiet").out.startswith(f"# {shown}\nx = 1")


def test_a_name_that_is_not_utf8(run, write, tmp_path):
    name = os.fsdecode(b"caf\xe9.py")
    write(name, "x = (\n")
    outcome = run(name)
    assert outcome.err.startswith("caf\\udce9.py:1: cannot parse: ")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_marks_and_line_ends_are_read_as_python_reads_them(run, write, mark, end):
    data = mark + end.join([b"def f(x):", b"    return x", b"", b"y = '\xc3\xa9'", b""])
    outcome = run(write("file.py", data))
    assert outcome.code == 0
    assert outcome.out.endswith("\n\ny = 'é'\n")
    assert "\r" not in outcome.out and "\ufeff" not in outcome.out


def test_a_coding_cookie_is_obeyed_and_becomes_that_of_the_output(run, write):
    outcome = run(write("old.py", b"#!/usr/bin/env python\n# -*- coding: latin-1 -*- old\nx = '\xe9'\n"), "--quiet")
    assert outcome.out == "#!/usr/bin/env python\n# -*- coding: utf-8 -*- old\nx = 'é'\n"


def canary(folder: Path, name: str) -> str:
    """A program that leaves a file behind if it is ever run."""
    return f"import pathlib\npathlib.Path({str(folder / 'sung')!r}).write_text({name!r})\ndef f(x):\n    return x\n"


@pytest.mark.parametrize(
    "start", [["-m", "autograph"], ["-c", "import autograph.cli as cli; raise SystemExit(cli.main())"]]
)
def test_nothing_near_the_file_is_run(write, tmp_path, start):
    names = ("package/model.py", "package/__init__.py", "package/conftest.py", "conftest.py", "sitecustomize.py")
    for name in (*names, "difflib.py", "tempfile.py"):
        write(name, canary(tmp_path, name))
    # -P, because an installed script does not have the current folder in its import path either.
    program = [sys.executable, *(["-P"] if start[0] == "-c" else []), *start]
    for form in ([], ["--diff"], ["--dump-ast"], ["-o", "out.py"]):
        done = subprocess.run(
            [*program, *form, "package/model.py"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert "ag__" in (tmp_path / "out.py").read_text()
    assert not (tmp_path / "sung").exists()
    assert not list(tmp_path.rglob("__pycache__"))
