# Made by docs/stub_files.py from the records in runtime/ops: change those, then run it again.

from builtins import bool as _bool
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import overload as _overload

import numpy as _np

from runtime.composite.ragged_tensor import RaggedTensor as _RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor as _SparseTensor
from runtime.dtypes import DType as _DType
from runtime.tensor.tensor import Tensor as _Tensor
from runtime.tensor.tensor_like import TensorLike as _TensorLike

_AxesLike: _TypeAlias = _SupportsIndex | _Sequence[_SupportsIndex] | None
_DTypeLike: _TypeAlias = _DType | str | type[_Any] | _np.dtype[_Any]

from runtime.library.nn.classes import TopK as TopK
from runtime.library.nn.pooling import avg_pool as avg_pool
from runtime.library.nn.pooling import avg_pool1d as avg_pool1d
from runtime.library.nn.pooling import avg_pool2d as avg_pool2d
from runtime.library.nn.pooling import avg_pool3d as avg_pool3d
from runtime.library.nn.normalizing import batch_normalization as batch_normalization
from runtime.library.nn.normalizing import bias_add as bias_add
from runtime.library.nn.convolving import conv1d as conv1d
from runtime.library.nn.convolving import conv1d_transpose as conv1d_transpose
from runtime.library.nn.convolving import conv2d as conv2d
from runtime.library.nn.convolving import conv2d_transpose as conv2d_transpose
from runtime.library.nn.convolving import conv3d as conv3d
from runtime.library.nn.convolving import conv3d_transpose as conv3d_transpose
from runtime.library.nn.convolving import convolution as convolution
from runtime.library.nn.activation import crelu as crelu
from runtime.library.nn.convolving import depthwise_conv2d as depthwise_conv2d
from runtime.library.nn.normalizing import dropout as dropout
@_overload
def elu(features: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def elu(features: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
from runtime.library.nn.classes import embedding_lookup as embedding_lookup
@_overload
def gelu(features: _TensorLike, approximate: _bool = ..., *, name: str | None = ...) -> _Tensor: ...
@_overload
def gelu(features: _RaggedTensor, approximate: _bool = ..., *, name: str | None = ...) -> _RaggedTensor: ...
from runtime.library.nn.classes import in_top_k as in_top_k
from runtime.library.nn.normalizing import l2_loss as l2_loss
from runtime.library.nn.normalizing import l2_normalize as l2_normalize
from runtime.library.nn.activation import leaky_relu as leaky_relu
@_overload
def log_sigmoid(x: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def log_sigmoid(x: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
from runtime.library.nn.activation import log_softmax as log_softmax
from runtime.library.nn.pooling import max_pool as max_pool
from runtime.library.nn.pooling import max_pool1d as max_pool1d
from runtime.library.nn.pooling import max_pool2d as max_pool2d
from runtime.library.nn.pooling import max_pool3d as max_pool3d
from runtime.library.nn.normalizing import moments as moments
@_overload
def relu(features: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def relu(features: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
@_overload
def relu(features: _SparseTensor, *, name: str | None = ...) -> _SparseTensor: ...
@_overload
def relu6(features: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def relu6(features: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
@_overload
def selu(features: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def selu(features: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
from runtime.library.nn.convolving import separable_conv2d as separable_conv2d
from runtime import sigmoid as sigmoid
from runtime.library.nn.classes import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from runtime.library.nn.activation import silu as silu
from runtime.library.nn.activation import softmax as softmax
from runtime.library.nn.classes import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
@_overload
def softplus(features: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def softplus(features: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
@_overload
def softsign(features: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
@_overload
def softsign(features: _RaggedTensor, *, name: str | None = ...) -> _RaggedTensor: ...
from runtime.library.nn.classes import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from runtime.library.nn.activation import swish as swish
from runtime import tanh as tanh
from runtime.library.nn.classes import top_k as top_k
from runtime.library.nn.classes import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from runtime.library.nn.normalizing import zero_fraction as zero_fraction

__all__ = ['TopK', 'avg_pool', 'avg_pool1d', 'avg_pool2d', 'avg_pool3d', 'batch_normalization', 'bias_add', 'conv1d', 'conv1d_transpose', 'conv2d', 'conv2d_transpose', 'conv3d', 'conv3d_transpose', 'convolution', 'crelu', 'depthwise_conv2d', 'dropout', 'elu', 'embedding_lookup', 'gelu', 'in_top_k', 'l2_loss', 'l2_normalize', 'leaky_relu', 'log_sigmoid', 'log_softmax', 'max_pool', 'max_pool1d', 'max_pool2d', 'max_pool3d', 'moments', 'relu', 'relu6', 'selu', 'separable_conv2d', 'sigmoid', 'sigmoid_cross_entropy_with_logits', 'silu', 'softmax', 'softmax_cross_entropy_with_logits', 'softplus', 'softsign', 'sparse_softmax_cross_entropy_with_logits', 'swish', 'tanh', 'top_k', 'weighted_cross_entropy_with_logits', 'zero_fraction']
