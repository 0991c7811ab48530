"""Programs of the guides with types of their own for tracing, and with TensorArrays. Only the import is another one."""

import numpy as np

import runtime as tf


class FruitTraceType(tf.types.experimental.TraceType):
    def __init__(self, fruit_type):
        self.fruit_type = fruit_type

    def is_subtype_of(self, other):
        return type(other) is FruitTraceType and self.fruit_type is other.fruit_type

    def most_specific_common_supertype(self, others):
        return self if all(self == other for other in others) else None

    def __eq__(self, other):
        return type(other) is FruitTraceType and self.fruit_type == other.fruit_type

    def __hash__(self):
        return hash(self.fruit_type)


def test_the_tracing_protocol() -> None:
    @tf.function
    def get_mixed_flavor(fruit_a, fruit_b):
        return fruit_a.flavor + fruit_b.flavor

    class Fruit:
        flavor = tf.constant([0, 0])

    class Apple(Fruit):
        flavor = tf.constant([1, 2])

    class Mango(Fruit):
        flavor = tf.constant([3, 4])

    # A generic trace type does not match the second call: the first Apple() and Mango() are gone by then.
    get_mixed_flavor(Apple(), Mango())  # Traces a new concrete function
    get_mixed_flavor(Apple(), Mango())  # Traces a new concrete function again
    assert get_mixed_flavor.experimental_get_tracing_count() == 2

    class FruitWithTraceType:
        def __tf_tracing_type__(self, context):
            return FruitTraceType(type(self))

    class AppleWithTraceType(FruitWithTraceType):
        flavor = tf.constant([1, 2])

    class MangoWithTraceType(FruitWithTraceType):
        flavor = tf.constant([3, 4])

    # Now if you try calling it again:
    get_mixed_flavor(AppleWithTraceType(), MangoWithTraceType())  # Traces a new concrete function
    mixed = get_mixed_flavor(AppleWithTraceType(), MangoWithTraceType())  # Re-uses the traced concrete function
    assert repr(mixed) == "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([4, 6], dtype=int32)>"
    assert get_mixed_flavor.experimental_get_tracing_count() == 3
    assert get_mixed_flavor(MangoWithTraceType(), MangoWithTraceType()).numpy().tolist() == [6, 8]
    assert get_mixed_flavor.experimental_get_tracing_count() == 4


def test_states_of_a_recurrent_network_are_collected_in_an_array() -> None:
    batch_size = 2
    seq_len = 3
    feature_size = 4

    def rnn_step(inp, state):
        return inp + state

    @tf.function
    def dynamic_rnn(rnn_step, input_data, initial_state):
        # [batch, time, features] -> [time, batch, features]
        input_data = tf.transpose(input_data, [1, 0, 2])
        max_seq_len = input_data.shape[0]

        states = tf.TensorArray(tf.float32, size=max_seq_len)
        state = initial_state
        for i in tf.range(max_seq_len):
            state = rnn_step(input_data[i], state)
            states = states.write(i, state)
        return tf.transpose(states.stack(), [1, 0, 2])

    x = tf.random.uniform([batch_size, seq_len, feature_size])
    states = dynamic_rnn(rnn_step, x, tf.zeros([batch_size, feature_size]))
    assert (states.shape, states.dtype) == ((2, 3, 4), tf.float32)
    assert np.allclose(states.numpy(), np.cumsum(x.numpy(), axis=1), rtol=1e-6)
    definition = dynamic_rnn.get_concrete_function(rnn_step, x, tf.zeros([2, 4])).graph.as_graph_def()
    assert "while" in {node.op for node in definition.node}


def test_a_recurrent_model() -> None:
    class Cell(tf.Module):
        def __init__(self, units):
            self.kernel = tf.Variable(tf.random.uniform([units, units]))

        def zero_state(self, batch, dtype):
            return tf.zeros([batch, self.kernel.shape[0]], dtype)

        def __call__(self, x, state):
            state = tf.tanh(x + state @ self.kernel)
            return 2.0 * state, state

    class DynamicRNN(tf.Module):
        def __init__(self, rnn_cell):
            super(DynamicRNN, self).__init__()
            self.cell = rnn_cell

        @tf.function
        def __call__(self, input_data):
            # [batch, time, features] -> [time, batch, features]
            input_data = tf.transpose(input_data, [1, 0, 2])
            outputs = tf.TensorArray(tf.float32, input_data.shape[0])
            state = self.cell.zero_state(input_data.shape[1], dtype=tf.float32)
            for i in tf.range(input_data.shape[0]):
                output, state = self.cell(input_data[i], state)
                outputs = outputs.write(i, output)
            # [time, batch, features] -> [batch, time, features]
            return tf.transpose(outputs.stack(), [1, 0, 2]), state

    model = DynamicRNN(Cell(3))
    x = tf.random.uniform([2, 5, 3])
    outputs, state = model(x)
    expected = np.zeros([2, 3], np.float32)
    for i in range(5):
        expected = np.tanh(x.numpy()[:, i] + expected @ model.cell.kernel.numpy())
        assert np.allclose(outputs.numpy()[:, i], 2 * expected, rtol=1e-5)
    assert np.allclose(state.numpy(), expected, rtol=1e-5)
    assert [v.shape for v in model.trainable_variables] == [(3, 3)]
