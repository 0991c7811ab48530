"""The variables of a statement, as generated code hands them over: read all, write all, their names.

    state = State(get_state, set_state, ("i", "x"))
    state = state.with_cell([0], "position in the loop")       # one more variable in front, kept in a list

Two names may be one place, as `a.k` and `b.k` are where a is b: `State.twins` finds that, `State.without` leaves the
place in once. A name such as `self.total` whose object is looked at anyway is no variable of its own: it is a place of
that object, and `State.without_places` leaves it out.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograph.errors import StagingError, StagingTypeError
from autograph.operators.item_state import ELSEWHERE
from runtime.control_flow.optional.values import as_state, inside_of, is_undefined
from runtime.control_flow.statement.quiet import leave_absent, quietly, runs_code
from runtime.graph.location import here
from runtime.heap.holder import ABSENT, Place
from runtime.heap.kinds import ARRAY
from runtime.heap.leads import referent
from runtime.heap.store import World
from runtime.tensor.tensor import Tensor

__all__ = ["State", "parsed"]


@dataclass(frozen=True, slots=True)
class State:
    """What a statement reads and assigns. `get` returns the values in the order of `names`, `put` takes them."""

    get: Callable[[], tuple[Any, ...]]
    put: Callable[[tuple[Any, ...]], None]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "get", _detached(self.get))
        if any(map(_is_part, self.names)):
            object.__setattr__(self, "get", as_state(self.get))
            object.__setattr__(self, "put", as_state(_checked(self.put, self.names)))

    def with_cell(self, cell: list[Any], name: str) -> State:
        """This state with the first item of `cell` in front."""

        def put(values: tuple[Any, ...]) -> None:
            cell[0] = values[0]
            self.put(tuple(values[1:]))

        return State(lambda: (cell[0], *self.get()), put, (name, *self.names))

    def twins(self, values: Sequence[Any]) -> dict[int, int]:
        """The positions that hold, right after all was set to `values`, what a later position was set to."""
        positions = {id(value): i for i, value in enumerate(values)}
        return {
            i: positions[id(now)]
            for i, (value, now) in enumerate(zip(values, self.get(), strict=True))
            if now is not value and positions.get(id(now), i) > i
        }

    def without(self, twins: Mapping[int, int]) -> State:
        """The state with each place once; its twins are set along with it."""
        size = len(self.names)
        kept = [i for i in range(size) if i not in twins]
        place = {i: position for position, i in enumerate(kept)}

        def get() -> tuple[Any, ...]:
            values = self.get()
            return tuple(values[i] for i in kept)

        def put(values: tuple[Any, ...]) -> None:
            self.put(tuple(values[place[twins.get(i, i)]] for i in range(size)))

        return State(get, put, tuple(self.names[i] for i in kept))

    def has(self, place: Place) -> bool:
        """Whether one of the names is a place: `a` the variable, `a[-1]` the last element of that list."""
        values, now = self.get(), place.read()
        return any(self._is_place(i, values, place) for i, value in enumerate(values) if value is now)

    def _is_place(self, i: int, values: tuple[Any, ...], place: Place) -> bool:
        probe = object()
        try:
            self.put((*values[:i], probe, *values[i + 1 :]))
            return place.read() is probe
        except Exception:  # it takes no such value, so it is no plain place
            return False
        finally:
            self.put(values)

    def without_places(self, world: World) -> tuple[State, list[Place]]:
        """The state without the names that are places of objects in `world`, and those places.

        A name whose object the statement may replace, such as `a[0]` beside `a`, stays; a part of an object that it is
        leaves no placeholder there.
        """
        values = self.get()
        if have_effects := any(_has_effects(name, world) for name in self.names if _is_part(name)):
            world.restore()
        replaced = {name for name, value in zip(self.names, values, strict=True) if value is not ELSEWHERE}
        places: dict[int, Place] = {}
        for i, name in enumerate(self.names):
            if _is_part(name) and (place := _place(name, world, replaced)) is not None:
                places[i] = place
        if have_effects:
            world.restore()
        if not places:
            return self.leaving_absent(world), []
        kept = [i for i in range(len(self.names)) if i not in places]
        if not kept:
            return State(tuple, lambda values: None, ()), list(places.values())
        holders = list(dict.fromkeys(place.holder for place in places.values()))

        def get() -> tuple[Any, ...]:
            values = self.get()
            return tuple(values[i] for i in kept)

        def put(values: tuple[Any, ...]) -> None:
            contents = [holder.read() for holder in holders]
            everything = list(self.get())
            for i, value in zip(kept, values, strict=True):
                everything[i] = value
            self.put(tuple(everything))
            for holder, content in zip(holders, contents, strict=True):
                holder.write(content)  # a name without a value was given a placeholder

        reduced = State(get, put, tuple(self.names[i] for i in kept))
        if have_effects:
            reduced = reduced._quiet(world)
        return reduced.leaving_absent(world), list(places.values())

    def _quiet(self, world: World) -> State:
        """The state that changes nothing but its variables where it is read or set: also not what is new since."""
        return State(
            lambda: quietly(world.again(), self.get),
            lambda values: quietly(world.again(), lambda: self.put(values), self.names),
            self.names,
        )

    def leaving_absent(self, world: World) -> State:
        """The state that leaves no placeholder in objects of `world`: a key or attribute without a value is not there.

        The part of an object may have a name here that says nothing of the object, as in a generator's code.
        """
        parts = [i for i, name in enumerate(self.names) if not name.isidentifier()]
        if not parts:
            return self

        def put(values: tuple[Any, ...]) -> None:
            self.put(values)
            if any(is_undefined(values[i]) for i in parts):
                leave_absent(world)

        return State(self.get, put, self.names)


def _detached(get: Callable[[], tuple[Any, ...]]) -> Callable[[], tuple[Any, ...]]:
    """`get`, with copies of lists that are places in other lists."""
    return lambda: tuple(value.detached() if hasattr(type(value), "__ag_view__") else value for value in get())


def _checked(put: Callable[[tuple[Any, ...]], None], names: tuple[str, ...]) -> Callable[[tuple[Any, ...]], None]:
    """Setting parts of objects of which one may be of a kind that takes only certain values."""

    def checked(values: tuple[Any, ...]) -> None:
        try:
            put(values)
        except StagingError:
            raise
        except (TypeError, UnboundLocalError) as error:  # the second one where it looks at a placeholder
            raise StagingTypeError(
                f"{_not_carried(names)}: what it is a part of takes no tensor ({error}). Assign to a variable of this"
                " function in the statement, and to the part after it"
            ) from error
        except AttributeError as error:
            raise StagingError(
                f"{_not_carried(names)}: its object takes no such attribute ({error}). Assign to it in a function of"
                " its own, and call that in the statement"
            ) from error

    return checked


def _not_carried(names: tuple[str, ...]) -> str:
    parts = " or ".join(repr(name) for name in names if _is_part(name))
    return f"{parts} cannot be carried by a statement that depends on a tensor{here()}"


NO_KEY = object()
"""The key of a place that is known by its object alone, as where a tensor is the key."""


def _is_part(name: str) -> bool:
    """Whether it is the name of an attribute or element."""
    return "." in name or "[" in name


@as_state
def _place(name: str, world: World, replaced: Set[str]) -> Place | None:
    """The object in `world` that `o.total` or `d['a']` is a part of, and its key there; None where that is unknown."""
    tree = parsed(name)
    steps: list[ast.expr] = [tree]
    while isinstance(step := steps[-1], ast.Attribute | ast.Subscript):
        steps.append(step.value)
    root = steps.pop()
    if not isinstance(root, ast.Name) or root.id in replaced:
        return None
    if (found := _place_of(tree, world)) is not None:
        return found
    for step in steps[:0:-1]:  # a part of what the statement may put into a place where nothing is yet
        place = _place_of(step, world)
        if place is not None and place.key is not NO_KEY and place.read() is ABSENT:
            return Place(place.holder, NO_KEY) if _has_no_value(step, world) else None
    return None


def _has_no_value(tree: ast.expr, world: World) -> bool:
    try:
        return is_undefined(_value(tree, world))
    except (AttributeError, LookupError):
        return True


def _place_of(tree: Any, world: World) -> Place | None:
    try:
        owner = _owner(tree, world)
        holder = world.attributes_of(owner) if isinstance(tree, ast.Attribute) else world.find(owner)
        if holder is None or holder.kind is ARRAY or holder.kind.write is None:
            return None
        if isinstance(tree, ast.Subscript) and holder.kind.has_attributes and not _is_of_attributes(tree):
            return Place(holder, NO_KEY)  # code of its class reads and writes it
        return Place(holder, tree.attr if isinstance(tree, ast.Attribute) else _key(tree.slice, world))
    except Exception:  # not defined, or of a kind that cannot be reached: it stays a variable
        return None


@as_state
def _has_effects(name: str, world: World) -> bool:
    """Whether to read or set what such a name stands for may change something else."""
    tree = parsed(name)
    while isinstance(tree, ast.Attribute | ast.Subscript):
        try:
            if runs_code(_value(tree.value, world), tree):
                return True
        except (AttributeError, LookupError, ReferenceError):  # it may be made in the statement
            pass
        tree = tree.value
    return False


def _is_of_attributes(tree: Any) -> bool:
    whole = tree.value
    return isinstance(tree, ast.Subscript) and isinstance(whole, ast.Attribute) and whole.attr == "__dict__"


def _owner(tree: Any, world: World) -> Any:
    """What has the part: of `o.__dict__['a']` the object, and what a weak proxy stands for."""
    whole = tree.value
    owner = _value(whole.value if _is_of_attributes(tree) else whole, world)
    return referent(owner) if type(owner) in weakref.ProxyTypes else owner


@lru_cache(maxsize=4096)
def parsed(text: str) -> ast.expr:
    """An expression: the name of a variable, or the target of a loop."""
    return ast.parse(text, mode="eval").body


def _value(tree: ast.expr, world: World) -> Any:
    """What an expression is, where it is something: that the program uses it is not said, so nothing is checked."""
    if isinstance(tree, ast.Name):
        return inside_of(world.variable(tree.id))
    if isinstance(tree, ast.Attribute):
        return inside_of(getattr(_value(tree.value, world), tree.attr))
    if isinstance(tree, ast.Subscript):
        key = _key(tree.slice, world)
        owner = _value(tree.value, world)
        if isinstance(owner, dict) and key not in owner:  # one that makes it, such as a `defaultdict`, is not asked
            raise LookupError
        if key is not NO_KEY and not hasattr(type(owner), "handles_as"):  # an element of a list that grows is no place
            return inside_of(owner[key])
    raise LookupError


def _key(tree: ast.expr, world: World) -> Any:
    if isinstance(tree, ast.Name):
        value = world.variable(tree.id)
        return NO_KEY if isinstance(value, Tensor) else value
    try:
        return ast.literal_eval(tree)
    except ValueError:
        return NO_KEY
