"""Arrays of numpy and back."""
import numpy as np
import runtime as tf

x = tf.constant([1.0, 2.0])
reveal_type(np.asarray(x))
# by mypy: note: Revealed type is "numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]"
# by pyright: information: Type of "np.asarray(x)" is "ndarray[tuple[Any, ...], dtype[Any]]"
reveal_type(np.asarray(x).sum())
# by mypy: note: Revealed type is "Any"
# by pyright: information: Type of "np.asarray(x).sum()" is "Any"
reveal_type(x.tolist())
# by mypy: note: Revealed type is "Any"
# by pyright: information: Type of "x.tolist()" is "Any"
reveal_type(x[0].item())
# by mypy: note: Revealed type is "Any"
# by pyright: information: Type of "x[0].item()" is "Any"
reveal_type(tf.is_tensor(x))
# by mypy: note: Revealed type is "bool"
# by pyright: information: Type of "tf.is_tensor(x)" is "bool"
reveal_type(tf.as_dtype("float32"))
# by mypy: note: Revealed type is "runtime.dtypes.DType"
# by pyright: information: Type of "tf.as_dtype("float32")" is "DType"
reveal_type(x.dtype.is_floating)
# by mypy: note: Revealed type is "bool"
# by pyright: information: Type of "x.dtype.is_floating" is "bool"
