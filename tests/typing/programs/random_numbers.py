"""Random numbers, with and without state."""
import runtime as tf

reveal_type(tf.random.normal([2]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.random.normal([2])" is "Tensor"
reveal_type(tf.random.uniform([2], maxval=3, dtype=tf.int32))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.random.uniform([2], maxval=3, dtype=tf.int32)" is "Tensor"
reveal_type(tf.random.stateless_normal([2], seed=[1, 2]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.random.stateless_normal([2], seed=[1, 2])" is "Tensor"
reveal_type(tf.random.Generator.from_seed(1))
# by mypy: note: Revealed type is "runtime.library.random.generator.Generator"
# by pyright: information: Type of "tf.random.Generator.from_seed(1)" is "Generator"
tf.random.normal()
# by mypy: error: Missing positional argument "shape" in call to "normal"  [call-arg]
# by pyright: error: Argument missing for parameter "shape"
