"""numpy's functions on tensors: the same operations as under the runtime's names, recorded where a graph is traced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.ops.record import REGISTRY
from runtime.tensor.numpy_functions import FUNCTIONS
from runtime.tensor.numpy_protocol import UFUNCS
from tests.runtime.interpreter import run_graph

CALLS: list[tuple[str, Any]] = [
    ("sum", lambda x: np.sum(x)), ("sum, axis", lambda x: np.sum(x, axis=0, keepdims=True)),
    ("prod", lambda x: np.prod(x, 1)), ("mean", lambda x: np.mean(x, axis=(0, 1))),
    ("max", lambda x: np.max(x, axis=-1)),
    ("min", lambda x: np.min(x)), ("all", lambda x: np.all(x > 0)), ("any", lambda x: np.any(x > 2, axis=0)),
    ("std", lambda x: np.std(x)), ("var", lambda x: np.var(x, axis=1)), ("count", lambda x: np.count_nonzero(x > 0)),
    ("argmax", lambda x: np.argmax(x)), ("argmax, axis", lambda x: np.argmax(x, axis=1)),
    ("argmin", lambda x: np.argmin(x, 0)), ("cumsum", lambda x: np.cumsum(x)),
    ("cumprod", lambda x: np.cumprod(x, axis=1)),
    ("reshape", lambda x: np.reshape(x, (3, -1))), ("ravel", lambda x: np.ravel(x)),
    ("transpose", lambda x: np.transpose(x)),
    ("expand_dims", lambda x: np.expand_dims(x, 0)), ("squeeze", lambda x: np.squeeze(x[:1])),
    ("broadcast_to", lambda x: np.broadcast_to(x, (2, 2, 3))), ("concatenate", lambda x: np.concatenate([x, x], 1)),
    ("stack", lambda x: np.stack([x, x], axis=-1)), ("where", lambda x: np.where(x > 0, x, 0)),
    ("clip", lambda x: np.clip(x, -1, 1)), ("zeros_like", lambda x: np.zeros_like(x)),
    ("ones_like", lambda x: np.ones_like(x, dtype=np.int32)), ("take", lambda x: np.take(x, [2, 0], axis=1)),
    ("take, flat", lambda x: np.take(x, [4, 0])), ("flip", lambda x: np.flip(x)),
    ("flip, axis", lambda x: np.flip(x, 1)),
    ("roll", lambda x: np.roll(x, 1, axis=1)), ("sort", lambda x: np.sort(x)), ("round", lambda x: np.round(x)),
    ("dot", lambda x: np.dot(x, x[0])), ("dot, matrices", lambda x: np.dot(x, np.transpose(x))),
    ("tensordot", lambda x: np.tensordot(x, x, 2)), ("einsum", lambda x: np.einsum("ij,kj->ik", x, x)),
    ("norm", lambda x: np.linalg.norm(x)), ("norm, axis", lambda x: np.linalg.norm(x, axis=1, keepdims=True)),
]  # fmt: skip

VALUE = np.array([[-1.5, 2.0, 0.25], [3.0, -0.5, 1.0]], np.float32)


@pytest.mark.parametrize("call", [pytest.param(call, id=name) for name, call in CALLS])
def test_functions(call: Any) -> None:
    wanted = call(VALUE)
    eager = call(tf.constant(VALUE))
    assert isinstance(eager, tf.Tensor)
    np.testing.assert_allclose(np.asarray(eager), wanted, rtol=1e-6)
    graph = tf.Graph("g")
    x = graph.placeholder(tf.float32, [2, 3], "x")
    with graph.as_default():
        graph.outputs = [call(x)]
    np.testing.assert_allclose(run_graph(graph, [VALUE])[0], wanted, rtol=1e-6)


def test_every_function_in_the_table_is_called_here() -> None:
    called: set[Any] = set()

    class Spy(np.ndarray):
        def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            called.add(func)
            return super().__array_function__(func, types, args, kwargs)

    for _, call in CALLS:
        call(VALUE.view(Spy))
    assert set(FUNCTIONS) <= called


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda u: u.__name__)
def test_ufuncs(ufunc: np.ufunc) -> None:
    op = REGISTRY[UFUNCS[ufunc]]
    dtype = next(d for d in (tf.float32, tf.bool, tf.int32) if all(d in g.allowed for g in op.groups))
    value = np.full((2, 2), 0.5 if dtype is tf.float32 else 1, dtype.numpy)
    operands = [value] * ufunc.nin
    with np.errstate(all="ignore"):
        wanted = ufunc(*operands)
    np.testing.assert_allclose(np.asarray(ufunc(*map(tf.constant, operands))), wanted, rtol=1e-6)
    graph = tf.Graph("g")
    x = graph.placeholder(dtype, [2, 2], "x")
    with graph.as_default():
        graph.outputs = [ufunc(*[x] * ufunc.nin)]
    assert graph.outputs[0].op.type == op.name
    np.testing.assert_allclose(run_graph(graph, [value])[0], wanted, rtol=1e-6)


def test_dtypes_are_those_of_the_operations() -> None:
    x = tf.constant([1, 2])
    assert np.sum(x).dtype is tf.int32 and np.mean(x).dtype is tf.int32 and np.cumsum(x).dtype is tf.int32


@pytest.mark.parametrize(
    "call", [lambda x: np.hypot(x, x), lambda x: np.median(x), lambda x: np.sum(x, dtype=np.float64), np.unique]
)  # fmt: skip
def test_what_no_operation_covers(call: Any) -> None:
    """Runs on the value of an eager tensor; on a symbolic one it is refused, so that nothing is baked into a graph."""
    np.testing.assert_allclose(np.asarray(call(tf.constant(VALUE))), call(VALUE))
    graph = tf.Graph("g")
    x = graph.placeholder(tf.float32, [2, 3], "x")
    with graph.as_default(), pytest.raises(TypeError, match="cannot be recorded for the symbolic tensor"):
        call(x)


def test_an_array_that_is_added_to_stays_an_array() -> None:
    array = np.ones(2, np.float32)
    same = array
    array += tf.constant([1.0, 2.0])
    assert array is same and array.tolist() == [2.0, 3.0]
    with pytest.raises(ValueError, match="read-only"):
        np.add(array, array, out=tf.constant([1.0, 2.0]))
