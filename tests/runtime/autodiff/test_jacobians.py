"""Jacobians with all rows at once: the same as row by row, which operations can do it, and tapes around them."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph import set_loop_options
from runtime.autodiff import rows

random = np.random.default_rng(7)
X, B, M = (tf.constant(random.uniform(0.1, 1.0, shape)) for shape in (6, (3, 6), (6, 6)))
IMAGE = tf.constant(random.uniform(0.1, 1.0, (2, 4, 4, 2)))
W = tf.Variable(random.uniform(0.1, 1.0, (6, 5)))
FILTERS = tf.constant(random.uniform(0.1, 1.0, (2, 2, 2, 3)))


def branched(x):
    return x * x if tf.reduce_sum(x) > 0.0 else x


def looped(x):
    for i in tf.range(3):
        if tf.reduce_sum(x) > 3.0:
            x = x * x[0] + tf.sin(x)
        else:
            x = tf.cos(x) * x[i]
        while x[0] < 0.3:
            x = x * 1.5
    return x


def in_an_array(x):
    made = tf.TensorArray(tf.float64, size=3)
    for i in tf.range(3):
        made = made.write(i, x * tf.cast(i + 1, tf.float64))
        x = tf.sin(x) * x[i]
    return made.stack()


def in_a_list(x):
    made = [x]
    for i in tf.range(4):
        made.append(x[i] * x)
        made[0] = made[0] * made[-1]
    return tf.stack(made)


def power(x, n):
    if n < 1:
        return x
    return x[::-1] * power(tf.sin(x), n - 1)


def tried(x):
    try:
        if tf.reduce_sum(x) > 100.0:
            raise ValueError("large")
        y = x * x
    except ValueError:
        y = x
    return y * x


def by_a_variable(x):
    for _ in tf.range(3):
        x = tf.tanh(tf.linalg.matvec(tf.transpose(W), x) * tf.reduce_sum(x))
        x = tf.concat([x, x[:1]], 0)
    return x


def checkpointed(x):
    for _ in tf.range(5):
        set_loop_options(checkpoint_every=2)
        x = tf.sin(x) + x[0]
    return x


@tf.recompute_grad
def computed_again(x):
    return tf.tanh(x) * x


@tf.custom_gradient
def scaled(x):
    return x * 2.0, lambda upstream: upstream * 5.0


AT_ONCE = {
    "elements": (lambda x: tf.sin(x) * x**2 + tf.add_n([x, x * x, x]), X),
    "sums": (lambda x: x * tf.reduce_sum(x) / tf.norm(x), X),
    "softmax": (lambda x: tf.nn.log_softmax(tf.nn.softmax(x)), B),
    "perceptron": (lambda x: tf.nn.softmax(tf.matmul(tf.nn.relu(tf.matmul(x, M) + x), W)), B),
    "vectors": (lambda x: tf.linalg.matvec(M, x), X),
    "layer norm": (lambda x: (x - tf.reduce_mean(x, -1, keepdims=True)) / tf.math.reduce_std(x, -1, keepdims=True), B),
    "items": (lambda x: tf.stack([x[0] * x[1], x[2] ** 3, x[5]]) * x[::-2], X),
    "gather": (lambda x: tf.gather(x, [0, 2, 2]) * tf.gather(x, [1, 1, 3]), X),
    "columns": (lambda x: tf.gather(x, [0, 2, 2], axis=1) + tf.gather_nd(x, [[0, 1], [2, 3], [0, 1]])[:, None], B),
    "moves": (lambda x: tf.reverse(tf.roll(tf.pad(x, [[1, 2]]), 2, 0), [0]) * tf.tile(tf.pad(x, [[0, 3]]), [1]), X),
    "tiles": (lambda x: tf.tile(x, [2, 1]) * tf.concat([x, x * x], 0), B),
    "sorted": (lambda x: tf.sort(x) * tf.math.top_k(x, 6).values, X),
    "scatter": (lambda x: tf.tensor_scatter_nd_add(x, [[0], [1]], x[:2]) * tf.math.segment_sum(x, [0, 0, 1, 1, 2, 5]),
                X),
    "letters": (lambda x: tf.einsum("ij,jk->ik", x, M) * tf.einsum("ij->i", x)[:, None], B),
    "matrices": (lambda x: tf.linalg.inv(x) + tf.linalg.diag(tf.linalg.diag_part(x)) * tf.linalg.det(x), M),
    "factors": (lambda x: tf.linalg.cholesky(tf.matmul(x, x, transpose_b=True) + tf.eye(6, dtype=tf.float64)), M),
    "solutions": (lambda x: tf.linalg.solve(M, x[:, None]), X),
    "images": (lambda x: tf.nn.max_pool2d(tf.nn.conv2d(x, FILTERS, 1, "SAME"), 2, 2, "VALID"), IMAGE),
    "a Function": (tf.function(lambda x: tf.tanh(x * x) * tf.reduce_sum(x)), X),
    "a Variable": (tf.function(lambda x: tf.linalg.matvec(tf.transpose(W), x) * tf.reduce_sum(W)), X),
    "complex": (lambda x: tf.abs(tf.complex(x, x * x)), X),
    "running products": (tf.math.cumprod, X),
    "filters": (lambda x: tf.nn.conv2d(IMAGE, x, 1, "SAME"), FILTERS),
    "filters in groups": (lambda x: tf.nn.depthwise_conv2d(IMAGE, x, [1, 1, 1, 1], "SAME"), FILTERS),
    "an array": (tf.function(in_an_array), X),
    "a branch": (tf.function(branched), X),
    "a loop": (tf.function(looped), X),
    "a loop by a Variable": (tf.function(by_a_variable), X),
    "a list": (tf.function(in_a_list), X),
    "a try": (tf.function(tried), X),
    "a switch": (tf.function(lambda x: tf.switch_case(tf.cast(x[0] * 3, tf.int32), [lambda: x * x, lambda: tf.sin(x)])),
                 X),
    "folds": (tf.function(lambda x: tf.scan(lambda s, r: s * r + tf.sin(s), x) * tf.foldr(lambda s, r: s * r, x)), X),
    "a map": (tf.function(lambda x: tf.map_fn(lambda r: r * r * x[0], x)), X),
    "all rows": (tf.function(lambda x: tf.vectorized_map(lambda r: tf.sqrt(r) * x if r > 0.5 else x, x)), X),
    "checkpoints": (tf.function(checkpointed), X),
}
ONE_BY_ONE = {
    "a custom gradient": (lambda x: scaled(x) * x, X),
    "code of Python": (lambda x: tf.py_function(lambda x: x * x, [x], tf.float64), X),
}
IN_GRAPHS = {
    "recursion": (tf.function(lambda x: power(x, tf.constant(3))), X),
    "what is computed again": (computed_again, X),
}
"""At once in a graph; eagerly row by row."""


def jacobians(f, x, at_once):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, [x, W], experimental_use_pfor=at_once, unconnected_gradients="zero")


def refused(*args):
    raise AssertionError("row by row")


def compare(f, x, staged, monkeypatch, loops):
    wanted = jacobians(f, x, False)
    monkeypatch.setattr(rows, "FEW", 0)
    if not loops:
        monkeypatch.setattr(rows, "_one_by_one", refused)
    found = tf.function(lambda x: jacobians(f, x, True))(x) if staged else jacobians(f, x, True)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
        assert a.shape == b.shape


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("name", AT_ONCE)
def test_rows_at_once_are_those_one_by_one(name, staged, monkeypatch):
    f, x = AT_ONCE[name]
    compare(f, x, staged, monkeypatch, loops=False)


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("name", ONE_BY_ONE | IN_GRAPHS)
def test_what_is_done_row_by_row(name, staged, monkeypatch):
    f, x = (ONE_BY_ONE | IN_GRAPHS)[name]
    compare(f, x, staged, monkeypatch, loops=name in ONE_BY_ONE or not staged)


def test_a_jacobian_of_a_loop_has_one_loop_back():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = looped(x)
        return tape.jacobian(y, x)

    loops = [o for o in f.lower(X).optimized_graph.operations if o.type == "while"]
    assert len(loops) == 2 and (6, 6) in [t.shape for t in loops[1].outputs]


def test_batches_through_loops_of_unknown_shapes():
    def f(x):
        return tf.function(looped)(x) * tf.reduce_sum(x, -1, keepdims=True)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float64)])
    def found(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.map_fn(f, x)
        return tape.batch_jacobian(y, x)

    for example, made in zip(B, found(B), strict=True):
        np.testing.assert_allclose(made, jacobians(f, example, False)[0], rtol=1e-9)


def test_shapes_of_the_run():
    def f(x):
        return tf.sin(x) * tf.reduce_sum(x)

    for shape in ([None], None):
        staged = tf.function(lambda x: jacobians(f, x, True)[0], input_signature=[tf.TensorSpec(shape, tf.float64)])
        np.testing.assert_allclose(staged(X), jacobians(f, X, False)[0])
        assert staged(X[:0]).shape == (0, 0)


def test_batches():
    def f(x):
        return tf.nn.softmax(tf.matmul(x, W))

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(B)
        y = f(B)
    found = [tape.batch_jacobian(y, B, experimental_use_pfor=at_once).numpy() for at_once in (False, True)]
    np.testing.assert_allclose(found[0], found[1])
    whole = tape.jacobian(y, B).numpy()
    np.testing.assert_allclose(found[1], whole[range(3), :, range(3)])


@pytest.mark.parametrize("wrapped", [lambda f: f, tf.function])
@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize("outer", [False, True])
def test_jacobians_of_jacobians(wrapped, inner, outer):
    f = wrapped(lambda x: tf.tanh(x * x) * tf.reduce_sum(x))
    with tf.GradientTape() as second:
        second.watch(X)
        with tf.GradientTape() as first:
            first.watch(X)
            y = f(X)
        j = first.jacobian(y, X, experimental_use_pfor=inner)
    found = second.jacobian(j, X, experimental_use_pfor=outer)
    x, h = X.numpy(), np.tanh(X.numpy() ** 2)
    d = 2 * x * (1 - h**2)
    dd = 2 * (1 - h**2) - 4 * x * h * d
    np.testing.assert_allclose(np.einsum("iii->i", found), dd * x.sum() + 2 * d)
    np.testing.assert_allclose(np.einsum("iij->ij", found) - np.diag(dd * x.sum() + d), np.outer(d, np.ones(6)))


def test_jacobians_of_jacobians_by_variables():
    v = tf.Variable([0.5, 0.7, 0.2, 0.9, 0.1])
    with tf.GradientTape() as second:
        with tf.GradientTape() as first:
            y = v**3 * v[0]
        j = first.jacobian(y, v)
    np.testing.assert_allclose(second.jacobian(j, v)[1, 1], [3 * 0.49, 6 * 0.7 * 0.5, 0, 0, 0], rtol=1e-5)
