"""`nn` and `losses`."""
import runtime as tf

x = tf.ones([2, 3])
reveal_type(tf.nn.relu(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.nn.relu(x)" is "Tensor"
reveal_type(tf.nn.softmax(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.nn.softmax(x)" is "Tensor"
reveal_type(tf.math.softmax(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.math.softmax(x)" is "Tensor"
reveal_type(tf.nn.dropout(x, 0.5))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.nn.dropout(x, 0.5)" is "Tensor"
reveal_type(tf.losses.mean_squared_error(x, x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.losses.mean_squared_error(x, x)" is "Tensor"
reveal_type(tf.nn.top_k(x, k=2))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor, fallback=runtime.library.nn.classes.TopK]"
# by pyright: information: Type of "tf.nn.top_k(x, k=2)" is "TopK"
tf.nn.relu(x, 2)
# by mypy: error: No overload variant of "relu" matches argument types "Tensor", "int"  [call-overload]
# by pyright: error: No overloads for "relu" match the provided arguments
