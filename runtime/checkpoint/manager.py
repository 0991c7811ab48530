"""`CheckpointManager`: the last checkpoints of a training in a directory; older ones are deleted.

    manager = CheckpointManager(checkpoint, "training", max_to_keep=3)
    manager.restore_or_initialize()    # goes on where the program before stopped
    manager.save()                     # "training/ckpt-4", and "training/ckpt-1" is gone
    manager.checkpoints                # ["training/ckpt-2", "training/ckpt-3", "training/ckpt-4"]

The order of the steps is such that the program may be stopped between any two of them: a new checkpoint is written
whole, then noted in the state file, and only then old ones go, after which the state file forgets them.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from typing import Any

from runtime.checkpoint.checkpoint import Checkpoint
from runtime.checkpoint.files import (
    CheckpointState,
    delete_checkpoint,
    get_checkpoint_state,
    is_checkpoint,
    made_at,
    update_checkpoint_state,
)

__all__ = ["CheckpointManager"]


class CheckpointManager:
    """Keeps the last checkpoints of a directory. See the module's docstring.

    max_to_keep: how many; None: all. keep_checkpoint_every_n_hours: of those that would be deleted, one is kept for
    good as often as that. checkpoint_name: the beginning of their names. step_counter, checkpoint_interval: `save`
    does nothing until this Variable has grown by that much since the last save. init_fn: what `restore_or_initialize`
    calls where there is no checkpoint. Raises ValueError for arguments that make no sense.

    It knows the checkpoints of earlier programs by the state file of the directory, and leaves files of other names
    alone.
    """

    def __init__(
        self, checkpoint: Checkpoint, directory: str | os.PathLike[str], max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None, checkpoint_name: str = "ckpt", step_counter: Any = None,
        checkpoint_interval: int | None = None, init_fn: Callable[[], Any] | None = None,
    ) -> None:  # fmt: skip
        if not hasattr(checkpoint, "_save_numbered"):
            raise TypeError(f"CheckpointManager: checkpoint is a runtime.train.Checkpoint; got {checkpoint!r}")
        if max_to_keep is not None and (not isinstance(max_to_keep, int) or max_to_keep <= 0):
            raise ValueError(f"CheckpointManager: max_to_keep is a positive integer, or None; got {max_to_keep!r}")
        if checkpoint_interval is not None and (step_counter is None or checkpoint_interval <= 0):
            raise ValueError("CheckpointManager: checkpoint_interval is a positive number of steps of a step_counter")
        if not checkpoint_name or os.path.basename(checkpoint_name) != checkpoint_name:
            raise ValueError(f"CheckpointManager: checkpoint_name is a name in the directory; got {checkpoint_name!r}")
        self._checkpoint = checkpoint
        self._directory = os.fsdecode(directory)
        self._max_to_keep = max_to_keep
        self._seconds = None if keep_checkpoint_every_n_hours is None else keep_checkpoint_every_n_hours * 3600.0
        self._name = checkpoint_name
        self._step_counter = step_counter
        self._interval = checkpoint_interval
        self._init_fn = init_fn
        self._last_step: int | None = None
        self._latest: str | None = None
        self._kept: dict[str, float] = {}
        self._preserved = time.time()
        self._read_state()

    def _read_state(self) -> None:
        """Goes on with what the state file says of checkpoints of this name that there still are."""
        state = get_checkpoint_state(self._directory)
        self._kept = {path: at for path, at in _times(state).items() if self._is_own(path)}
        self._latest = next(reversed(self._kept), None)
        if state is not None and state.last_preserved_timestamp is not None:
            self._preserved = state.last_preserved_timestamp

    def _is_own(self, path: str) -> bool:
        return re.fullmatch(rf"{re.escape(self._name)}-\d+", os.path.basename(path)) is not None

    @property
    def directory(self) -> str:
        """Where the checkpoints are."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved."""
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        """How many steps lie between two saves at least."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the last checkpoint, for `Checkpoint.restore`; None if there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints that are kept, the oldest first; without those that are kept for good."""
        return list(self._kept)

    def save(self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None) -> str | None:
        """Writes a checkpoint and deletes old ones. Returns its path, or None if the interval has not passed yet.

        checkpoint_number: an integer, also in a Variable or tensor, in the place of the number of saves.
        check_interval: False to save in any case. Raises as `Checkpoint.save`.
        """
        step = None if self._step_counter is None else int(self._step_counter)
        if check_interval and self._interval and self._last_step is not None:
            assert step is not None
            if step < self._last_step + self._interval:
                return None
        prefix = os.path.join(self._directory, self._name)
        number = None if checkpoint_number is None else int(checkpoint_number)
        path = self._checkpoint._save_numbered(prefix, number, self._note)
        self._last_step = step
        return path

    def _note(self, path: str) -> None:
        """Takes a new checkpoint into the state file, and old ones out of the directory."""
        kept = {one: at for one, at in self._kept.items() if one != path} | {path: time.time()}
        self._write_state(kept)
        self._kept, self._latest = kept, path
        if self._max_to_keep is None or len(kept) <= self._max_to_keep:
            return
        for one in list(kept)[: -self._max_to_keep]:
            at = kept.pop(one)
            if self._seconds is not None and at - self._seconds >= self._preserved:
                self._preserved = at
            else:
                delete_checkpoint(one)
        self._write_state(kept)

    def _write_state(self, kept: dict[str, float]) -> None:
        """Those of other names stay in the file; the last of ours is the last of all."""
        state = get_checkpoint_state(self._directory)
        others = {path: at for path, at in _times(state).items() if not self._is_own(path)}
        everything = others | kept
        update_checkpoint_state(
            self._directory, next(reversed(kept)), list(everything), None, list(everything.values()), self._preserved
        )

    def restore_or_initialize(self) -> str | None:
        """Restores the last checkpoint and returns its path. Where there is none, calls `init_fn` and returns None."""
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            self._last_step = None if self._step_counter is None else int(self._step_counter)
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None


def _times(state: CheckpointState | None) -> dict[str, float]:
    """The checkpoints of a state file that there still are, with the times at which they were made."""
    if state is None:
        return {}
    paths = list(state.all_model_checkpoint_paths or (state.model_checkpoint_path,))
    times = state.all_model_checkpoint_timestamps
    found = dict(zip(paths, times, strict=True)) if times else dict.fromkeys(paths, 0.0)
    return {path: at or made_at(path) for path, at in found.items() if is_checkpoint(path)}
