"""`Grown`: what a dict, set or deque is whose keys or length only the run knows, around a list that grows.

    q = deque([x])
    if x > 0: q.append(x)       # q.rows is a TensorList from here on

As a list that grows takes the place of a list of Python's (runtime.control_flow.lists.promotion), such an object takes
the place of a dict, set or deque; what it does is in keyed_dicts.py, keyed_sets.py and deques.py.
"""

from __future__ import annotations

import copy
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NoReturn

from autograph.errors import StagingTypeError
from autograph.operators.stager import WHILE_TRACING
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.heap.kind import Kind
from runtime.heap.kinds import add_kind
from runtime.ops.records.record import REGISTRY
from runtime.tensor import text

__all__ = ["Grown", "add_grown_kind", "asked", "checked_items", "empty_like"]


class Grown:
    """A container of ours around a list that grows. called: how the user calls it; like: an empty one of Python's."""

    __slots__ = ("__weakref__", "called", "like", "of_python", "rows")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __ag_takes_place__ = True  # under all names: nothing is to be bound anew
    __ag_copies_items__ = True
    __hash__ = None  # type: ignore[assignment]

    changed_while_gone_through: ClassVar = "dictionary changed size during iteration"
    """Python's words for what a loop over it finds."""

    def __init__(self, rows: TensorList, like: Any, called: str = "") -> None:
        self.rows = rows
        self.like = like
        self.called = called
        self.of_python: Any = None
        """Where tensors that become keys or members are numbers and texts of Python's from then on: what is to know
        whether a loop goes through them (`is_gone_through`)."""

    def with_rows(self, rows: TensorList) -> Any:
        """Another one, with these rows."""
        made = type(self)(rows, self.like, self.called)
        made.of_python = self.of_python
        return made

    def holding(self, plain: Any) -> Any:
        """One of this kind with what a container of Python's holds; any other value as it is."""
        if type(plain) is not type(self.like):
            return plain
        return self.with_rows(TensorList(list(plain.items() if isinstance(plain, dict) else plain)))

    def copy(self) -> Any:
        return self.with_rows(self.rows.copy())

    def clear(self) -> None:
        self.rows.clear()

    def __ag_truth__(self) -> Any:
        """Whether it has elements."""
        return self.rows.__ag_truth__()

    def plain(self) -> Any:
        """That of Python, outside of a trace."""
        return self.of_rows(self.rows.to_list())

    def of_rows(self, rows: Iterable[Any]) -> Any:
        """That of Python with these elements: for a dict, pairs of keys and values."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows)

    def __ag_len__(self) -> Any:
        return self.rows.length()

    def __ag_items__(self) -> tuple[Any, ...]:
        """What a loop goes through, as long as its size stays: see runtime.control_flow.loops.iteration."""
        items = self.gone_through()
        if items.elements is None:
            return 0, lambda position: items[position]
        return checked_items(self, items.length(), lambda position: items[position])

    def gone_through(self) -> TensorList:
        """The list of what a loop over it goes through."""
        return self.rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.gone_through())

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return memo.setdefault(id(self), self.with_rows(copy.deepcopy(self.rows, memo)))

    def __repr__(self) -> str:
        shown = f"<a {type(self.like).__name__} that grows, of {self.rows.elements or 'unknown elements'}>"
        return text.mark(self, "r") or shown

    def __getattr__(self, name: str) -> NoReturn:
        kind = type(object.__getattribute__(self, "like"))
        if name.startswith("__") or not hasattr(kind, name):
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
        raise StagingTypeError(
            f"{self._named()} has no method {name!r} here: what it holds is only known when the graph runs. Go through"
            " it in a `for` statement, or keep what it holds in a list, which may grow"
        )

    def _named(self) -> str:
        return f"the {type(self.like).__name__} {self.called!r}" if self.called else f"a {type(self.like).__name__}"

    @property
    def handles(self) -> tuple[Any, ...]:
        """What changes."""
        return self.rows.handles

    # -- as a structure

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".rows", self.rows)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        return self.with_rows(parts[0])

    def _nest_check(self, other: Any) -> None:
        if type(other) is not type(self) or type(other.like) is not type(self.like):
            raise TypeError(f"{self._named()} is another kind of container on one of the ways")


def empty_like(owner: Any) -> Any:
    """An empty container of Python's of the kind of another one."""
    kind = type(owner)
    if kind is deque:
        return deque(maxlen=owner.maxlen)
    return defaultdict(owner.default_factory) if kind is defaultdict else kind()


def checked_items(container: Grown, size: Any, item: Callable[[Any], Any]) -> tuple[Any, ...]:
    """What a loop goes through, for each turn and the end of which the container must have this size."""

    def check() -> None:
        same = REGISTRY["equal"](container.rows.length(), size)
        REGISTRY["check"](same, message=container.changed_while_gone_through, exception="RuntimeError")

    def checked(position: Any) -> Any:
        check()
        return item(position)

    return size, checked, (), check


def add_grown_kind(owner: type[Grown], word: str) -> None:
    """Lets a class of this file be known: what of it can change, and what `isinstance` and `type` say of it."""

    def write(value: Grown, contents: dict[str, Any]) -> None:
        value.rows = contents["rows"]

    add_kind(owner, Kind(word, "keys", lambda value: {"rows": value.rows}, write, ".{}", is_value=True))
    owner.__ag_asked__ = staticmethod(asked)  # type: ignore[attr-defined]


def asked(function: Any, args: tuple[Any, ...], kwargs: Any = None) -> Any:
    """`isinstance(d, dict)`, `type(d)` and their like."""
    return function(*args) if function in (getattr, hasattr) else function(args[0].like, *args[1:])
