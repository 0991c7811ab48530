"""The names that a part of a function reads and changes.

Example:
    outer = Scope(None)
    with_body = Scope(outer, isolated=False)       # what it holds is also held by the one around it
    with_body.mark_read(QN("x"))
    with_body.finalize()
    outer.read                                     # {x}
"""

from __future__ import annotations

from typing import Any

from autograph.pyct.qual_names import QN

__all__ = ["Scope"]

_SETS = ("read", "modified", "deleted", "bound", "globals", "nonlocals", "annotations", "captured", "conditional")


class Scope:
    """Names, as sets of QNs.

    read, modified, deleted: what happens to values; `a.b = 1` modifies a.b and reads a. bound: variables that are bound
    here, parameters too. globals, nonlocals: declared so here. annotations: read in annotations only. params: from
    parameters to their function. isolated_names: the name of an exception, which Python unbinds after its handler.
    captured: names that a function or generator made here may read later; rebound: those that it may bind then.
    conditional: those of `modified` that an expression changes on some ways through it only.
    """

    def __init__(self, parent: Scope | None, isolated: bool = True, function_name: str | None = None) -> None:
        """parent: the scope around it. isolated: whether it is that of a function, whose variables are its own."""
        self.parent = parent
        self.isolated = isolated
        self.function_name = function_name
        self.isolated_names: set[QN] = set()
        self.read: set[QN] = set()
        self.modified: set[QN] = set()
        self.deleted: set[QN] = set()
        self.bound: set[QN] = set()
        self.globals: set[QN] = set()
        self.nonlocals: set[QN] = set()
        self.annotations: set[QN] = set()
        self.captured: set[QN] = set()
        self.rebound: set[QN] = set()
        self.conditional: set[QN] = set()
        self.params: dict[QN, Any] = {}
        self.is_final = False

    @property
    def enclosing_scope(self) -> Scope:
        """The scope of the function that it belongs to; itself, if it is one."""
        scope = self
        while scope.parent is not None and not scope.isolated:
            scope = scope.parent
        return scope

    @property
    def referenced(self) -> set[QN]:
        """All names that occur here or around: what the name of a new variable keeps clear of."""
        found: set[QN] = set()
        scope: Scope | None = self
        while scope is not None:
            found |= scope.read | scope.modified | scope.bound | scope.deleted | scope.annotations
            scope = scope.parent
        return found

    @property
    def free_vars(self) -> set[QN]:
        """The variables that the function reads and does not bind."""
        scope = self.enclosing_scope
        return {qn for qn in scope.read | scope.nonlocals | scope.globals if qn.is_simple()} - (
            scope.bound - scope.nonlocals - scope.globals
        )

    def mark_read(self, name: QN) -> None:
        """The value is used."""
        self.read.add(name)

    def mark_modified(self, name: QN, conditional: bool = False) -> None:
        """A value is given."""
        if conditional and name not in self.modified:
            self.conditional.add(name)
        elif not conditional:
            self.conditional.discard(name)
        self.modified.add(name)
        if name.is_simple():
            self.bound.add(name)

    def mark_deleted(self, name: QN) -> None:
        """The value is taken away."""
        self.deleted.add(name)

    def mark_param(self, name: QN, owner: Any) -> None:
        """It is a parameter of the function `owner`."""
        self.bound.add(name)
        self.params[name] = owner

    def copy_from(self, other: Scope) -> None:
        """Hold what another holds, and nothing else."""
        for name in (*_SETS, "rebound", "isolated_names"):
            setattr(self, name, set(getattr(other, name)))
        self.params = dict(other.params)

    @classmethod
    def copy_of(cls, other: Scope) -> Scope:
        """Another scope that holds the same."""
        made = cls(other.parent, other.isolated, other.function_name)
        made.copy_from(other)
        return made

    def merge_from(self, other: Scope) -> None:
        """Hold what another holds, too."""
        sure = (self.modified - self.conditional) | (other.modified - other.conditional)
        for name in (*_SETS, "rebound"):
            getattr(self, name).update(getattr(other, name))
        self.conditional -= sure
        self.params.update(other.params)

    def finalize(self) -> None:
        """It is complete: what it holds is told to the scope around it, unless it is that of a function."""
        assert not self.is_final, "a scope is completed once"
        self.is_final = True
        if self.parent is not None and not self.isolated:
            self.parent.merge_from(self)

    def __repr__(self) -> str:
        shown = [f"{name}={{{', '.join(sorted(map(str, names)))}}}" for name in _SETS if (names := getattr(self, name))]
        return f"Scope({', '.join(shown)})"
