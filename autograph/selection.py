"""What the user wants converted or left alone, beside the rules that hold by themselves.

    set_conversion_rules(include=["mylib"], exclude=["mylib.plots", "mylib.model:Net.summary"])

A rule is a module ("mylib" stands for all below it), or a function or class in one ("mylib.model:Net.summary"); the
objects themselves may be given for their names. The longest rule that fits decides; at equal length, `exclude`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType
from typing import Any, Final

from autograph.errors import ConversionError

__all__ = ["Rules", "conversion_rules", "on_change", "selected", "set_conversion_rules", "spell_rules"]

Rules = tuple[str, ...]

_in_force: list[tuple[Rules, Rules]] = [((), ())]
_listeners: Final[list[Callable[[], None]]] = []


def spell_rules(given: Any) -> Rules:
    """Rules as text: names of modules, "module:Class.function"; one rule or several. Raises ConversionError."""
    several = isinstance(given, Iterable) and not isinstance(given, str | ModuleType | type) and not callable(given)
    rules: Iterable[Any] = given if several else [given]
    return tuple(sorted({_spell(rule) for rule in rules}))


def _spell(rule: Any) -> str:
    if isinstance(rule, ModuleType):
        return rule.__name__
    if isinstance(rule, str) and all(part.isidentifier() for part in rule.replace(":", ".", 1).split(".")):
        _check_is_module(rule)
        return rule
    module, name = getattr(rule, "__module__", None), getattr(rule, "__qualname__", None)
    if isinstance(module, str) and isinstance(name, str):
        return f"{module}:{name}"
    raise ConversionError(
        "a conversion rule is a module, function or class, or its name like 'package.module:Class.function';"
        f" got {rule!r}"
    )


def _check_is_module(rule: str) -> None:
    """Raises ConversionError for "module.function", which would fit nothing."""
    module, _, name = rule.rpartition(".")
    if ":" not in rule and rule not in sys.modules and callable(vars(sys.modules.get(module, object)).get(name)):
        raise ConversionError(
            f"the conversion rule {rule!r} names no module; for {name!r} in it write '{module}:{name}'"
        )


def set_conversion_rules(include: Any = (), exclude: Any = ()) -> None:
    """Say once, for the whole process, what converted code may convert on its way; replaces what was said before.

    include: also converted, though it belongs to an installed package or the standard library. exclude: runs as plain
    Python. Each is one rule or several: modules, functions, classes, or their names. What is marked `do_not_convert`
    and what a user asks for by name is not touched. Functions that are traced already stay as they are.
    Raises ConversionError for what is no rule.
    """
    _in_force[0] = (spell_rules(include), spell_rules(exclude))
    for listener in _listeners:
        listener()


def conversion_rules() -> tuple[Rules, Rules]:
    """What `set_conversion_rules` said last: (include, exclude)."""
    return _in_force[0]


def on_change(listener: Callable[[], None]) -> None:
    """Call `listener` when the rules change; for those who remember decisions."""
    _listeners.append(listener)


def selected(function: FunctionType, include: Rules = (), exclude: Rules = ()) -> bool | None:
    """Whether the rules say that a function is converted; None if they say nothing. Rules given here go first."""
    for included, excluded in ((include, exclude), _in_force[0]):
        wanted, unwanted = _fit(function, included), _fit(function, excluded)
        if wanted or unwanted:
            return wanted > unwanted
    return None


def _fit(function: FunctionType, rules: Rules) -> int:
    """The length of the longest rule that fits, 0 if none does."""
    name = f"{function.__module__}:{function.__qualname__}"
    return max((len(rule) for rule in rules if name.startswith(rule) and name[len(rule) :][:1] in ".:"), default=0)
