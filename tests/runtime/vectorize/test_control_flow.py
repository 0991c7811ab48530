"""vectorized_map of functions with branches, loops, lists and recursion: values and gradients as row by row."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf

random = np.random.default_rng(0)
X = tf.constant(random.uniform(-2, 2, (7, 4)))
S = tf.constant([0.0, 4.0, -1.0, 9.0, 0.25, 0.0, -3.0], tf.float64)
N = tf.constant([1, 6, 27, 0, 5, 9, 2])
SCALE = tf.constant([0.5, 1.0, 1.0, 0.9], tf.float64)
TABLE = tf.constant(random.uniform(-1, 1, (3, 5)))
W = tf.Variable([1.0, 2.0, 3.0, 4.0], dtype=tf.float64)


def collatz(n: Any) -> Any:
    steps = tf.constant(0)
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def halved(x: Any) -> Any:
    while tf.reduce_sum(tf.abs(x)) > 1.0:
        x = tf.sin(x) * 0.5 + x[0] * 0.1
    return x


def until_large(x: Any) -> Any:
    total = tf.constant(0.0, tf.float64)
    for i in tf.range(4):
        if x[i] > 1.0:
            break
        total += x[i] * x[i]
    return total


def early(x: Any) -> Any:
    for i in range(4):
        if x[i] > 1.2:
            return x * x
    return -x


def root(v: Any) -> Any:
    return tf.sqrt(v) if v > 0.0 else 0.0 * v


def logarithm(v: Any) -> Any:
    return tf.math.log(v) if v > 0.0 else 0.0 * v


def quotient(n: Any) -> Any:
    return 12 // n if n != 0 else n


def switched(n: Any) -> Any:
    one, three = tf.constant(1.0), tf.constant(3.0)
    return tf.switch_case(n - 1, [lambda: one, lambda: 2.0 * tf.cast(n, tf.float32), lambda: three])


def nested(x: Any) -> Any:
    steps = tf.constant(0)
    while tf.reduce_sum(tf.abs(x)) > 1.0:
        j = 0
        while x[0] * x[0] > 0.3 and j < 5:
            x, j, steps = x * SCALE, j + 1, steps + 1
        x, steps = x * 0.8, steps + 1
    return x, steps


def array(x: Any) -> Any:
    made = tf.TensorArray(tf.float64, size=5, element_shape=[4])  # the last one is not written: zeros
    for i in tf.range(4):
        made = made.write(i, x[i] * x)
    return made.scatter([1, 0], tf.stack([x, x + 1.0])).stack()


def growing(x: Any) -> Any:
    made = [x]
    for i in tf.range(3):
        made.append(x * tf.cast(i, tf.float64))
        made[0] = made[0] + x
    last = made.pop()
    return tf.stack(made) * last


def prepared(x: Any) -> Any:  # a list that does not depend on the row takes one in that does
    made = [tf.constant([1.0, 2.0, 3.0, 4.0], tf.float64)]
    for _ in tf.range(2):
        made.append(x)
    return tf.stack(made)


def power(x: Any, n: Any) -> Any:
    if n < 1:
        return x
    return x * power(tf.sin(x), n - 1)


def recursive(x: Any) -> Any:
    return power(x, tf.constant(3))


def factorial(n: Any) -> Any:
    if n < 2:
        return tf.constant(1)
    return n * factorial(n - 1)


def limited(x: Any) -> Any:
    return tf.while_loop(lambda x: x[0] < 1.5, lambda x: (x * x + 0.5,), (x,), maximum_iterations=2)[0]


def newton(v: Any) -> Any:
    guess = v * v + 1.0
    while abs(guess * guess - v * v) > 1e-9:
        guess = 0.5 * (guess + v * v / guess)
    return guess


def one_of_two(x: Any) -> Any:
    return tf.where(x > 0.0, x, 0.0) if x[0] > 0.0 else tf.map_fn(lambda r: r * r, x)


def halves(x: Any) -> Any:
    return x[:2] if x[0] > 0.0 else x[2:]


def scaled_by_a_variable(x: Any) -> Any:
    while x[0] > -1.0:
        x = x * W - W
    return x


def fibonacci(n: Any) -> Any:  # `range(n)` itself has no form for many rows, and is not needed
    a, b = tf.constant(0), tf.constant(1)
    for _ in tf.range(n):
        a, b = b, a + b
    return a, tf.strings.as_string(b)


def without_the_largest(x: Any) -> Any:
    place = tf.argmax(x)
    zeros = tf.scatter_nd([[place]], [x[0]], [4])
    return tf.tensor_scatter_nd_update(x, [[place]], [0.0]) + tf.tensor_scatter_nd_add(zeros, [[place], [0]], x[:2])


FUNCTIONS: list[tuple[Any, Any]] = [
    (collatz, N), (quotient, N), (switched, N), (factorial, N), (root, S), (newton, S), (halved, X), (until_large, X),
    (early, X), (nested, X), (array, X), (growing, X), (prepared, X), (recursive, X), (limited, X), (one_of_two, X),
    (logarithm, S), (halves, X), (scaled_by_a_variable, X),
    (fibonacci, N), (without_the_largest, X), (tf.function(until_large), X),
    (lambda x: x[tf.argmax(x)], X), (lambda x: x[tf.argsort(x)[1:]], X), (lambda x: tf.gather(x, tf.argsort(x)), X),
    (lambda x: TABLE[:, tf.argmax(x)] + TABLE[tf.argmin(x) % 3, :3], X),
    (lambda x: tf.gather(TABLE, tf.argsort(x), axis=1), X),
    (lambda x: tf.tensor_scatter_nd_update(x, [[0]], [x[tf.argmax(x)]]), X),
    (lambda x: tf.scan(lambda s, r: s * r, x) + tf.foldl(lambda s, r: s - r, x), X),
    (lambda x: tf.cond(x[0] > 0.0, lambda: tf.constant("a"), lambda: tf.constant("b")), X),
]  # fmt: skip


def leaves(value: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in tf.nest.flatten(value)]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_rows_are_what_they_are_one_by_one(number: int) -> None:
    function, x = FUNCTIONS[number]
    wanted = [np.stack(column) for column in zip(*[leaves(function(row)) for row in x], strict=True)]
    staged = tf.function(lambda x: tf.vectorized_map(function, x))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no fall back
        for rows in (7, 1):
            some = x[:rows]
            concrete = staged.get_concrete_function(tf.TensorSpec([None, *x.shape[1:]], x.dtype))
            for found in (tf.vectorized_map(function, some), staged(some), concrete(some)):
                for a, b in zip(leaves(found), wanted, strict=True):
                    assert a.shape == b[:rows].shape and a.dtype == b.dtype
                    assert (a == b[:rows]).all() if a.dtype.kind == "O" else np.allclose(a, b[:rows], rtol=1e-12)
        assert leaves(staged(x[:0]))[0].shape == (0, *wanted[0].shape[1:])


@pytest.mark.parametrize("number", [i for i, (_, x) in enumerate(FUNCTIONS) if x.dtype.is_floating])
def test_gradients_are_what_they_are_one_by_one(number: int) -> None:
    function, x = FUNCTIONS[number]

    def slopes(rows: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = [leaf for leaf in tf.nest.flatten(rows()) if leaf.dtype.is_floating]
        return tape.gradient(y, [x, W], unconnected_gradients="zero")

    wanted = slopes(lambda: [leaf for row in x for leaf in tf.nest.flatten(function(row))])
    for found in (
        slopes(lambda: tf.vectorized_map(function, x)),
        tf.function(lambda: slopes(lambda: tf.vectorized_map(function, x)))(),
    ):
        for a, b in zip(found, wanted, strict=True):
            assert np.isfinite(b).all()
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def test_gradients_of_each_example() -> None:
    def loss(x: Any) -> Any:
        total = tf.constant(0.0, tf.float64)
        for i in tf.range(4):
            total += tf.sin(x[i]) * (x[i] if x[i] > 0.0 else 0.5) * W[i]
        return total

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = loss(x)
        return tape.gradient(y, W)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tf.function(lambda: tf.vectorized_map(slope, X))()
    np.testing.assert_allclose(found, np.sin(X) * np.where(X.numpy() > 0, X, 0.5))


def test_a_branch_that_no_row_takes_does_not_run() -> None:
    table = tf.constant([1, 2, 3])

    @tf.function
    def each(numbers: Any, place: Any) -> Any:
        return tf.vectorized_map(lambda n: table[place] + n if n > 100 else n, numbers)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert each(N, tf.constant(7)).numpy().tolist() == N.numpy().tolist()
        assert each(tf.constant([1, 101]), tf.constant(2)).numpy().tolist() == [1, 104]
        with pytest.raises(tf.errors.OutOfRangeError):
            each(tf.constant([1, 101]), tf.constant(7))


def test_what_is_the_same_for_all_rows_is_computed_once() -> None:
    def row(x: Any, limit: Any) -> Any:
        total = tf.constant(0)
        while total < limit:
            total += 1
        if total > 2:
            x = x * tf.cast(total, tf.float64)
        return x

    staged = tf.function(lambda x, limit: tf.vectorized_map(lambda r: row(r, limit), x))
    graph = staged.get_concrete_function(X, tf.constant(3)).graph
    loops = [o for o in graph.operations if o.type == "while"]
    assert len(loops) == 1 and all(t.shape == [] for t in loops[0].outputs)
    np.testing.assert_allclose(staged(X, tf.constant(3)), X * 3.0)
    np.testing.assert_allclose(staged(X, tf.constant(1)), X)


@pytest.mark.parametrize("inner", [False, True])
def test_within_staged_control_flow(inner: bool) -> None:
    def each(x: Any, n: Any) -> Any:
        for _ in tf.range(n):
            if tf.reduce_sum(x) < 1e6:
                x = tf.vectorized_map(lambda r: halved(r * r[0]) if inner else root(r[0]) + r, x)
        return x

    x = X
    for _ in range(2):
        x = tf.stack([halved(r * r[0]) if inner else root(r[0]) + r for r in x])
    np.testing.assert_allclose(tf.function(each)(X, tf.constant(2)), x, rtol=1e-12)


def test_reading_arrays() -> None:
    def row(x: Any) -> Any:
        made = array_of(x)
        return made.read(1) * made.gather([0, 2, 2]), made.read(2)

    def array_of(x: Any) -> Any:
        made = tf.TensorArray(tf.float64, size=3, element_shape=[4])
        for i in tf.range(2):
            made = made.write(i, x[i] * x)
        return made

    def each(x: Any) -> Any:
        return tf.vectorized_map(row, x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [tf.function(each)(X)]
    with pytest.warns(UserWarning, match="array_read"):  # which zeros stand for what is not written is not known
        found.append(tf.function(each, input_signature=[tf.TensorSpec([None, 4], tf.float64)])(X))
    for products, zeros in found:
        x = X.numpy()
        np.testing.assert_allclose(products[:, 0], x[:, 1:2] * x * x[:, :1] * x)
        assert not products[:, 1:].numpy().any() and not zeros.numpy().any()


def test_results_of_unknown_shape_go_row_by_row() -> None:
    def row(x: Any) -> Any:
        y = None
        if x[0] > 0.0:
            y = x * 2.0
        return x if y is None else y

    wanted = tf.where(X[:, :1] > 0.0, X * 2.0, X)
    open_map = tf.function(lambda x: tf.vectorized_map(row, x), input_signature=[tf.TensorSpec([None, None], X.dtype)])
    with pytest.warns(UserWarning, match="results of unknown shape"):
        np.testing.assert_array_equal(open_map(X), wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(tf.vectorized_map(row, X), wanted)


def test_lists_that_differ_in_length_go_row_by_row() -> None:
    def row(n: Any) -> Any:
        made = []
        while n > 0:
            made.append(n)
            n -= 2
        return tf.reduce_sum(tf.stack(made)) if len(made) > 0 else n

    with pytest.warns(UserWarning, match="has lists"):
        found = tf.vectorized_map(row, N)
    assert found.numpy().tolist() == [sum(range(n, 0, -2)) for n in N.numpy().tolist()]
