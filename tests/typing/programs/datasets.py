"""Elements of datasets."""
import numpy as np
import runtime as tf

numbers = tf.data.Dataset.range(10)
reveal_type(numbers)
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "numbers" is "Dataset[Tensor]"
reveal_type(numbers.map(lambda x: x * 2))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "numbers.map(lambda x: x * 2)" is "Dataset[Tensor]"
reveal_type(numbers.filter(lambda x: x > 3).batch(2).repeat(3).shuffle(10).prefetch(1).take(2))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "numbers.filter(lambda x: x > 3).batch(2).repeat(3).shuffle(10).prefetch(1).take(2)" is "Dataset[Tensor]"
reveal_type(numbers.enumerate())
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]]"
# by pyright: information: Type of "numbers.enumerate()" is "Dataset[tuple[Tensor, Tensor]]"
for x in numbers:
    reveal_type(x)
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "x" is "Tensor"
rows = tf.data.Dataset.from_tensor_slices(np.ones((4, 2)))
reveal_type(rows)
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "rows" is "Dataset[Tensor]"
reveal_type(tf.data.Dataset.zip(numbers, rows))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[tuple[runtime.tensor.tensor.Tensor, runtime.tensor.tensor.Tensor]]"
# by pyright: information: Type of "tf.data.Dataset.zip(numbers, rows)" is "Dataset[tuple[Tensor, Tensor]]"
reveal_type(iter(rows))
# by mypy: note: Revealed type is "runtime.library.data.iterator.Iterator[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "iter(rows)" is "Iterator[Tensor]"
reveal_type(next(iter(rows)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "next(iter(rows))" is "Tensor"
reveal_type(rows.cardinality())
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "rows.cardinality()" is "Tensor"
reveal_type(len(rows))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "len(rows)" is "int"
numbers.mapp(lambda x: x)
# by mypy: error: "Dataset[Tensor]" has no attribute "mapp"; maybe "map"?  [attr-defined]
# by pyright: error: Cannot access attribute "mapp" for class "Dataset[Tensor]"
