"""What a variable may be at the ends of branches: `runtime.control_flow.lattice.join.Ways` of an `if` and its like.

    if x > 0: y = 1          main: the literal 1        the literal adopts float32, the cond gets an output,
    else:     y = x          else: a float32 tensor     y is that output

The same Python value or tensor everywhere stays what it is; tensors and numbers become an output of the cond, in one
dtype (literals adopt the tensors'); a variable without a value in some branch becomes `MaybeUndefined`; anything else
is an error that names the variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from autograph.errors import StagingError, StagingTypeError, StagingValueError
from runtime.control_flow.branches.known import known_value
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.lattice.join import are_same, join_leaf, join_variable
from runtime.control_flow.lattice.leaf import MISSING, LeafType
from runtime.control_flow.lattice.types import Exact, Type, called, is_returned
from runtime.control_flow.objects.maybe_contents import with_all_keys
from runtime.control_flow.optional.values import is_absent, view
from runtime.dtypes import DType
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.tensor.cast_advice import cast_advice
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Branches"]


@dataclass(frozen=True)
class Branches:
    """The ends of branches. `predicate`: that of a cond whose two branches both come to an end, else None."""

    graphs: Sequence[Graph]
    labels: Sequence[str]
    predicate: SymbolicTensor | None = None

    most_functions = 1 << 30
    lists_grow = True

    def type_of(self, name: str, values: Sequence[Any]) -> Type:
        """The type of a variable, or changed place, with these values at the ends."""
        views = [view(value) for value in values]
        if ("." in name or "[" in name) and any(seen.defined is not False for seen in views):
            for seen, label in zip(views, self.labels, strict=True):
                if seen.defined is not True and not is_absent(seen.placeholder):
                    raise StagingValueError(
                        f"{called(name)} must also be initialized in the {label} branch, or before the `if`: whether"
                        " it is there may not depend on a tensor"
                    )
        return join_variable(name, values, self)

    def end_of(self, i: int, leaf: LeafType, part: Any) -> SymbolicTensor:
        """The tensor that a branch, whose graph is being recorded, gives for a leaf."""
        graph = self.graphs[i]
        part = leaf.zeros() if part is MISSING else present_value(self._known(part, i))
        found = graph.recording.localize(leaf.adopted(part, "branch"), graph.name)
        graph.recording.tracing.writes.note_array(found, part)
        return found

    def exact(self, name: str, values: Sequence[Any]) -> Type | None:
        leaves = [leaf if leaf is MISSING else self._known(leaf, i) for i, leaf in enumerate(values)]
        same, *others = (leaf for leaf in leaves if leaf is not MISSING)
        if all(are_same(other, same) for other in others):
            tensor = same.index if isinstance(same, ChosenFunction) else same
            if not (isinstance(tensor, SymbolicTensor) and tensor.op.graph in self.graphs):
                return Exact(same)
        if self.predicate is not None and others and all(type(leaf) is bool for leaf in leaves):
            return Exact(self.predicate if leaves[0] else REGISTRY["logical_not"](self.predicate))
        return None

    def flag(self, name: str, values: Sequence[Any]) -> Type:
        return join_leaf(name, values, self)

    def alike(self, name: str, values: Sequence[Any]) -> Sequence[Any]:
        made = iter(with_all_keys([v for v in values if v is not MISSING]))
        return [v if v is MISSING else next(made) for v in values]

    def _known(self, leaf: Any, i: int) -> Any:
        """Inside the branches of `if p`, p itself is known, and what follows from it."""
        if self.predicate is None or not isinstance(leaf, SymbolicTensor) or not leaf.dtype.is_bool:
            return leaf
        known = known_value(leaf, self.graphs[i])
        return leaf if known is None else known

    # -- what is said of values that do not meet

    def dtypes(self, name: str, values: Sequence[Any], a: DType, b: DType) -> str:
        dtypes = (None if v is MISSING else LeafType.of(v).dtype for v in values)
        where = list(zip(self.labels, dtypes, strict=True))

        def branch(wanted: DType) -> Any:
            same = [label for label, dtype in where if dtype is wanted]
            alike = [label for label, dtype in where if dtype is not None and dtype.family == wanted.family]
            return (*same, *alike, where[0][0])[0]

        first, second = branch(a), branch(b)
        value = "value" if is_returned(name) else name
        return (
            f"{called(name)} has dtype {a.name} in the {first} branch, but dtype {b.name} in the {second} branch;"
            f" {cast_advice(value, a, value, b, f'in the {first} branch', f'in the {second} branch')}"
        )

    def shape(self, name: str, declared: LeafType, found: LeafType) -> None:
        """No branch declares one."""

    def structure(self, name: str, number: int, first: int, error: Exception) -> StagingError:
        labels = (self.labels[i] for i in sorted((number, first)))
        return StagingTypeError(
            f"{called(name)} must have the same nested structure in the {' and '.join(labels)} branches:\n\n{error}"
            "\n\nGive it one structure in both, or keep what grows in a list."
        )

    def objects(self, name: str, values: Sequence[Any]) -> Type:
        pairs = zip((v for v in values if v is not MISSING), self.labels, strict=False)
        shown = ", ".join(f"{_kind(leaf)} in the {label} branch" for leaf, label in pairs)
        raise StagingTypeError(
            f"{called(name)} is a Python object that differs between the branches ({shown}); after a condition on a"
            " tensor only tensors and numbers can differ: use the same object in all branches, or a Python condition"
        )


def _kind(leaf: Any) -> str:
    """What a leaf is, in words: a member of an enumeration by its name, of other objects the class."""
    if isinstance(leaf, Tensor):
        return "tensor"
    return str(leaf) if isinstance(leaf, Enum) else type(leaf).__name__
