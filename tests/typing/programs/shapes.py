"""Functions that arrange elements."""
import runtime as tf

x = tf.ones([2, 3])
reveal_type(tf.concat([x, x], axis=0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.concat([x, x], axis=0)" is "Tensor"
reveal_type(tf.stack([x, x]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.stack([x, x])" is "Tensor"
reveal_type(tf.unstack(x))
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.unstack(x)" is "list[Tensor]"
reveal_type(tf.split(x, 3, axis=1))
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.split(x, 3, axis=1)" is "list[Tensor]"
reveal_type(tf.transpose(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.transpose(x)" is "Tensor"
reveal_type(tf.expand_dims(x, 0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.expand_dims(x, 0)" is "Tensor"
reveal_type(tf.shape(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.shape(x)" is "Tensor"
reveal_type(tf.gather(x, [0]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.gather(x, [0])" is "Tensor"
reveal_type(tf.tile(x, [1, 2]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.tile(x, [1, 2])" is "Tensor"
reveal_type(tf.matmul(x, x, transpose_b=True))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.matmul(x, x, transpose_b=True)" is "Tensor"
tf.concat([x, x])
# by mypy: error: Missing positional argument "axis" in call to "concat"  [call-arg]
# by pyright: error: Argument missing for parameter "axis"
tf.reshape(x)
# by mypy: error: Missing positional argument "shape" in call to "reshape"  [call-arg]
# by pyright: error: Argument missing for parameter "shape"
