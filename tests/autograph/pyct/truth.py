"""What a program really does: the lines it comes to, and every read and write of a variable, with its place.

Example:
    recorder = Recorder(filename, "f")
    recorder.run(lambda: f(3))
    recorder.frames[0]      # [Event("line", "", (2, 0)), Event("read", "x", (2, 8)), Event("write", "y", (2, 4)), ...]

The truth comes from Python's own tracing of instructions: it shares nothing with the analyses that are held against it.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

__all__ = ["Event", "Recorder", "analysed"]

Place = tuple[int, int]


@dataclass(frozen=True)
class Event:
    """kind: "line", "read", "write" or "delete". place: line and column of the instruction."""

    kind: str
    name: str
    place: Place


# Python 3.13 starts to report the instructions of a function somewhere in its first call.
_RUNS = 2 if sys.version_info >= (3, 13) else 1
_VERBS = {"LOAD": "read", "STORE": "write", "DELETE": "delete"}


def accesses(code: CodeType) -> dict[int, list[tuple[str, str, Place]]]:
    """From offsets of instructions to the variables of the function that they read and write."""
    found: dict[int, list[tuple[str, str, Place]]] = {}
    for instruction in dis.get_instructions(code):
        parts = instruction.opname.split("_")
        # CLEAR: what an inlined comprehension puts aside.
        if not {"FAST", "DEREF"} & set(parts) or "CLEAR" in parts or instruction.positions is None:
            continue
        names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        if "FAST" in parts and set(names) & set(code.co_cellvars):  # the cell for a closure, not what is in it
            continue
        verbs = [_VERBS[part] for part in parts if part in _VERBS]
        place = (instruction.positions.lineno or 0, instruction.positions.col_offset or 0)
        for position, name in enumerate(names):
            found.setdefault(instruction.offset, []).append((verbs[min(position, len(verbs) - 1)], name, place))
    return found


class Recorder:
    """Records the calls of one function of a file while something runs. frames: the events of each call.

    What functions inside of it do to its variables is recorded with its latest call.
    """

    def __init__(self, filename: str, name: str) -> None:
        self.filename = filename
        self.name = name
        self.frames: list[list[Event]] = []
        self._accesses: dict[CodeType, dict[int, list[tuple[str, str, Place]]]] = {}
        self._inner: dict[CodeType, set[str]] = {}
        self._calls: dict[FrameType, list[Event]] = {}

    def run(self, action: Callable[[], Any]) -> None:
        """Run something to its end, or to its exception; more than once where Python needs it."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            known = len(self.frames)
            for _ in range(_RUNS):
                del self.frames[known:]
                with suppress(Exception):
                    action()
                self._calls.clear()
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if code.co_filename != self.filename:
            return None
        is_own = code.co_qualname == self.name
        if is_own and frame not in self._calls:  # a generator enters its frame again and again
            self._calls[frame] = []
            self.frames.append(self._calls[frame])
        if code not in self._accesses:
            self._accesses[code] = accesses(code)
            if is_own:
                self._find_inner(code)
        known = self._accesses[code]
        if not is_own:
            shared = self._inner.get(code, set())
            known = {at: [each for each in found if each[1] in shared] for at, found in known.items()}
        if not self.frames or not any(known.values()):
            return None
        events = self._calls.get(frame, self.frames[-1])
        frame.f_trace_opcodes = True

        def inside(frame: FrameType, event: str, argument: object) -> Any:
            if event == "line" and is_own:
                events.append(Event("line", "", (frame.f_lineno, 0)))
            elif event == "opcode":
                events.extend(Event(*access) for access in known.get(frame.f_lasti, ()))
            return inside

        return inside

    def _find_inner(self, code: CodeType) -> None:
        """The code in the function, each with those of its free variables that belong to the function itself."""
        waiting = [(code, set(code.co_cellvars))]
        while waiting:
            around, visible = waiting.pop()
            for inner in around.co_consts:
                if isinstance(inner, CodeType):
                    self._inner[inner] = visible & set(inner.co_freevars)
                    waiting.append((inner, self._inner[inner]))


def analysed(node: Any) -> dict[Any, Any]:
    """Run all analyses on a tree; its graphs."""
    from autograph.pyct import cfg, qual_names
    from autograph.pyct.static_analysis import activity, liveness, reaching_definitions, reaching_fndefs

    activity.resolve(qual_names.resolve(node), None)
    graphs = cfg.build(node)
    reaching_definitions.resolve(node, None, graphs)
    reaching_fndefs.resolve(node, None, graphs)
    liveness.resolve(node, None, graphs)
    return graphs
