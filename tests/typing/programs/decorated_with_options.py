"""The decorator with options gives the same types, and knows its options."""
import runtime as tf

@tf.function(reduce_retracing=True, name="area")
def area(width: tf.Tensor, height: tf.Tensor) -> tf.Tensor:
    return width * height

@tf.function()
def halved(x: tf.Tensor) -> tf.Tensor:
    return x / 2

@tf.function(reduce_retrace=True)
# by mypy: error: Unexpected keyword argument "reduce_retrace" for overloaded function "function"; did you mean "reduce_retracing"?  [call-overload]
# by mypy: error: Untyped decorator makes function "misspelt" untyped  [untyped-decorator]
# by pyright: error: No overloads for "function" match the provided arguments
def misspelt(x: tf.Tensor) -> tf.Tensor:
    return x

reveal_type(area)
# by mypy: note: Revealed type is "runtime.function.function.Function[[width: runtime.tensor.tensor.Tensor, height: runtime.tensor.tensor.Tensor], runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "area" is "Function[(width: Tensor, height: Tensor), Tensor]"
reveal_type(halved(tf.constant(1.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "halved(tf.constant(1))" is "Tensor"
area(tf.constant(1.0))
# by mypy: error: Missing positional argument "height" in call to "__call__" of "Function"  [call-arg]
# by pyright: error: Argument missing for parameter "height"
