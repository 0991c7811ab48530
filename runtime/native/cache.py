"""Object code on disk, so that the second start of a program compiles nothing.

    code = load(key)                # bytes, or None
    store(key, code)

A file says what it is: its first bytes are a mark, the key, and the digest of key and code. What is not exactly that is
compiled anew, and so it is where anything else goes wrong: no cache is an error. The directory is of its owner alone.
It is opened for each use, looked at, and files are found from it, so that nobody can put another one in its place.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from runtime.config import native_cache_directory

__all__ = ["LIMIT", "directory", "load", "store"]

LIMIT: Final = 128 << 20
"""The bytes that all files may have together; then those that were not used for the longest time go."""

_KEPT: Final = 3 / 4
"""What is left of the limit after files have gone."""

_MARK: Final = b"autograph object\x01"
_HEAD: Final = len(_MARK) + 2 * hashlib.sha256().digest_size
_LARGEST: Final = 32 << 20
"""The bytes of the largest file that is stored or read."""

_SUITS: Final = {os.open, os.rename, os.unlink, os.stat, os.mkdir} <= os.supports_dir_fd and hasattr(os, "geteuid")
"""Whether this system tells files by the directory that they are in, and whose they are."""

_UNFINISHED: Final = 3600
"""The seconds after which a file that was never finished is taken for one that nobody writes any more."""


def directory() -> Path | None:
    """Where the files are; None: nowhere, there is no cache."""
    chosen = native_cache_directory()
    if chosen is False or not _SUITS:
        return None
    if chosen is not None:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or ""
    if sys.platform == "darwin" and not base:
        base = os.path.expanduser("~/Library/Caches")
    root = Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache"))
    return root / "autograph-runtime" / "native" if root.is_absolute() else None


def load(key: bytes) -> bytes | None:
    """The object code of this key (32 bytes), if it is there and nothing but that."""
    with contextlib.suppress(OSError), _opened(make=False) as folder:
        if folder is None:
            return None
        file = os.open(_name(key), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        try:
            found = os.fstat(file)
            if not (stat.S_ISREG(found.st_mode) and _is_ours(found) and _HEAD < found.st_size <= _LARGEST):
                return None
            code = _checked(key, _read(file, found.st_size))
            if code is not None:
                with contextlib.suppress(OSError):  # of a system that is read only
                    os.utime(file)
            return code
        finally:
            os.close(file)
    return None


def store(key: bytes, code: bytes) -> None:
    """Keeps object code under a key (32 bytes), if that is possible."""
    content = b"".join([_MARK, key, hashlib.sha256(key + code).digest(), code])
    if len(content) > _LARGEST:
        return
    with contextlib.suppress(OSError), _opened(make=True) as folder:
        if folder is None:
            return
        name = f"{os.urandom(12).hex()}.new"
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
        try:
            try:
                _write(file, content)
            finally:
                os.close(file)
            os.replace(name, _name(key), src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=folder)
            raise
        _tidy_sometimes(folder, len(content))


def _name(key: bytes) -> str:
    return f"{key.hex()}.o"


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody else can have written to it, nor can."""
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


@contextlib.contextmanager
def _opened(make: bool) -> Iterator[int | None]:
    """The directory, open; None where there is none that could be trusted. Raises OSError."""
    path = directory()
    if path is None:
        yield None
        return
    if make and not path.is_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield folder if _is_ours(os.fstat(folder)) else None
    finally:
        os.close(folder)


def _read(file: int, size: int) -> bytes:
    parts = []
    while size > 0 and (part := os.read(file, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _write(file: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]


def _checked(key: bytes, content: bytes) -> bytes | None:
    """The code in the content of a file, if all of it is there."""
    end = len(_MARK) + len(key)
    code = content[_HEAD:]
    whole = content[:end] == _MARK + key and content[end:_HEAD] == hashlib.sha256(key + code).digest()
    return code if whole else None


_unlooked: Final[dict[tuple[int, int], int]] = {}
"""For each directory the bytes that this process wrote since it last looked at all of its files."""


def _tidy_sometimes(folder: int, written: int) -> None:
    """Tidies after the first file of the process, and then after each 64th part of the limit: there can be thousands of
    files to look at."""
    found = os.fstat(folder)
    place = found.st_dev, found.st_ino
    total = _unlooked.get(place, LIMIT) + written
    _unlooked[place] = 0 if total > LIMIT // 64 else total
    if total > LIMIT // 64:
        _tidy(folder)


def _tidy(folder: int) -> None:
    """Removes what was used the longest time ago, while there is too much, and what was never finished. Others may do
    the same at this moment, so a file may be gone."""
    files = []
    now, total = time.time(), 0
    for entry in os.scandir(folder):
        with contextlib.suppress(OSError):
            found = entry.stat(follow_symlinks=False)
            if entry.name.endswith(".new") and now - found.st_mtime > _UNFINISHED:
                os.unlink(entry.name, dir_fd=folder)
            elif entry.name.endswith(".o"):
                files.append((found.st_mtime, found.st_size, entry.name))
                total += found.st_size
    if total <= LIMIT:
        return
    for _, size, name in sorted(files):
        if total <= LIMIT * _KEPT:
            return
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
            total -= size
