"""What of a dict or set is there, of which a tensor decides that: one key, how many, and one after the other.

    looked_up(d, "b")         # MaybeUndefined(x, defined=x > 0), or Absent
    length(d)                 # 1 + cast(x > 0)
    View(d, "items", ...)     # for each key that may be there: `if <it is there>: ...`

Where the order of the keys depends on the run, to go through them is refused. Sets: see maybe_wholes.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from autograph.errors import StagingError
from autograph.operators.consumer import Consumer
from autograph.operators.stager import WHILE_TRACING
from runtime.control_flow.builtins.comparisons import SCALARS, alike
from runtime.control_flow.builtins.membership import contains
from runtime.control_flow.lists.keyed import known_key
from runtime.control_flow.loops.iteration import as_literal, hand_over
from runtime.control_flow.objects.maybe_contents import MaybeContainer, MaybeDict, MaybeSet
from runtime.control_flow.objects.maybe_places import there
from runtime.control_flow.objects.turns import KeepsTurns
from runtime.control_flow.optional.flags import any_of, both
from runtime.control_flow.optional.values import within
from runtime.dtypes import int32
from runtime.graph.location import here
from runtime.heap.open_objects import if_there
from runtime.heap.placeholders import Absent, is_undefined
from runtime.ndarrays.restart import restart_with
from runtime.ops.records.record import REGISTRY
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "View", "certain", "check_order", "check_orders", "equal_to", "found_by", "in_view", "is_in", "is_of_the_run",
    "key_of", "length", "looked_up", "named", "sorted_view", "truth",
]  # fmt: skip

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_NOTHING: Final = object()


# -- one key


def looked_up(self: MaybeContainer, key: Any) -> Any:
    """What there is under a key; Absent where there is nothing."""
    key = key_of(self, key)
    found = self.contents.get(key, _NOTHING)
    return Absent(KeyError(key)) if found is _NOTHING or is_undefined(found) else found


def is_of_the_run(key: Any) -> bool:
    """Whether only the run knows a key."""
    return isinstance(key, SymbolicTensor) and key.value is None


def key_of(self: MaybeContainer, key: Any) -> Any:
    """A key that is Python's."""
    key = known_key(key)
    if isinstance(key, SymbolicTensor):
        restart_with(self, by_keys=True)
        part = "member" if isinstance(self, MaybeSet) else "key"
        raise StagingError(
            f"a {part} of {named(self)} is a tensor{here()}, and a tensor also decides which {part}s there are. Use"
            f" {part}s that are known while the function is traced, such as the items of a tuple, or a list, which may"
            " grow"
        )
    return key


def named(self: MaybeContainer) -> str:
    """The dict or set in a message."""
    word = type(self.like).__name__
    return f"the {word} {self.called!r}" if self.called else f"a {word}"


def is_in(self: MaybeContainer, key: Any) -> Any:
    if is_of_the_run(key):
        return any_of([flag for flag, _ in found_by(self, key)])
    return there(looked_up(self, key))


def found_by(self: MaybeContainer, key: SymbolicTensor) -> list[tuple[Any, Any]]:
    """For each key that may equal one of the run whether it does and is there, and what there is under it."""
    found = [(both(is_equal, there(value)), value) for _, value, is_equal in equal_to(self, key)]
    return [(flag, if_there(value)) for flag, value in found if flag is not False]


def equal_to(self: MaybeContainer, key: SymbolicTensor) -> list[tuple[Any, Any, Any]]:
    """The keys that may equal one of the run, with what is under each, and whether it does."""
    pairs = [(own, alike(own, key)) for own in self.contents if isinstance(own, SCALARS)]
    alikes = [(own, other) for own, other in pairs if isinstance(other, SCALARS)]
    return [(own, self.contents[own], REGISTRY["equal"](key, other)) for own, other in alikes]


# -- the whole


def length(self: MaybeContainer) -> Any:
    flags = [there(value) for value in self.contents.values()]
    tensors = [REGISTRY["cast"](flag, int32) for flag in flags if not isinstance(flag, bool)]
    count: Any = sum(flag is True for flag in flags)
    for tensor in tensors:
        count = count + tensor
    return as_literal(count) if tensors else count


def truth(self: MaybeContainer) -> Any:
    return any_of(list(map(there, self.contents.values())))


def certain(self: MaybeContainer, what: str) -> Any:
    """A dict or set of Python's, where all is known; else it is refused."""
    unknown = [key for key, value in self.contents.items() if not isinstance(there(value), bool)]
    if unknown:
        _refuse(self, what, f"whether it has {unknown[0]!r} depends on a tensor", unknown[0])
    if not self.is_ordered:
        _refuse(self, what, "the order of its keys depends on a tensor", next(iter(self.contents)))
    pairs = {key: if_there(value) for key, value in self.contents.items() if there(value)}
    return self.filled(pairs) if isinstance(self, MaybeDict) else set(pairs)


def _refuse(self: MaybeContainer, what: str, why: str, key: Any) -> NoReturn:
    raise StagingError(
        f"{named(self)} is {what}{here()}, and {why}. Ask for one key after the other (`if {key!r} in"
        f" ...`, over a list of all keys that it may have), or give it all keys before, each with a value that stands"
        " for `none yet`"
    )


def check_orders(left: Any) -> None:
    """For what a trace leaves. Raises Restart where there is a dict in it of which a tensor decides in which order its
    keys came, and the trace has not noted that."""
    if any(isinstance(part, MaybeDict) and not part.is_ordered and part.turns is None for part in within([left])):
        raise Restart(KeepsTurns())


# -- one after the other


_ITEMS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "keys": lambda key, value: key, "values": lambda key, value: value, "items": lambda key, value: (key, value),
}  # fmt: skip
"""What a view gives of each key."""


class View:
    """What `keys()`, `values()` or `items()` gives of a dict. order: the keys in another order than that of it."""

    __slots__ = ("order", "owner", "what")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    can_be_pulled = False

    def __init__(self, owner: MaybeContainer, what: str, order: list[Any] | None = None) -> None:
        self.owner = owner
        self.what = what
        self.order = order

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.owner,)

    def __iter__(self) -> Iterator[Any]:
        return iter(getattr(certain(self.owner, "gone through by what is not converted"), self.what)())

    def __len__(self) -> int:
        return len(certain(self.owner, "given to what is not converted"))

    def __ag_len__(self) -> Any:
        return length(self.owner)

    def __ag_truth__(self) -> Any:
        return truth(self.owner)

    def __ag_push__(self, consumer: Consumer) -> None:
        owner, keys, item = self.owner, list(self.owner.contents), _ITEMS[self.what]
        if self.order is None:
            check_order(owner)

        def take(key: Any) -> None:
            value = looked_up(owner, key)
            flag = there(value)
            whole = item(key, if_there(value))
            if flag is True:
                hand_over(consumer, whole)
            elif flag is not False:
                consumer.when(flag, lambda: hand_over(consumer, whole), whole)
            if list(owner.contents) != keys:
                _refuse(owner, "given or robbed of keys", "a loop goes through it", key)

        consumer.each(keys if self.order is None else self.order, take)

    def __ag_reversed__(self) -> View:
        if self.order is None:
            check_order(self.owner)
        keys = self.owner.contents if self.order is None else self.order
        return View(self.owner, self.what, [*reversed(list(keys))])

    def __ag_sorted__(self, reverse: bool) -> Any:
        return sorted_view(self.owner, reverse) if self.what == "keys" else self

    def compared(self) -> Any:
        """The view of Python's; refused where it depends on a tensor."""
        return getattr(certain(self.owner, "compared"), self.what)()


def sorted_view(self: MaybeContainer, reverse: bool) -> View:
    """What is to be gone through for `sorted(d)`."""
    return View(self, "keys", sorted(self.contents, reverse=reverse))


def in_view(item: Any, view: View) -> Any:
    if view.what == "keys":
        return is_in(view.owner, item)
    return contains(item, list(view))


def check_order(self: MaybeContainer) -> None:
    """Raises StagingError where a tensor decides in which order the keys come."""
    if not self.is_ordered:
        _refuse(self, "gone through", "the order of its keys depends on a tensor", next(iter(self.contents)))
