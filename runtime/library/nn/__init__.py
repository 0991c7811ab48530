"""`runtime.nn`: functions of neural networks.

>>> runtime.nn.top_k([3, 9, 5], k=2).indices
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>

Activations are records of their own (`runtime.ops.networks.activations`); the functions here take arguments in all the
forms of the tf.nn functions and call records.
"""

from __future__ import annotations

from runtime.library.nn.activation import crelu, leaky_relu, log_softmax, silu, softmax, swish
from runtime.library.nn.classes import (
    TopK,
    embedding_lookup,
    in_top_k,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    top_k,
    weighted_cross_entropy_with_logits,
)
from runtime.library.nn.convolving import (
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    convolution,
    depthwise_conv2d,
    separable_conv2d,
)
from runtime.library.nn.normalizing import (
    batch_normalization,
    bias_add,
    dropout,
    l2_loss,
    l2_normalize,
    moments,
    zero_fraction,
)
from runtime.library.nn.pooling import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)
from runtime.names.elsewhere import explain
from runtime.ops.elementwise.functions import sigmoid, tanh
from runtime.ops.networks.activations import elu, gelu, log_sigmoid, relu, relu6, selu, softplus, softsign

__all__ = [
    "TopK", "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_normalization", "bias_add", "conv1d",
    "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "convolution", "crelu",
    "depthwise_conv2d", "dropout", "elu", "embedding_lookup", "gelu", "in_top_k", "l2_loss", "l2_normalize",
    "leaky_relu", "log_sigmoid", "log_softmax", "max_pool", "max_pool1d", "max_pool2d", "max_pool3d", "moments",
    "relu", "relu6", "selu", "separable_conv2d", "sigmoid", "sigmoid_cross_entropy_with_logits", "silu", "softmax",
    "softmax_cross_entropy_with_logits", "softplus", "softsign", "sparse_softmax_cross_entropy_with_logits", "swish",
    "tanh", "top_k", "weighted_cross_entropy_with_logits", "zero_fraction",
]  # fmt: skip

explain(__name__)
