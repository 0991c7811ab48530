"""Texts."""
import runtime as tf

reveal_type(tf.strings.lower("ABC"))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.strings.lower("ABC")" is "Tensor"
reveal_type(tf.strings.length(["a", "bc"]))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.strings.length(["a", "bc"])" is "Tensor"
reveal_type(tf.strings.join(["a", "b"], separator=","))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.strings.join(["a", "b"], separator=",")" is "Tensor"
reveal_type(tf.strings.to_number("1.5"))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.strings.to_number("1.5")" is "Tensor"
words = tf.RaggedTensor.from_row_lengths(["a", "B", "C"], [1, 2])
reveal_type(tf.strings.lower(words))
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "tf.strings.lower(words)" is "RaggedTensor"
reveal_type(tf.strings.length(input=words, unit="BYTE"))
# by mypy: note: Revealed type is "runtime.composite.ragged_tensor.RaggedTensor"
# by pyright: information: Type of "tf.strings.length(input=words, unit="BYTE")" is "RaggedTensor"
tf.strings.lowr("ABC")
# by mypy: error: Module has no attribute "lowr"; maybe "lower"?  [attr-defined]
# by pyright: error: "lowr" is not a known attribute of module "runtime.library.strings"
