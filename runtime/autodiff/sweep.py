"""The reverse sweep: from the gradients of some tensors to those of what they were made of, over recorded operations.

    sweep(records, [(y, upstream)], [x])        # [the gradient of x, or None]

Each operation is visited once, in the reverse order of the program, so that all that depends on its results has been
before; the gradients that meet at one tensor are summed once. Operations between no source and the targets are passed
over. Nothing recurses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any

from runtime.autodiff.rules import Recorded, carries, pull
from runtime.context import current_recorder
from runtime.dtypes import variant
from runtime.ops.records.gradients import ops
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Sums", "reached", "sweep", "total"]

Key = Callable[[Any], int]


def total(gradients: Sequence[Any]) -> Any:
    """The sum of the gradients that meet at one tensor."""
    if len(gradients) == 1:
        return gradients[0]
    if gradients[0].dtype is variant:
        return ops.list_sum(list(gradients))
    parts = [gradient for gradient in gradients if _is_part(gradient)]
    if parts:
        rest = [gradient for gradient in gradients if not _is_part(gradient)] or [parts.pop(0)]
        return _with_parts(total(rest), parts)
    return ops.add_n(list(gradients)) if len(gradients) > 2 else ops.add(*gradients)


def _is_part(gradient: Any) -> bool:
    """Whether it is zero but for some elements, as those of `x[i]`, `gather` and masks are."""
    if not isinstance(gradient, SymbolicTensor) or gradient.op.type != "add_item":
        return False
    return gradient.op.inputs[0].op.op.facts.zeros


def _with_parts(whole: Any, parts: Sequence[SymbolicTensor]) -> Any:
    """The sum, in which a part costs as much as it has elements: x[i] in a loop would cost its iterations squared."""
    for part in parts:
        _, value, *indices = part.op.inputs
        whole = ops.add_item(whole, value, list(indices), spec=part.op.attributes["spec"])
    return whole


class Sums:
    """The gradients found so far, by the key of the tensor."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self._parts: dict[int, list[Any]] = {}

    def add(self, value: Any, gradient: Any) -> None:
        """One more gradient of a tensor."""
        self._parts.setdefault(self.key(value), []).append(gradient)

    def __contains__(self, value: Any) -> bool:
        return self.key(value) in self._parts

    def total(self, value: Any) -> Any:
        """The sum for a tensor, None if there is no gradient."""
        parts = self._parts.get(self.key(value))
        if parts is None:
            return None
        if len(parts) > 1:
            parts[:] = [total(parts)]
        return parts[0]

    def drop(self, value: Any) -> None:
        """The sum of this tensor is not needed any more."""
        self._parts.pop(self.key(value), None)


def reached(records: Iterable[Recorded], sources: Iterable[int], key: Key = id) -> set[int]:
    """The keys of all that depends on the sources (keys, too), as far as gradients flow."""
    found = set(sources)
    for record in records:
        if record.op.no_gradient is None and any(key(t) in found for t in record.inputs):
            found.update(key(t) for t in record.outputs if carries(t))
    return found


def _reading_old() -> contextlib.AbstractContextManager[None]:
    recorder: Any = current_recorder()
    return contextlib.nullcontext() if recorder is None else recorder.recording.tracing.writes.reading_old()


def sweep(
    records: Sequence[Recorded],
    targets: Iterable[tuple[Any, Any]],
    sources: Sequence[Any],
    key: Key = id,
    known: Set[int] | None = None,
) -> list[Any]:
    """The gradients of the sources, None where no target depends on it.

    records: in the order of the program. targets: pairs of a tensor and its upstream gradient. key: of a tensor, or the
    memory of a Variable, what identifies it. known: what depends on the sources, if the caller knows that already.
    """
    keys = {key(s) for s in sources}
    found = reached(records, keys, key) if known is None else known
    sums = Sums(key)
    for target, upstream in targets:
        if key(target) in found:
            sums.add(target, upstream)
    for record in reversed(records):
        outputs = record.outputs
        if not any(t in sums for t in outputs):
            continue
        needed = tuple([key(t) in found and carries(t) for t in record.inputs])
        upstreams = [sums.total(t) if carries(t) else None for t in outputs]
        for tensor in outputs:
            if key(tensor) not in keys:
                sums.drop(tensor)
        if not any(needed):
            continue
        inputs = record.inputs  # saving what is needed may give the operation more of them
        with _reading_old():
            gradients = pull(record, upstreams, needed)
        for tensor, gradient, wanted in zip(inputs, gradients, needed, strict=True):
            if wanted and gradient is not None:
                sums.add(tensor, gradient)
    return [sums.total(s) for s in sources]
