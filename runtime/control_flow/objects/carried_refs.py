"""Variables of a staged loop that iterations bind to other lists, dicts or objects: which one it is, is carried.

    for i in range(n):
        a[0] += i
        a, b = b, a          # a number is carried for `a`, and one for `b`, beside what both lists hold

That holds for objects that are there before the loop. What an iteration makes is carried as a copy (aliases.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.control_flow.objects.refs import Choice, OneOf, can_be_chosen, objects_of
from runtime.control_flow.optional.values import inside_of, is_undefined, with_inside
from runtime.heap.store import World

__all__ = ["CarriedRefs"]


class CarriedRefs:
    """The variables of a loop that are one of several objects after an iteration; `choices`: these, by the name."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.choices: dict[str, Choice] = {}

    def holds(self, name: str, value: Any) -> bool:
        """Whether it is the value of one of these variables; what a list that grows holds may have the name, too."""
        return name in self.choices and can_be_chosen(inside_of(value)) and self._is_known(inside_of(value))

    def _is_known(self, value: Any) -> bool:
        return all(can_be_chosen(inner) and self.world.knows(inner) for inner in objects_of(value))

    def find(self, rows: Sequence[tuple[str, Any, Any]]) -> bool:
        """Finds what the variables may be: each with its value before the loop and after an iteration.

        Whether there is anything new. A variable that cannot be carried so is none of `choices`.
        """
        found = False
        for name, old, new in rows:
            if inside_of(old) is inside_of(new) and (name not in self.choices or not can_be_chosen(inside_of(old))):
                continue
            if can_be_chosen(inside_of(old)) and not self._is_known(inside_of(old)):
                continue
            values = [value for value in (inside_of(old), inside_of(new)) if value is not None]
            values = [value for value in values if not is_undefined(value)]
            objects = [inner for value in values for inner in objects_of(value)]
            if not values or not all(map(self._is_known, values)):
                self.choices.pop(name, None)
                continue
            choice = self.choices.setdefault(name, Choice(by_number=True))
            known = len(choice.sources)
            for inner in objects:
                choice.position(inner)
            found |= len(choice.sources) > known
        return found

    def end(self, name: str, value: Any) -> Any:
        """What a variable is when the loop begins, or after an iteration."""
        choice = self.choices[name]
        return with_inside(value, OneOf(choice, [choice.number(inside_of(value))]))
