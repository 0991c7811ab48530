"""Programs of the guides with Variables: only the import is another one; values, printed lines, errors are theirs."""

import io

import pytest

import runtime as tf
from tests.runtime.prints import reading_prints


def test_a_function_takes_a_variable_where_it_takes_a_tensor() -> None:
    @tf.function
    def add(a, b):
        return a + b

    v = tf.Variable(1.0)
    assert add(v, 1.0).numpy() == 2
    v.assign(5.0)
    assert add(v, 1.0).numpy() == 6
    assert add.experimental_get_tracing_count() == 1


@pytest.mark.filterwarnings("ignore::runtime.errors.TraceEffectWarning")
@reading_prints
def test_a_python_counter_guards_the_update_only_while_tracing(printed: io.StringIO) -> None:
    class Model(tf.Module):
        def __init__(self):
            self.v = tf.Variable(0)
            self.counter = 0

        @tf.function
        def __call__(self):
            if self.counter == 0:
                # A python side-effect
                self.counter += 1
                self.v.assign_add(1)

            return self.v

    m = Model()
    for _ in range(3):
        print(m().numpy())  # prints 1, 2, 3
    assert printed.getvalue().split() == ["1", "2", "3"]


@pytest.mark.filterwarnings("ignore::runtime.errors.TraceEffectWarning")
@reading_prints
def test_init_scope_lifts_the_update_out_of_the_graph(printed: io.StringIO) -> None:
    class Model(tf.Module):
        def __init__(self):
            self.v = tf.Variable(0)
            self.counter = 0

        @tf.function
        def __call__(self):
            if self.counter == 0:
                # Lifts ops out of function-building graphs
                with tf.init_scope():
                    self.counter += 1
                    self.v.assign_add(1)

            return self.v

    m = Model()
    for _ in range(3):
        print(m().numpy())  # prints 1, 1, 1
    assert printed.getvalue().split() == ["1", "1", "1"]


foo = 1


@reading_prints
def test_a_global_variable_is_read_when_the_graph_runs(printed: io.StringIO) -> None:
    global foo

    @tf.function
    def variable_add():
        return 1 + foo

    foo = tf.Variable(1)
    print("Variable:", variable_add())
    print("Updating the value of `foo` to 100!")
    foo.assign(100)
    print("Variable:", variable_add())
    assert printed.getvalue().splitlines() == [
        "Variable: tf.Tensor(2, shape=(), dtype=int32)",
        "Updating the value of `foo` to 100!",
        "Variable: tf.Tensor(101, shape=(), dtype=int32)",
    ]
    assert variable_add.experimental_get_tracing_count() == 1


@reading_prints
def test_variables_as_attributes_of_an_argument_change_without_a_new_trace(printed: io.StringIO) -> None:
    class BetterModel:
        def __init__(self):
            self.bias = tf.Variable(0.0)
            self.weight = tf.Variable(2.0)

    @tf.function
    def evaluate(model, x):
        return model.weight * x + model.bias

    better_model = BetterModel()
    x = tf.constant(10.0)
    print(evaluate(better_model, x))
    print("Adding bias!")
    better_model.bias.assign_add(5.0)  # Note: instead of better_model.bias += 5
    print(evaluate(better_model, x))  # This works!
    assert printed.getvalue().splitlines() == [
        "tf.Tensor(20.0, shape=(), dtype=float32)",
        "Adding bias!",
        "tf.Tensor(25.0, shape=(), dtype=float32)",
    ]
    assert evaluate.experimental_get_tracing_count() == 1


def test_a_new_variable_for_each_call_is_refused() -> None:
    @tf.function
    def f(x):
        v = tf.Variable(1.0)
        return v

    with pytest.raises(ValueError, match=r"only supports singleton tf\.Variables created on the first call"):
        f(1.0)


@reading_prints
def test_a_variable_that_is_created_where_there_is_none(printed: io.StringIO) -> None:
    class Count(tf.Module):
        def __init__(self):
            self.count = None

        @tf.function
        def __call__(self):
            if self.count is None:
                self.count = tf.Variable(0)
            return self.count.assign_add(1)

    c = Count()
    print(c())
    print(c())
    assert printed.getvalue().splitlines() == [
        "tf.Tensor(1, shape=(), dtype=int32)",
        "tf.Tensor(2, shape=(), dtype=int32)",
    ]


def test_concrete_functions_leave_out_the_object_that_they_were_traced_with() -> None:
    class Optimizer:
        def __init__(self, learning_rate):
            self.learning_rate = learning_rate

        def apply_gradients(self, pairs):
            for gradient, w in pairs:
                w.assign_sub(self.learning_rate * gradient)

    def train_step(w, x, y, optimizer):
        gradient = tf.reduce_sum(2 * (w * x - y) * x)
        optimizer.apply_gradients(zip([gradient], [w]))

    opt1, opt2 = Optimizer(0.1), Optimizer(0.01)
    w = tf.Variable(2.0)
    x, y = tf.constant([-1.0]), tf.constant([2.0])
    # Make a new Function and ConcreteFunction for each optimizer.
    train_step_1 = tf.function(train_step).get_concrete_function(w, x, y, opt1)
    train_step_2 = tf.function(train_step).get_concrete_function(w, x, y, opt2)
    expected = 2.0
    for i in range(10):
        rate = 0.1 if i % 2 == 0 else 0.01
        expected -= rate * 2 * (expected * -1 - 2) * -1
        if i % 2 == 0:
            train_step_1(w, x, y)  # `opt1` is not used as a parameter.
        else:
            train_step_2(w, x, y)  # `opt2` is not used as a parameter.
    assert w.numpy() == pytest.approx(expected)


@reading_prints
def test_the_life_of_a_variable(printed: io.StringIO) -> None:
    my_tensor = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    my_variable = tf.Variable(my_tensor)
    bool_variable = tf.Variable([False, False, False, True])
    print("Shape: ", my_variable.shape)
    print("DType: ", my_variable.dtype)
    print("As NumPy: ", my_variable.numpy())
    print("A variable:", my_variable)
    print("Viewed as a tensor:", tf.convert_to_tensor(my_variable))
    print("Index of highest value:", tf.math.argmax(my_variable))
    print("Copying and reshaping: ", tf.reshape(my_variable, [1, 4]))
    assert printed.getvalue().splitlines() == [
        "Shape:  (2, 2)",
        "DType:  <dtype: 'float32'>",
        "As NumPy:  [[1. 2.]",
        " [3. 4.]]",
        "A variable: <tf.Variable 'Variable:0' shape=(2, 2) dtype=float32, numpy=",
        "array([[1., 2.],",
        "       [3., 4.]], dtype=float32)>",
        "Viewed as a tensor: tf.Tensor(",
        "[[1. 2.]",
        " [3. 4.]], shape=(2, 2), dtype=float32)",
        "Index of highest value: tf.Tensor([1 1], shape=(2,), dtype=int64)",
        "Copying and reshaping:  tf.Tensor([[1. 2. 3. 4.]], shape=(1, 4), dtype=float32)",
    ]
    assert bool_variable.dtype == tf.bool


def test_assigning_to_a_variable() -> None:
    a = tf.Variable([2.0, 3.0])
    # This will keep the same dtype, float32
    a.assign([1, 2])
    with pytest.raises(ValueError, match="shape"):
        a.assign([1.0, 2.0, 3.0])  # Not allowed as it resizes the variable

    # Create b based on the value of a
    b = tf.Variable(a)
    a.assign([5, 6])
    assert (a.numpy().tolist(), b.numpy().tolist()) == ([5, 6], [1, 2])
    assert a.assign_add([2, 3]).numpy().tolist() == [7, 9]
    assert a.assign_sub([7, 9]).numpy().tolist() == [0, 0]


def test_names_and_places_of_variables() -> None:
    my_tensor = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    # Create a and b; they have the same name but are backed by different tensors.
    a = tf.Variable(my_tensor, name="Mark")
    b = tf.Variable(my_tensor + 1, name="Mark")
    assert (a.name, b.name) == ("Mark:0", "Mark:0")
    assert not (a == b).numpy().any()
    assert tf.Variable(1, trainable=False).trainable is False

    with tf.device("CPU:0"):
        a = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        b = tf.Variable([[1.0, 2.0, 3.0]])
    with tf.device("GPU:0"):
        k = a * b  # Element-wise multiply
    assert k.numpy().tolist() == [[1, 4, 9], [4, 10, 18]]
