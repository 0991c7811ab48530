"""Variables."""
import runtime as tf

v = tf.Variable([1.0, 2.0], name="v")
reveal_type(v)
# by mypy: note: Revealed type is "runtime.state.variable.Variable"
# by pyright: information: Type of "v" is "Variable"
reveal_type(v + 1)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "v + 1" is "Tensor"
reveal_type(v.value())
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "v.value()" is "Tensor"
reveal_type(v.assign([3.0, 4.0]))
# by mypy: note: Revealed type is "runtime.state.variable.Variable"
# by pyright: information: Type of "v.assign([3, 4])" is "Variable"
reveal_type(v.assign_add([1.0, 1.0]))
# by mypy: note: Revealed type is "runtime.state.variable.Variable"
# by pyright: information: Type of "v.assign_add([1, 1])" is "Variable"
reveal_type(v[0])
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "v[0]" is "Tensor"
reveal_type(tf.reduce_sum(v))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.reduce_sum(v)" is "Tensor"
reveal_type(v.numpy())
# by mypy: note: Revealed type is "numpy.ndarray[Any, Any] | Any"
# by pyright: information: Type of "v.numpy()" is "ndarray[Any, Any] | Any"
for x in v:
    reveal_type(x)
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "x" is "Tensor"
v += 1
# by mypy: error: Result type of + incompatible in assignment  [misc]
v.asign(2.0)
# by mypy: error: "Variable" has no attribute "asign"; maybe "assign"?  [attr-defined]
# by pyright: error: Cannot access attribute "asign" for class "Tensor"
