"""`cond` of functions that give tensors; `while_loop` and the like give structures."""
import runtime as tf

x = tf.constant(1.0)
reveal_type(tf.cond(x > 0, lambda: x * 2, lambda: x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.cond(x > 0, lambda : x * 2, lambda : x)" is "Tensor"
reveal_type(tf.cond(x > 0, lambda: (x, x), lambda: (x, x)))
# by mypy: note: Revealed type is "Any"
# by pyright: information: Type of "tf.cond(x > 0, lambda : (x, x), lambda : (x, x))" is "Any"
reveal_type(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [x]))
# by mypy: note: Revealed type is "Any"
# by pyright: information: Type of "tf.while_loop(lambda i: i < 3, lambda i: i + 1, [x])" is "Any"
reveal_type(tf.map_fn(lambda row: row + 1, tf.range(3)))
# by mypy: note: Revealed type is "Any"
# by pyright: information: Type of "tf.map_fn(lambda row: row + 1, tf.range(3))" is "Tensor"
tf.cond(x > 0, 1.0, 2.0)
# by mypy: error: No overload variant of "cond" matches argument types "Tensor", "float", "float"  [call-overload]
# by pyright: error: Argument of type "float" cannot be assigned to parameter "false_fn" of type "Branch | None" in function "cond"
# by pyright: error: Argument of type "float" cannot be assigned to parameter "true_fn" of type "Branch | None" in function "cond"
# by pyright: error: No overloads for "cond" match the provided arguments
