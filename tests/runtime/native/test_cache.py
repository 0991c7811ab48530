"""Machine code on disk: found by the next start, and never a reason for anything to fail."""

import errno
import os
import resource
import subprocess
import sys
import textwrap

import pytest

import runtime as tf
from runtime.native import cache, compiler

KEY = bytes(range(32))


def loop(n):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + i
    return total


def result_of_new_function():
    return float(tf.function(loop, backend="native")(tf.constant(9)))


@pytest.fixture
def folder(tmp_path):
    with tf.config.native_cache(tmp_path / "code"):
        yield tmp_path / "code"


@pytest.fixture
def compilations(monkeypatch):
    """How often LLVM has compiled something."""
    count, compile_ = [], compiler.optimized

    def counted(text):
        count.append(text)
        return compile_(text)

    monkeypatch.setattr(compiler, "optimized", counted)
    return count


def the_file(folder):
    (found,) = folder.iterdir()
    return found


def test_the_second_start_compiles_nothing(folder, compilations):
    assert [result_of_new_function() for _ in range(3)] == [loop(9)] * 3
    assert len(compilations) == 1
    assert the_file(folder).suffix == ".o"
    assert the_file(folder).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", ["llvmlite", "numpy", "processor"])
def test_another_machine_or_release_is_another_key(folder, compilations, monkeypatch, name):
    result_of_new_function()
    before = compiler._environment()
    monkeypatch.setattr(compiler, "_environment", lambda: f"{before} {name}")
    assert result_of_new_function() == loop(9)
    assert len(compilations) == 2
    assert len(list(folder.iterdir())) == 2


def damaged(content):
    middle = len(content) // 2
    return [
        b"", content[:20], content[:-1], content + b"x",
        content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :], b"x" + content[1:],
        b"\x7fELF" * 500, content[:100],
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(8))
def test_a_damaged_file_is_compiled_anew(folder, compilations, number):
    result_of_new_function()
    file = the_file(folder)
    content = file.read_bytes()
    file.write_bytes(damaged(content)[number])
    assert result_of_new_function() == loop(9)
    assert len(compilations) == 2
    assert file.read_bytes() == content


def test_a_file_of_another_key_is_foreign(folder):
    cache.store(KEY, b"code")
    other = bytes(32)
    os.rename(folder / f"{KEY.hex()}.o", folder / f"{other.hex()}.o")
    assert cache.load(other) is None
    cache.store(other, b"another")
    assert cache.load(other) == b"another"


@pytest.mark.parametrize("kind", ["link", "directory", "pipe", "large", "written by all"])
def test_what_is_no_file_of_ours(folder, compilations, kind, tmp_path, monkeypatch):
    result_of_new_function()
    file = the_file(folder)
    content = file.read_bytes()
    if kind == "large":
        monkeypatch.setattr(cache, "_LARGEST", 100)
    elif kind == "written by all":
        file.chmod(0o622)
    else:
        file.unlink()
    if kind == "link":
        (tmp_path / "elsewhere").write_bytes(content)
        file.symlink_to(tmp_path / "elsewhere")
    elif kind == "directory":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    assert result_of_new_function() == loop(9)
    assert len(compilations) == 2


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_directory_that_others_write_to(folder, compilations, mode):
    result_of_new_function()
    folder.chmod(mode)
    assert result_of_new_function() == loop(9)
    folder.chmod(0o700)
    assert len(compilations) == 2
    assert len(list(folder.iterdir())) == 1


def test_a_directory_of_another_user(folder, compilations, monkeypatch):
    result_of_new_function()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert result_of_new_function() == loop(9)
    assert len(compilations) == 2


def test_a_link_in_the_place_of_the_directory(tmp_path, compilations):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with tf.config.native_cache(tmp_path / "link"):
        assert [result_of_new_function(), result_of_new_function()] == [loop(9)] * 2
    assert len(compilations) == 2
    assert not list((tmp_path / "real").iterdir())


@pytest.mark.parametrize("where", ["/proc/no_such_place/code", "a file", "x" * 5000])
def test_a_directory_that_cannot_be(where, compilations, tmp_path):
    (tmp_path / "file").touch()
    with tf.config.native_cache(tmp_path / "file" / "code" if where == "a file" else where):
        assert result_of_new_function() == loop(9)
    assert len(compilations) == 1


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO])
def test_a_disk_that_takes_nothing(folder, compilations, monkeypatch, code):
    written = []

    def full(file, content):
        if written:
            raise OSError(code, os.strerror(code))
        written.append(os.pwrite(file, content[:10], 0))
        return 10

    monkeypatch.setattr(os, "write", full)
    assert result_of_new_function() == loop(9)
    monkeypatch.undo()
    assert not list(folder.iterdir())
    assert result_of_new_function() == loop(9)
    assert list(folder.iterdir())


def test_a_quota(tmp_path):
    program = f"""
        import resource, sys
        sys.dont_write_bytecode = True  # it would be cut off without a word
        import runtime as tf
        from tests.runtime.native.test_cache import result_of_new_function, loop
        tf.config.native_cache({str(tmp_path / "code")!r})
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        print(result_of_new_function() == loop(9))
    """
    assert run(program) == ["True"]
    assert not list((tmp_path / "code").iterdir())
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 64


def run(program):
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.splitlines()


def test_what_was_not_used_for_long_goes(folder, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 10_000)
    keys = [bytes([number]) * 32 for number in range(20)]
    for number, key in enumerate(keys[:9]):
        cache.store(key, bytes(1000))
        os.utime(folder / f"{key.hex()}.o", (number, number))
    assert cache.load(keys[0]) == bytes(1000)  # and is used now
    cache.store(keys[10], bytes(1000))
    kept = [key for key in keys if cache.load(key) is not None]
    assert keys[0] in kept
    assert keys[10] in kept
    assert keys[1] not in kept
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 7_500


def test_what_was_never_finished_goes(folder, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 5_000)
    cache.store(KEY, b"code")
    for name, age in (("old.new", 1), ("young.new", None)):
        (folder / name).touch()
        if age is not None:
            os.utime(folder / name, (age, age))
    cache.store(bytes(32), b"code")
    assert {"young.new"} == {file.name for file in folder.iterdir() if file.suffix == ".new"}


def test_all_files_are_looked_at_now_and_then(folder, monkeypatch):
    looked = []
    monkeypatch.setattr(cache, "LIMIT", 64_000)
    monkeypatch.setattr(cache, "_tidy", looked.append)
    for number in range(10):
        cache.store(bytes([number]) * 32, bytes(250))
    assert len(looked) == 3  # the first, and each time that there are 1,000 bytes more


def test_no_cache(tmp_path, compilations, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with tf.config.native_cache(False):
        assert [result_of_new_function(), result_of_new_function()] == [loop(9)] * 2
    assert len(compilations) == 2
    assert not list(tmp_path.iterdir())


def test_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.directory() == tmp_path / "autograph-runtime" / "native"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.directory().is_absolute()
    monkeypatch.chdir(tmp_path)
    with tf.config.native_cache("here"):
        monkeypatch.chdir("/")
        assert cache.directory() == tmp_path / "here"
    for wrong, kind in ((True, TypeError), (b"code", TypeError), ("co\0de", ValueError)):
        with pytest.raises(kind, match="native_cache takes a directory, False or None; got"):
            tf.config.native_cache(wrong)


def test_a_system_without_owners(folder, compilations, monkeypatch):
    monkeypatch.setattr(cache, "_SUITS", False)
    assert result_of_new_function() == loop(9)
    assert not folder.exists()


def test_processes_at_once_and_forks(tmp_path):
    program = f"""
        import os, sys, threading
        sys.dont_write_bytecode = True  # its files are not safe from forks that write them at the same time
        import runtime as tf
        from tests.runtime.native.test_cache import result_of_new_function, loop
        tf.config.native_cache({str(tmp_path / "code")!r})
        child = os.fork()
        threads = [threading.Thread(target=result_of_new_function) for _ in range(3)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert result_of_new_function() == loop(9)
        if not child:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        print("done")
    """
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0] for process in started] == ["done\n"] * 2
    assert len(list((tmp_path / "code").iterdir())) == 1


def test_machine_code_from_the_cache_gives_its_memory_back():
    program = """
        import gc, resource
        import runtime as tf
        from tests.runtime.native.test_cache import result_of_new_function
        for turn in range(150):
            result_of_new_function()
            if turn % 50 == 49:
                gc.collect()
                print(int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() >> 10)
    """
    first, _, last = map(int, run(program))
    assert last - first < 20_000  # KiB, for 100 regions
