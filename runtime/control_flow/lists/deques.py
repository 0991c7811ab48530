"""`GrowingDeque`: a deque of which only the run knows the length.

    q = deque([x])
    while q: v = q.popleft(); ...           # rows: a list that grows
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from runtime.control_flow.builtins.iterables import is_staged
from runtime.control_flow.builtins.membership import SEARCHES, contains
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.grown import Grown, add_grown_kind
from runtime.control_flow.lists.keyed import is_staged_key
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["GrowingDeque", "growing_deque"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


class GrowingDeque(Grown):
    """See the module's docstring. `like` has the greatest length; `longest` where only the run knows that."""

    __slots__ = ("longest",)

    changed_while_gone_through = "deque mutated during iteration"

    def __init__(self, rows: TensorList, like: Any, called: str = "", longest: Any = None) -> None:
        super().__init__(rows, like, called)
        self.longest = like.maxlen if longest is None else longest

    @property
    def maxlen(self) -> Any:
        return self.longest

    def with_rows(self, rows: TensorList) -> Any:
        return GrowingDeque(rows, self.like, self.called, self.longest)

    def append(self, item: Any) -> None:
        self.rows.append(item)
        self._shorten(left=True)

    def appendleft(self, item: Any) -> None:
        self.rows.insert(0, item)
        self._shorten(left=False)

    def extend(self, items: Any) -> None:
        self.rows.extend(items.rows if isinstance(items, GrowingDeque) else items)
        self._shorten(left=True)

    def extendleft(self, items: Any) -> None:
        added = TensorList()
        added.extend(items.rows if isinstance(items, GrowingDeque) else items)
        self.rows.take(added[::-1] + self.rows)
        self._shorten(left=False)

    def _shorten(self, left: bool) -> None:
        if self.longest is not None and self.rows.elements is not None:
            length = self.rows.length()
            kept = REGISTRY["minimum"](length, self.longest)
            self.rows.take(self.rows[length - kept :] if left else self.rows[:kept])

    def pop(self) -> Any:
        return self.rows.pop()

    def popleft(self) -> Any:
        return self.rows.pop(0)

    def rotate(self, steps: Any = 1) -> None:
        if self.rows.elements is None:
            return
        length = self.rows.length()
        first = -steps % REGISTRY["maximum"](length, 1)
        self.rows.take(self.rows[first:] + self.rows[:first])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return self.rows[place]

    def __iadd__(self, items: Any) -> Any:
        self.extend(items)
        return self

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, deque):
            other = GrowingDeque(TensorList(list(other)), other)
        return self.rows == other.rows if isinstance(other, GrowingDeque) else NotImplemented

    __hash__ = None

    def __reversed__(self) -> Any:
        return iter(self.rows[::-1])

    def of_rows(self, rows: Iterable[Any]) -> Any:
        return deque(rows, None if self.longest is None else int(self.longest))

    def _nest_parts(self) -> list[tuple[str, Any]]:
        of_the_run = [(".maxlen", self.longest)] if isinstance(self.longest, Tensor) else []
        return [*super()._nest_parts(), *of_the_run]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        return GrowingDeque(parts[0], self.like, self.called, parts[1] if len(parts) > 1 else None)


def growing_deque(values: Any = (), maxlen: Any = None) -> Any:
    """`deque(values, maxlen)`."""
    if isinstance(values, GrowingDeque):
        values = values.rows.copy()
    known = not is_staged_key(maxlen)
    items = collected(values) if is_staged(values) else values
    if known and not isinstance(items, TensorList):
        return deque(items, maxlen)
    made = GrowingDeque(TensorList(), deque(maxlen=maxlen if known else None), longest=maxlen)
    made.extend(items if isinstance(items, TensorList) else list(items))
    return made


def _of_rows(name: str) -> Any:
    return lambda self, *args: getattr(self.rows, name)(*args)


for _name in ("insert", "remove", "index", "count", "reverse", "__setitem__", "__delitem__"):
    setattr(GrowingDeque, _name, _of_rows(_name))
SEARCHES[GrowingDeque] = lambda item, container: contains(item, container.rows)
add_grown_kind(GrowingDeque, "deque")
