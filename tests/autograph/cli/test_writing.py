"""`--output`: where each file goes, and that it is there whole or not at all."""

import os
import stat
import threading
from pathlib import Path

import pytest

from autograph.cli.reading import BadInput
from autograph.cli.writing import destinations, write_file


def test_one_file(run, write, tmp_path):
    outcome = run(write("a.py", "a = 1\n"), "-o", "new/b.py")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "a.py: has no function to convert\nnew/b.py: written, 0 functions converted\n"
    assert (tmp_path / "new/b.py").read_bytes() == b"a = 1\n"


def test_a_diff_and_a_tree_can_be_written_too(run, write, tmp_path):
    write("a.py", "def f(x):\n    return x\n")
    run("a.py", "--diff", "-o", "a.diff")
    run("a.py", "--dump-ast", "-o", "a.tree")
    assert (tmp_path / "a.diff").read_text().startswith("--- a.py\n")
    assert (tmp_path / "a.tree").read_text().startswith("Module(")


def test_several_files_keep_their_places_below_the_folder(run, write, tmp_path):
    files = [write("src/a.py", "a = 1\n"), write("src/deep/a.py", "a = 2\n")]
    assert run(*files, "-o", "out").code == 0
    assert {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("out/**/*.py")} == {
        "out/a.py": "a = 1\n",
        "out/deep/a.py": "a = 2\n",
    }


def test_one_file_into_a_folder(run, write, tmp_path):
    (tmp_path / "out").mkdir()
    run(write("src/a.py", "a = 1\n"), "-", "-o", "out", stdin=b"s = 1\n")
    run("src/a.py", "-o", "out", "--stdin-filename", "s.py", "-", stdin=b"s = 1\n")
    run("src/a.py", "-o", "out")
    assert (tmp_path / "out/a.py").read_text() == "a = 1\n"


def test_nothing_is_written_outside_of_the_folder(tmp_path, monkeypatch):
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    targets = destinations(["../../etc/x.py", "/usr/lib/y.py", "z.py"], Path("out"))
    assert all(os.path.abspath(target).startswith(str(inner / "out") + os.sep) for target in targets)


def test_a_source_is_never_overwritten(run, write, tmp_path):
    write("a.py", "def f():\n    return 1\n")
    (tmp_path / "link.py").symlink_to("a.py")
    for target in ("a.py", "link.py", "./x/../a.py", "."):
        outcome = run("a.py", "-o", target)
        assert outcome.code == 1
        assert "is itself to be converted. Choose another name for --output" in outcome.err
    assert (tmp_path / "a.py").read_text() == "def f():\n    return 1\n"


def test_no_file_is_written_twice(run, write):
    outcome = run(write("a.py", "a = 1\n"), "a.py", "-o", "out")
    assert outcome.code == 1
    assert outcome.err == "out/a.py: would be written twice. Name each file once\n"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "a.py"
    target.write_text("old\n")

    def fail(*args):
        raise OSError(28, "No space left on device")

    for step in ("os.fsync", "os.replace"):
        with monkeypatch.context() as patch:
            patch.setattr(step, fail)
            with pytest.raises(BadInput, match="a\\.py: cannot be written: No space left on device"):
                write_file(target, "new\n")
        assert os.listdir(tmp_path) == ["a.py"]
        assert target.read_text() == "old\n"


def test_an_impossible_place(run, write):
    write("a.py", "a = 1\n")
    outcome = run("a.py", "-o", "a.py/b.py")
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1].startswith("a.py/b.py: cannot be written: ")


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path):
    old = tmp_path / "old.py"
    old.write_text("")
    old.chmod(0o640)
    write_file(old, "x\n")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    (tmp_path / "plain").touch()
    write_file(tmp_path / "new.py", "x\n")
    assert (tmp_path / "new.py").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.py").write_text("old\n")
    (tmp_path / "link.py").symlink_to("real.py")
    write_file(tmp_path / "link.py", "new\n")
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "real.py").read_text() == "new\n"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_file(pipe, "x\n")
    reader.join()
    assert got == ["x\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
