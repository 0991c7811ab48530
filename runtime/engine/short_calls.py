"""The shortest way into a plan: for calls with arguments of just these types, which have come before many times.

    short = maker.make(Call(plan, guards, ...))
    short((tensor,))            # the result; MISSED for other arguments, or where guards do not hold

What is written here is Python; machine code, where a program has some, brings its own (`runtime.native.caller`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from runtime.engine.protocol import Plan
from runtime.tensor.eager import EagerTensor

__all__ = [
    "ARRAYS", "MISSED", "Call", "Guarded", "Short", "Test", "array_in", "in_python", "make", "missed",
    "own_result", "prefer",
]  # fmt: skip

MISSED: Final = object()
"""What a short call gives that is none."""

Short = Callable[[tuple[Any, ...]], Any]
"""Takes the positional arguments of a call."""


class Test(NamedTuple):
    """What a guard asks of one place: whether the same object is there still."""

    kind: str
    """What `holder` is: "names", the dict itself; "attributes", it gives an object, whose dict is meant; "code", it
    gives a function, whose code is meant; "cells", it gives one whose closure has the variable at the place `key`."""
    holder: Any
    key: str | int
    value: Any
    find: Callable[[], Any] | None
    """Gives the object, None where that is gone; where this is None it is `value`."""


class Guarded(Protocol):
    """`runtime.function.guards.Guards`."""

    hold: Callable[[], bool]

    def tests(self) -> list[Test] | None:
        """What `hold` asks, as long as it is the same function; None: that is not told."""


class Call(NamedTuple):
    """A call that is to be short."""

    plan: Plan
    guards: Guarded
    arguments: Sequence[Any]
    """Such as it takes: eager tensors, and ndarrays of the caller, with their elements side by side; and values of
    Python that are constants of the plan, where it takes no others than these very objects."""
    memories: Sequence[Any]
    """What the plan is given behind the arrays."""
    pack: Callable[[Sequence[Any]], Any] | None
    """Makes the result; None: it is a tensor; `tuple`: it is a tuple of tensors."""


ARRAYS: Final = frozenset({EagerTensor, np.ndarray})
"""The types of arguments that the plan is given."""


def missed(args: tuple[Any, ...]) -> Any:
    """The short call of a Function that has none."""
    return MISSED


def in_python(call: Call) -> Short:
    """A short call as a function of Python."""
    names: dict[str, Any] = {
        "MISSED": MISSED, "EagerTensor": EagerTensor, "ndarray": np.ndarray, "new": object.__new__,
        "guards": call.guards, "plan": call.plan, "function": call.plan.function, "pack": call.pack, "own": own_result,
    }  # fmt: skip
    lines = [f"    if len(args) != {len(call.arguments)} or plan.function is not function: return MISSED"]
    lines += [f"    {''.join(f'a{i}, ' for i in range(len(call.arguments)))} = args"] if call.arguments else []
    given: list[str] = []
    plain: list[str] = []
    for i, argument in enumerate(call.arguments):
        kind = type(argument)
        if kind not in ARRAYS:
            names[f"l{i}"] = argument
            lines.append(f"    if a{i} is not l{i}: return MISSED")
            continue
        given.append(f"a{i}")
        names[f"d{i}"], names[f"s{i}"] = array_in(argument).dtype, array_in(argument).shape
        lines.append(f"    if type(a{i}) is not {kind.__name__}: return MISSED")
        if kind is EagerTensor:
            lines.append(f"    a{i} = a{i}._array")
        else:
            others = "".join(f" or a{i} is {other}" for other in plain)
            lines.append(f"    if not a{i}.flags.carray{others}: return MISSED")
            plain.append(f"a{i}")
        lines.append(f"    if a{i}.dtype is not d{i} or a{i}.shape != s{i}: return MISSED")
    lines.append("    if not guards.hold(): return MISSED")
    for i, memory in enumerate(call.memories):
        names[f"m{i}"] = memory
        given.append(f"m{i}")
    made = f"function({', '.join(given)})"
    made = f"own({made}, args)" if plain else made
    if call.pack is None:
        lines += ["    made = new(EagerTensor)", f"    made._array, = {made}", "    return made"]
    else:
        lines.append(f"    return pack({f'map(EagerTensor, {made})' if call.pack is tuple else made})")
    head = f"def short(args, {', '.join(f'{name}={name}' for name in names)}):"
    exec(compile("\n".join([head, *lines]), "<short call>", "exec"), names)
    short: Short = names["short"]
    return short


def own_result(made: Sequence[Any], given: Sequence[Any]) -> Sequence[Any]:
    """Results that share no memory with what the caller has."""
    return [r if r.base is None and not any(r is a for a in given) else r.copy() for r in made]


def array_in(argument: Any) -> Any:
    """The array of an argument."""
    return argument._array if type(argument) is EagerTensor else argument


_maker: Callable[[Call], Short] = in_python


def make(call: Call) -> Short:
    """A short call by the best that is there."""
    return _maker(call)


def prefer(maker: Callable[[Call], Short]) -> None:
    """Short calls are made by this from now on."""
    global _maker
    _maker = maker
