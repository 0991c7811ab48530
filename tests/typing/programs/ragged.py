"""Functions by element of ragged tensors give ragged tensors."""
import runtime as tf

rows = tf.RaggedTensor.from_row_lengths([1.0, 2.0, 3.0], [1, 2])
reveal_type(rows)
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "rows" is "RaggedTensor"
reveal_type(tf.exp(rows))
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "tf.exp(rows)" is "RaggedTensor"
reveal_type(tf.maximum(rows, 2.0))
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "tf.maximum(rows, 2)" is "RaggedTensor"
reveal_type(tf.maximum(2.0, rows))
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "tf.maximum(2, rows)" is "RaggedTensor"
reveal_type(rows == rows)
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "rows == rows" is "RaggedTensor"
reveal_type(tf.exp(rows.flat_values))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.exp(rows.flat_values)" is "Tensor"
