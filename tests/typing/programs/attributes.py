"""What a tensor knows of itself, and its value."""
import runtime as tf

x = tf.constant([[1.5, 2.5]])
reveal_type(x.shape)
# by mypy: note: Revealed type is "runtime.shapes.TensorShape"
# by pyright: information: Type of "x.shape" is "TensorShape"
reveal_type(x.dtype)
# by mypy: note: Revealed type is "runtime.dtypes.DType"
# by pyright: information: Type of "x.dtype" is "DType"
reveal_type(x.ndim)
# by mypy: note: Revealed type is "int | None"
# by pyright: information: Type of "x.ndim" is "int | None"
reveal_type(x.numpy())
# by mypy: note: Revealed type is "numpy.ndarray[Any, Any] | Any"
# by pyright: information: Type of "x.numpy()" is "ndarray[Any, Any] | Any"
reveal_type(float(x[0, 0]))
# by mypy: note: Revealed type is "float"
# by pyright: information: Type of "float(x[0, 0])" is "float"
reveal_type(int(x[0, 0]))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "int(x[0, 0])" is "int"
reveal_type(bool(x[0, 0] > 1))
# by mypy: note: Revealed type is "bool"
# by pyright: information: Type of "bool(x[0, 0] > 1)" is "bool"
reveal_type(x.T)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x.T" is "Tensor"
reveal_type(x.sum(axis=0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x.sum(axis=0)" is "Tensor"
reveal_type(x.reshape(2, 1))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x.reshape(2, 1)" is "Tensor"
reveal_type(x.astype("float64"))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "x.astype("float64")" is "Tensor"
reveal_type(x.device)
# by mypy: note: Revealed type is "str"
# by pyright: information: Type of "x.device" is "str"
x.shape = [1]
# by mypy: error: Incompatible types in assignment (expression has type "list[int]", variable has type "TensorShape")  [assignment]
# by mypy: error: Trying to assign name "shape" that is not in "__slots__" of type "runtime.tensor.tensor.Tensor"  [misc]
# by pyright: error: Cannot assign to attribute "shape" for class "Tensor"
