"""Elements with names."""
import runtime as tf

named = tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0], "y": [1, 2]})
reveal_type(named)
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[dict[str, runtime.tensor.tensor.Tensor]]"
# by pyright: information: Type of "named" is "Dataset[dict[str, Tensor]]"
reveal_type(named.map(lambda row: row["x"]))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "named.map(lambda row: row["x"])" is "Dataset[Tensor]"
for row in named:
    reveal_type(row["y"])
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "row["y"]" is "Tensor"
reveal_type(named.flat_map(lambda row: tf.data.Dataset.range(2)))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "named.flat_map(lambda row: tf.data.Dataset.range(2))" is "Dataset[Tensor]"
reveal_type(named.apply(lambda dataset: dataset.batch(2)))
# by mypy: note: Revealed type is "runtime.library.data.dataset.Dataset[dict[str, runtime.tensor.tensor.Tensor]]"
# by pyright: information: Type of "named.apply(lambda dataset: dataset.batch(2))" is "Dataset[dict[str, Tensor]]"
reveal_type(named.as_numpy_iterator())
# by mypy: note: Revealed type is "typing.Iterator[Any]"
# by pyright: information: Type of "named.as_numpy_iterator()" is "Iterator[Any]"
