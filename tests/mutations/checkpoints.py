"""Breaks of checkpoints and of the files that they are in."""

from __future__ import annotations

from typing import Final

from tests.mutations.runner import Mutation

__all__ = ["OF_CHECKPOINTS"]

TESTS = "tests/runtime/saving/"
WAITING, MISMATCH = (TESTS + "test_checkpoint_waiting.py",), (TESTS + "test_checkpoint_mismatch.py",)
FILES, CONTAINER = (TESTS + "test_checkpoint_files.py",), (TESTS + "test_container.py",)
MANAGER, CHECKPOINT = (TESTS + "test_checkpoint_manager.py",), (TESTS + "test_checkpoint.py",)

OF_CHECKPOINTS: Final = (
    Mutation(
        "all values are read and checked before one is given",
        "runtime/checkpoint/restoring.py",
        "        kept = self._verified(new.values())\n",
        "        kept: dict[str, Array] = {}\n",
        FILES,
    ),
    Mutation(
        "dtypes and shapes are checked before a value is given",
        "runtime/checkpoint/restoring.py",
        "        self._check(new.values())\n",
        "",
        MISMATCH,
    ),
    Mutation(
        "an earlier restore does not undo a later one",
        "runtime/checkpoint/restoring.py",
        "_LAST.get(_holder(value), 0) > self._number]",
        "_LAST.get(_holder(value), 0) > 10**9]",
        WAITING,
    ),
    Mutation(
        "a value is given once",
        "runtime/checkpoint/restoring.py",
        "            if before is None:\n                new[id(value)]",
        "            if True:\n                new[id(value)]",
        WAITING,
    ),
    Mutation(
        "the first read of a new Variable comes after its value",
        "runtime/state/expected.py",
        "    return _NewMemory if WAITING else Resource\n",
        "    return Resource\n",
        WAITING,
    ),
    Mutation(
        "an attribute that is set gets its value",
        "runtime/state/module.py",
        "        if WAITING:\n            settle(self, name)\n",
        "",
        WAITING,
    ),
    Mutation(
        "an old checkpoint goes after the new one is noted",
        "runtime/checkpoint/manager.py",
        "        self._write_state(kept)\n        self._kept, self._latest = kept, path\n",
        "        self._kept, self._latest = kept, path\n",
        MANAGER,
    ),
    Mutation(
        "bytes that are not those that were written are told",
        "runtime/checkpoint/container.py",
        "        if checksum != entry.checksum:\n",
        "        if False:\n",
        CONTAINER,
    ),
    Mutation(
        "arrays neither overlap nor leave gaps",
        "runtime/checkpoint/container_layout.py",
        "        if entry.start != end:\n",
        "        if False:\n",
        CONTAINER,
    ),
    Mutation(
        "a file is replaced in one step",
        "runtime/checkpoint/atomic.py",
        '    number, aside = tempfile.mkstemp(prefix=f".{name[:50]}.", suffix=_mark(os.getpid()), dir=directory)\n',
        "    aside, number = place, os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\n",
        CONTAINER,
    ),
    Mutation(
        "slots go to the variables that they are for",
        "runtime/checkpoint/waits.py",
        "for variable in variables.get(node, ())]",
        "for variable in sum(variables.values(), [])]",
        CHECKPOINT,
    ),
)
