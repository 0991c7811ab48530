"""Gradients of the values of ragged tensors against differences; of ragged and sparse tensors as wholes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime
from tests.runtime.composite.ragged.rows import ragged


def numeric(function: Any, values: np.ndarray, splits: list[int]) -> np.ndarray:
    """Central differences with respect to the values."""
    result = np.zeros_like(values)
    for i in range(values.size):
        step = np.zeros(values.shape)
        step.flat[i] = 1e-6
        rows = [runtime.RaggedTensor.from_row_splits(v, splits) for v in (values + step, values - step)]
        ends = [float(function(row)) for row in rows]
        result.flat[i] = (ends[0] - ends[1]) / 2e-6
    return result


COLUMN = [[2.0], [3.0], [5.0]]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: runtime.reduce_sum(x * x),
        lambda x: runtime.reduce_sum(runtime.reduce_sum(x, axis=1) ** 3),
        lambda x: runtime.reduce_sum(runtime.exp(x) * runtime.constant(COLUMN, x.dtype)),
        lambda x: runtime.reduce_sum(runtime.reduce_max(x, axis=1)[0] * x.to_tensor(1.5) ** 2),
        lambda x: runtime.reduce_sum(runtime.concat([x, x * 2], axis=1)[:, ::2] ** 2),
        lambda x: runtime.reduce_sum(runtime.gather(x, [2, 0, 0]) ** 2),
        lambda x: runtime.reduce_sum(runtime.nn.softmax(x) ** 2),
        lambda x: runtime.reduce_sum(x[0] * 3) + runtime.reduce_sum(x[2] ** 2),
        lambda x: runtime.reduce_sum(runtime.math.reduce_variance(x, axis=1)[::2]),
        lambda x: runtime.reduce_sum(runtime.ragged.boolean_mask(x, x > 0.0) ** 2),
    ],
)
def test_gradients_of_values(function: Any) -> None:
    splits = [0, 3, 3, 5]
    values = np.array([0.5, -1.25, 2.0, 0.75, -0.5])
    wanted = numeric(function, values, splits)

    def gradient(v: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(v)
            y = function(runtime.RaggedTensor.from_row_splits(v, splits))
        return tape.gradient(y, v)

    for found in (gradient(runtime.constant(values)), runtime.function(gradient)(runtime.constant(values))):
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-5, atol=1e-7)


def test_gradients_of_ragged_and_sparse_tensors_as_wholes(recwarn: pytest.WarningsRecorder) -> None:
    rows, cells = runtime.ragged.constant([[1.0, 2.0], [], [3.0]]), runtime.sparse.from_dense([[0.0, 5.0], [6.0, 0.0]])
    numbers = ragged([[1], [2]])

    def gradients(x: Any, s: Any) -> Any:
        with runtime.GradientTape(persistent=True) as tape:
            tape.watch([x, s])
            y = x * x
            z = runtime.reduce_sum(y) * runtime.sparse.reduce_sum(s)
        return tape.gradient(y, x), tape.gradient(z, {"rows": [x], "cells": s}), tape.gradient(z, [x], z * 2.0)

    for call in (gradients, runtime.function(gradients)):
        of_rows, both, (scaled,) = call(rows, cells)
        assert of_rows.to_list() == [[2.0, 4.0], [], [6.0]]
        assert both["rows"][0].to_list() == [[22.0, 44.0], [], [66.0]]
        assert runtime.sparse.to_dense(both["cells"]).numpy().tolist() == [[0, 14], [14, 0]]
        assert scaled.to_list() == [[22.0 * 308, 44.0 * 308], [], [66.0 * 308]]
    with runtime.GradientTape(persistent=True) as tape:
        tape.watch([rows, numbers])
        y = runtime.constant(1.0) * 2.0
    assert tape.gradient(y, [rows, numbers]) == [None, None]
    zeros, nothing = tape.gradient(y, [rows, numbers], unconnected_gradients="zero")
    assert zeros.to_list() == [[0.0, 0.0], [], [0.0]] and nothing is None
    assert not [w for w in recwarn if "gradients are of floats" in str(w.message)]


def test_custom_gradients_of_ragged_tensors() -> None:
    rows = runtime.ragged.constant([[1.0, 2.0], [], [3.0]])

    @runtime.custom_gradient
    def scaled(x: Any) -> Any:
        return runtime.reduce_sum(x * 5.0), lambda upstream: [upstream * 7.0 * runtime.ones_like(x.flat_values), None]

    with runtime.GradientTape() as tape:
        tape.watch(rows)
        y = scaled(rows)
    assert y.numpy() == 30.0
    assert tape.gradient(y, rows).to_list() == [[7.0, 7.0], [], [7.0]]
