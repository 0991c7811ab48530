"""bfloat16: a dtype that numpy does not have. Values beside the same computed in float64 and rounded once."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.graph.equality import graph_equal
from tests.runtime.oracle import assert_agrees
from tests.runtime.test_ops import assert_one_rounding

B = ml_dtypes.bfloat16
T = tf.constant(1.5, tf.bfloat16)
V = tf.constant([1.5, 2.0, 1e-3], tf.bfloat16)

eager_and_staged = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "staged"])


def run_in_python(program: str) -> str:
    """What a program of its own prints."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# -- the dtype and its library ------------------------------------------------------------------------------------


def test_without_the_library_the_dtype_speaks_and_values_name_the_extra() -> None:
    printed = run_in_python("""
        import sys
        sys.modules["ml_dtypes"] = None
        import runtime as tf
        d = tf.bfloat16
        print(d, d.name, d.size, d.itemsize, d.is_floating, d.is_integer, d.max, d.min, tf.as_dtype("bfloat16") is d)
        print(tf.TensorSpec([None], d), d == tf.float32, {d: 1}[d], d == "bfloat16")
        for call in (lambda: tf.constant(1.0, d), lambda: tf.cast(1.0, d), lambda: tf.zeros([2], d),
                     lambda: d.as_numpy_dtype, lambda: tf.function(lambda x: tf.cast(x, d))(1.0)):
            try:
                call()
            except ImportError as error:
                print(error)
    """).splitlines()
    assert printed[0] == (
        "<dtype: 'bfloat16'> bfloat16 2 2 True False 3.3895313892515355e+38 -3.3895313892515355e+38 True"
    )
    assert printed[1] == "TensorSpec(shape=(None,), dtype=tf.bfloat16, name=None) False 1 True"
    assert len(printed) == 7 and all("autograph-runtime[bfloat16]" in line for line in printed[2:])


def test_other_dtypes_never_import_the_library() -> None:
    """Each operation of float32, integers, bools and texts runs and is compiled; nothing asks for numpy's bfloat16."""
    printed = run_in_python("""
        import sys
        import numpy as np
        import runtime as tf
        from runtime.engine.plan import compile_plan
        from runtime.ops.families import load_all
        from runtime.dtypes import ANY
        count = 0
        for op in load_all().values():
            for name in ("float32", "int32", "bool", "string"):
                dtype = tf.as_dtype(name)
                if op.samples is None or op.stateful or not op.groups or dtype not in op.groups[0].allowed:
                    continue
                sample = next(iter(op.samples(dtype)))
                if any(v is tf.bfloat16 for v in sample.attributes.values()):
                    continue
                fixed = len(op.tensors)
                graph = tf.Graph("g")
                values = [tf.constant(o) for o in sample.operands]
                inputs = [graph.placeholder(v.dtype, v.shape, f"x{i}") for i, v in enumerate(values)]
                for given in (values, inputs):
                    with graph.as_default() if given is inputs else __import__("contextlib").nullcontext():
                        found = op(*given[:fixed], *([given[fixed:]] if op.variadic else []), **sample.attributes)
                graph.outputs = list(found) if isinstance(found, tuple) else [found]
                compile_plan(graph).run([np.asarray(v) for v in values])
                repr(values), str(values), graph.as_text()
                count += 1
        print(np.sum(tf.constant([1.0])), np.add(tf.constant([1.0]), 1))
        print(count > 300, "ml_dtypes" in sys.modules)
    """)
    assert printed.splitlines()[-1] == "True False"


def test_the_dtype_and_its_library() -> None:
    d = tf.bfloat16
    limits = ml_dtypes.finfo(B)
    assert (d.max, d.min, d.size) == (float(limits.max), float(limits.min), 2)
    assert d.as_numpy_dtype is B and d.numpy == np.dtype(B) and d.type is B
    for same in ("bfloat16", B, np.dtype(B), d, np.zeros(1, B).dtype):
        assert tf.as_dtype(same) is d
    assert d != tf.float16 and d == B
    assert np.zeros(2, V.dtype).dtype == B


@pytest.mark.parametrize("name", ["", ", ", "float8", "i4, f8"])
def test_texts_that_name_no_dtype(name: str) -> None:
    """Some of them are no Python for numpy, which raised SyntaxError."""
    with pytest.raises(TypeError, match="to a DType"):
        tf.as_dtype(name)
    assert tf.float32 != name


def test_limits_of_intensity() -> None:
    assert (tf.float32.limits, tf.uint8.limits, tf.int8.limits, tf.bool.limits) == ((0, 1), (0, 255), (0, 127), (0, 1))
    for dtype in (tf.bfloat16, tf.complex64, tf.string):
        with pytest.raises(ValueError, match="limits"):
            dtype.limits


# -- values in and out --------------------------------------------------------------------------------------------


def test_text_of_values() -> None:
    """As TensorFlow shows them."""
    assert str(T) == "tf.Tensor(1.5, shape=(), dtype=bfloat16)"
    assert str(V) == "tf.Tensor([1.5 2 0.000999451], shape=(3,), dtype=bfloat16)"
    assert repr(tf.constant(2.0, tf.bfloat16)) == "<tf.Tensor: shape=(), dtype=bfloat16, numpy=2.0>"
    assert repr(V).endswith("numpy=array([1.5, 2, 0.000999451], dtype=bfloat16)>")
    assert f"{T} {T:.2f}" == "1.5 1.50"
    assert repr(tf.Variable(2.0, dtype=tf.bfloat16)) == "<tf.Variable 'Variable:0' shape=() dtype=bfloat16, numpy=2.0>"


def test_print(capfd: pytest.CaptureFixture[str]) -> None:
    tf.function(lambda x: tf.print(x, x[0], [1, x]))(V)
    assert capfd.readouterr().err == "[1.5 2 0.000999450684] 1.5 [1, [1.5 2 0.000999450684]]\n"


def test_python_and_numpy_values() -> None:
    for value in (np.array([1.5, 2], B), [B(1.5), B(2)], tf.constant([1.5, 2], tf.bfloat16)):
        tensor = tf.convert_to_tensor(value)
        assert tensor.dtype is tf.bfloat16 and tensor.numpy().tolist() == [1.5, 2.0]
    assert tf.constant(B(3)).dtype is tf.bfloat16 and type(T.numpy()) is B
    assert np.asarray(V).dtype == B and np.asarray(V, np.float32).dtype == np.float32
    assert (float(T), int(T), round(T), bool(T), [float(x) for x in V]) == (1.5, 1, 2, True, V.numpy().tolist())
    assert tf.constant([1, 2**20], tf.bfloat16).numpy().tolist() == [1.0, 2.0**20]
    for wrong in ("a", True, 1 + 2j):
        with pytest.raises(TypeError, match="bfloat16"):
            tf.constant(wrong, tf.bfloat16)
    with pytest.raises(ValueError, match="bfloat16"):
        tf.convert_to_tensor(V, tf.float32)


@pytest.mark.parametrize("other", [d for d in tf.dtypes.NUMERIC | tf.dtypes.BOOLS], ids=lambda d: d.name)
def test_cast_to_and_from(other: tf.DType) -> None:
    values = tf.constant([0.0, 1.0, 77.5], tf.bfloat16)
    there = tf.cast(values, other)
    assert there.dtype is other
    wanted = {"bool": [False, True, True]}.get(other.name, [0, 1, 77] if other.is_integer else [0, 1, 77.5])
    assert there.numpy().tolist() == wanted
    back = tf.function(lambda x: tf.cast(x, tf.bfloat16))(there)
    assert back.dtype is tf.bfloat16 and back.numpy().tolist() == [float(x) for x in wanted]


def test_cast_rounds_to_even_and_overflows() -> None:
    found = tf.cast(tf.constant([1 + 2**-8, 1 + 3 * 2**-8, 3.4e38, -3.4e38, np.nan]), tf.bfloat16).numpy().tolist()
    assert found[:4] == [1.0, 1 + 2**-6, np.inf, -np.inf] and np.isnan(found[4])


# -- rules --------------------------------------------------------------------------------------------------------

KEPT: Any = {
    "t + 1": (lambda t: t + 1, 2.5), "t * 2.0": (lambda t: t * 2.0, 3.0), "2 / t": (lambda t: 2 / t, 4 / 3),
    "t + ndarray": (lambda t: t + np.ones(2), [2.5, 2.5]), "t + float64": (lambda t: t + np.float64(0.1), 1.6),
    "t // 1": (lambda t: t // 1, 1.0), "t % 1": (lambda t: t % 1, 0.5), "t ** 3": (lambda t: t**3, 3.375),
    "-t": (lambda t: -t, -1.5), "abs": (lambda t: abs(-t), 1.5), "where": (lambda t: tf.where(t > 1, t, 0), 1.5),
    "maximum": (lambda t: tf.maximum(0.0, t), 1.5), "t / t": (lambda t: t / (t + t), 0.5),
    "stack": (lambda t: tf.stack([t, 1.0]), [1.5, 1.0]), "numpy": (lambda t: np.sqrt(t) + np.mean(t), 2.724744871),
}  # fmt: skip


@eager_and_staged
@pytest.mark.parametrize("rule", KEPT, ids=str)
def test_literals_and_arrays_take_the_dtype(rule: str, way: Any) -> None:
    call, wanted = KEPT[rule]
    found = way(call)(T)
    assert found.dtype is tf.bfloat16
    np.testing.assert_allclose(np.asarray(found, np.float64), wanted, rtol=2**-7)


@eager_and_staged
@pytest.mark.parametrize("other", [tf.float16, tf.float32, tf.float64, tf.int32, tf.bool], ids=lambda d: d.name)
def test_tensors_of_other_dtypes_do_not_mix(other: tf.DType, way: Any) -> None:
    for x, y in ((T, tf.cast(T, other)), (tf.cast(T, other), T)):
        with pytest.raises(DtypeMismatchError, match="bfloat16"):
            way(lambda x, y: x + y)(x, y)


@eager_and_staged
def test_comparisons(way: Any) -> None:
    x = tf.constant([1.0, np.nan, 3.0, -0.0], tf.bfloat16)
    found = way(lambda x: (x < 3, x <= 3, x == x, x != x, x > 0, tf.math.is_nan(x)))(x)
    wide = np.asarray(x, np.float64)
    wanted = (wide < 3, wide <= 3, wide == wide, wide != wide, wide > 0, np.isnan(wide))
    assert [f.numpy().tolist() for f in found] == [w.tolist() for w in wanted]


NUMPY: Any = {
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "sqrt": np.sqrt,
    "power": lambda x: np.power(x, 2),
    "max": np.max, "mean": np.mean, "zeros": np.zeros_like, "cumsum": np.cumsum, "stack": lambda x: np.stack([x, x]),
    "float32": lambda x: np.add(x, np.ones(3, np.float32)), "float64": lambda x: np.multiply(x, np.ones(3)),
    "where": lambda x: np.where(x > 1, x, x), "less": lambda x: np.less(x, 1.5), "outer": lambda x: np.outer(x, x),
    "zeros of it": lambda x: np.zeros(3, x.dtype), "full of it": lambda x: np.full(3, 1, x.dtype) + x,
}  # fmt: skip


@pytest.mark.parametrize("name", NUMPY)
def test_calls_of_numpy(name: str) -> None:
    """The dtype and the values that numpy gives, or those a rounding away."""
    wanted = np.asarray(NUMPY[name](np.asarray(V)))
    for found in (NUMPY[name](V), tf.function(lambda x: NUMPY[name](x))(V)):
        assert np.asarray(found).dtype == wanted.dtype
        np.testing.assert_allclose(np.asarray(found).astype(np.float64), wanted.astype(np.float64), rtol=2**-7)


def test_what_has_no_kernel_says_so() -> None:
    for call in (tf.math.lgamma, tf.math.digamma, tf.math.erfinv, lambda x: tf.linalg.inv(tf.reshape(x, [1, 3]))):
        with pytest.raises(DtypeMismatchError, match="float32"):
            call(V)


# -- one rounding -------------------------------------------------------------------------------------------------


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


# -- graphs -------------------------------------------------------------------------------------------------------


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


# -- data and training --------------------------------------------------------------------------------------------


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
