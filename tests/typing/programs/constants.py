"""What makes tensors."""
import numpy as np
import runtime as tf

reveal_type(tf.constant([1, 2, 3]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.constant([1, 2, 3])" is "Tensor"
reveal_type(tf.constant(1.0, dtype=tf.float64, shape=[2]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.constant(1, dtype=tf.float64, shape=[2])" is "Tensor"
reveal_type(tf.convert_to_tensor(np.ones(3)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.convert_to_tensor(np.ones(3))" is "Tensor"
reveal_type(tf.zeros([2, 3]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.zeros([2, 3])" is "Tensor"
reveal_type(tf.ones_like([1, 2]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.ones_like([1, 2])" is "Tensor"
reveal_type(tf.fill([2], 7))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.fill([2], 7)" is "Tensor"
reveal_type(tf.range(10))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.range(10)" is "Tensor"
reveal_type(tf.linspace(0.0, 1.0, 5))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.linspace(0, 1, 5)" is "Tensor"
reveal_type(tf.eye(3))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.eye(3)" is "Tensor"
reveal_type(tf.float32)
# by mypy: note: Revealed type is "runtime.dtypes.DType"
# by pyright: information: Type of "tf.float32" is "DType"
tf.constant()
# by mypy: error: Missing positional argument "value" in call to "constant"  [call-arg]
# by pyright: error: Argument missing for parameter "value"
tf.zeros([2], dtyp=tf.int32)
# by mypy: error: Unexpected keyword argument "dtyp" for "zeros"; did you mean "dtype"?  [call-arg]
# by pyright: error: No parameter named "dtyp"
