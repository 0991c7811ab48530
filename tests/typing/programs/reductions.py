"""Reductions, and their arguments."""
import runtime as tf

x = tf.constant([[1.0, 2.0]])
reveal_type(tf.reduce_sum(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.reduce_sum(x)" is "Tensor"
reveal_type(tf.reduce_mean(x, axis=0, keepdims=True))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.reduce_mean(x, axis=0, keepdims=True)" is "Tensor"
reveal_type(tf.reduce_max([1, 2, 3]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.reduce_max([1, 2, 3])" is "Tensor"
reveal_type(tf.argmax(x, axis=-1))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.argmax(x, axis=-1)" is "Tensor"
tf.reduce_sum(x, axes=0)
# by mypy: error: No overload variant of "reduce_sum" matches argument types "Tensor", "int"  [call-overload]
# by mypy: error: Unexpected keyword argument "axes" for overloaded function "reduce_sum"  [call-overload]
# by pyright: error: No overloads for "reduce_sum" match the provided arguments
tf.reduce_sum(x, axis="rows")
# by mypy: error: Argument "axis" to "reduce_sum" has incompatible type "str"; expected "SupportsIndex | Sequence[SupportsIndex] | None"  [arg-type]
# by pyright: error: Argument of type "Literal['rows']" cannot be assigned to parameter "axis" of type "_AxesLike" in function "reduce_sum"
# by pyright: error: No overloads for "reduce_sum" match the provided arguments
tf.reduce_sum()
# by mypy: error: All overload variants of "reduce_sum" require at least one argument  [call-overload]
# by pyright: error: No overloads for "reduce_sum" match the provided arguments
tf.reduce_sum(object())
# by mypy: error: No overload variant of "reduce_sum" matches argument type "object"  [call-overload]
# by pyright: error: Argument of type "object" cannot be assigned to parameter "input_tensor" of type "RaggedTensor" in function "reduce_sum"
# by pyright: error: No overloads for "reduce_sum" match the provided arguments
