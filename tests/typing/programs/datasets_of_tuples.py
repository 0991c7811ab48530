"""Elements that are tuples are the arguments of the functions."""
import runtime as tf

pairs = tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [1, 2]))
reveal_type(pairs)
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]]"
# by pyright: information: Type of "pairs" is "Dataset[tuple[Tensor, Tensor]]"

def weighed(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return x * tf.cast(y, tf.float32)

def alone(x: tf.Tensor) -> tf.Tensor:
    return x

reveal_type(pairs.map(weighed))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "pairs.map(weighed)" is "Dataset[Tensor]"
reveal_type(pairs.map(lambda x, y: (y, x)))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]]"
# by pyright: information: Type of "pairs.map(lambda x, y: (y, x))" is "Dataset[tuple[Tensor, Tensor]]"
pairs.map(alone)
# by mypy: error: Argument 1 to "map" of "Dataset" has incompatible type "Callable[[Tensor], Tensor]"; expected "Callable[[Tensor, Tensor], Tensor]"  [arg-type]
# by pyright: error: Argument of type "(x: Tensor) -> Tensor" cannot be assigned to parameter "map_func" of type "(tuple[Tensor, Tensor]) -> U@map" in function "map"
# by pyright: error: No overloads for "map" match the provided arguments
for x, y in pairs.batch(2):
    reveal_type(y)
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "y" is "Tensor"
