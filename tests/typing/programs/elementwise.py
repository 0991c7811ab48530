"""Functions of one or two tensors."""
import runtime as tf

reveal_type(tf.exp(1.0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.exp(1)" is "Tensor"
reveal_type(tf.math.log(tf.constant(2.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.math.log(tf.constant(2))" is "Tensor"
reveal_type(tf.maximum(1.0, tf.constant(2.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.maximum(1, tf.constant(2))" is "Tensor"
reveal_type(tf.clip_by_value(tf.constant(2.0), 0.0, 1.0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.clip_by_value(tf.constant(2), 0, 1)" is "Tensor"
reveal_type(tf.cast(3, tf.float32))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.cast(3, tf.float32)" is "Tensor"
reveal_type(tf.where(tf.constant(True), 1.0, 2.0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.where(tf.constant(True), 1, 2)" is "Tensor"
reveal_type(tf.add_n([tf.constant(1.0), 2.0]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.add_n([tf.constant(1), 2])" is "Tensor"
tf.exp(1.0, 2.0)
# by mypy: error: No overload variant of "exp" matches argument types "float", "float"  [call-overload]
# by pyright: error: No overloads for "exp" match the provided arguments
tf.maximum(1.0)
# by mypy: error: No overload variant of "maximum" matches argument type "float"  [call-overload]
# by pyright: error: No overloads for "maximum" match the provided arguments
tf.cast(3, 7)
# by mypy: error: No overload variant of "cast" matches argument types "int", "int"  [call-overload]
# by pyright: error: Argument of type "Literal[7]" cannot be assigned to parameter "dtype" of type "_DTypeLike" in function "cast"
# by pyright: error: No overloads for "cast" match the provided arguments
