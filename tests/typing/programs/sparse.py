"""Functions that leave zeros what they are, of sparse tensors."""
import runtime as tf

cells = tf.SparseTensor(indices=[[0, 0]], values=[1.0], dense_shape=[2, 2])
reveal_type(cells)
# by mypy: note: Revealed type is "runtime.composite.sparse_tensor.SparseTensor"
# by pyright: information: Type of "cells" is "SparseTensor"
reveal_type(tf.abs(cells))
# by mypy: note: Revealed type is "runtime.composite.sparse_tensor.SparseTensor"
# by pyright: information: Type of "tf.abs(cells)" is "SparseTensor"
reveal_type(tf.sparse.to_dense(cells))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "tf.sparse.to_dense(cells)" is "Tensor"
tf.exp(cells)
# by mypy: error: No overload variant of "exp" matches argument type "SparseTensor"  [call-overload]
# by pyright: error: Argument of type "SparseTensor" cannot be assigned to parameter "x" of type "RaggedTensor" in function "exp"
# by pyright: error: No overloads for "exp" match the provided arguments
