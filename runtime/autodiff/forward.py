"""`ForwardAccumulator`: derivatives along a direction, from the inputs onwards (Jacobian-vector products).

    with runtime.autodiff.ForwardAccumulator(x, direction) as accumulator:
        y = f(x)
    accumulator.jvp(y)               # the derivative of y as x moves along direction

It is made of two sweeps backwards: the gradients of y for an upstream u are linear in u, so that their gradient by u,
with the direction as upstream, is the derivative along it. So each operation that has a gradient serves, in graphs and
Functions too; a derivative costs about twice a gradient, whatever the number of inputs.
"""

from __future__ import annotations

import contextlib
from typing import Any

from runtime import structures as nest
from runtime.autodiff.rules import carries
from runtime.autodiff.tape import GradientTape, UnconnectedGradients
from runtime.ops.records.gradients import ops
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["ForwardAccumulator"]


class ForwardAccumulator:
    """See the module's docstring. primals: tensors, Variables, or a structure of them; tangents: a structure like it,
    the directions, of the same shapes and dtypes. Raises ValueError where they do not correspond.
    """

    __ag_do_not_convert__ = True

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._primals = nest.flatten(primals)
        flat = nest.flatten(tangents)
        if len(flat) != len(self._primals):
            raise ValueError(f"ForwardAccumulator: {len(self._primals)} primals, and {len(flat)} tangents")
        self._tangents = []
        for primal, tangent in zip(self._primals, flat, strict=True):
            if not isinstance(primal, Tensor | Variable) or not carries(primal):
                raise ValueError(f"ForwardAccumulator: a primal is a tensor or Variable of floats; got {primal!r}")
            direction = convert_to_tensor(tangent, primal.dtype)
            if not direction.shape.is_compatible_with(primal.shape):
                raise ValueError(
                    f"ForwardAccumulator: a tangent of shape {direction.shape} for a primal of shape {primal.shape}"
                )
            self._tangents.append(direction)
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self._tape.records_itself = False
        self._open = False

    def __enter__(self) -> ForwardAccumulator:
        self._tape.__enter__()
        self._tape.watch(self._primals)
        self._open = True
        return self

    def __exit__(self, *error: object) -> None:
        self._open = False
        self._tape.__exit__(*error)

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The derivative of each of `primals` (tensors that were computed inside) along the direction, in their
        structure; None, or zeros, for what does not depend on it."""
        unconnected = UnconnectedGradients(unconnected_gradients)
        pause = self._tape.paused() if self._open else contextlib.nullcontext()
        with pause:
            found = [self._along(t) for t in nest.flatten(primals)]
        if unconnected is UnconnectedGradients.ZERO:
            pairs = zip(nest.flatten(primals), found, strict=True)
            found = [ops.zeros_like(convert_to_tensor(t)) if d is None else d for t, d in pairs]
        return nest.pack_sequence_as(primals, found)

    def _along(self, target: Any) -> Any:
        upstream = ops.ones_like(convert_to_tensor(target))
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(upstream)
            gradients = self._tape.gradient(target, self._primals, output_gradients=[upstream])
        pairs = [(g, t) for g, t in zip(gradients, self._tangents, strict=True) if g is not None]
        if not pairs:
            return None
        return tape.gradient([g for g, _ in pairs], upstream, output_gradients=[t for _, t in pairs])
