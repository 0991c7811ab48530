"""`function` may be called with a function, a lambda or a bound method."""
import runtime as tf

def step(x: tf.Tensor, n: int) -> tuple[tf.Tensor, int]:
    return x + n, n

class Counter:
    def add(self, x: tf.Tensor) -> tf.Tensor:
        return x + 1

staged = tf.function(step, autograph=False)
reveal_type(staged(tf.constant(1), 2))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, int]"
# by pyright: information: Type of "staged(tf.constant(1), 2)" is "tuple[Tensor, int]"
staged(tf.constant(1), 2.5)
# by mypy: error: Argument 2 to "__call__" of "Function" has incompatible type "float"; expected "int"  [arg-type]
# by pyright: error: Argument of type "float" cannot be assigned to parameter "n" of type "int" in function "__call__"
reveal_type(tf.function(Counter().add))
# by mypy: note: Revealed type is "runtime.function.function.Function[[x: runtime.tensor.tensor.Tensor], runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.function(Counter().add)" is "Function[(x: Tensor), Tensor]"
tf.function(3)
# by mypy: error: No overload variant of "function" matches argument type "int"  [call-overload]
# by pyright: error: Argument of type "Literal[3]" cannot be assigned to parameter "func" of type "None" in function "function"
# by pyright: error: No overloads for "function" match the provided arguments
