"""What is made of several operations under TensorFlow's names: against numpy, eagerly and in graphs of unknown shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError, ShapeMismatchError

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], np.float32)
S = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)
T = np.array([[2.0, 1.0], [0.5, 3.0], [1.0, -1.0]], np.float64)
V = np.array([3, 1, 3, 3, 0], np.int32)
WORDS = np.array([b"b", b"a", b"b"], object)

ROWS: list[tuple[str, Callable[..., Any], Callable[..., Any], list[Any]]] = [
    ("meshgrid xy", lambda x, y: tf.meshgrid(x, y), np.meshgrid, [V, V[:2]]),
    ("meshgrid ij", lambda x, y, z: tf.meshgrid(x, y, z, indexing="ij"),
     lambda x, y, z: np.meshgrid(x, y, z, indexing="ij"), [V, V[:2], V[:3]]),
    ("meshgrid of one", lambda x: tf.meshgrid(x), lambda x: [x], [V]),
    ("sequence_mask", lambda n: tf.sequence_mask(n, 4), lambda n: np.arange(4) < n[:, None], [V]),
    ("sequence_mask to the longest", lambda n: tf.sequence_mask(n, dtype=tf.float32),
     lambda n: (np.arange(3) < n[:, None]).astype(np.float32), [V]),
    ("gather in batches", lambda x: tf.gather(x, [[2, 0], [1, 1]], batch_dims=1),
     lambda x: np.take_along_axis(x, np.array([[2, 0], [1, 1]]), 1), [A]),
    ("gather in batches, further on", lambda x: tf.gather(x, [[1], [0]], axis=2, batch_dims=1),
     lambda x: np.take_along_axis(x, np.array([1, 0])[:, None, None, None], 2), [np.arange(24.0).reshape(2, 3, 2, 2)]),
    ("gather with batch_dims from the end", lambda x: tf.gather(x, [[2, 0], [1, 1]], axis=-1, batch_dims=-1),
     lambda x: np.take_along_axis(x, np.array([[2, 0], [1, 1]]), 1), [A]),
    ("slice", lambda x: tf.slice(x, [0, 1], [-1, 2]), lambda x: x[:, 1:], [A]),
    ("strided_slice", lambda x: tf.strided_slice(x, [0, 0], [2, 3], [1, 2]), lambda x: x[:, ::2], [A]),
    ("strided_slice with masks", lambda x: tf.strided_slice(x, [1, 0, 0], [0, 2, 0], begin_mask=2, new_axis_mask=4,
                                                           shrink_axis_mask=1), lambda x: x[1, :2, None], [A]),
    ("strided_slice backwards", lambda x: tf.strided_slice(x, [4], [0], [-2], end_mask=1), lambda x: x[4::-2], [V]),
    ("strided_slice by tensors", lambda x, b: tf.strided_slice(x, b, b + 2), lambda x, b: x[b[0] : b[0] + 2],
     [V, np.array([1], np.int32)]),
    ("repeat one by one", lambda x: tf.repeat(x, [1, 0, 2, 1, 1]), lambda x: np.repeat(x, [1, 0, 2, 1, 1]), [V]),
    ("repeat along an axis", lambda x: tf.repeat(x, 2, axis=1), lambda x: np.repeat(x, 2, 1), [A]),
    ("repeat flat", lambda x: tf.repeat(x, 2), lambda x: np.repeat(x, 2), [A]),
    ("unique", lambda x: tf.unique(x), lambda x: [np.array([3, 1, 0]), np.array([0, 1, 0, 0, 2])], [V]),
    ("unique_with_counts", lambda x: tf.unique_with_counts(x, tf.int64),
     lambda x: [np.array([3, 1, 0]), np.array([0, 1, 0, 0, 2]), np.array([3, 1, 1])], [V]),
    ("unique of words", lambda x: tf.unique(x), lambda x: [np.array([b"b", b"a"], object), np.array([0, 1, 0])],
     [WORDS]),
    ("searchsorted", lambda x: tf.searchsorted([1.0, 3.0, 5.0], x), lambda x: np.searchsorted([1, 3, 5], x), [A[0]]),
    ("searchsorted in rows", lambda x: tf.searchsorted(x, x[:, 1:], side="right"),
     lambda x: np.array([[2, 3], [2, 3]]), [A]),
    ("invert_permutation", lambda x: tf.math.invert_permutation(x), np.argsort, [np.array([2, 0, 1], np.int32)]),
    ("shape_n", lambda x, y: tf.shape_n([x, y]), lambda x, y: [x.shape, y.shape], [A, V]),
    ("broadcast_dynamic_shape", lambda x: tf.broadcast_dynamic_shape(x, [2, 1]),
     lambda x: np.array([3, 2, 5]), [np.array([3, 1, 5], np.int32)]),
    ("clip_by_norm", lambda x: tf.clip_by_norm(x, 1.0), lambda x: x / np.linalg.norm(x), [A]),
    ("clip_by_norm of what is short", lambda x: tf.clip_by_norm(x, 100.0), lambda x: x, [A]),
    ("clip_by_norm by rows", lambda x: tf.clip_by_norm(x, 1.0, axes=[1]),
     lambda x: x / np.linalg.norm(x, axis=1, keepdims=True), [A]),
    ("clip_by_global_norm", lambda x, y: tf.clip_by_global_norm([x, None, y], 1.0)[0][::2],
     lambda x, y: [v / np.sqrt((x**2).sum() + (y**2).sum()) for v in (x, y)], [A, S]),
    ("bincount", tf.math.bincount, np.bincount, [V]),
    ("bincount within limits", lambda x: tf.math.bincount(x, minlength=2, maxlength=3), lambda x: [1, 1, 0], [V]),
    ("bincount of weights", lambda x, w: tf.math.bincount(x, w), np.bincount, [V, np.arange(5.0)]),
    ("bincount of rows", lambda x: tf.math.bincount(x, axis=-1), lambda x: [[0, 2, 0], [1, 0, 1]],
     [np.array([[1, 1], [0, 2]], np.int32)]),
    ("bincount of what occurs", lambda x: tf.math.bincount(x, binary_output=True), lambda x: [1, 1, 0, 1], [V]),
    ("bincount of nothing", tf.math.bincount, lambda x: [], [V[:0]]),
    ("confusion_matrix", lambda x: tf.math.confusion_matrix(x, x), lambda x: np.diag(np.bincount(x)), [V]),
    ("confusion_matrix of weights",
     lambda x, y: tf.math.confusion_matrix(x, y, 3, weights=[2.0, 3.0], dtype=tf.float32),
     lambda x, y: [[0, 2, 0], [0, 0, 0], [0, 0, 3]], [np.array([0, 2]), np.array([1, 2])]),
    ("histogram_fixed_width", lambda x: tf.histogram_fixed_width(x, [0.0, 5.0], 5), lambda x: [0, 1, 1, 1, 3], [A]),
    ("matvec", lambda x, y: tf.linalg.matvec(x, y), np.matmul, [A, A[0]]),
    ("matvec transposed", lambda x, y: tf.linalg.matvec(x, y, transpose_a=True), lambda x, y: x.T @ y, [S, S[0]]),
    ("cross", tf.linalg.cross, np.cross, [A, A[::-1].copy()]),
    ("matrix_transpose", tf.linalg.matrix_transpose, np.transpose, [A]),
    ("adjoint", tf.linalg.adjoint, lambda x: np.conj(x).T, [(A * (1 + 2j)).astype(np.complex64)]),
    ("set_diag", lambda x, d: tf.linalg.set_diag(x, d, k=1), lambda x, d: [[4, 9], [1, 3]], [S, np.float32([9])]),
    ("inv of the transpose", lambda x: tf.linalg.inv(x, adjoint=True), lambda x: np.linalg.inv(x.T), [T[:2]]),
    ("solve of the transpose", lambda x: tf.linalg.solve(x, x, adjoint=True), lambda x: np.linalg.solve(x.T, x),
     [T[:2]]),
    ("cholesky_solve", lambda x: tf.linalg.cholesky_solve(tf.linalg.cholesky(x), x), lambda x: np.eye(2), [S]),
    ("logdet", tf.linalg.logdet, lambda x: np.log(11), [S]),
    ("slogdet", tf.linalg.slogdet, lambda x: [-1, np.log(5.5)], [T[:2] * np.array([[-1.0], [1.0]])]),
    ("svd", lambda x: tf.linalg.svd(x, compute_uv=False), lambda x: np.linalg.svd(x, compute_uv=False), [A]),
    ("pinv", tf.linalg.pinv, np.linalg.pinv, [A]),
    ("pinv of a singular one", tf.linalg.pinv, np.linalg.pinv, [np.ones((3, 2))]),
    ("matrix_rank", tf.linalg.matrix_rank, np.linalg.matrix_rank, [np.ones((3, 2))]),
    ("normalize", lambda x: tf.linalg.normalize(x, axis=1)[0], lambda x: x / np.linalg.norm(x, axis=1)[:, None], [A]),
]  # fmt: skip


def compare(found: Any, wanted: Any) -> None:
    if isinstance(wanted, list) and any(isinstance(w, np.ndarray | tuple) for w in wanted):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            compare(one, other)
    elif np.asarray(wanted).dtype == object:
        assert np.asarray(found).tolist() == wanted.tolist()
    else:
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_values(row: Any) -> None:
    _, function, reference, arrays = row
    compare(function(*[tf.constant(a) for a in arrays]), reference(*arrays))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_values_in_a_graph_that_knows_no_sizes(row: Any) -> None:
    name, function, reference, arrays = row
    signature = [tf.TensorSpec([None] * a.ndim, tf.constant(a).dtype) for a in arrays]
    if name == "strided_slice by tensors":
        signature[1] = tf.TensorSpec([1], tf.int32)
    traced = tf.function(function, input_signature=signature, autograph=False)
    compare(traced(*[tf.constant(a) for a in arrays]), reference(*arrays))


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_least_squares(shape: tuple[int, int], weight: float) -> None:
    random = np.random.default_rng(0)
    a, b = random.normal(size=(2, *shape)), random.normal(size=(2, shape[0], 2))
    found = tf.linalg.lstsq(a, b, l2_regularizer=weight)
    turned = a.swapaxes(-1, -2)
    normal = turned @ a + weight * np.eye(shape[1])
    wanted = np.linalg.solve(normal, turned @ b) if weight else np.linalg.pinv(a) @ b
    compare(found, wanted)


@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 3)])
def test_full_factors_are_orthogonal_and_give_the_matrix_back(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(1).normal(size=(2, *shape))
    s, u, v = map(np.asarray, tf.linalg.svd(x, full_matrices=True))
    q, r = map(np.asarray, tf.linalg.qr(x, full_matrices=True))
    for factor in (u, v, q):
        compare(factor.swapaxes(-1, -2) @ factor, np.broadcast_to(np.eye(factor.shape[-1]), factor.shape))
    middle = np.zeros(x.shape)
    places = np.arange(min(shape))
    middle[:, places, places] = s
    compare(u @ middle @ v.swapaxes(-1, -2), x)
    compare(q @ r, x)


def test_static_shapes_are_refined() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def refined(x: Any) -> Any:
        x = tf.ensure_shape(x, [None, 3])
        assert x.shape.as_list() == [None, 3]
        return x

    assert refined(A).shape == (2, 3)
    with pytest.raises(ShapeMismatchError, match=r"\(2, 2\)"):
        refined(S)
    assert tf.broadcast_static_shape(tf.TensorShape([1, 3]), tf.TensorShape([2, 1])).as_list() == [2, 3]


REFUSED = [
    (lambda: tf.linalg.diag([1.0], k=(0, 1)), InvalidArgumentError, "one diagonal"),
    (lambda: tf.linalg.cross([1.0, 2.0], [1.0, 2.0]), InvalidArgumentError, "3 elements"),
    (lambda: tf.linalg.matrix_transpose([1.0]), InvalidArgumentError, "rank 2"),
    (lambda: tf.math.invert_permutation([0, 2]), InvalidArgumentError, "no permutation"),
    (lambda: tf.broadcast_dynamic_shape([2, 3], [4]), InvalidArgumentError, "do not fit"),
    (lambda: tf.math.bincount([1], weights=[1.0], binary_output=True), InvalidArgumentError, "weights"),
    (lambda: tf.math.bincount([-1]), InvalidArgumentError, "not negative"),
    (lambda: tf.math.confusion_matrix([0, 3], [0, 1], num_classes=2), InvalidArgumentError, r"\[3, 1\]"),
    (lambda: tf.strided_slice([1, 2], [0, 0], [1]), ShapeMismatchError, "2, end 1"),
    (lambda: tf.repeat([1, 2], [[1]]), ShapeMismatchError, r"\(1, 1\)"),
    (lambda: tf.gather([[1]], [[0]], axis=0, batch_dims=1), ShapeMismatchError, "batch_dims=1 and axis=0"),
    (lambda: tf.meshgrid([1], indexing="yx"), ValueError, "'yx'"),
    (lambda: tf.linalg.global_norm([None]), InvalidArgumentError, "no tensor"),
]


@pytest.mark.parametrize(("call", "error", "words"), REFUSED)
def test_what_does_not_fit_is_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_a_norm_that_is_infinite_makes_all_gradients_nan() -> None:
    (clipped,), length = tf.clip_by_global_norm([tf.constant([np.inf, 1.0])], 1.0)
    assert np.isnan(np.asarray(clipped)).all() and np.isinf(length)


CLIPPERS: list[Any] = [tf.clip_by_norm, lambda x, norm: tf.clip_by_global_norm([x, None], norm)[0][0]]


@pytest.mark.parametrize("clip", CLIPPERS)
def test_the_gradient_of_a_clipped_zero_is_finite(clip: Any) -> None:
    x = tf.zeros([3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = clip(x, 2.0)
    compare(tape.gradient(y, x), np.ones(3))


@pytest.mark.parametrize("clip", CLIPPERS)
@pytest.mark.parametrize("norm", [0.5, 50.0])
def test_gradients_of_what_is_clipped(clip: Any, norm: float) -> None:
    tf.autodiff.check_gradients(lambda x: tf.reduce_sum(clip(x, norm) * x), [[0.5, 1.2], [0.3, 0.8]], order=2)
