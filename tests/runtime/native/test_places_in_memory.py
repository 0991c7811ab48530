"""Products, equations, sums and norms as machine code, of arrays with gaps and with axes in another order: the bits of
NumPy, which depend on where elements lie in memory."""

import itertools
import types

import numpy as np
import pytest

import runtime as tf
from runtime.native.loops import loop_of
from tests.one_in import one_in
from tests.runtime.native.looped import folded, run, total

TABLE = np.random.default_rng(5).normal(size=(37, 53))

SPREAD = TABLE * np.exp(3.0 * np.random.default_rng(8).normal(size=(37, 53)))
"""Numbers of many sizes, so that another order of summation is another sum."""

ELSEWHERE = {
    "a transpose": lambda x: x.T * 2.0,
    "reverse": lambda x: tf.reverse(x, [0]) * 2.0,
    "roll": lambda x: np.roll(x, 3, axis=1),
    "roll of a transpose": lambda x: np.roll(x.T, 3, axis=0),
    "the best": lambda x: tf.math.top_k(x, 7)[0],
    "sort of a transpose": lambda x: np.sort(x.T),
    "sort downwards": lambda x: tf.sort(x, direction="DESCENDING") * 3.0,
    "cumsum": lambda x: np.cumsum(x, axis=1),
    "cumsum of a transpose": lambda x: np.cumsum(x.T, axis=1),
    "columns by a mask": lambda x: x[:, x[0] > 0] * 2.0,
    "rows by a mask": lambda x: (x.T + 1.0)[x[0] > 0] * 2.0,
    "columns by indices": lambda x: x[:, np.array([1, 2, 9])] * 2.0,
    "stack": lambda x: np.stack([x.T + 1.0, x.T]),
    "concatenate": lambda x: np.concatenate([x.T, x.T + 1.0]),
    "tile": lambda x: np.tile(x.T, (2, 2)),
    "broadcast": lambda x: np.broadcast_to(x[0], (5, 53)) * 2.0,
    "slice": lambda x: x[:, 3:20] * 2.0,
    "slice with steps": lambda x: x[:, ::2] * x[:, ::-2],
    "new axis": lambda x: np.expand_dims(x.T, 0) * 2.0,
    "no values": lambda x: np.zeros_like(x.T) + 0.1,
    "products": lambda x: (x.T @ x) * 2.0,
    "means": lambda x: x - np.mean(x, axis=0),
}


@pytest.mark.parametrize("name", one_in(2, ELSEWHERE))
def test_sums_of_what_lies_in_other_places(name):
    """Whatever machine code makes of it, its own or the plan: the sums have numpy's bits."""

    def program(x, n):
        found = 0.0
        for _ in range(n):
            found = found * 0.5 + np.sum(ELSEWHERE[name](x)) + np.mean(ELSEWHERE[name](x), axis=-1)[0]
        return found

    given = SPREAD, tf.constant(3)
    found, wanted = (np.asarray(tf.function(program, backend=engine)(*given)) for engine in ("native", "numpy"))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_transposed_products(dtype):
    def program(x, y):
        return total(x.T @ y) + total(x @ y.T) + total(x.T @ x) + total(x @ x.T)

    run(program, TABLE[:9, :7].astype(dtype), TABLE[9:18, 10:17].astype(dtype))


def test_products_of_integers():
    run(lambda x: folded((x @ x.T).reshape(-1)), np.arange(12).reshape(3, 4))


def test_equations():
    def program(a, b):
        found = np.linalg.solve(a, b) + folded(np.linalg.solve(a, b[:, 0].copy()))
        return total(found) + total(np.linalg.inv(a)) + np.linalg.det(a)

    run(program, TABLE[:5, :5], TABLE[5:10, :3])


def test_a_matrix_without_an_inverse_is_the_error_of_the_plan():
    def program(a, n):
        found = 0.0
        for _ in range(n):
            found += np.sum(np.linalg.inv(a))
        return found

    with pytest.raises(tf.errors.InvalidArgumentError, match="singular"):
        tf.function(program, backend="native")(np.zeros((2, 2)), tf.constant(2))


def test_spreads_and_norms():
    def program(x):
        found = np.var(x) + np.std(x) + folded(np.var(x, axis=1)) + folded(np.std(x, axis=0)) + np.var(x[:, 3])
        return found + np.linalg.norm(x[0], np.inf) + np.linalg.norm(x[0], 1) + np.linalg.norm(x[:, 2])

    run(program, TABLE)


PUTS = {
    "append": lambda items, row: items.append(row),
    "an element": lambda items, row: items.__setitem__(0, row),
}


@pytest.mark.parametrize("name", PUTS)
def test_columns_in_lists(name):
    """A list of NumPy's holds a view as it is, and products depend on its gaps."""

    def program(x, y, n):
        items, found = [x[0]], 0.0
        for i in range(n):
            PUTS[name](items, x[:, i])
            found = found * 0.5 + items[-1] @ y
        return found

    _same_bits(program, TABLE[:37, :37], TABLE[0, :37], tf.constant(30))


def test_columns_in_tensor_arrays():
    def program(x, y, n):
        items, found = tf.TensorArray(tf.float64, size=1, dynamic_size=True, element_shape=[37]), y[0]
        for i in tf.range(n):
            items = items.write(i, x[:, i])
            found = found * 0.5 + tf.tensordot(items.read(i), y, 1)
        return found

    _same_bits(program, tf.constant(TABLE[:37, :37]), tf.constant(TABLE[0, :37]), tf.constant(30))


def _same_bits(program, *given):
    found, wanted = (np.asarray(tf.function(program, backend=engine)(*given)) for engine in ("native", "numpy"))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("kept", [None, np.add, np.matmul], ids=["nothing", "another one", "another signature"])
def test_a_numpy_without_the_loops_of_linear_algebra(kept, monkeypatch):
    """They are private there: without them, or with others of their names, the plan does the work."""

    def program(a, b, n):
        found = 0.0
        for _ in range(n):
            a = a * 0.5
            found += np.linalg.solve(a, b)[0, 0] + np.linalg.det(a) + np.linalg.inv(a)[0, 1]
        return found

    place = types.SimpleNamespace() if kept is None else types.SimpleNamespace(solve=kept, inv=kept, det=kept)
    given = TABLE[:5, :5], TABLE[5:10, :3], tf.constant(3)
    wanted = np.asarray(tf.function(program, backend="numpy")(*given))
    monkeypatch.setattr(np.linalg, "_umath_linalg", place)
    staged = tf.function(program, backend="native")
    refused = {reason.operation.op.name for reason in staged.get_concrete_function(*given).plan.refused}
    assert refused == {"matrix_solve", "matrix_inverse", "matrix_determinant"}
    monkeypatch.undo()
    np.testing.assert_array_equal(np.asarray(staged(*given)), wanted)


def test_a_numpy_that_no_longer_has_that_module(monkeypatch):
    monkeypatch.delattr(np.linalg, "_umath_linalg")
    assert loop_of("solve", "d") is None
    assert loop_of("exp", "d") is not None


def test_sums_of_columns():
    """They have gaps, which changes nothing in a sum along one axis."""
    run(lambda x: np.sum(x[:, 1]) + np.mean(x[:, 2]) + np.prod(x[:, 3]) + folded(x[1:, 3][::2]), TABLE)


def test_with_jit_compile_the_last_bit_may_differ():
    """So what numpy rounds in another way because of gaps is compiled."""

    def program(x, n):
        found = 0.0
        for _ in range(n):
            found = found * 0.5 + np.sum(np.exp(x.T) * 2.0) + np.dot(x[:, 1], x[:, 2]) + np.max(x[:, 3])
        return found

    found = tf.function(program, jit_compile=True)(TABLE, tf.constant(3))
    np.testing.assert_allclose(found, program(TABLE, 3), rtol=1e-13)


def test_the_sign_of_zero_in_the_gradient_of_a_norm():
    """`signbit` is a function of numpy's of floats whose result is none."""

    def program(x, n):
        found = 0
        for _ in range(n):
            found += tf.reduce_sum(tf.cast(tf.math.signbit(x), tf.int64))
        return found

    assert int(tf.function(program, backend="native")(np.array([-0.0, 0.0, -2.0, -np.inf]), tf.constant(2))) == 6


@pytest.mark.parametrize(
    ("dtype", "shape"),
    one_in(
        2,
        itertools.product(
            [np.float64, np.float32], [(1, 1), (2, 3), (5, 4), (17, 33), (64, 9), (100, 129), (3, 0)]
        ),
        several=True,
    ),
)
def test_transposed_matrices_times_vectors(dtype, shape):
    """They have the bits of numpy, and no matrix is transposed."""
    drawn = np.random.default_rng(8)
    x, v, w = (drawn.normal(size=size).astype(dtype) for size in (shape, shape[0], shape[1]))

    def program(x, v, w):
        return folded(x.T @ v) + folded(w @ x.T) + folded(np.dot((x * 2).T, v))

    run(program, x, v, w)


def test_a_matrix_that_is_written_to_before_its_transpose_is_used():
    def program(x, v):
        y, found = x.copy(), 0.0
        for i in range(y.shape[0]):
            before = y.T.copy()
            y[i, 0] = found + 5.0
            found += np.sum(before @ v) + np.sum(y.T @ v)
        return found

    run(program, TABLE[:7, :5], TABLE[0, :7])

    def by_tensors(x, v, n):
        found = x[0, 0]
        for i in range(n):
            turned = tf.transpose(x)
            x[i, 0] = found * 0.5
            found += tf.reduce_sum(tf.tensordot(turned, v, 1)) * 0.125
        return found, x

    given = tf.constant(TABLE[:7, :5]), tf.constant(TABLE[0, :7]), tf.constant(4)
    staged = tf.function(by_tensors, backend="native")
    found, wanted = staged(*given), tf.function(by_tensors, backend="numpy")(*given)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    plan = staged.get_concrete_function(*given).plan
    assert [region.given_up for region in plan.regions] == [0]
