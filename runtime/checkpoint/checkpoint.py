"""`Checkpoint`: the state of objects in files, and back into the same or other objects of the same structure.

    checkpoint = Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save("training/ckpt")           # "training/ckpt-1"; the next one is "training/ckpt-2"
    ...
    Checkpoint(model=other, optimizer=fresh).restore(path).assert_consumed()

What is saved are the values of all Variables that are reached from the given objects, by the names of attributes, keys
and positions that lead there, with the slots of optimizers; no code and no class. So the program that restores makes
the objects itself. It may do so later: values wait for layers that are built in the first call, and for the slots that
the first step makes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Final

from runtime.checkpoint.files import (
    TREE,
    Path,
    get_checkpoint_state,
    is_checkpoint,
    open_checkpoint,
    update_checkpoint_state,
    write_checkpoint,
)
from runtime.checkpoint.ledger import Ledger
from runtime.checkpoint.load_status import LoadStatus
from runtime.checkpoint.objects import has_parts, parts_of
from runtime.checkpoint.restoring import Restoration
from runtime.checkpoint.tree import ATTRIBUTES, has_value, path_of, read_tree, written_tree
from runtime.context import current_recorder
from runtime.dtypes import int64
from runtime.errors import InvalidArgumentError, of_the_trace
from runtime.state.expected import LOCK, WAITING, settle
from runtime.state.scopes import init_scope
from runtime.state.variable import Variable

__all__ = ["Checkpoint"]

_SAVING: Final = threading.RLock()
"""Is held while a checkpoint gets its number, is written and is noted."""

_OWN: Final = frozenset({"_root", "_restoration"})


class Checkpoint:
    """Groups objects, to save and restore what they hold. See the module's docstring.

    root: an object whose parts are those of the checkpoint itself; kwargs: objects by name. They are Modules, layers,
    models, optimizers, metrics, Variables, random generators, iterators over datasets, other Checkpoints, and lists,
    tuples and dicts of these; they are attributes of the Checkpoint, too. Raises ValueError for anything else.
    """

    save_counter: Variable
    """How often `save` was called; it is saved, too, and there from the first save or restore on."""

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self._root = root
        self._restoration: Restoration | None = None
        if root is not None:
            _check_part("root", root)
            if isinstance(root, Variable):
                raise ValueError("a Variable has no parts, so it is no root: Checkpoint(name=variable)")
        taken = {} if root is None else parts_of(root, has_value)
        for name, value in kwargs.items():
            _check_part(name, value)
            if hasattr(type(self), name) or name in _OWN:
                raise ValueError(f"Checkpoint({name}=...): a Checkpoint has a method of that name; use another one")
            if taken.get(name, value) is not value:
                raise ValueError(f"Checkpoint({name}=...): the root has another part of that name; use another one")
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if WAITING:
            settle()

    def __getstate__(self) -> dict[str, Any]:
        """For copies: what waits in this one does not wait in them."""
        return vars(self) | {"_restoration": None}

    def _saved_parts(self) -> dict[str, Any]:
        own = {name: value for name, value in vars(self).items() if name not in _OWN}
        return own if self._root is None else parts_of(self._root, has_value) | own

    # -- saving ---------------------------------------------------------------------------------------------------

    def save(self, file_prefix: Path, options: Any = None) -> str:
        """Writes a new checkpoint with the number of this save, and notes it as the last one of its directory.

        file_prefix: a directory and the beginning of a name. Returns the path, for `restore`: "training/ckpt-1".
        Raises as `write`; the number is free again then.
        """
        return self._save_numbered(os.fsdecode(file_prefix), None, _note_last)

    def _save_numbered(self, prefix: str, number: int | None, note: Callable[[str], None]) -> str:
        """Writes a checkpoint with a number, that of this save by default, and lets `note` take note of its path."""
        _refuse_in_graphs("save")
        with _SAVING:
            counter = self._counter()
            before = int(counter.numpy())
            counter.assign(before + 1)
            try:
                path = self.write(f"{prefix}-{before + 1 if number is None else number}")
                note(path)
            except BaseException:
                counter.assign(before)
                raise
            return path

    def write(self, file_prefix: Path, options: Any = None) -> str:
        """Writes a checkpoint of exactly this path, which it returns, in the place of one that is there.

        The file is whole or not there at all: if the program is stopped meanwhile, the old one stays. Raises ValueError
        for objects that cannot be saved, InvalidArgumentError where the files cannot be written. Values of the last
        restore that still wait for objects are not in the file: there is a warning.
        """
        _refuse_in_graphs("write")
        path = os.fsdecode(file_prefix)
        tree, values = written_tree(self)
        if self._restoration is not None and self._restoration.waits():
            self._restoration.tell_unsaved(path)
        write_checkpoint(path, {name: _value(name, one) for name, one in values.items()}, tree)
        return path

    def _counter(self) -> Variable:
        if "save_counter" not in vars(self):
            with init_scope():
                self.save_counter = Variable(0, dtype=int64, trainable=False, name="save_counter")
        return self.save_counter

    # -- restoring ------------------------------------------------------------------------------------------------

    def restore(self, save_path: Path | None, options: Any = None) -> LoadStatus:
        """Gives the values of a checkpoint to the objects, at once or as soon as they are made.

        save_path: what `save`, `write` or `latest_checkpoint` returned; with None nothing is restored. What the file
        and the objects do not have in common is a matter of the status that is returned: see `LoadStatus`. Raises
        NotFoundError, FileFormatError for a damaged file, ShapeMismatchError and DtypeMismatchError for Variables that
        are not like their values; nothing has been changed then.
        """
        _refuse_in_graphs("restore")
        status = self._read(save_path)
        self._counter()
        return status

    def read(self, save_path: Path | None, options: Any = None) -> LoadStatus:
        """As `restore`, without the counter of saves: for what `write` wrote."""
        _refuse_in_graphs("read")
        return self._read(save_path, frozenset({f"save_counter/{ATTRIBUTES}VARIABLE_VALUE"}))

    def _read(self, save_path: Path | None, ignored: frozenset[str] = frozenset()) -> LoadStatus:
        """ignored: values that nobody waits for."""
        if save_path is None:
            return LoadStatus(self, None, Ledger(""))
        ledger = Ledger(os.fsdecode(save_path))
        container = open_checkpoint(save_path)
        entry = container.entries[TREE]
        nodes = read_tree(
            container.array(TREE).item(),
            container.entries.keys() - {TREE},
            f"{container.path}: the tree of objects at byte {entry.start}",
        )
        roots = [self] if self._root is None or not hasattr(type(self._root), "_saved_parts") else [self, self._root]
        ledger.left.update(node.value for node in nodes if node.value is not None and node.value not in ignored)
        restoration = Restoration(roots, container, nodes, ledger)
        with LOCK:
            try:
                restoration.begin()
            except BaseException:
                ledger.left_told = True
                restoration.stop()
                raise
            before, self._restoration = self._restoration, restoration
        if before is not None:
            before.yield_to(restoration)
        return LoadStatus(self, restoration, ledger)


def _note_last(path: str) -> None:
    """Makes a checkpoint the last one of its directory."""
    directory = os.path.dirname(path) or "."
    known = get_checkpoint_state(directory)
    others = [p for p in known.all_model_checkpoint_paths if p != path and is_checkpoint(p)] if known else []
    update_checkpoint_state(directory, path, [*others, path])


def _refuse_in_graphs(method: str) -> None:
    if current_recorder() is not None:
        raise of_the_trace(NotImplementedError(
            f"Checkpoint.{method} was called while a function is traced: it works with files, once, and would be no"
            " part of the graph. Call it outside of the function; or in it, each time that the graph runs, by"
            f" runtime.py_function(lambda: checkpoint.{method}(path), [], [])"
        ))


def _check_part(name: str, value: Any) -> None:
    if not (has_parts(value) or has_value(value)):
        raise ValueError(
            f"Checkpoint({name}=...) is an object with Variables: a Module, a layer, an optimizer, a metric, a"
            f" Variable, or a list or dict of these; got {value!r}. A number that changes is a runtime.Variable"
        )


def _value(name: str, one: Any) -> Any:
    """What is written for an object: the array itself, which nobody changes any more."""
    if isinstance(one, Variable):
        return one.handle.read()
    try:
        return one._saved_position()
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"the iterator {path_of(name)!r} cannot be saved: {error}") from None
