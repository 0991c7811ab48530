"""Modules and what they hold."""
import runtime as tf

class Dense(tf.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.w = tf.Variable(tf.random.normal([inputs, outputs]), name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return tf.nn.relu(x @ self.w + self.b)

layer = Dense(3, 2)
reveal_type(layer.variables)
# by mypy: note: Revealed type is "tuple[runtime.state.variable.Variable, ...]"
# by pyright: information: Type of "layer.variables" is "tuple[Variable, ...]"
reveal_type(layer.trainable_variables)
# by mypy: note: Revealed type is "tuple[runtime.state.variable.Variable, ...]"
# by pyright: information: Type of "layer.trainable_variables" is "tuple[Variable, ...]"
reveal_type(layer(tf.ones([1, 3])))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "layer(tf.ones([1, 3]))" is "Tensor"
layer([[1.0, 2.0, 3.0]])
# by mypy: error: Argument 1 to "__call__" of "Dense" has incompatible type "list[list[float]]"; expected "Tensor"  [arg-type]
# by pyright: error: Argument of type "list[list[float]]" cannot be assigned to parameter "x" of type "Tensor" in function "__call__"
