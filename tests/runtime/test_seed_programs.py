"""Programs of the introductory guides to graphs and functions, with one line changed: `import runtime as tf`.

Their values, the lines that they print, in order, and the errors that they show are those of the guides. What a program
prints while it is traced (`print`) and while its graph runs (`tf.print`) is read as one text.
"""

import io

import numpy as np

import runtime as tf
from tests.runtime.prints import reading_prints


def test_a_function_gives_what_the_python_function_gives() -> None:
    def a_regular_function(x, y, b):
        x = tf.matmul(x, y)
        x = x + b
        return x

    a_function_that_uses_a_graph = tf.function(a_regular_function)
    x1 = tf.constant([[1.0, 2.0]])
    y1 = tf.constant([[2.0], [3.0]])
    b1 = tf.constant(4.0)
    orig_value = a_regular_function(x1, y1, b1).numpy()
    tf_function_value = a_function_that_uses_a_graph(x1, y1, b1).numpy()
    assert orig_value == tf_function_value
    assert orig_value == 12.0


def test_callees_are_part_of_the_graph() -> None:
    def inner_function(x, y, b):
        x = tf.matmul(x, y)
        x = x + b
        return x

    @tf.function
    def outer_function(x):
        y = tf.constant([[2.0], [3.0]])
        b = tf.constant(4.0)

        return inner_function(x, y, b)

    argument = tf.constant([[1.0, 2.0]])
    assert outer_function(argument).numpy().tolist() == [[12.0]]
    types = [operation.type for operation in outer_function.get_concrete_function(argument).graph.get_operations()]
    assert "matmul" in types
    assert "add" in types


def test_simple_relu_branches_in_the_graph() -> None:
    def simple_relu(x):
        if tf.greater(x, 0):
            return x
        else:
            return 0

    tf_simple_relu = tf.function(simple_relu)
    assert tf_simple_relu(tf.constant(1)).numpy() == 1
    assert tf_simple_relu(tf.constant(-1)).numpy() == 0
    code = tf.autograph.to_code(simple_relu)
    assert code.startswith("def tf__simple_relu(x):\n")
    assert "ag__.if_stmt(ag__.converted_call(" in code
    definition = tf_simple_relu.get_concrete_function(tf.constant(1)).graph.as_graph_def()
    assert "cond" in {node.op for node in definition.node}
    assert "cond" in str(definition)


@reading_prints
def test_polymorphism_one_function_many_graphs(printed: io.StringIO) -> None:
    @tf.function
    def my_relu(x):
        return tf.maximum(0.0, x)

    print(my_relu(tf.constant(5.5)))
    print(my_relu([1, -1]))
    print(my_relu(tf.constant([3.0, -3.0])))
    signatures = my_relu.pretty_printed_concrete_signatures()
    assert signatures.count("my_relu(x") == 3
    print(my_relu(tf.constant(-2.5)))
    print(my_relu(tf.constant([-1.0, 1.0])))
    assert my_relu.pretty_printed_concrete_signatures() == signatures
    assert "float32 Tensor, shape=()" in signatures
    assert "float32 Tensor, shape=(2,)" in signatures
    assert printed.getvalue().splitlines() == [
        "tf.Tensor(5.5, shape=(), dtype=float32)",
        "tf.Tensor([1. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor([3. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor(0.0, shape=(), dtype=float32)",
        "tf.Tensor([0. 1.], shape=(2,), dtype=float32)",
    ]


def test_the_mean_squared_error_in_both_modes() -> None:
    @tf.function
    def get_MSE(y_true, y_pred):
        sq_diff = tf.pow(y_true - y_pred, 2)
        return tf.reduce_mean(sq_diff)

    y_true = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    y_pred = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    assert y_true.dtype == tf.int32
    assert np.all((y_true.numpy() >= 0) & (y_true.numpy() < 10))
    in_graph = get_MSE(y_true, y_pred)
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        eager = get_MSE(y_true, y_pred)
    finally:
        tf.config.run_functions_eagerly(False)
    # The mean of integers is an integer, cut off.
    plain = sum((int(a) - int(b)) ** 2 for a, b in zip(y_true.numpy(), y_pred.numpy(), strict=True)) // 5
    assert in_graph.numpy() == eager.numpy() == plain


@reading_prints
def test_python_prints_once_when_traced_and_at_each_call_when_run_eagerly(printed: io.StringIO) -> None:
    @tf.function
    def get_MSE(y_true, y_pred):
        print("Calculating MSE!")
        sq_diff = tf.pow(y_true - y_pred, 2)
        return tf.reduce_mean(sq_diff)

    y_true, y_pred = tf.constant([1, 2]), tf.constant([3, 5])
    for _ in range(3):
        assert get_MSE(y_true, y_pred).numpy() == 6
    assert printed.getvalue() == "Calculating MSE!\n"
    # Now, globally set everything to run eagerly to force eager execution.
    tf.config.run_functions_eagerly(True)
    try:
        for _ in range(3):
            assert get_MSE(y_true, y_pred).numpy() == 6
    finally:
        tf.config.run_functions_eagerly(False)
    assert printed.getvalue() == "Calculating MSE!\n" * 4
    # The trace that there was is there still.
    assert get_MSE(y_true, y_pred).numpy() == 6
    assert printed.getvalue() == "Calculating MSE!\n" * 4
    assert get_MSE.experimental_get_tracing_count() == 1


def test_a_power_of_a_matrix() -> None:
    x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)
    assert set(x.numpy().ravel().tolist()) <= {-1, 0, 1}

    def power(x, y):
        result = tf.eye(10, dtype=tf.dtypes.int32)
        for _ in range(y):
            result = tf.matmul(x, result)
        return result

    power_as_graph = tf.function(power)
    eager, in_graph = power(x, 100).numpy(), power_as_graph(x, 100).numpy()
    expected = np.eye(10, dtype=np.int32)
    for _ in range(100):
        expected = x.numpy() @ expected
    assert eager.dtype == in_graph.dtype == np.int32
    assert np.array_equal(in_graph, expected)
    assert np.array_equal(eager, expected)


@reading_prints
def test_when_a_function_traces(printed: io.StringIO) -> None:
    @tf.function
    def a_function_with_python_side_effect(x):
        print("Tracing!")
        return x * x + tf.constant(2)

    print(a_function_with_python_side_effect(tf.constant(2)))
    print(a_function_with_python_side_effect(tf.constant(3)))
    print(a_function_with_python_side_effect(2))
    print(a_function_with_python_side_effect(3))
    assert printed.getvalue().splitlines() == [
        "Tracing!",
        "tf.Tensor(6, shape=(), dtype=int32)",
        "tf.Tensor(11, shape=(), dtype=int32)",
        "Tracing!",
        "tf.Tensor(6, shape=(), dtype=int32)",
        "Tracing!",
        "tf.Tensor(11, shape=(), dtype=int32)",
    ]


@reading_prints
def test_a_function_of_three_arguments_and_its_code(printed: io.StringIO) -> None:
    def plain_calc(a, b, c):
        d = a * b + c
        e = a * b * c
        return d, e

    assert plain_calc(2, 3, 4) == (10, 24)

    @tf.function
    def calc(a, b, c):
        d = a * b + c
        e = a * b * c
        return d, e

    d, e = calc(2, 3, 4)
    assert (d.numpy(), e.numpy()) == (10, 24)
    code = tf.autograph.to_code(calc.python_function).splitlines()
    options = "recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True"
    assert code[0] == "def tf__calc(a, b, c):"
    assert code[1] == f"    with ag__.FunctionScope('calc', 'fscope', ag__.ConversionOptions({options})) as fscope:"
    assert code[-1] == "        return fscope.ret(retval_, do_return)"

    a = tf.constant(2.0, name="a")
    b = tf.constant(3.0, name="b")
    c = tf.constant(4.0, name="c")
    d, e = calc(a, b, c)
    print("d:", d)
    print("e:", e)
    assert (d.numpy(), e.numpy()) == (10.0, 24.0)
    assert printed.getvalue().splitlines() == [
        "d: tf.Tensor(10.0, shape=(), dtype=float32)",
        "e: tf.Tensor(24.0, shape=(), dtype=float32)",
    ]
