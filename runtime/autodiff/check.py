"""`check_gradients`: gradients of a function against differences of its values.

>>> runtime.autodiff.check_gradients(lambda x: tf.reduce_sum(tf.sin(x) * x), [0.3, 1.2], order=2)

It says nothing where they agree, and raises AssertionError, with the argument and the element, where they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.autodiff.rules import carries
from runtime.autodiff.tape import GradientTape
from runtime.dtypes import bfloat16, float64
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.tensor import Tensor

__all__ = ["check_gradients"]

WEIGHTS = 7919
"""The seed of the weights by which results are summed: fixed, so that a failure can be repeated."""


def check_gradients(
    fn: Callable[..., Any],
    *args: Any,
    order: int = 2,
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
) -> None:
    """Compares the gradients of `fn(*args)` with central differences, and with order=2 those of the gradients.

    fn: a function of tensors (or a Function) that returns a tensor of floats or a structure of them. args: tensors;
    Python's floats and lists of them become float64. It is called twice for each element of each float argument. step:
    of the differences; rtol, atol: what may differ; all by default from the precision of the arguments.
    """
    if order not in (1, 2):
        raise ValueError(f"check_gradients: order is 1 or 2; got {order!r}")
    tensors = [_as_argument(a) for a in args]
    places = [i for i, t in enumerate(tensors) if carries(t)]
    if not places:
        raise ValueError("check_gradients: no argument is a float tensor")
    if any(tensors[i].dtype is bfloat16 for i in places):
        raise ValueError("check_gradients: differences of bfloat16 values tell nothing; give it arguments of float64")
    precise = all(tensors[i].dtype.size >= 8 for i in places)
    step = step or (1e-5 if precise else 1e-2)
    rtol, atol = rtol or (1e-5 if precise else 2e-2), atol or (1e-6 if precise else 2e-2)

    def value(given: Sequence[Any]) -> Any:
        return _weighted(fn(*given))

    def slopes(given: Sequence[Any]) -> list[Any]:
        floats = [given[i] for i in places]
        with GradientTape() as tape:
            tape.watch(floats)
            total = value(given)
        return tape.gradient(total, floats, unconnected_gradients="zero")

    _compare("gradient", value, slopes, tensors, places, step, rtol, atol)
    if order == 2:
        def steepness(given: Sequence[Any]) -> Any:
            return _weighted(slopes(given))

        def curvature(given: Sequence[Any]) -> list[Any]:
            floats = [given[i] for i in places]
            with GradientTape() as tape:
                tape.watch(floats)
                total = steepness(given)
            return tape.gradient(total, floats, unconnected_gradients="zero")

        _compare("gradient of the gradient", steepness, curvature, tensors, places, step, rtol, atol)


def _as_argument(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    tensor: Tensor = convert_to_tensor(value)
    if tensor.dtype.is_floating and not isinstance(value, np.ndarray | np.generic):
        tensor = convert_to_tensor(value, float64)
    return tensor


def _weighted(result: Any) -> Any:
    """The elements of all results, each times a weight of its own, summed: no two errors cancel."""
    random = np.random.default_rng(WEIGHTS)
    parts = []
    for part in nest.flatten(result):
        tensor = convert_to_tensor(part)
        if not carries(tensor):
            continue
        weights = random.uniform(0.5, 1.5, tensor.shape.as_tuple())
        parts.append(ops.reduce_sum(tensor * convert_to_tensor(weights.astype(tensor.dtype.numpy))))
    if not parts:
        raise ValueError("check_gradients: the function returned no float tensor")
    return ops.add_n(parts)


def _compare(
    what: str, value: Any, slopes: Any, tensors: list[Any], places: list[int], step: float, rtol: float, atol: float
) -> None:
    for found, place in zip(slopes(tensors), places, strict=True):
        array: Array = np.array(tensors[place])
        for index in np.ndindex(array.shape):
            ends = []
            for sign in (1, -1):
                moved = array.copy()
                moved[index] += sign * step
                given = [*tensors[:place], EagerTensor(moved), *tensors[place + 1 :]]
                ends.append(complex(np.asarray(value(given))).real)
            wanted = (ends[0] - ends[1]) / (2 * step)
            got = complex(np.asarray(found)[index]).real
            near = abs(got - wanted) <= atol + rtol * max(abs(wanted), abs(got))
            if not near and not (np.isnan(got) and np.isnan(wanted)):
                raise AssertionError(
                    f"check_gradients: the {what} by argument {place} at {list(index)} is {got:.9g}, but differences of"
                    f" values give {wanted:.9g} (step {step:g})"
                )
