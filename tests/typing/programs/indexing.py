"""Parts of tensors."""
import runtime as tf

x = tf.reshape(tf.range(6), [2, 3])
reveal_type(x[0])
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x[0]" is "Tensor"
reveal_type(x[:, 1:])
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x[:, 1:]" is "Tensor"
reveal_type(x[..., tf.newaxis])
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x[..., tf.newaxis]" is "Tensor"
reveal_type(x[0, 1])
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x[0, 1]" is "Tensor"

@tf.function
def cleared(x: tf.Tensor) -> tf.Tensor:
    x[0] = 0
    return x

reveal_type(cleared(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "cleared(x)" is "Tensor"
x[0] + {}
# by mypy: error: Unsupported operand types for + ("Tensor" and "dict[Never, Never]")  [operator]
# by pyright: error: Operator "+" not supported for types "Tensor" and "dict[Unknown, Unknown]"
# by pyright: warning: Expression value is unused
