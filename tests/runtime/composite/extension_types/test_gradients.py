"""Values of ExtensionTypes as what gradients are asked of: tapes, jacobians, custom gradients, tangents."""

from __future__ import annotations

from typing import Any

import runtime
from runtime.library.experimental import ExtensionType
from tests.runtime.composite.extension_types.test_in_functions import Point, both, numbers


def test_gradients_have_the_form_of_the_value() -> None:
    class Model(ExtensionType):
        weights: runtime.Tensor
        labels: runtime.Tensor
        name: str = "m"

    def slopes(model: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(model)
            loss = runtime.reduce_sum(model.weights**3)
        return tape.gradient(loss, model)

    found = both(slopes, Model([1.0, 2.0], ["a", "b"]))
    assert type(found) is Model and found.weights.numpy().tolist() == [3, 12]
    assert found.labels is None and found.name == "m"


def test_gradients_through_loops_and_of_targets() -> None:
    def slopes(p: Any, n: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(p)
            q = p
            for _ in runtime.range(n):
                q = Point(q.x * p.y, q.y)
        return tape.gradient(q, [p])

    found = both(slopes, Point(2.0, 3.0), runtime.constant(2))[0]  # of x * y**2 + y
    assert numbers(found) == [9, 13]
    with runtime.GradientTape(persistent=True) as tape:
        point = Point(1.0, 2.0)
        tape.watch(point)
        loss = point.x * 3.0
    assert tape.gradient(loss, Point(1.0, 1.0)) is None
    zeros = tape.gradient(loss, Point(1.0, 1.0), unconnected_gradients="zero")
    assert numbers(zeros) == [0, 0] and numbers(tape.jacobian(loss, point, "zero")) == [3, 0]


def test_custom_gradients_of_values() -> None:
    @runtime.custom_gradient
    def sum_of(p: Any) -> Any:
        return p.x + p.y, lambda upstream: Point(upstream * 10.0, upstream * 20.0)

    def slopes(p: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(p)
            loss = sum_of(p) * 2.0
        return tape.gradient(loss, p)

    assert numbers(both(slopes, Point(1.0, 2.0))) == [20, 40]


def test_forward_accumulators_take_tangents_of_values() -> None:
    point = Point(2.0, 3.0)
    with runtime.autodiff.ForwardAccumulator(point, Point(1.0, 0.0)) as accumulator:
        made = Point(point.x * point.y, point.x)
    assert numbers(accumulator.jvp(made)) == [3, 1]
