"""Variables as a handler of a staged `try` sees them: with the values that they had where the exception came.

    total = 0
    try:
        total = total + x          # memo_set(memo, total) stands before the operation that can raise
        total = check(total)
    except ValueError:
        total = -total             # memo_get(memo, 0)

A variable that cannot be remembered so (a Python object that changes, a list) is `Uncertain` in the handler. A list
that grows is remembered by its handles.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.operators.variables import Undefined
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.lattice.leaf import TENSOR_LIKE, LeafType, met
from runtime.control_flow.lists.element_types import joined
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.optional.flags import any_of, either
from runtime.control_flow.optional.values import MaybeNone, Presence, View, maybe_none, presence, restore, view
from runtime.errors import InaccessibleTensorError
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.memo import memo_get, memo_has, memo_new, memo_set
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Memory"]

_EXACT = {float: np.float64, int: np.int64, complex: np.complex128}
"""Numbers are kept in the widest dtype: which one the variable has is known after the body."""


class Memory:
    """What one statement remembers. `owner`: the graph that the statement stands in.

    The memo is made before anything else, for what the probe of a loop's test records may be dropped again.
    """

    def __init__(self, owner: Graph) -> None:
        self.made: Operation = owner.add(memo_new, [], {})
        self.used = False
        self.kept: list[Operation] = []
        """The operations that keep something."""
        self._samples: dict[str, list[Any]] = {}
        self._lost: set[str] = set()
        self._flags: set[str] = set()
        """`x?` and `x#`, for a variable of which it was kept, too, whether it has a value, or is something but None."""
        self._last: tuple[Graph, dict[str, Any]] | None = None
        """What was kept last: the values themselves, for an address may be that of another value by now."""

    def keep(self, graph: Graph, values: Mapping[str, Any]) -> None:
        """Records in `graph` that variables have these values now. Those that are not named are as before the `try`."""
        if not values and not self.used:
            return
        kept = self._last[1] if self._last is not None and self._last[0] is graph else None
        if kept is not None and list(kept) == list(values) and all(map(operator.is_, kept.values(), values.values())):
            return
        self._last = graph, dict(values)
        self.used = True
        names: list[str] = []
        tensors: list[SymbolicTensor] = []
        with recording(graph):
            memo = graph.recording.localize(self.made.outputs[0], "try")
            for name, value in values.items():
                found = view(value)
                there = presence(found.value)
                leaves = [] if there.present is False else self._leaves(graph, name, there.value)
                names += [f"{name}:{i}" for i in range(len(leaves))]
                tensors += leaves
                for flag, value in ((f"{name}#", there.present), (f"{name}?", found.defined)):
                    if value is not True and name not in self._lost:
                        self._flags.add(flag)
                        names.append(flag)
                        tensors.append(graph.recording.localize(_tensor(value), name))
            self.kept.append(graph.add(memo_set, [memo, *tensors], {"names": tuple(names)}))

    def _leaves(self, graph: Graph, name: str, value: Any) -> list[SymbolicTensor]:
        leaves = nest.flatten(value) if _can_be_kept(value) and name not in self._lost else []
        try:
            found = [graph.recording.localize(_exact(leaf), name) for leaf in leaves]
        except InaccessibleTensorError:
            found = []
        if not found:
            self._lost.add(name)
        self._samples.setdefault(name, []).append(value)
        return found

    def forget(self, names: Iterable[str]) -> None:
        """Variables whose values were not seen wherever they may be changed."""
        self._lost.update(names)

    def strip(self, names: Iterable[str], since: int) -> None:
        """What the operations from number `since` on keep of these is not kept."""
        left_out = {f"{name}{mark}" for name in names for mark in ":#?"}
        for operation in self.kept[since:]:
            pairs = zip(operation.attributes["names"], operation.inputs[1:], strict=True)
            left = [(name, tensor) for name, tensor in pairs if name.rstrip("0123456789") not in left_out]
            operation.attributes = {**operation.attributes, "names": tuple(name for name, _ in left)}
            operation.inputs = (operation.inputs[0], *(tensor for _, tensor in left))
        self._last = None

    def forget_last(self) -> None:
        """What was recorded last is not in the graph any more."""
        self._last = None

    def recall(self, graph: Graph, name: str, before: Any) -> Any:
        """The variable in the graph of a handler. `before`: its value before the statement. Raises LookupError."""
        samples, seen = self._samples.get(name, []), view(before)
        start = presence(None if seen.defined is False else seen.value)
        if not self.used or name in self._lost or not (samples or f"{name}#" in self._flags):
            raise LookupError(name)
        models = samples if start.present is False else [*samples, start.value]
        if not all(map(_can_be_kept, models)):
            raise LookupError(name)
        try:
            for other in models[1:]:
                nest.assert_same_structure(models[0], other)
            columns = list(zip(*map(nest.flatten, models), strict=True))
            with recording(graph):
                memo = graph.recording.localize(self.made.outputs[0], "try")
                leaves = [
                    self._leaf(graph, memo, f"{name}:{i}", c, start.present is not False) for i, c in enumerate(columns)
                ]
                value = _packed(models, leaves) if models else None
                if seen.defined is False or start.present is not True or f"{name}#" in self._flags:
                    value = maybe_none(value, self._present(graph, memo, name, seen, start))
                flag = self._defined(graph, memo, name, seen.defined)
                return restore(View(flag, value, Undefined(name) if seen.placeholder is None else seen.placeholder))
        except (TypeError, ValueError) as error:
            raise LookupError(name) from error

    def _defined(self, graph: Graph, memo: SymbolicTensor, name: str, before: Any) -> Any:
        """Whether the variable has a value. before: whether it had one before the statement."""
        flag = before
        if before is not True:
            kept = [mark for mark in (":0", "#") if mark == ":0" or name + mark in self._flags]
            has = [graph.add(memo_has, [memo], {"name": name + mark}).outputs[0] for mark in kept]
            flag = either(any_of(has), before)
        return self._flag(graph, memo, f"{name}?", flag)

    def _present(self, graph: Graph, memo: SymbolicTensor, name: str, seen: View, start: Presence) -> Any:
        """Whether the variable is something else than None. start: the same of its value before the statement."""
        if f"{name}#" not in self._flags and (seen.defined is False or start.present is True):
            return True  # where it has a value
        flag = start.present
        if flag is not True:
            flag = either(graph.add(memo_has, [memo], {"name": f"{name}:0"}).outputs[0], flag)
        return self._flag(graph, memo, f"{name}#", flag)

    def _flag(self, graph: Graph, memo: SymbolicTensor, kept: str, otherwise: Any) -> Any:
        """A flag that was kept, wherever it was; elsewhere another one."""
        if kept not in self._flags:
            return otherwise
        default = graph.recording.localize(_tensor(otherwise), kept[:-1])
        return graph.add(memo_get, [memo, default], {"name": kept, "shape": TensorShape([])}).outputs[0]

    def _leaf(self, graph: Graph, memo: SymbolicTensor, name: str, leaves: Sequence[Any], started: bool) -> Any:
        kind = met([LeafType.of(leaf) for leaf in leaves], lambda a, b: f"{a.name} and {b.name}")
        start = kind.adopted(leaves[-1], "try") if started else kind.zeros()
        default = graph.recording.localize(start, "try")
        return kind.marked(graph.add(memo_get, [memo, default], {"name": name, "shape": kind.shape}).outputs[0])


def _packed(models: Sequence[Any], leaves: Sequence[Any]) -> Any:
    """The value that was kept, of which `models` are the kinds. Raises ValueError for lists whose elements differ."""
    if not isinstance(models[0], TensorList):
        return nest.pack_sequence_as(models[0], leaves)
    kinds = [model.elements for model in models if model.elements is not None]
    wanted = joined(kinds)
    distinct = {tuple(leaf.dtype for leaf in kind.leaves): kind for kind in kinds}
    for kind in distinct.values() if wanted is not None and len(distinct) > 1 else ():
        leaves = kind.cast(leaves, wanted)  # numbers of a list of literals take the dtype of elements that came later
    return nest.pack_sequence_as(TensorList.like(wanted, models[0].handles), list(leaves))


def _can_be_kept(value: Any) -> bool:
    """Tensors, numbers and texts, and tuples of them; what can be changed in place is no value, but lists that grow."""
    if isinstance(value, TensorList):
        return True
    if isinstance(value, MaybeNone) or view(value).defined is not True:
        return False
    if isinstance(value, TENSOR_LIKE):
        return not isinstance(value, np.ndarray)
    return isinstance(value, tuple) and bool(value) and all(map(_can_be_kept, value))


def _exact(leaf: Any) -> Any:
    kind = _EXACT.get(type(leaf))
    if kind is np.int64 and not -(2**63) <= leaf < 2**63:
        kind = None
    return _tensor(leaf if kind is None else kind(leaf))


def _tensor(leaf: Any) -> Any:
    return leaf if isinstance(leaf, Tensor) else convert_to_tensor(leaf)
