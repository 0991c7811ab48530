"""Where the output goes: stdout, one file, or one file for each source in a folder. Files are written atomically.

A crash or a full disk leaves the old file or the new one, never a mix.

Example:
    targets = destinations(("a/x.py", "a/y.py"), Path("out"))  # (Path("out/x.py"), Path("out/y.py"))
    write_file(targets[0], "print(1)\\n")
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograph.cli.reading import BadInput
from autograph.cli.terminal import visible

__all__ = ["destinations", "write_file"]


def destinations(sources: Sequence[str], output: Path, suffix: str | None = None) -> tuple[Path, ...]:
    """One file to write for each source path: `output` itself, or its place in the folder `output`.

    Several sources, or an `output` that is a folder: each keeps its place below the folder that all sources share, so
    nothing is ever written outside of `output`. suffix: of files in a folder, in the place of their own. Raises
    BadInput when a source would be overwritten.
    """
    if len(sources) == 1 and not output.is_dir():
        targets = [output]
    else:
        paths = [os.path.abspath(source) for source in sources]
        shared = os.path.commonpath([os.path.dirname(path) for path in paths])
        targets = [output / os.path.relpath(path, shared) for path in paths]
        targets = targets if suffix is None else [target.with_suffix(suffix) for target in targets]
    inputs = {os.path.realpath(source) for source in sources}
    for number, target in enumerate(targets):
        if os.path.realpath(target) in inputs:
            raise BadInput(f"{visible(str(target))}: is itself to be converted. Choose another name for --output")
        if target in targets[:number]:
            raise BadInput(f"{visible(str(target))}: would be written twice. Name each file once")
    return tuple(targets)


def write_file(target: Path, text: str) -> None:
    """Writes `text` to the file `target`, making its folder if need be. Raises BadInput when that is not possible."""
    place = Path(os.path.realpath(target))  # a link stays a link; what it points to is replaced
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_file():
            # A device or a pipe has no content to replace: it is written to.
            place.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(place, text)
    except OSError as error:
        reason = visible(error.strerror or str(error))
        raise BadInput(f"{visible(str(target))}: cannot be written: {reason}. Choose another --output") from None


def _replace(place: Path, text: str) -> None:
    """Writes aside, then puts the new file in the place of the old one in one step."""
    mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o666 & ~_umask()
    number, aside = tempfile.mkstemp(prefix=f".{place.name[:50]}.", dir=place.parent)
    try:
        with open(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, mode)
        os.replace(aside, place)
    except BaseException:
        os.unlink(aside)
        raise


def _umask() -> int:
    """The mask of permissions of new files; the system has no way to read it without setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
