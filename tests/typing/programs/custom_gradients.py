"""`custom_gradient` takes the function that gives gradients off."""
from collections.abc import Callable
import runtime as tf

@tf.custom_gradient
def clipped(x: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    return x, lambda upstream: tf.clip_by_value(upstream, -1.0, 1.0)

@tf.custom_gradient
# by mypy: error: Argument 1 to "custom_gradient" has incompatible type "Callable[[Tensor], Tensor]"; expected "Callable[[Tensor], tuple[Never, Any]]"  [arg-type]
# by pyright: error: Argument of type "(x: Tensor) -> Tensor" cannot be assigned to parameter "f" of type "None" in function "custom_gradient"
# by pyright: error: No overloads for "custom_gradient" match the provided arguments
def wrong(x: tf.Tensor) -> tf.Tensor:
    return x

reveal_type(clipped)
# by mypy: note: Revealed type is "def (x: runtime.tensor.tensor.Tensor) -> runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "clipped" is "(x: Tensor) -> Tensor"
reveal_type(clipped(tf.constant(3.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "clipped(tf.constant(3))" is "Tensor"
