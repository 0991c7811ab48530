"""Kernels: one loop over the places of a shape, for a group of elementwise operations (runtime.native.fusion).

    define internal i1 @kernel0(i64 %from, i64 %to, ptr noalias %p0, ptr %p1, double %p2) { ... }

Where all arrays have the shape of the results, a kernel counts elements; where one of them is broadcast, rows along the
last axis. LLVM vectorises the loops. Functions that are numpy's (`exp`, `power`) take blocks of elements: what comes
before one in the group fills a block, numpy's loop takes it, what comes after reads its results. So they are those of
numpy to the last bit, and still nothing leaves the first cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from runtime.native.kernel_body import BLOCK, KernelBody, Step
from runtime.native.sharing import WORTH, call_shared, threads
from runtime.native.values import Memory

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["Call", "cost_of", "write_kernel"]

_COST_OF_CALL: Final = 8
"""What an element costs in one of numpy's functions, beside a sum."""


def write_kernel(build: Build, dims: Sequence[str], steps: Sequence[Step]) -> None:
    """Writes the kernel, and the call of it; the results that have data by now are stored. Raises Refused."""
    name = build.module.new_name("kernel")
    body = KernelBody(build, dims, steps)
    text, arguments = body.function(name)
    build.module.declare(name, text)
    total = build.elements(Memory("", "", tuple(dims), steps[0].result.dtype))
    items = total if body.flat else build.elements(Memory("", "", tuple(dims[:-1]), steps[0].result.dtype))
    call = Call(build, name, arguments, items, BLOCK if body.flat else 1)
    call.write(total, WORTH // cost_of(steps), call.alone, call.shared)


def cost_of(steps: Sequence[Step]) -> int:
    """What an element of a kernel costs, beside a sum."""
    return sum(_COST_OF_CALL if step.loop else 1 for step in steps)


class Call:
    """The call of a kernel: by one thread, or by several where there is enough to do."""

    def __init__(self, build: Build, name: str, arguments: Sequence[tuple[str, str]], items: str, grain: int) -> None:
        self.build, self.name, self.arguments, self.items, self.grain = build, name, arguments, items, grain

    def write(self, total: str, least: int, one: Callable[[], str], several: Callable[[], str]) -> None:
        """Writes one of two calls: for fewer elements than that, and for more."""
        w = self.build.w
        if threads() == 1 or (total.isdecimal() and int(total) < least):
            w.fail_if(one())
            return
        if total.isdecimal():
            w.fail_if(several())
            return
        flag = w.slot("i1")
        many, few, end = (w.label(hint) for hint in ("many", "few", "done"))
        w.branch(w.let(f"icmp uge i64 {total}, {least}"), many, few)
        for label, call in ((many, several), (few, one)):
            w.block(label)
            w.do(f"store i1 {call()}, ptr {flag}")
            w.jump(end)
        w.block(end)
        w.fail_if(w.let(f"load i1, ptr {flag}"))

    def alone(self) -> str:
        given = ["i64 0", f"i64 {self.items}", *(f"{kind} {text}" for kind, text in self.arguments)]
        return self.build.w.let(f"call i1 @{self.name}({', '.join(given)})")

    def shared(self) -> str:
        """The arguments lie in words, from which a task of its own takes them."""
        w, task = self.build.w, f"{self.name}_task"
        words = w.slot(f"[{max(len(self.arguments), 1)} x i64]")
        lines = [f"define internal i1 @{task}(ptr %words, i64 %from, i64 %to) {{"]
        for place, (kind, text) in enumerate(self.arguments):
            w.do(f"store {kind} {text}, ptr {w.let(f'getelementptr i64, ptr {words}, i64 {place}')}")
            lines.append(f"  %w{place} = getelementptr i64, ptr %words, i64 {place}")
            lines.append(f"  %a{place} = load {kind}, ptr %w{place}")
        given = ["i64 %from", "i64 %to", *(f"{kind} %a{i}" for i, (kind, _) in enumerate(self.arguments))]
        lines += [f"  %failed = call i1 @{self.name}({', '.join(given)})", "  ret i1 %failed", "}"]
        self.build.module.declare(task, "\n".join(lines))
        return call_shared(self.build, task, words, self.items, self.grain)
