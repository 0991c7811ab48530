"""Layers: what their `call` says is what they give."""
import runtime as tf

x, y = tf.ones([2, 8, 8, 3]), tf.constant(1.0)
reveal_type(tf.layers.Conv2D(4, 3)(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.layers.Conv2D(4, 3)(x)" is "Tensor"
reveal_type(tf.keras.layers.Dense(2, activation="relu")(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.keras.layers.Dense(2, activation="relu")(x)" is "Tensor"
reveal_type(tf.layers.MaxPooling2D()(x, training=True))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.layers.MaxPooling2D()(x, training=True)" is "Tensor"
reveal_type(tf.layers.Add()([x, x]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.layers.Add()([x, x])" is "Tensor"

class Scale(tf.layers.Layer):
    def build(self, input_shape: tf.TensorShape) -> None:
        self.factor = self.add_weight("factor", [3])

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        return inputs * self.factor

class Both(tf.keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.scale = Scale()

    def call(self, inputs: tf.Tensor, training: bool = False) -> tuple[tf.Tensor, tf.Tensor]:
        return self.scale(inputs), inputs

reveal_type(Scale()(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "Scale()(x)" is "Tensor"
reveal_type(Both()(x, training=True))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "Both()(x, training=True)" is "tuple[Tensor, Tensor]"
reveal_type(Scale().losses)
# by mypy: note: Revealed type is "list[Any]"
# by pyright: information: Type of "Scale().losses" is "list[Any]"
tf.layers.Conv1D(4)
# by mypy: error: Missing positional argument "kernel_size" in call to "Conv1D"  [call-arg]
# by pyright: error: Argument missing for parameter "kernel_size"
tf.layers.Conv3D(4, 2, stride=2)
# by mypy: error: Unexpected keyword argument "stride" for "Conv3D"; did you mean "strides"?  [call-arg]
# by pyright: error: No parameter named "stride"
tf.Variable()
# by mypy: error: Missing positional argument "initial_value" in call to "Variable"  [call-arg]
# by pyright: error: Argument missing for parameter "initial_value"
reveal_type(tf.nest.map_structure(float, [y, y]))
# by mypy: note: Revealed type is "list[float]"
# by pyright: information: Type of "tf.nest.map_structure(float, [y, y])" is "list[float]"
reveal_type(tf.nest.map_structure(tf.square, {"a": x}))
# by mypy: note: Revealed type is "dict[str, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.nest.map_structure(tf.square, { "a": x })" is "dict[str, Tensor]"
reveal_type(tf.nest.map_structure(float, (y, y)))
# by mypy: note: Revealed type is "tuple[float, ...]"
# by pyright: information: Type of "tf.nest.map_structure(float, (y, y))" is "tuple[float, ...]"
reveal_type(tf.nest.map_structure(tf.square, x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.nest.map_structure(tf.square, x)" is "Tensor"
reveal_type(tf.nest.flatten({"a": x}))
# by mypy: note: Revealed type is "list[Any]"
# by pyright: information: Type of "tf.nest.flatten({ "a": x })" is "list[Any]"
features = tf.keras.Input(shape=(3,))
model = tf.keras.Model(features, tf.keras.layers.Dense(2)(features))
reveal_type(model)
# by mypy: note: Revealed type is "runtime.library.layers.model.Model"
# by pyright: information: Type of "model" is "Model"
tf.keras.Model(output=features)
# by mypy: error: Unexpected keyword argument "output" for overloaded function "Model"; did you mean "outputs"?  [call-overload]
# by pyright: error: No overloads for "__init__" match the provided arguments
