"""`try` around numbers: what raises in the body goes to the handler that takes it, instead of giving up.

    br i1 %zero, label %except3, label %ok4         ; DivisionByZeroError, which the first handler takes

Where something fails of which it is not known here what it raises, or which machine code only leaves to the plan, the
region gives up as it does outside of `try`. A handler reads what the body has read, so that nothing need be undone; but
arrays that the body has made would be left over, so it may make none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.operators.handlers import matches
from runtime.dtypes import variant
from runtime.engine.ranges import joined_ranges
from runtime.graph.nesting import Task, operations_within
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.control import lent, loaded
from runtime.native.rules import Refused, lowers
from runtime.native.slots import Slot
from runtime.native.values import NativeValue
from runtime.ops.flow.control import try_node
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.flow.exceptions import resolve_class

__all__: list[str] = []


@lowers(try_node)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Task:
    w, handlers = build.w, operation.attributes["handlers"]
    _check(operation)
    classes = [tuple(map(resolve_class, kinds)) for kinds in operation.attributes["classes"]]
    labels = [w.label("except") for _ in handlers]
    slots = [Slot(w, build.module.types.of(t)) for t in operation.outputs]
    end, all_ends = w.label("end"), list[list[NativeValue]]()

    def label_for(kind: type[BaseException]) -> str | None:
        return next((label for label, kinds in zip(labels, classes, strict=True) if matches(kind, kinds)), None)

    build.handlers.append(label_for)
    all_ends.append((yield build.graph(operation.attributes["body_graph"], list(map(lent, operands)))))
    build.handlers.pop()
    _close(build, slots, all_ends[-1], end)
    for label, handler in zip(labels, handlers, strict=True):
        w.block(label)
        all_ends.append((yield build.graph(handler, list(map(lent, operands)))))
        _close(build, slots, all_ends[-1], end)
    w.block(end)
    return loaded(w, slots, joined_ranges(operation, all_ends), True)


def _close(build: Build, slots: Sequence[Slot], ends: Sequence[NativeValue], end: str) -> None:
    for slot, value in zip(slots, ends, strict=True):
        slot.store(build.w, value)
    build.w.jump(end)


def _check(operation: Operation) -> None:
    """Raises Refused where the body or a handler makes arrays, or knows lists, whose errors are others."""
    for inner in operations_within([operation]):
        for tensor in inner.outputs:
            if tensor.dtype is variant or (tensor.shape.rank != 0 and inner.op not in (constant_node, placeholder)):
                raise Refused(operation, "there are arrays or lists made in it")
