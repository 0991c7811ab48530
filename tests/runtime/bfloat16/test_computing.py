"""Computing with bfloat16: beside the same in float64; in graphs, gradients, Variables, data and training."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError
from runtime.graph.equality import graph_equal
from tests.runtime.bfloat16.rounding import assert_one_rounding
from tests.runtime.oracle import assert_agrees

B = ml_dtypes.bfloat16
T = tf.constant(1.5, tf.bfloat16)
V = tf.constant([1.5, 2.0, 1e-3], tf.bfloat16)

eager_and_staged = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "staged"])


# -- one rounding ------------------------------------------------------------------------------------------------------


@eager_and_staged
def test_sums_and_products_are_rounded_once(way: Any) -> None:
    """A sum of ones that is rounded at each step stays at 256."""
    ones = tf.ones([1000], tf.bfloat16)
    assert way(tf.reduce_sum)(ones).numpy() == 1000
    assert way(tf.cumsum)(ones).numpy()[299] == 300
    assert way(lambda x: tf.tensordot(x, x, 1))(ones).numpy() == 1000
    rng = np.random.default_rng(1)
    a, b = (rng.normal(size=shape).astype(B) for shape in ((20, 300), (300, 10)))
    found = way(tf.matmul)(tf.constant(a), tf.constant(b)).numpy()
    assert_one_rounding(found, a.astype(np.float64) @ b.astype(np.float64), "matmul")
    found = way(tf.math.segment_sum)(ones, np.zeros(1000, np.int32)).numpy()
    assert found.tolist() == [1000]


def test_where_numpy_does_wrong_with_nan() -> None:
    """np.sort, np.unique and np.argmax of such arrays compare nan as any number."""
    x = np.array([2, np.nan, 1, 2, np.nan, -1])
    narrow, wide = tf.constant(x, tf.bfloat16), tf.constant(x, tf.float32)
    calls: list[Any] = [
        tf.sort, tf.argsort, tf.argmax, tf.argmin, tf.reduce_max, tf.reduce_min, tf.unique, np.unique, np.sort,
        lambda x: tf.math.top_k(x, 3), lambda x: tf.maximum(x, 0.0), tf.math.is_finite, tf.sign, tf.cumsum,
        lambda x: x**2, lambda x: x**0.5, lambda x: tf.nn.relu(x),
    ]  # fmt: skip
    for call in calls:
        for one, other in zip(tf.nest.flatten(call(narrow)), tf.nest.flatten(call(wide)), strict=True):
            np.testing.assert_allclose(
                np.asarray(one).astype(np.float64), np.asarray(other).astype(np.float64), rtol=2**-8
            )


def test_segments_without_rows_have_finite_extremes() -> None:
    found = tf.math.unsorted_segment_max(V, [0, 0, 0], 2).numpy()
    assert found.tolist() == [2.0, tf.bfloat16.min]


def test_random_numbers() -> None:
    drawn = tf.random.stateless_uniform([20000], [1, 2], dtype=tf.bfloat16).numpy().astype(np.float64)
    assert 0 <= drawn.min() and drawn.max() < 1 and abs(drawn.mean() - 0.5) < 0.01
    assert len(np.unique(drawn)) == 256 and np.bincount((drawn * 256).astype(int)).min() > 40
    drawn = tf.random.stateless_uniform([9999], [1, 2], 3, 4, tf.bfloat16).numpy()
    assert drawn.min() == 3 and drawn.max() < 4
    assert tf.random.normal([4], dtype=tf.bfloat16).dtype is tf.bfloat16
    assert tf.random.truncated_normal([400], dtype=tf.bfloat16).numpy().max() <= 2


# -- graphs ------------------------------------------------------------------------------------------------------------


def program(x: Any, n: Any) -> Any:
    total = tf.zeros_like(x)
    i = 0
    while i < n:
        if tf.reduce_sum(total) > 10:
            total = total - 1
        else:
            total = total + x * 2
        i += 1
    return total, tf.nn.softmax(total), tf.concat([x, x], 0)[1:], total == x


def test_loops_and_branches() -> None:
    for wanted, found in zip(program(V, 5), tf.function(program)(V, 5), strict=True):
        assert found.dtype is wanted.dtype and found.numpy().tolist() == wanted.numpy().tolist()
    with pytest.raises(TypeError, match="bfloat16"):
        tf.function(lambda x: tf.cond(x > 1, lambda: x, lambda: tf.constant(1.0)))(T)
    state = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (0, T))
    assert state[1].numpy() == 12 and state[1].dtype is tf.bfloat16


@pytest.mark.parametrize("shape", [[3], [None], None], ids=str)
def test_text_plans_and_passes(shape: Any) -> None:
    def run(x: Any) -> Any:
        y = x * 10 + 0.1
        for _ in tf.range(3):
            y = y * 0.5 + x
        odd = tf.constant([np.nan, np.inf, 1e-30], tf.bfloat16)
        return y + odd, tf.fill([100], T), y[0] * 3 - 1 < y[1], -y[2] / y[0], abs(y), tf.reduce_max(y)

    graph = tf.function(run).get_concrete_function(tf.TensorSpec(shape, tf.bfloat16)).graph
    text = graph.as_text()
    assert "bfloat16[] [10.0]" in text
    assert graph_equal(tf.Graph.from_text(text), graph)
    assert assert_agrees(graph, [np.array([1.5, 2, 1e-3], B)])


def test_a_nan_with_other_bits_in_the_text_of_a_graph() -> None:
    odd = np.array([0x7FC1, 0xFFC0], np.uint16).view(B)
    graph = tf.function(lambda: tf.constant(odd)).get_concrete_function().graph
    read = tf.Graph.from_text(graph.as_text())
    assert read.operations[0].attributes["value"].tobytes() == odd.tobytes()


def test_signatures_and_traces() -> None:
    f = tf.function(lambda x: x + 1)
    assert f(V).dtype is f(np.asarray(V)).dtype is tf.bfloat16 and f.experimental_get_tracing_count() == 1
    assert f(tf.cast(V, tf.float16)).dtype is tf.float16 and f.experimental_get_tracing_count() == 2
    g = tf.function(lambda x: x + 1, input_signature=[tf.TensorSpec([None], tf.bfloat16)])
    assert g(V).dtype is tf.bfloat16
    with pytest.raises(TypeError, match="bfloat16"):
        g(tf.constant([1.0]))


@eager_and_staged
def test_gradients(way: Any) -> None:
    def slopes(x: Any, f: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    wide = np.asarray(V, np.float64)
    for f, wanted in (
        (lambda x: tf.reduce_sum(x * x), 2 * wide),
        (lambda x: tf.reduce_sum(tf.sin(x) * x), np.sin(wide) + wide * np.cos(wide)),
        (lambda x: tf.reduce_mean(tf.matmul(x[None], x[:, None])), 2 * wide),
        (lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x))[1], 4 * wide**3),
        (lambda x: tf.reduce_sum(program(x, 4)[0]), np.full(3, 4.0)),
    ):
        found = way(lambda x, f=f: slopes(x, f))(V)
        assert found.dtype is tf.bfloat16
        np.testing.assert_allclose(found.numpy().astype(np.float64), wanted, rtol=3e-2)
    with pytest.raises(ValueError, match="float64"):
        tf.autodiff.check_gradients(lambda x: x * x, V)


def test_forward_mode_and_vectorized() -> None:
    with tf.autodiff.ForwardAccumulator(V, tf.ones_like(V)) as acc:
        y = V * V
    assert acc.jvp(y).numpy().tolist() == (2 * V).numpy().tolist()
    found = tf.vectorized_map(lambda row: row * 2 + tf.reduce_sum(row), tf.stack([V, V]))
    assert found.dtype is tf.bfloat16 and found[1].numpy().tolist() == (V * 2 + tf.reduce_sum(V)).numpy().tolist()


@eager_and_staged
def test_variables(way: Any) -> None:
    variable = tf.Variable([1.0, 2.0, 3.0], dtype=tf.bfloat16)

    def work() -> Any:
        variable.assign_add(V)
        variable.assign(variable * 2.0)
        variable[0].assign(5.0)
        variable.assign_sub([0.5, 0.5, 0.5])
        variable.scatter_nd_add([[0], [0]], tf.constant([1, 1], tf.bfloat16))
        return variable + 1

    assert way(work)().numpy().tolist() == [7.5, 8.5, 6.5]
    with pytest.raises(TypeError, match="bfloat16"):
        variable.assign(tf.constant([1.0, 2.0, 3.0]))


@eager_and_staged
def test_many_values_for_one_place_are_rounded_once(way: Any) -> None:
    for change in ("scatter_add", "scatter_nd_add"):
        variable = tf.Variable(tf.zeros([2], tf.bfloat16))
        ones = tf.ones([1000], tf.bfloat16)
        given = (
            (tf.IndexedSlices(ones, tf.zeros([1000], tf.int32)),) if change == "scatter_add"
            else (tf.zeros([1000, 1], tf.int32), ones)
        )
        way(lambda: getattr(variable, change)(*given))()
        assert variable.numpy().tolist() == [1000, 0]
    assert tf.tensor_scatter_nd_add(tf.zeros([1], tf.bfloat16), tf.zeros([1000, 1], tf.int32), ones).numpy() == 1000


@eager_and_staged
def test_arrays_lists_and_folds(way: Any) -> None:
    def work(n: Any) -> Any:
        array = tf.TensorArray(tf.bfloat16, 0, dynamic_size=True)
        for i in tf.range(n):
            array = array.write(i, tf.cast(i, tf.bfloat16) * 0.5)
        kept = []
        for i in tf.range(n):
            kept.append(tf.cast(i, tf.bfloat16))
        stacked = tf.stack(kept)
        return array.stack(), stacked, tf.scan(lambda a, x: a + x, stacked), tf.map_fn(lambda x: x * 2, stacked)

    found = way(work)(tf.constant(4))
    assert [f.dtype for f in found] == [tf.bfloat16] * 4
    wanted = [[0, 0.5, 1, 1.5], [0, 1, 2, 3], [0, 1, 3, 6], [0, 2, 4, 6]]
    assert [f.numpy().tolist() for f in found] == wanted


# -- data and training -------------------------------------------------------------------------------------------------


def test_datasets(tmp_path: Any) -> None:
    made = tf.data.Dataset.from_tensor_slices(np.arange(6).astype(B))
    assert made.element_spec == tf.TensorSpec([], tf.bfloat16)
    batches = [b.tolist() for b in made.map(lambda x: x * 2).batch(4).as_numpy_iterator()]
    assert batches == [[0, 2, 4, 6], [8, 10]]
    kept = made.cache(str(tmp_path / "kept"))
    for _ in range(2):
        rows = list(kept.shuffle(6, seed=1).filter(lambda x: x > 2))
        assert sorted(float(r) for r in rows) == [3, 4, 5] and rows[0].dtype is tf.bfloat16
    padded = next(iter(made.batch(4).padded_batch(2, padded_shapes=[None])))
    assert padded.dtype is tf.bfloat16 and padded.shape == (2, 4)
    spec = tf.TensorSpec([], tf.bfloat16)
    assert [float(x) for x in tf.data.Dataset.from_generator(lambda: iter([1.5, 2]), output_signature=spec)] == [1.5, 2]

    @tf.function
    def total(numbers: Any) -> Any:
        found = tf.constant(0, tf.bfloat16)
        for x in numbers:
            found += x
        return found

    assert total(made).numpy() == 15


def test_bytes_of_tensors() -> None:
    assert tf.io.parse_tensor(tf.io.serialize_tensor(V), tf.bfloat16).numpy().tolist() == V.numpy().tolist()
    for little, text in ((True, b"\x80\x3f"), (False, b"\x3f\x80")):
        assert tf.io.decode_raw([text], tf.bfloat16, little_endian=little).numpy().tolist() == [[1.0]]
    assert tf.strings.as_string(T).numpy() == b"1.500000"


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "RMSprop"])
def test_a_model_in_bfloat16(optimizer: str) -> None:
    dense = tf.layers.Dense(1, dtype=tf.bfloat16)
    inputs = tf.constant([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], tf.bfloat16)
    targets = tf.constant([[2.0], [-1.0], [1.0]], tf.bfloat16)
    step_size = getattr(tf.optimizers, optimizer)(0.05)

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.losses.MeanSquaredError()(targets, dense(inputs))
        step_size.apply_gradients(zip(tape.gradient(loss, dense.trainable_variables), dense.trainable_variables))
        return loss

    losses = [float(step()) for _ in range(100)]
    assert dense.kernel.dtype is tf.bfloat16 and losses[-1] < 0.05 * max(losses)


def test_statistics_may_be_wider() -> None:
    for dtype in (tf.bfloat16, tf.float16):
        x = tf.constant([[1.0], [3.0]], dtype)
        found = tf.nn.batch_normalization(x, tf.constant([2.0]), tf.constant([4.0]), None, tf.constant([2.0]), 0.0)
        assert found.dtype is dtype and found.numpy().tolist() == [[-1], [1]]


def test_assertions_of_tests() -> None:
    case = tf.test.TestCase()
    nan = tf.constant([np.nan, 1], tf.bfloat16)
    case.assertAllEqual(nan, nan)
    case.assertAllClose(V, np.asarray(V, np.float64))
    case.assertAllCloseAccordingToType(tf.constant(1.0, tf.bfloat16), 1.005)
    case.assertAllGreater(V, 0)
    with pytest.raises(AssertionError):
        case.assertAllClose(V, V + 1)
    with pytest.raises(InvalidArgumentError, match="bfloat16"):
        tf.debugging.check_numerics(nan, "x")
    tf.debugging.assert_near(V, V)
