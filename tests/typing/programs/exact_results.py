"""What has one type or another by its arguments, and arguments that are not there."""
import runtime as tf

x = tf.ones([3, 2])
reveal_type(tf.linalg.svd(x))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.linalg.svd(x)" is "tuple[Tensor, Tensor, Tensor]"
reveal_type(tf.linalg.svd(x, compute_uv=False))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.linalg.svd(x, compute_uv=False)" is "Tensor"

def square(row: tf.Tensor) -> tf.Tensor:
    return row * row

def both(row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return row, row + 1

reveal_type(tf.map_fn(square, x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.map_fn(square, x)" is "Tensor"
reveal_type(tf.map_fn(both, x, fn_output_signature=(tf.float32, tf.float32)))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.map_fn(both, x, fn_output_signature=(tf.float32, tf.float32))" is "tuple[Tensor, Tensor]"
reveal_type(tf.py_function(square, [x], tf.float32))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.py_function(square, [x], tf.float32)" is "Tensor"
reveal_type(tf.py_function(both, [x], [tf.float32, tf.float32]))
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.py_function(both, [x], [tf.float32, tf.float32])" is "list[Tensor]"

tf.data.Dataset.range("a")
# by mypy: error: Argument 1 to "range" of "StaticMethods" has incompatible type "str"; expected "SupportsIndex"  [arg-type]
# by pyright: error: Argument of type "Literal['a']" cannot be assigned to parameter "args" of type "SupportsIndex" in function "range"
tf.optimizers.Adam(learning=0.1)
# by mypy: error: Unexpected keyword argument "learning" for "Adam"; did you mean "learning_rate"?  [call-arg]
# by pyright: error: No parameter named "learning"
reveal_type(tf.optimizers.Adam(0.1, clipnorm=1.0).iterations)
# by mypy: note: Revealed type is "runtime.state.variable.Variable"
# by pyright: information: Type of "tf.optimizers.Adam(0.1, clipnorm=1).iterations" is "Variable"
