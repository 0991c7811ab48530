"""Operators of tensors, with tensors, numbers and arrays on either side."""
import numpy as np
import runtime as tf

x = tf.constant([1.0, 2.0])
reveal_type(x + 1)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x + 1" is "Tensor"
reveal_type(2 * x)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "2 * x" is "Tensor"
reveal_type(x @ [[1.0], [2.0]])
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x @ [[1], [2]]" is "Tensor"
reveal_type(x ** 2 - x / 3)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x ** 2 - x / 3" is "Tensor"
reveal_type(-x)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "-x" is "Tensor"
reveal_type(abs(x))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "abs(x)" is "Tensor"
reveal_type(x < 2)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x < 2" is "Tensor"
reveal_type((x > 0) & (x < 2))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "(x > 0) & (x < 2)" is "Tensor"
reveal_type(~(x == 2))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "~(x == 2)" is "Tensor"
reveal_type(x != 2)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x != 2" is "Tensor"
reveal_type(divmod(x, 2))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "divmod(x, 2)" is "tuple[Tensor, Tensor]"
reveal_type(x + np.ones(2))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x + np.ones(2)" is "Tensor"
x + None
# by mypy: error: Unsupported operand types for + ("Tensor" and "None")  [operator]
# by pyright: error: Operator "+" not supported for types "Tensor" and "None"
# by pyright: warning: Expression value is unused
x * object()
# by mypy: error: Unsupported operand types for * ("Tensor" and "object")  [operator]
# by pyright: error: Operator "*" not supported for types "Tensor" and "object"
# by pyright: warning: Expression value is unused
x += 1
reveal_type(x)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x" is "Tensor"
