"""The rows of a tensor."""
import runtime as tf

x = tf.constant([[1, 2], [3, 4]])
for row in x:
    reveal_type(row)
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "row" is "Tensor"
a, b = x
reveal_type(a)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "a" is "Tensor"
reveal_type(list(x))
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "list(x)" is "list[Tensor]"
reveal_type([row * 2 for row in x])
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "[row * 2 for row in x]" is "list[Tensor]"
reveal_type(dict(zip("ab", x)))
# by mypy: note: Revealed type is "dict[str, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "dict(zip("ab", x))" is "dict[str, Tensor]"
reveal_type(len(x))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "len(x)" is "int"
reveal_type(sum(x, tf.constant(0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "sum(x, tf.constant(0))" is "Tensor"
