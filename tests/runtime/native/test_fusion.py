"""Elementwise operations in one kernel: the plan over NumPy to the last bit, for any shapes, and nothing copied."""

import random
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.native.kernel_body import BLOCK
from runtime.native.sharing import WORTH

SHAPES = [
    [(7,), (7,)], [(3, 5), (5,)], [(3, 5), (3, 1)], [(2, 3, 4), (3, 1)], [(4, 1), (1, 6)], [(0, 3), (3,)], [(1,), (9,)],
    [(2, 1, 5), (1, 3, 1)], [(), (6,)], [(BLOCK + 3,), ()], [(2, BLOCK * 2), (1,)], [(5, 1), (5, 7)], [(1, 1), (1, 1)],
]  # fmt: skip

FLOATS = [
    lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: a / (b * b + 1), lambda a, b: -a,
    lambda a, b: tf.abs(a), lambda a, b: tf.sqrt(tf.abs(b)),
    lambda a, b: tf.maximum(a, b), lambda a, b: tf.minimum(a, b),
    lambda a, b: tf.exp(-tf.abs(a)), lambda a, b: tf.tanh(a), lambda a, b: tf.sin(b),
    lambda a, b: tf.where(a > b, a, b), lambda a, b: tf.floor(a), lambda a, b: a * 0.5 + 2,
    lambda a, b: tf.math.log1p(tf.abs(a)),
    lambda a, b: tf.sign(a),
    lambda a, b: tf.cast(tf.cast(a > 0, tf.int32), a.dtype), lambda a, b: tf.square(a),
    lambda a, b: tf.nn.relu(a), lambda a, b: tf.sigmoid(b), lambda a, b: tf.nn.softplus(a), lambda a, b: tf.nn.elu(b),
    lambda a, b: tf.math.rsqrt(tf.abs(a) + 1), lambda a, b: tf.nn.silu(a), lambda a, b: tf.math.divide_no_nan(a, b),
]  # fmt: skip

INTEGERS = [
    lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: a // (b * b % 7 + 1),
    lambda a, b: a % 5, lambda a, b: tf.abs(a), lambda a, b: tf.maximum(a, b), lambda a, b: tf.where(a > b, a, b),
    lambda a, b: tf.bitwise.bitwise_xor(a, b), lambda a, b: -a,
    lambda a, b: tf.cast(tf.cast(a, tf.float64) / 2, a.dtype),
]  # fmt: skip


def program(seed, rules):
    """A function of two tensors that takes ten random steps, and gives two of its values."""
    drawn = random.Random(seed)
    steps = [(drawn.choice(rules), drawn.randrange(100), drawn.randrange(100)) for _ in range(10)]

    def function(x, y):
        values = [x, y]
        for rule, i, j in steps:
            values.append(rule(values[i % len(values)], values[j % len(values)]))
        return values[-1], values[steps[0][1] % len(values)]

    return function


def operands(shapes, dtype, seed):
    drawn = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        arrays = [drawn.normal(size=shape) * 3 for shape in shapes]
        for array in arrays:
            if array.size > 2:
                array.flat[:3] = [0.0, np.inf, np.nan]
    else:
        arrays = [drawn.integers(-50, 50, shape) for shape in shapes]
    return [np.asarray(a, dtype) for a in arrays]


def both(function, arrays):
    """The results with machine code and with the plan over NumPy, and the plan with machine code."""
    given = [tf.constant(a) for a in arrays]
    native = tf.function(function, backend="native")
    return native(*given), tf.function(function, backend="numpy")(*given), native.get_concrete_function(*given).plan


def assert_same(found, wanted):
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        assert one.dtype is other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(one.numpy(), other.numpy(), strict=True)
        if one.dtype.is_floating:
            numbers = ~np.isnan(one.numpy())
            np.testing.assert_array_equal(np.signbit(one.numpy())[numbers], np.signbit(other.numpy())[numbers])


@pytest.mark.parametrize("seed", range(20))
def test_random_chains_give_the_same_as_numpy(seed):
    shapes = SHAPES[seed % len(SHAPES)]
    rules, dtype = [(FLOATS, "float64"), (FLOATS, "float32"), (INTEGERS, "int64"), (INTEGERS, "int32")][seed % 4]
    found, wanted, _ = both(program(seed, rules), operands(shapes, dtype, seed))
    assert_same(found, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_random_chains(part):
    for seed in range(1000 + 60 * part, 1060 + 60 * part):
        for rules, dtype in [(FLOATS, "float64"), (FLOATS, "float32"), (INTEGERS, "int64"), (INTEGERS, "int8")]:
            found, wanted, _ = both(program(seed, rules), operands(SHAPES[seed % len(SHAPES)], dtype, seed))
            assert_same(found, wanted)


def test_a_chain_is_one_kernel_that_stores_one_array():
    def function(x, y):
        z = x * 2.0 + y
        return tf.sqrt(z * z + x) - y

    found, wanted, plan = both(function, operands([(5,), (5,)], "float64", 0))
    assert_same(found, wanted)
    (region,) = plan.regions
    assert region.text.count("define internal i1 @kernel") - region.text.count("_task(") == 1
    assert region.text.count("call {ptr, ptr} @allocate_result") == 1
    assert region.given_up == 0


def test_numpys_functions_take_blocks_inside_of_the_kernel():
    def function(x):
        return tf.exp(x * 2.0) + tf.tanh(x) * 3.0

    found, wanted, plan = both(function, operands([(2 * BLOCK + 17,)], "float64", 3)[:1])
    assert_same(found, wanted)
    assert len(plan.regions) == 1 and "numpy.exp" in plan.regions[0].text


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_many_elements_are_shared_by_threads(dtype):
    arrays = operands([(WORTH // 8, 2), (2,)], dtype, 5)
    found, wanted, plan = both(lambda x, y: (tf.exp(-x * x) * y + x, x - y), arrays)
    assert_same(found, wanted)
    assert plan.regions[0].given_up == 0


def test_a_thread_that_gives_up_leaves_the_work_to_numpy():
    x = np.full(WORTH, 7, np.int64)
    y = np.full(WORTH, 2, np.int64)
    y[-1] = 0
    function = lambda x, y: (x * 3) // y + x
    with pytest.raises(tf.errors.InvalidArgumentError) as ours:
        tf.function(function, backend="native")(tf.constant(x), tf.constant(y))
    with pytest.raises(tf.errors.InvalidArgumentError) as numpys:
        tf.function(function, backend="numpy")(tf.constant(x), tf.constant(y))
    assert str(ours.value) == str(numpys.value)


def test_what_a_kernel_will_read_is_not_written_to_before():
    @tf.function(backend="native")
    def native(a, n):
        total = a * 0.0
        for i in range(n):
            old = a * 2.0 + 1.0
            a[i] = -5.0
            total += old * a
        return total

    def plain(a, n):
        total = a * 0.0
        for i in range(n):
            old = a * 2.0 + 1.0
            a[i] = -5.0
            total += old * a
        return total

    a = np.arange(6.0)
    np.testing.assert_array_equal(native(a.copy(), tf.constant(4)), plain(a.copy(), 4))


def test_lengths_that_only_the_run_knows():
    signature = [tf.TensorSpec([None, None], tf.float64), tf.TensorSpec([None], tf.float64)]

    def function(x, y):
        return tf.maximum(x * y + 1.0, 0.0) - y

    native = tf.function(function, signature, backend="native")
    for rows, columns in [(3, 4), (1, 1), (0, 4), (700, 3)]:
        x, y = operands([(rows, columns), (columns,)], "float64", rows)
        assert_same(native(x, y), tf.function(function, backend="numpy")(tf.constant(x), tf.constant(y)))
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        native(np.zeros((3, 4)), np.zeros(3))


def test_results_of_a_kernel_belong_to_themselves():
    @tf.function(backend="native")
    def function(x):
        y = x * 2.0 + 1.0
        return y, y * y

    x = np.arange(50_000.0)
    first, square = (t.numpy() for t in function(x))
    kept = first.copy()
    for _ in range(5):
        function(x + 1)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(square, kept * kept)


def test_gradients_are_fused_too():
    def loss(x, w):
        return tf.reduce_sum(tf.tanh(x * w + 0.5) * x)

    def slope(backend):
        @tf.function(backend=backend)
        def run(x, w):
            with tf.GradientTape() as tape:
                tape.watch(w)
                value = loss(x, w)
            return tape.gradient(value, w)

        return run(*[tf.constant(a) for a in operands([(30,), (30,)], "float64", 9)])

    np.testing.assert_array_equal(slope("native"), slope("numpy"))


def test_a_fork_after_shared_kernels_can_share_again():
    text = f"""
import os
import numpy as np
import runtime as tf
run = tf.function(lambda x: tf.exp(-x) * x + 1.0, backend="native")
x = tf.constant(np.linspace(0.0, 1.0, {WORTH}))
wanted = run(x).numpy()
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(run(x).numpy(), wanted) else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    if sys.platform == "win32":
        pytest.skip("there is no fork")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", text], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["0"], done.stderr


ACTIVATIONS = [
    "relu", "relu6", "leaky_relu", "elu", "selu", "softplus", "softsign", "swish", "sigmoid", "tanh",
]  # fmt: skip


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_activations_are_their_kernels_in_machine_code(name, dtype):
    """No rule is written for them: what their kernels do to arrays is."""

    def function(x):
        return getattr(tf.nn, name)(x) * 2 + x

    arrays = [np.append(np.linspace(-30, 30, 301), [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-30, -1e-30]).astype(dtype)]
    found, wanted, plan = both(function, arrays)
    assert_same([found], [wanted])
    assert len(plan.regions) == 1 and plan.regions[0].given_up == 0


def test_a_bias_and_an_activation_behind_a_product():
    def layer(x, w, b):
        return tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w), b)) * 0.5

    arrays = operands([(8, 5), (5, 300), (300,)], "float32", 11)
    found, wanted, plan = both(layer, arrays)
    assert_same([found], [wanted])
    assert "numpy.matmul" in plan.regions[0].text and plan.regions[0].given_up == 0


def test_whether_a_kernel_is_an_expression_depends_on_its_attributes():
    x = tf.constant(np.linspace(-3.0, 3.0, 40))
    exact = tf.function(lambda t: tf.nn.gelu(t) * 2 + t, backend="native")
    by_tanh = tf.function(lambda t: tf.nn.gelu(t, approximate=True) * 2 + t, backend="native")
    exact(x)  # whose kernel is none
    assert "numpy.tanh" in by_tanh.lower(x).as_text("native")
    found = tf.function(lambda t: tf.nn.gelu(t, approximate=True) * 2 + t, backend="numpy")(x)
    np.testing.assert_array_equal(by_tanh(x), found)
