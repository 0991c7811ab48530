"""`linalg`."""
import runtime as tf

a = tf.constant([[2.0, 0.0], [0.0, 2.0]])
reveal_type(tf.linalg.inv(a))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.linalg.inv(a)" is "Tensor"
reveal_type(tf.linalg.det(a))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.linalg.det(a)" is "Tensor"
reveal_type(tf.linalg.eig(a))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.linalg.eig(a)" is "tuple[Tensor, Tensor]"
reveal_type(tf.linalg.eigh(a))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.linalg.eigh(a)" is "tuple[Tensor, Tensor]"
reveal_type(tf.linalg.norm(a))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.linalg.norm(a)" is "Tensor"
reveal_type(tf.linalg.solve(a, a))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.linalg.solve(a, a)" is "Tensor"
values, vectors = tf.linalg.eigh(a)
reveal_type(values @ vectors)
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "values @ vectors" is "Tensor"
tf.linalg.det()
# by mypy: error: Missing positional argument "input" in call to "det"  [call-arg]
# by pyright: error: Argument missing for parameter "input"
