"""Whether bool and integer tensors can have certain values in one run, as far as the graph says it.

    if p: best = cur; cur = []        # `best` is the list that `cur` was, where p is; `cur` still is it, where p is not
    can_be([(p, True), (not_p, True)])      False: on no way are both the same list

What neither `not`, `and`, `or`, a select nor a branch makes may be anything. Of a few such conditions both values are
tried; what is left then may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.control_flow.branches.known import origin_of
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Condition", "can_be"]

Condition = tuple[Any, bool | int]
"""A scalar, and the value that is asked for."""

_SPLITS: Final = 6
"""Of so many conditions both values are tried."""
_MOST: Final = 400
"""Of so many tensors it is looked at how they are made."""


def can_be(conditions: Sequence[Condition]) -> bool:
    """Whether all of the scalars may have these values in one run; False only where that is sure."""
    return _can_be(conditions, {}, _SPLITS)


def _can_be(conditions: Sequence[Condition], assumed: Mapping[int, Any], splits: int) -> bool:
    seen = _Seen(assumed)
    found = [seen.value(scalar) for scalar, _ in conditions]
    if any(value is not None and value != wanted for value, (_, wanted) in zip(found, conditions, strict=True)):
        return False
    if not splits or seen.open is None or None not in found:
        return True
    return any(_can_be(conditions, {**assumed, id(seen.open): value}, splits - 1) for value in (True, False))


class _Missing(Exception):
    """What the value of a tensor is made of has to be looked at first."""

    def __init__(self, scalar: Any) -> None:
        self.scalar = scalar


class _Seen:
    """What tensors are where some are assumed to be known. open: a condition of which that is not known."""

    def __init__(self, assumed: Mapping[int, Any]) -> None:
        self.open: SymbolicTensor | None = None
        self._known: dict[int, Any] = dict(assumed)
        self._left = _MOST

    def value(self, scalar: Any) -> Any:
        """A bool or integer; None for what may be several."""
        pending = [scalar]
        while pending:
            try:
                found = self._of(_origin(pending[-1]))
            except _Missing as missing:
                pending.append(missing.scalar)
                continue
            self._known[id(_origin(pending.pop()))] = found
        return self._known[id(_origin(scalar))]

    def _get(self, scalar: Any) -> Any:
        if id(origin := _origin(scalar)) not in self._known:
            raise _Missing(scalar)
        return self._known[id(origin)]

    def _of(self, scalar: Any) -> Any:
        if id(scalar) in self._known:
            return self._known[id(scalar)]
        if (known := _plain(scalar)) is not None or not isinstance(scalar, SymbolicTensor):
            return known
        rule = _RULES.get(scalar.op.type)
        self._left -= rule is not None
        found = rule(self._get, scalar) if rule is not None and self._left > 0 else None
        is_open = found is None and (rule is None or rule is _equal) and self.open is None
        if is_open and scalar.dtype.is_bool and scalar.shape.rank == 0:
            self.open = scalar
        return found


def _origin(scalar: Any) -> Any:
    return origin_of(scalar) if isinstance(scalar, SymbolicTensor) else scalar


def _plain(scalar: Any) -> Any:
    """A number of Python's, of a scalar that is known; else None."""
    value = scalar.value if isinstance(scalar, SymbolicTensor) else scalar
    if isinstance(value, Tensor):
        value = value.numpy()
    if isinstance(value, bool | int):
        return value
    if not isinstance(value, np.ndarray | np.generic) or value.shape != () or value.dtype.kind not in "biu":
        return None
    return value.item()


_Get = Callable[[Any], Any]


def _not(get: _Get, scalar: SymbolicTensor) -> Any:
    value = get(scalar.op.inputs[0])
    return None if value is None else not value


def _either(decides: bool) -> Callable[[_Get, SymbolicTensor], Any]:
    def rule(get: _Get, scalar: SymbolicTensor) -> Any:
        values = [get(operand) for operand in scalar.op.inputs]
        if decides in values:
            return decides
        return None if None in values else not decides

    return rule


def _one_of(get: _Get, selector: Any, values: Sequence[Any], place: Callable[[Any], int]) -> Any:
    chosen = get(selector)
    if chosen is not None:
        return get(values[place(chosen)])
    first, *others = map(get, values)
    return first if all(other == first for other in others) else None


def _where(get: _Get, scalar: SymbolicTensor) -> Any:
    selector, *values = scalar.op.inputs
    return _one_of(get, selector, values, lambda chosen: 0 if chosen else 1)


def _cond(get: _Get, scalar: SymbolicTensor) -> Any:
    graphs = (scalar.op.attributes[name] for name in ("then_graph", "else_graph"))
    values = [graph.outputs[scalar.value_index] for graph in graphs]
    return _one_of(get, scalar.op.inputs[0], values, lambda chosen: 0 if chosen else 1)


def _switch(get: _Get, scalar: SymbolicTensor) -> Any:
    values = [graph.outputs[scalar.value_index] for graph in scalar.op.attributes["branches"]]
    return _one_of(get, scalar.op.inputs[0], values, lambda chosen: chosen if 0 <= chosen < len(values) else -1)


def _cast(get: _Get, scalar: SymbolicTensor) -> Any:
    value = get(scalar.op.inputs[0])
    if value is None or not 0 <= value < 128:
        return None
    return bool(value) if scalar.dtype.is_bool else int(value)


def _equal(get: _Get, scalar: SymbolicTensor) -> Any:
    first, second = map(get, scalar.op.inputs)
    return None if first is None or second is None else first == second


def _gather(get: _Get, scalar: SymbolicTensor) -> Any:
    values, place = scalar.op.inputs[0].value, get(scalar.op.inputs[1])
    if not isinstance(values, np.ndarray) or place is None or values.ndim != 1 or not 0 <= place < len(values):
        return None
    return _plain(values[place])


_RULES: Final[Mapping[str, Callable[[_Get, SymbolicTensor], Any]]] = {
    "logical_not": _not, "logical_and": _either(False), "logical_or": _either(True), "where": _where, "cond": _cond,
    "switch": _switch, "identity": lambda get, scalar: get(scalar.op.inputs[0]), "cast": _cast, "equal": _equal,
    "gather": _gather,
}  # fmt: skip
