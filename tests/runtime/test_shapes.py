"""Static shapes: `TensorShape` itself, broadcasting, and the shapes that graphs know before they run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OutOfRangeError, ShapeMismatchError
from runtime.shapes import broadcast_shapes

Shape = tf.TensorShape


def test_printing() -> None:
    assert repr(Shape([2, None])) == "TensorShape([2, None])"
    assert repr(Shape(None)) == "TensorShape(None)"
    assert [str(Shape(d)) for d in (None, [], [3], [2, None])] == ["<unknown>", "()", "(3,)", "(2, None)"]


def test_looking_at_a_shape() -> None:
    shape = Shape([2, None, 4])
    assert (shape.rank, len(shape), shape[0], shape[1], shape[-1]) == (3, 3, 2, None, 4)
    assert shape.as_list() == [2, None, 4] == list(shape)
    assert shape[1:] == Shape([None, 4])
    assert shape == [2, None, 4] and shape == (2, None, 4) and shape != [2, 4]
    assert not shape.is_fully_defined() and Shape([2]).is_fully_defined()
    assert Shape([2, 3]).num_elements() == 6 and shape.num_elements() is None
    assert Shape(None).rank is None and not Shape(None)


@pytest.mark.parametrize("call", [lambda: len(Shape(None)), lambda: list(Shape(None)), lambda: Shape(None).as_list()])
def test_unknown_rank_is_refused(call: Any) -> None:
    with pytest.raises(ValueError, match="unknown rank"):
        call()


@pytest.mark.parametrize(
    ("dims", "error"), [([-1], ValueError), ("ab", TypeError), ([1.5], TypeError), ([True], TypeError)]
)
def test_bad_dimensions(dims: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Shape(dims)


def test_relations() -> None:
    assert Shape([2, None]).is_compatible_with([None, 3])
    assert not Shape([2, None]).is_compatible_with([3, 3])
    assert Shape([2, 3]).is_subtype_of([2, None]) and not Shape([2, None]).is_subtype_of([2, 3])
    assert Shape([2, None]).merge_with([None, 3]) == [2, 3]
    assert Shape([2, 3]).relax_with([2, 4]) == [2, None]
    assert Shape([2, 3]).relax_with([2]).rank is None
    assert Shape([2]) + [3] == [2, 3] and [1] + Shape([2]) == [1, 2]
    with pytest.raises(ValueError, match="incompatible"):
        Shape([2]).merge_with([3])


@pytest.mark.parametrize(
    ("shapes", "wanted"),
    [
        (([2, 1], [3]), [2, 3]), (([None], [3]), [3]), (([None], [1]), [None]), (([None], [None]), [None]),
        (([2, None], [2, 1]), [2, None]), (([], [4]), [4]), (([0], [1]), [0]),
    ],
)  # fmt: skip
def test_broadcasting(shapes: Any, wanted: Any) -> None:
    assert broadcast_shapes(*map(Shape, shapes)) == wanted
    assert broadcast_shapes(*map(Shape, shapes[::-1])) == wanted


def test_broadcasting_with_unknown_rank() -> None:
    assert broadcast_shapes(Shape([2]), Shape(None)).rank is None


STATIC: list[tuple[str, Any, Any]] = [
    ("reshape to a list", lambda a, n: tf.reshape(a, [3, -1]), [3, None]),
    ("reshape to one dimension", lambda a, n: tf.reshape(a, [-1]), [None]),
    ("reshape with a computed dimension", lambda a, n: tf.reshape(a, [n, 3]), [None, 3]),
    ("reshape by a known part of a shape", lambda a, n: tf.reshape(tf.zeros([4, 3]), [tf.shape(a)[1], -1]), [3, 4]),
    ("reshape by an unknown part", lambda a, n: tf.reshape(tf.zeros([4, 3]), [tf.shape(a)[0], 6]), [None, 6]),
    ("zeros like a part of a shape", lambda a, n: tf.zeros(tf.concat([tf.shape(a)[1:], [2]], 0)), [3, 2]),
    ("broadcast to a shape", lambda a, n: tf.broadcast_to(0.0, tf.shape(a)), [None, 3]),
    ("transpose", lambda a, n: tf.transpose(a), [3, None]),
    ("reduce", lambda a, n: tf.reduce_sum(a, axis=0), [3]),
    ("reduce, keepdims", lambda a, n: tf.reduce_sum(a, axis=-1, keepdims=True), [None, 1]),
    ("reduce all", lambda a, n: tf.reduce_max(a), []),
    ("matmul", lambda a, n: tf.matmul(a, tf.zeros([3, 5])), [None, 5]),
    ("matmul, transposed", lambda a, n: tf.matmul(a, tf.zeros([5, 3]), transpose_b=True), [None, 5]),
    ("concat along the unknown axis", lambda a, n: tf.concat([a, tf.zeros([2, 3])], 0), [None, 3]),
    ("concat along the known axis", lambda a, n: tf.concat([a, tf.zeros([2, 3])], 1), [2, 6]),
    ("stack", lambda a, n: tf.stack([a, a], axis=1), [None, 2, 3]),
    ("unstack", lambda a, n: tf.unstack(a, axis=1)[2], [None]),
    ("split", lambda a, n: tf.split(a, [1, 2], axis=1)[1], [None, 2]),
    ("expand_dims", lambda a, n: tf.expand_dims(a, -1), [None, 3, 1]),
    ("tile", lambda a, n: tf.tile(a, [1, 2]), [None, 6]),
    ("gather", lambda a, n: tf.gather(a, [[0, 1]], axis=1), [None, 1, 2]),
    ("boolean_mask", lambda a, n: tf.boolean_mask(a, a[:, 0] > 0), [None, 3]),
    ("x[mask]", lambda a, n: a[a > 0], [None]),
    ("where", lambda a, n: tf.where(a > 0), [None, 2]),
    ("x[i]", lambda a, n: a[n], [3]),
    ("x[:, 0]", lambda a, n: a[:, 0], [None]),
    ("x[:, ::-1]", lambda a, n: a[:, ::-1], [None, 3]),
    ("x[:, 1:]", lambda a, n: a[:, 1:], [None, 2]),
    ("x[:, :n]", lambda a, n: a[:, :n], [None, None]),
    ("x[..., newaxis]", lambda a, n: a[..., tf.newaxis], [None, 3, 1]),
    ("x[..., 0]", lambda a, n: a[..., 0], [None]),
    ("range of constants", lambda a, n: tf.range(1, 10, 3), [3]),
    ("range of a tensor", lambda a, n: tf.range(n), [None]),
    ("zeros of a shape", lambda a, n: tf.zeros(tf.shape(tf.zeros([2, 3]))), [2, 3]),
    ("zeros of a partly known shape", lambda a, n: tf.zeros([n, 2]), [None, 2]),
    ("fill", lambda a, n: tf.fill([2, 2], n), [2, 2]),
    ("one_hot", lambda a, n: tf.one_hot([0, 1], 4), [2, 4]),
    ("top_k", lambda a, n: tf.nn.top_k(a, 2).values, [None, 2]),
    ("pad", lambda a, n: tf.pad(a, [[0, 0], [1, 2]]), [None, 6]),
    ("broadcast_to", lambda a, n: tf.broadcast_to(n, [2, 3]), [2, 3]),
    ("einsum", lambda a, n: tf.einsum("ij,kj->ik", a, tf.zeros([5, 3])), [None, 5]),
    ("tensordot", lambda a, n: tf.tensordot(a, tf.zeros([3, 4]), 1), [None, 4]),
    ("shape", lambda a, n: tf.shape(a), [2]),
    ("squeeze", lambda a, n: tf.squeeze(tf.zeros([1, 3, 1])), [3]),
    ("arithmetic", lambda a, n: a + tf.zeros([3]), [None, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), [pytest.param(c, w, id=text) for text, c, w in STATIC])
def test_static_shape(call: Any, wanted: Any) -> None:
    graph = tf.Graph("g")
    a, n = graph.placeholder(tf.float32, [None, 3], "a"), graph.placeholder(tf.int32, [], "n")
    with graph.as_default():
        assert call(a, n).shape.as_list() == wanted


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: a + tf.zeros([4]), ("(None, 3)", "(4,)")),
        (lambda a: tf.matmul(a, tf.zeros([4, 2])), ("(None, 3)", "inner")),
        (lambda a: tf.reshape(tf.zeros([2, 3]), [4, 2]), ("(2, 3)", "[4, 2]")),
        (lambda a: tf.concat([a, tf.zeros([2, 4])], 0), ("(None, 3)", "(2, 4)")),
        (lambda a: tf.reduce_sum(a, axis=2), ("axis 2", "(None, 3)")),
        (lambda a: a[0, 0, 0], ("too many", "(None, 3)")),
    ],
)  # fmt: skip
def test_wrong_static_shapes_fail_while_the_graph_is_built(call: Any, words: tuple[str, ...]) -> None:
    graph = tf.Graph("step")
    a = graph.placeholder(tf.float32, [None, 3], "a")
    with graph.as_default(), pytest.raises(ShapeMismatchError) as caught:
        call(a)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert any(__file__ in note and "step" in note for note in caught.value.__notes__)


def test_static_index_out_of_range() -> None:
    graph = tf.Graph("g")
    a = graph.placeholder(tf.float32, [None, 3], "a")
    with graph.as_default(), pytest.raises(OutOfRangeError, match="3 is out of range for axis 1"):
        a[:, 3]


def test_shape_values_are_known_where_the_static_shape_is() -> None:
    graph = tf.Graph("g")
    a = graph.placeholder(tf.float32, [4, 3], "a")
    with graph.as_default():
        assert tf.zeros([tf.shape(a)[0] * 2, 5]).shape.as_list() == [8, 5]
        assert tf.size(a).value == np.int32(12)
        assert tf.rank(a).value == np.int32(2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s([1, 2]).assert_is_compatible_with([1, 3]), r"\(1, 2\) and \(1, 3\) are incompatible"),
        (lambda s: s([1, 2]).assert_has_rank(3), r"\(1, 2\) must have rank 3"),
        (lambda s: s([1, 2]).with_rank(1), r"\(1, 2\) must have rank 1"),
        (lambda s: s([1, 2]).assert_same_rank(s([1])), r"\(1, 2\) and \(1,\) must have the same rank"),
        (lambda s: s([1, None]).assert_is_fully_defined(), r"\(1, None\) is not fully defined"),
        (lambda s: s(None).assert_is_fully_defined(), "is not fully defined"),
        (lambda s: s([1]).with_rank_at_least(2), r"\(1,\) must have rank 2 at least"),
        (lambda s: s([1, 2, 3]).with_rank_at_most(2), r"\(1, 2, 3\) must have rank 2 at most"),
    ],
)
def test_checks_of_shapes_show_them(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call(Shape)


def test_checks_that_hold_or_may_hold() -> None:
    unknown, known = Shape(None), Shape([1, 2])
    for shape in (unknown, known):
        shape.assert_is_compatible_with([1, None])
        shape.assert_has_rank(2)
        shape.assert_same_rank([5, 5])
        assert shape.with_rank_at_least(2) is shape.with_rank_at_most(2) is shape
    known.assert_is_fully_defined()
    assert known.with_rank(2) is known and unknown.with_rank(2).as_list() == [None, None]
