"""x[...] on tensors, eager and in a graph, against numpy's own indexing."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.interpreter import run_graph
from runtime.errors import InvalidArgumentError, OutOfRangeError

CUBE = np.arange(24).reshape(2, 3, 4)

ENTRIES = (0, -1, slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(5, 0, -2), np.newaxis, ...)


def keys() -> list[Any]:
    """All combinations of up to three entries, and a few special ones."""
    found = [k for n in (1, 2, 3) for k in itertools.product(ENTRIES, repeat=n)]
    found = [k for k in found if sum(1 for e in k if e is ...) <= 1]
    return [*found, (), (np.int64(1), slice(np.int32(0), 99)), (slice(-99, 99, 3),), (0, 0, 0), (slice(2, 1),)]


def test_eager_as_numpy_does() -> None:
    tensor = tf.constant(CUBE)
    for key in keys():
        wanted = CUBE[key]
        found = tensor[key]
        assert found.shape == wanted.shape, key
        assert np.array_equal(np.asarray(found), wanted), key
        assert found.dtype is tf.int64


@pytest.mark.parametrize("known", [[2, 3, 4], [None, 3, None], None])
def test_graph_as_numpy_does(known: Any) -> None:
    graph = tf.Graph("g")
    x = graph.placeholder(tf.int64, known, "x")
    chosen = keys()
    with graph.as_default():
        graph.outputs = [x[key] for key in chosen]
    for key, tensor, found in zip(chosen, graph.outputs, run_graph(graph, [CUBE]), strict=True):
        assert np.array_equal(found, CUBE[key]), key
        assert tensor.shape.is_compatible_with(CUBE[key].shape), key
        if known == [2, 3, 4]:
            assert tensor.shape == CUBE[key].shape, key


@pytest.mark.parametrize("i", [0, 1, -1, -2])
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.uint8])
def test_symbolic_scalars(i: int, dtype: tf.DType) -> None:
    if i < 0 and dtype.is_unsigned:
        i += 2
    graph = tf.Graph("g")
    x, at = graph.placeholder(tf.int64, [None, None, 4], "x"), graph.placeholder(dtype, [], "i")
    with graph.as_default():
        graph.outputs = [x[at], x[..., at], x[at:, 0, :at], x[:, at, None], x[::-1, at::2]]
    wanted = [CUBE[i], CUBE[..., i], CUBE[i:, 0, :i], CUBE[:, i, None], CUBE[::-1, i::2]]
    for found, value in zip(run_graph(graph, [CUBE, i]), wanted, strict=True):
        assert np.array_equal(found, value)


def test_eager_scalars() -> None:
    x = tf.constant(CUBE)
    i = tf.constant(1)
    assert np.array_equal(x[i, i : i + 1, ..., -i].numpy(), CUBE[1, 1:2, ..., -1])


def test_masks() -> None:
    x = tf.constant(CUBE)
    for mask in (CUBE > 11, CUBE[:, :, 0] > 5, np.array([True, False])):
        assert np.array_equal(x[tf.constant(mask)].numpy(), CUBE[mask])
        assert np.array_equal(x[mask].numpy(), CUBE[mask])
    assert np.array_equal(x[[True, False]].numpy(), CUBE[[True, False]])


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        (2, OutOfRangeError, ("2", "(2, 3, 4)")),
        (-3, OutOfRangeError, ("-3", "(2, 3, 4)")),
        ((0, slice(None), 4), OutOfRangeError, ("4", "(2, 3, 4)")),
        ((0, 0, 0, 0), InvalidArgumentError, ("too many", "(2, 3, 4)")),
        (slice(None, None, 0), InvalidArgumentError, ("step",)),
        ((..., 0, ...), InvalidArgumentError, ("ellipsis",)),
        ([0, 2], OutOfRangeError, ("2", "(2, 3, 4)")),
        (([0, 1], [0, 1, 2]), InvalidArgumentError, ("getitem",)),
        (np.array([0.5]), TypeError, ("positions", "float64")),
        (1.5, TypeError, ("1.5", "integer")),
        ("a", TypeError, ("'a'",)),
        (tf.constant(1.0), TypeError, ("float32",)),
        ((tf.constant([True]), 0), InvalidArgumentError, ("mask", "(1,)", "(2, 3, 4)")),
        (slice(None, 1.5), TypeError, ("slice bound", "1.5")),
    ],
)
def test_refused(key: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    for x in (tf.constant(CUBE), tf.Graph("g").placeholder(tf.int64, [2, 3, 4], "x")):
        recorder = tf.Graph("g") if not hasattr(x, "graph") else x.graph
        with pytest.raises(error) as caught, recorder.as_default():
            x[key]
        assert all(word in str(caught.value) for word in words), str(caught.value)


def test_out_of_range_at_run_time() -> None:
    graph = tf.Graph("g")
    x, i = graph.placeholder(tf.int64, [None], "x"), graph.placeholder(tf.int32, [], "i")
    with graph.as_default():
        graph.outputs = [x[i]]
    with pytest.raises(OutOfRangeError, match=r"\[3\] is out of range for the shape \(3,\)"):
        run_graph(graph, [[1, 2, 3], 3])


def test_an_out_of_range_index_ends_python_iteration() -> None:
    assert issubclass(OutOfRangeError, IndexError)


def test_strings() -> None:
    x = tf.constant([["a", "b\0"], ["c", "d"]])
    assert x[0, 1].numpy() == b"b\0"
    assert x[:, 0].numpy().tolist() == [b"a", b"c"]
