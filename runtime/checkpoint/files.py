"""The files of checkpoints: what `ckpt-3` is on disk, which one of a directory is the last, and what is in it.

    ckpt-3.data-00000-of-00001         # a container: all values, and the tree of objects as one of them
    ckpt-3.index                       # JSON for people: the names, dtypes and shapes
    checkpoint                         # which checkpoints the directory has, and which one is the last

The data file stands for itself; the index is written after it and deleted before it, so that a checkpoint that has an
index is whole. The state file is written after both, as lines `model_checkpoint_path: "ckpt-3"`, which is the text form
of TensorFlow's CheckpointState; paths in it are relative where they can be, so that a directory may be moved.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.checkpoint.atomic import replacing
from runtime.checkpoint.container import Container, read_container, write_container
from runtime.checkpoint.json_text import parsed, written
from runtime.dtypes import DType, from_numpy
from runtime.errors import FileFormatError, InvalidArgumentError, NotFoundError
from runtime.ops.records.record import Array

Path = str | bytes | os.PathLike[str]

__all__ = [
    "CheckpointReader", "CheckpointState", "delete_checkpoint", "get_checkpoint_state", "is_checkpoint",
    "latest_checkpoint", "list_variables", "load_checkpoint", "load_variable", "made_at", "open_checkpoint",
    "update_checkpoint_state", "write_checkpoint",
]  # fmt: skip

DATA, INDEX = ".data-00000-of-00001", ".index"

TREE: Final = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The name of the tree of objects among the values; TensorFlow's checkpoints have theirs under it, too."""

_STATE: Final = "checkpoint"

_LARGEST_STATE: Final = 16 << 20


def write_checkpoint(path: str, values: Mapping[str, Array], tree: str) -> None:
    """Writes a checkpoint in the place of one with that path. Raises InvalidArgumentError where that is impossible."""
    text = np.empty((), object)
    text[()] = tree.encode()
    arrays = {**values, TREE: text}
    write_container(path + DATA, arrays, {"made": "checkpoint"})
    table = {name: {"dtype": _dtype_name(array), "shape": list(array.shape)} for name, array in arrays.items()}
    _write_text(path + INDEX, json.dumps({"data": os.path.basename(path + DATA), "values": table}, indent=1) + "\n")


def _dtype_name(array: Array) -> str:
    dtype = from_numpy(array.dtype)
    assert dtype is not None  # it has been written
    return dtype.name


def _write_text(path: str, text: str) -> None:
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise InvalidArgumentError(f"{path}: cannot be written: {error.strerror or error}") from None


def is_checkpoint(path: str) -> bool:
    """Whether there is a checkpoint with this path."""
    return os.path.isfile(path + DATA)


def made_at(path: str) -> float:
    """When a checkpoint was written, in seconds since 1970."""
    return os.path.getmtime(path + DATA)


def open_checkpoint(path: Path) -> Container:
    """The data file of a checkpoint. Raises NotFoundError and FileFormatError."""
    path = os.fsdecode(path)
    if is_checkpoint(path):
        _check_index(path)
        found = read_container(path + DATA)
        if found.metadata.get("made") != "checkpoint" or TREE not in found.entries:
            raise FileFormatError(f"{path + DATA}: the header at byte 8: is that of another file than a checkpoint")
        return found
    remedy = ""
    if os.path.isdir(path):
        remedy = f"; it is a directory: latest_checkpoint({path!r}) gives the last checkpoint in it"
    elif (start := re.sub(r"\.(index|data-\d+-of-\d+)$", "", path)) != path and is_checkpoint(start):
        remedy = f"; the checkpoint of this file is {start!r}"
    elif os.path.isfile(path + INDEX):
        remedy = f"; there is {path + INDEX!r} without its data file"
    raise NotFoundError(f"{path}: there is no such checkpoint: no file {path + DATA!r}{remedy}")


def delete_checkpoint(path: str) -> None:
    """Deletes the files of a checkpoint, those that there are."""
    for suffix in (INDEX, DATA):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + suffix)


def _check_index(path: str) -> None:
    """Raises FileFormatError for a checkpoint whose index is not one of ours."""
    with contextlib.suppress(OSError), open(path + INDEX, "rb") as file:
        if file.read(1) not in (b"{", b""):
            raise FileFormatError(
                f"{path + INDEX}: at byte 0: is no index of this package; TensorFlow's own checkpoints are not read:"
                " restore there, and save the values as arrays"
            )


# -- what is in a checkpoint --------------------------------------------------------------------------------------


class CheckpointReader:
    """The values of a checkpoint by their names. Made by `load_checkpoint`."""

    def __init__(self, path: Path) -> None:
        self._container = open_checkpoint(path)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each value, by name."""
        return {name: list(entry.shape) for name, entry in sorted(self._container.entries.items())}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each value, by name."""
        return {name: entry.dtype for name, entry in sorted(self._container.entries.items())}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is a value of that name."""
        return tensor_str in self._container.entries

    def get_tensor(self, tensor_str: str) -> Any:
        """A value, as an array; a scalar as a numpy scalar. Raises NotFoundError for an unknown name."""
        if not self.has_tensor(tensor_str):
            known = ", ".join(map(repr, sorted(self._container.entries)[:20]))
            raise NotFoundError(f"{self._container.path}: has no value {tensor_str!r}; it has {known}")
        return self._container.array(tensor_str)[()]


def load_checkpoint(ckpt_dir_or_file: Path) -> CheckpointReader:
    """The values of a checkpoint, or of the last one of a directory. Raises NotFoundError if there is none."""
    path = os.fsdecode(ckpt_dir_or_file)
    if os.path.isdir(path) and not is_checkpoint(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise NotFoundError(f"{path}: there is no checkpoint in this directory")
        path = latest
    return CheckpointReader(path)


def list_variables(ckpt_dir_or_file: Path) -> list[tuple[str, list[int]]]:
    """The names and shapes of all values of a checkpoint, or of the last one of a directory."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: Path, name: str) -> Any:
    """One value of a checkpoint, or of the last one of a directory, as an array."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


# -- the state of a directory -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CheckpointState:
    """Which checkpoints a directory has: the last one, all of them with their times (seconds since 1970), the oldest
    first, and the time of the last one that was preserved for good."""

    model_checkpoint_path: str
    all_model_checkpoint_paths: tuple[str, ...] = ()
    all_model_checkpoint_timestamps: tuple[float, ...] = ()
    last_preserved_timestamp: float | None = None


def update_checkpoint_state(
    save_dir: Path, model_checkpoint_path: str, all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None, all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:  # fmt: skip
    """Writes the state file of a directory. Raises ValueError for times that are not as many as paths."""
    save_dir = os.fsdecode(save_dir)
    paths = list(all_model_checkpoint_paths or ())
    times = None if all_model_checkpoint_timestamps is None else list(all_model_checkpoint_timestamps)
    if model_checkpoint_path not in paths:
        paths.append(model_checkpoint_path)
        if times is not None:
            times.append(time.time())
    if times is not None and len(times) != len(paths):
        raise ValueError(f"there are {len(paths)} paths of checkpoints and {len(times)} times")
    lines = [("model_checkpoint_path", _shown(model_checkpoint_path, save_dir))]
    lines += [("all_model_checkpoint_paths", _shown(path, save_dir)) for path in paths]
    lines += [("all_model_checkpoint_timestamps", repr(float(at))) for at in times or ()]
    if last_preserved_timestamp is not None:
        lines.append(("last_preserved_timestamp", repr(float(last_preserved_timestamp))))
    _write_text(os.path.join(save_dir, latest_filename or _STATE), "".join(f"{key}: {value}\n" for key, value in lines))


def _shown(path: str, directory: str) -> str:
    """A path as the state file has it: relative to the directory if it lies in it."""
    absolute, start = os.path.abspath(path), os.path.join(os.path.abspath(directory), "")
    return written(absolute.removeprefix(start) if os.path.dirname(absolute) + os.sep == start else absolute)


def get_checkpoint_state(
    checkpoint_dir: Path, latest_filename: str | None = None
) -> CheckpointState | None:
    """What the state file of a directory says; None if there is none. Raises FileFormatError for a damaged one."""
    directory = os.fsdecode(checkpoint_dir)
    path = os.path.join(directory, latest_filename or _STATE)
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST_STATE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InvalidArgumentError(f"{path}: cannot be read: {error.strerror or error}") from None
    fields: dict[str, list[Any]] = {key: [] for key in CheckpointState.__dataclass_fields__}
    at = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        where = f"{path}: line {number}, at byte {at}"
        at += len(line) + 1
        if line.strip():
            key, value = _field(line, where)
            fields[key].append(_below(value, directory) if isinstance(value, str) else value)
    last, paths, times, kept = fields.values()
    if len(last) != 1 or len(kept) > 1 or (times and len(times) != len(paths)):
        raise FileFormatError(f"{path}: at byte {len(data)}: the file says not which checkpoints there are")
    return CheckpointState(last[0], tuple(paths), tuple(times), kept[0] if kept else None)


_LINE: Final = re.compile(rb'(model_checkpoint_path|all_model_checkpoint_paths): ("(?:[^"\\]|\\.)*")\s*')
_TIME: Final = re.compile(rb"(all_model_checkpoint_timestamps|last_preserved_timestamp): ([0-9.e+-]{1,40})\s*")


def _field(line: bytes, where: str) -> tuple[str, Any]:
    """The name and the value of a line."""
    if found := _LINE.fullmatch(line):
        return found[1].decode(), parsed(found[2], where)
    if found := _TIME.fullmatch(line):
        with contextlib.suppress(ValueError):
            return found[1].decode(), float(found[2])
    raise FileFormatError(f"{where}: this is no line of a state file: {line[:80]!r}")


def _below(path: str, directory: str) -> str:
    return path if os.path.isabs(path) else os.path.join(directory, path)


def latest_checkpoint(checkpoint_dir: Path, latest_filename: str | None = None) -> str | None:
    """The path of the last checkpoint of a directory, for `restore`; None if there is none.

    Where the last one has been deleted, it is the one before. Raises FileFormatError for a damaged state file.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    known = [*state.all_model_checkpoint_paths, state.model_checkpoint_path]
    return next((path for path in reversed(known) if is_checkpoint(path)), None)
