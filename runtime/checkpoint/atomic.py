"""Files that are written whole or not at all: a crash leaves the old file or the new one, never a mix.

    with replacing("model.index") as file:        # a file aside, in the same directory
        file.write(b"...")
                                                  # now it has the name, in one step
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import stat
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

__all__ = ["replacing"]


@contextlib.contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A new file for writing, which takes the name `path` when the block ends, and is gone if the block fails.

    Directories that are missing are made; a link stays a link; the new file is as accessible as the old one was.
    """
    place = os.path.realpath(path)
    directory, name = os.path.split(place)
    os.makedirs(directory, exist_ok=True)
    mode = stat.S_IMODE(os.stat(place).st_mode) if os.path.exists(place) else 0o666 & ~_umask()
    _sweep(directory)
    number, aside = tempfile.mkstemp(prefix=f".{name[:50]}.", suffix=_mark(os.getpid()), dir=directory)
    try:
        with open(number, "wb", buffering=0) as file:
            yield file
            os.fsync(file.fileno())
        os.chmod(aside, mode)
        os.replace(aside, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise
    _settle(directory)


def _mark(process: int | str) -> str:
    """How the names of files end that a process of this machine is writing."""
    return f".{socket.gethostname()[:50]}.{process}.part"


def _sweep(directory: str) -> None:
    """Takes away what processes of this machine left here that were stopped while they wrote."""
    ending = re.compile(re.escape(_mark("#")).replace(r"\#", r"(\d{1,9})") + "$")
    for name in os.listdir(directory):
        found = ending.search(name) if name.startswith(".") else None
        if found and not _runs(int(found[1])):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(directory, name))


def _runs(process: int) -> bool:
    if os.name != "posix":
        return True  # asking would end it there
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _umask() -> int:
    """The mask of permissions of new files; the system has no way to read it without setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _settle(directory: str) -> None:
    """Makes the new name last, where the system knows how."""
    with contextlib.suppress(OSError):
        number = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
