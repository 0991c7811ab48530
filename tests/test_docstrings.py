"""Every public name has a docstring: functions, classes, and the public methods and properties of our classes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import autograph
import runtime

OURS = ("autograph", "runtime")


def public(module: ModuleType, seen: set[str]) -> Iterator[tuple[str, Any]]:
    """Qualified names and objects, also those of public modules inside."""
    if module.__name__ in seen:
        return
    seen.add(module.__name__)
    yield module.__name__, module
    for name in getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")]):
        member = getattr(module, name)
        if isinstance(member, ModuleType):
            if member.__name__.startswith(OURS) and name in getattr(module, "__all__", ()):
                yield from public(member, seen)
        elif inspect.isclass(member) or inspect.isroutine(member):
            yield f"{module.__name__}.{name}", member
            if inspect.isclass(member) and member.__module__.startswith(OURS):
                yield from methods(f"{module.__name__}.{name}", member)


def methods(name: str, cls: type) -> Iterator[tuple[str, Any]]:
    for attribute, member in vars(cls).items():
        if not attribute.startswith("_") and (inspect.isroutine(member) or isinstance(member, property)):
            yield f"{name}.{attribute}", member


def test_every_public_name_has_a_docstring() -> None:
    seen: set[str] = set()
    found = [*public(runtime, seen), *public(autograph, seen)]
    assert len(found) > 150, "the walk must reach the operations"
    assert [name for name, member in found if not written(member)] == []


def written(member: Any) -> bool:
    """Whether somebody wrote a docstring: a dataclass makes one of its signature by itself."""
    text = (member.__doc__ or "").strip()
    return bool(text) and not (inspect.isclass(member) and text.startswith(f"{member.__name__}("))
