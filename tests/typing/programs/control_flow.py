"""Python's own statements over tensors."""
import runtime as tf

@tf.function
def collatz(n: tf.Tensor) -> tf.Tensor:
    steps = tf.constant(0)
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    for i in tf.range(3):
        steps += i
    return steps

reveal_type(collatz(tf.constant(27)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "collatz(tf.constant(27))" is "Tensor"
collatz(27)
# by mypy: error: Argument 1 to "__call__" of "Function" has incompatible type "int"; expected "Tensor"  [arg-type]
# by pyright: error: Argument of type "Literal[27]" cannot be assigned to parameter "n" of type "Tensor" in function "__call__"
