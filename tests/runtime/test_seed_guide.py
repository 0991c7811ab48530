"""Programs of the guide to better performance with functions, with one line changed: `import runtime as tf`.

Their values, the lines that they print, in order, and the errors that they show are those of the guide. What a program
prints while it is traced (`print`) and while its graph runs (`tf.print`) is read as one text.
"""

import contextlib
import io
import timeit

import numpy as np
import pytest

import runtime as tf
from tests.runtime.prints import reading_prints


@tf.function
def add(a, b):
    return a + b


@tf.function
def dense_layer(x, w, b):
    return add(tf.matmul(x, w), b)


def new_double():
    @tf.function
    def double(a):
        print("Tracing with", a)
        return a + a

    return double


def test_a_function_is_called_like_an_operation() -> None:
    assert repr(add(tf.ones([2, 2]), tf.ones([2, 2]))) == (
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[2., 2.],\n       [2., 2.]], dtype=float32)>"
    )


def test_functions_call_functions() -> None:
    assert repr(dense_layer(tf.ones([3, 2]), tf.ones([2, 2]), tf.ones([2]))) == (
        "<tf.Tensor: shape=(3, 2), dtype=float32, numpy=\n"
        "array([[3., 3.],\n       [3., 3.],\n       [3., 3.]], dtype=float32)>"
    )


@reading_prints
def test_tracing_with_each_dtype(printed: io.StringIO) -> None:
    double = new_double()
    print(double(tf.constant(1)))
    print(double(tf.constant(1.1)))
    print(double(tf.constant("a")))
    print(double(tf.constant("b")))
    assert printed.getvalue().splitlines() == [
        'Tracing with Tensor("a:0", shape=(), dtype=int32)',
        "tf.Tensor(2, shape=(), dtype=int32)",
        'Tracing with Tensor("a:0", shape=(), dtype=float32)',
        "tf.Tensor(2.2, shape=(), dtype=float32)",
        'Tracing with Tensor("a:0", shape=(), dtype=string)',
        "tf.Tensor(b'aa', shape=(), dtype=string)",
        "tf.Tensor(b'bb', shape=(), dtype=string)",
    ]
    block = "double(a)\n  Args:\n    a: {0} Tensor, shape=()\n  Returns:\n    {0} Tensor, shape=()"
    expected = "\n\n".join(block.format(dtype) for dtype in ("int32", "float32", "string"))
    assert double.pretty_printed_concrete_signatures() == expected


@reading_prints
def test_an_input_signature_restricts(printed: io.StringIO) -> None:
    @tf.function(input_signature=(tf.TensorSpec(shape=[None], dtype=tf.int32),))
    def next_collatz(x):
        print("Tracing with", x)
        return tf.where(x % 2 == 0, x // 2, 3 * x + 1)

    print(next_collatz(tf.constant([1, 2])))
    with pytest.raises(ValueError, match="input_signature"):
        next_collatz(tf.constant([[1, 2], [3, 4]]))
    with pytest.raises(ValueError, match="input_signature"):
        next_collatz(tf.constant([1.0, 2.0]))
    assert printed.getvalue().splitlines() == [
        'Tracing with Tensor("x:0", shape=(None,), dtype=int32)',
        "tf.Tensor([4 1], shape=(2,), dtype=int32)",
    ]


@reading_prints
def test_an_unknown_dimension_takes_all_lengths(printed: io.StringIO) -> None:
    @tf.function(input_signature=(tf.TensorSpec(shape=[None], dtype=tf.int32),))
    def g(x):
        print("Tracing with", x)
        return x

    print(g(tf.constant([1, 2, 3])))
    print(g(tf.constant([1, 2, 3, 4, 5])))
    assert printed.getvalue().splitlines() == [
        'Tracing with Tensor("x:0", shape=(None,), dtype=int32)',
        "tf.Tensor([1 2 3], shape=(3,), dtype=int32)",
        "tf.Tensor([1 2 3 4 5], shape=(5,), dtype=int32)",
    ]


@reading_prints
def test_tensors_instead_of_literals_are_not_retraced(printed: io.StringIO) -> None:
    def train_one_step():
        pass

    @tf.function
    def train(num_steps):
        print("Tracing with num_steps = ", num_steps)
        tf.print("Executing with num_steps = ", num_steps)
        for _ in tf.range(num_steps):
            train_one_step()

    train(num_steps=10)
    train(num_steps=20)
    train(num_steps=tf.constant(10))
    train(num_steps=tf.constant(20))
    assert printed.getvalue().splitlines() == [
        "Tracing with num_steps =  10",
        "Executing with num_steps =  10",
        "Tracing with num_steps =  20",
        "Executing with num_steps =  20",
        'Tracing with num_steps =  Tensor("num_steps:0", shape=(), dtype=int32)',
        "Executing with num_steps =  10",
        "Executing with num_steps =  20",
    ]


@reading_prints
def test_each_function_object_has_its_own_traces(printed: io.StringIO) -> None:
    def f():
        print("Tracing!")
        tf.print("Executing")

    tf.function(f)()
    tf.function(f)()
    assert printed.getvalue().split() == ["Tracing!", "Executing"] * 2


@reading_prints
def test_a_concrete_function_is_one_trace(printed: io.StringIO) -> None:
    double = new_double()
    print("Obtaining concrete trace")
    double_strings = double.get_concrete_function(tf.constant("a"))
    print("Executing traced function")
    print(double_strings(tf.constant("a")))
    print(double_strings(a=tf.constant("b")))
    double_strings_from_inputspec = double.get_concrete_function(tf.TensorSpec(shape=[], dtype=tf.string))
    print(double_strings_from_inputspec(tf.constant("c")))
    assert printed.getvalue().splitlines() == [
        "Obtaining concrete trace",
        'Tracing with Tensor("a:0", shape=(), dtype=string)',
        "Executing traced function",
        "tf.Tensor(b'aa', shape=(), dtype=string)",
        "tf.Tensor(b'bb', shape=(), dtype=string)",
        "tf.Tensor(b'cc', shape=(), dtype=string)",
    ]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"string.*int32"):
        double_strings(tf.constant(1))


def test_a_concrete_function_of_any_shape() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        double_strings = new_double().get_concrete_function(tf.TensorSpec(shape=None, dtype=tf.string))
    assert double_strings(tf.constant("a")).numpy() == b"aa"
    assert double_strings(a=tf.constant("b")).numpy() == b"bb"
    assert double_strings(tf.constant(["a", "b"])).numpy().tolist() == [b"aa", b"bb"]
    with pytest.raises(tf.errors.InvalidArgumentError):
        double_strings(tf.constant(1))


def test_a_concrete_function_shows_its_signature() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        double_strings = new_double().get_concrete_function(tf.constant("a"))
    assert str(double_strings) == (
        "ConcreteFunction double(a)\n  Args:\n    a: string Tensor, shape=()\n  Returns:\n    string Tensor, shape=()"
    )
    assert str(double_strings.structured_input_signature) == (
        "((TensorSpec(shape=(), dtype=tf.string, name='a'),), {})"
    )
    assert double_strings.structured_outputs.shape == ()
    assert double_strings.structured_outputs.dtype == tf.string


def test_python_arguments_are_part_of_the_signature() -> None:
    @tf.function
    def pow(a, b):
        return a**b

    square = pow.get_concrete_function(a=tf.TensorSpec(None, tf.float32), b=2)
    assert str(square) == (
        "ConcreteFunction pow(a, b=2)\n"
        "  Args:\n    a: float32 Tensor, shape=<unknown>\n  Returns:\n    float32 Tensor, shape=<unknown>"
    )
    assert square(tf.constant(10.0)) == 100
    with pytest.raises(TypeError, match="b"):
        square(tf.constant(10.0), b=3)


def test_the_nodes_of_a_graph() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        graph = new_double().get_concrete_function(tf.constant("a")).graph
    nodes = [f"{list(node.input)} -> {node.name}" for node in graph.as_graph_def().node]
    assert nodes == ["[] -> a", "['a', 'a'] -> add", "['add'] -> Identity"]


@reading_prints
def test_a_simple_loop(printed: io.StringIO) -> None:
    @tf.function
    def f(x):
        while tf.reduce_sum(x) > 1:
            tf.print(x)
            x = tf.tanh(x)
        return x

    start = np.array([0.4, 0.3, 0.8, 0.45, 0.5], np.float32)
    result = f(tf.constant(start)).numpy()
    expected, steps = start, 0
    while expected.sum() > 1:
        expected, steps = np.tanh(expected), steps + 1
    lines = printed.getvalue().splitlines()
    assert np.allclose(result, expected, rtol=1e-5)
    assert len(lines) == steps > 10
    assert lines[0] == "[0.4 0.3 0.8 0.45 0.5]"
    assert "ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('x',), {})" in tf.autograph.to_code(
        f.python_function
    )


@reading_prints
def test_fizzbuzz_traces_each_branch_once_and_runs_in_order(printed: io.StringIO) -> None:
    @tf.function
    def fizzbuzz(n):
        for i in tf.range(1, n + 1):
            print("Tracing for loop")
            if i % 15 == 0:
                print("Tracing fizzbuzz branch")
                tf.print("fizzbuzz")
            elif i % 3 == 0:
                print("Tracing fizz branch")
                tf.print("fizz")
            elif i % 5 == 0:
                print("Tracing buzz branch")
                tf.print("buzz")
            else:
                print("Tracing default branch")
                tf.print(i)

    fizzbuzz(tf.constant(5))
    fizzbuzz(tf.constant(20))
    numbers = "1 2 fizz 4 buzz 1 2 fizz 4 buzz fizz 7 8 fizz buzz 11 fizz 13 14 fizzbuzz 16 17 fizz 19 buzz"
    assert printed.getvalue().splitlines() == [
        "Tracing for loop",
        "Tracing fizzbuzz branch",
        "Tracing fizz branch",
        "Tracing buzz branch",
        "Tracing default branch",
        *numbers.split(),
    ]


def test_a_loop_over_python_data_is_unrolled() -> None:
    def graph_size(f, *args):
        return len(f.get_concrete_function(*args).graph.as_graph_def().node)

    @tf.function
    def train(dataset):
        loss = tf.constant(0)
        for x, y in dataset:
            loss += tf.abs(y - x)
        return loss

    small_data = [(1, 1)] * 3
    big_data = [(1, 1)] * 10
    # Seven more rounds of the body: each adds at least its addition.
    assert graph_size(train, big_data) - graph_size(train, small_data) >= 7
    assert train([(1, 4), (5, 3)]).numpy() == 5


def test_a_convolution_is_called_eagerly_and_in_a_function() -> None:
    conv_layer = tf.keras.layers.Conv2D(5, 3)

    @tf.function
    def conv_fn(image):
        return conv_layer(image)

    image = tf.random.normal([1, 20, 20, 4], seed=1)
    eager, staged = conv_layer(image), conv_fn(image)
    assert staged.shape == [1, 18, 18, 5]
    np.testing.assert_allclose(staged, eager, rtol=1e-5, atol=1e-6)
    kernel, bias = (w.numpy() for w in conv_layer.weights)
    wanted = [(image[0, 4:7, 9:12, :, None].numpy() * kernel).sum((0, 1, 2)) + bias]
    np.testing.assert_allclose(staged[:, 4, 9], wanted, rtol=1e-4, atol=1e-5)
    timed = [timeit.timeit(call, number=2) for call in (lambda: conv_layer(image), lambda: conv_fn(image))]
    assert min(timed) > 0 and conv_fn.experimental_get_tracing_count() == 1
