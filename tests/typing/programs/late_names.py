"""Names that are imported when they are first used have their types all the same."""
import runtime as tf

reveal_type(tf.ensure_shape(tf.ones([2]), [None]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.ensure_shape(tf.ones([2]), [None])" is "Tensor"
reveal_type(tf.repeat([1, 2], 2))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.repeat([1, 2], 2)" is "Tensor"
reveal_type(tf.meshgrid([1], [2]))
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "tf.meshgrid([1], [2])" is "list[Tensor]"
reveal_type(tf.unique([1, 1, 2]))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor, fallback=runtime.library.places.Unique]"
# by pyright: information: Type of "tf.unique([1, 1, 2])" is "Unique"
reveal_type(tf.scatter_nd([[0]], [1], [3]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.scatter_nd([[0]], [1], [3])" is "Tensor"
reveal_type(tf.tensor_scatter_nd_add([0, 0], [[0]], [1]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.tensor_scatter_nd_add([0, 0], [[0]], [1])" is "Tensor"
reveal_type(tf.complex(1.0, 2.0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.complex(1, 2)" is "Tensor"
reveal_type(tf.clip_by_norm([3.0, 4.0], 1.0))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.clip_by_norm([3, 4], 1)" is "Tensor"
reveal_type(tf.searchsorted([1, 2], [1]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.searchsorted([1, 2], [1])" is "Tensor"
reveal_type(tf.UnconnectedGradients.ZERO)
# by mypy: note: Revealed type is "Literal[runtime.autodiff.tape.UnconnectedGradients.ZERO]?"
# by pyright: information: Type of "tf.UnconnectedGradients.ZERO" is "Literal[UnconnectedGradients.ZERO]"
tf.repeat()
# by mypy: error: Missing positional arguments "input", "repeats" in call to "repeat"  [call-arg]
# by pyright: error: Arguments missing for parameters "input", "repeats"
