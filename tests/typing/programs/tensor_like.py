"""What functions of a program can say that they take."""
import numpy as np
import runtime as tf
from runtime.library.types.experimental import TensorLike

@tf.function
def doubled(x: TensorLike) -> tf.Tensor:
    return tf.multiply(x, 2)

doubled(1)
doubled([1.0, 2.0])
doubled(np.ones(3))
doubled(np.float32(2))
doubled(tf.constant(1))
doubled(tf.Variable(1))
doubled(None)
# by mypy: error: Argument 1 to "__call__" of "Function" has incompatible type "None"; expected "ArrayMethods | ndarray[Any, Any] | generic[Any] | complex | str | bytes | Sequence[Any] | TensorShape | SupportsArray"  [arg-type]
# by pyright: error: Argument of type "None" cannot be assigned to parameter "x" of type "TensorLike" in function "__call__"
doubled({"x": 1})
# by mypy: error: Argument 1 to "__call__" of "Function" has incompatible type "dict[str, int]"; expected "ArrayMethods | ndarray[Any, Any] | generic[Any] | complex | str | bytes | Sequence[Any] | TensorShape | SupportsArray"  [arg-type]
# by pyright: error: Argument of type "dict[str, int]" cannot be assigned to parameter "x" of type "TensorLike" in function "__call__"
