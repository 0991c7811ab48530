"""A decorated function keeps its parameters and its result."""
import runtime as tf

@tf.function
def scaled(x: tf.Tensor, factor: float = 2.0) -> tf.Tensor:
    return x * factor

reveal_type(scaled)
# by mypy: note: Revealed type is "runtime.function.function.Function[[x: runtime.tensor.tensor.Tensor, factor: float =], runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "scaled" is "Function[(x: Tensor, factor: float = 2), Tensor]"
reveal_type(scaled(tf.constant(1.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "scaled(tf.constant(1))" is "Tensor"
scaled(tf.constant(1.0), factor=3.0)
scaled(tf.constant(1.0), "two")
# by mypy: error: Argument 2 to "__call__" of "Function" has incompatible type "str"; expected "float"  [arg-type]
# by pyright: error: Argument of type "Literal['two']" cannot be assigned to parameter "factor" of type "float" in function "__call__"
scaled()
# by mypy: error: Missing positional argument "x" in call to "__call__" of "Function"  [call-arg]
# by pyright: error: Argument missing for parameter "x"
scaled(tf.constant(1.0), faktor=3.0)
# by mypy: error: Unexpected keyword argument "faktor" for "__call__" of "Function"; did you mean "factor"?  [call-arg]
# by pyright: error: No parameter named "faktor"
reveal_type(scaled.python_function)
# by mypy: note: Revealed type is "def (x: runtime.tensor.tensor.Tensor, factor: float =) -> runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "scaled.python_function" is "(x: Tensor, factor: float = 2) -> Tensor"
