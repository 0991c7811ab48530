"""The text of one LLVM function, line by line.

    w = Writer()
    total = w.let("add i64 %a, %b")             # %v0 = add i64 %a, %b
    w.branch(condition, "then", "else")
    w.block("then")
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

__all__ = ["FAIL", "Writer", "function_text"]

FAIL = "fail"
"""The block that every function has: it gives up, and the plan runs the region instead."""


class Writer:
    """Names are numbered, slots (variables in memory, which LLVM turns into registers) stand at the beginning."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slots: list[str] = []
        self._numbers = 0
        self._labels = 0
        self._put_off: list[str] | None = None

    def let(self, text: str) -> str:
        """Writes an instruction; returns the name of its result."""
        name = f"%v{self._numbers}"
        self._numbers += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Writes an instruction without a result."""
        self.lines.append(f"  {text}")

    def slot(self, kind: str) -> str:
        """A new variable in memory."""
        name = f"%s{len(self.slots)}"
        self.slots.append(f"  {name} = alloca {kind}")
        return name

    def label(self, hint: str) -> str:
        """A new name for a block."""
        self._labels += 1
        return f"{hint}{self._labels}"

    def block(self, label: str) -> None:
        """What follows belongs to this block; the one before must have ended."""
        self.lines.append(f"{label}:")

    def jump(self, label: str) -> None:
        self.do(f"br label %{label}")

    def branch(self, condition: str, then: str, other: str) -> None:
        self.do(f"br i1 {condition}, label %{then}, label %{other}")

    @property
    def puts_off(self) -> bool:
        """Whether what fails is only written down."""
        return self._put_off is not None

    @contextlib.contextmanager
    def putting_off(self) -> Iterator[list[str]]:
        """Inside, nothing gives up; the conditions for which it would are in the list."""
        before, self._put_off = self._put_off, []
        yield self._put_off
        self._put_off = before

    def fail_if(self, condition: str, label: str = FAIL) -> None:
        """Gives up, or goes elsewhere, if the condition holds, which is taken to be rare."""
        if self._put_off is not None:
            self._put_off.append(condition)
            return
        onward = self.label("ok")
        self.do(f"br i1 {condition}, label %{label}, label %{onward}, !prof !0")
        self.block(onward)

    def fail_unless(self, condition: str, label: str = FAIL) -> None:
        """Gives up, or goes elsewhere, unless the condition holds."""
        if self._put_off is not None:
            self._put_off.append(self.let(f"xor i1 {condition}, true"))
            return
        onward = self.label("ok")
        self.do(f"br i1 {condition}, label %{onward}, label %{label}, !prof !1")
        self.block(onward)


def function_text(name: str, parameters: str, w: Writer, how: str = "") -> str:
    """The whole function: it gives whether it gave up. how: what LLVM is told of it."""
    head = f"define internal i1 @{name}({parameters}) {how}{{"
    body = ["entry:", *w.slots, "  br label %begin", "begin:", *w.lines, f"{FAIL}:", "  ret i1 true"]
    return "\n".join([head, *body, "}"])
