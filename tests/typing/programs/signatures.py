"""Specs and concrete functions."""
import runtime as tf

@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def total(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(x)

reveal_type(total.get_concrete_function())
# by mypy: note: Revealed type is "runtime.function.concrete.ConcreteFunction"
# by pyright: information: Type of "total.get_concrete_function()" is "ConcreteFunction"
reveal_type(total.get_concrete_function().graph)
# by mypy: note: Revealed type is "runtime.graph.graph.Graph"
# by pyright: information: Type of "total.get_concrete_function().graph" is "Graph"
reveal_type(total.cache_info())
# by mypy: note: Revealed type is "tuple[int, int, int, fallback=runtime.function.function.CacheInfo]"
# by pyright: information: Type of "total.cache_info()" is "CacheInfo"
reveal_type(total.experimental_get_tracing_count())
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "total.experimental_get_tracing_count()" is "int"
reveal_type(tf.TensorSpec([2], tf.int32).shape)
# by mypy: note: Revealed type is "runtime.shapes.TensorShape"
# by pyright: information: Type of "tf.TensorSpec([2], tf.int32).shape" is "TensorShape"
