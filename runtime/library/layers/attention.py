"""Attention: each row of the query is a mean of the values, weighted by how well the query fits their keys.

    layers.Attention()([query, value])                          # [batch, queries, features]
    layers.MultiHeadAttention(num_heads=4, key_dim=16)(x, x)

Queries are [batch, queries, features], values and keys [batch, values, features]. Masks are bools, False for what is
not looked at; a query that may look at nothing takes all values alike. Source: Vaswani et al., "Attention Is All You
Need" (2017).
"""

from __future__ import annotations

import functools
import math
from typing import Any

from runtime.errors import ShapeMismatchError
from runtime.library.arrays import einsum
from runtime.library.layers import initializers, regularizers
from runtime.library.layers.beside import MASKS
from runtime.library.layers.core import Dropout, in_dtype
from runtime.library.layers.layer import Layer, known_size, whole
from runtime.library.nn import softmax
from runtime.ops.records.gradients import ops
from runtime.shapes import as_shape
from runtime.tensor.convert import convert_to_tensor

__all__ = ["AdditiveAttention", "Attention", "MultiHeadAttention"]


class _Attention(Layer):
    """What both kinds of attention between given tensors share. A subclass writes `_scores(query, key)`."""

    __guarded__: tuple[str, ...] = ("use_scale", "scale", "dropout", "seed")

    def _take(self, use_scale: bool, dropout: float, seed: int | None) -> None:
        self.use_scale, self.dropout, self.seed = use_scale, dropout, seed
        self.scale: Any = None
        self._dropped = Dropout(dropout, seed=seed) if dropout else None

    def call(
        self, inputs: Any, mask: Any = None, training: Any = False, return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """inputs: [query, value] or [query, value, key]; the key is the value unless given. mask: [query's, value's],
        instead of those that the tensors have. return_attention_scores: gives the weights, too. use_causal_mask: no
        query looks at a later value."""
        if not isinstance(inputs, list | tuple) or len(inputs) not in (2, 3):
            raise ValueError(f"{self.name!r} takes a list [query, value] or [query, value, key]; got {inputs!r}")
        query, value = inputs[:2]
        of_query, of_value = (MASKS.get(query), MASKS.get(value)) if mask is None else mask[:2]
        scores = self._scores(query, inputs[-1])
        seen = [None if of_value is None else _at(of_value, -2), _causal(scores) if use_causal_mask else None]
        weights = _weights(scores, seen)
        if self._dropped is not None:
            weights = self._dropped(weights, training=training)
        result = ops.matmul(weights, value)
        if of_query is not None:
            result = result * ops.cast(_at(of_query, -1), result.dtype)
        return (result, weights) if return_attention_scores else result

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """That of the query."""
        return previous_mask[0] if isinstance(previous_mask, list) else None

    def _scores(self, query: Any, key: Any) -> Any:
        raise NotImplementedError


class Attention(_Attention):
    """softmax(query keyᵀ) value; of score_mode "concat" the scores are sums of tanh(query + key) over the features.

    use_scale: a number that is trained is a factor of the scores, or of what tanh is taken of. dropout: the share of
    the weights that is left out in training; seed: of that.
    """

    __guarded__ = ("score_mode", "concat_score_weight")

    def __init__(
        self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0, seed: int | None = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        if score_mode not in ("dot", "concat"):
            raise ValueError(f"Attention: score_mode is 'dot' or 'concat'; got {score_mode!r}")
        self._take(use_scale, dropout, seed)
        self.score_mode = score_mode
        self.concat_score_weight: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes `scale` and `concat_score_weight`, which are numbers, where they are used."""
        if self.use_scale:
            self.scale = self.add_weight("scale", (), initializer="ones")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight("concat_score_weight", (), initializer="ones")
        self.built = True

    def _scores(self, query: Any, key: Any) -> Any:
        if self.score_mode == "dot":
            scores = ops.matmul(query, key, transpose_b=True)
            return scores if self.scale is None else scores * self.scale.read_value()
        both = _at(query, -2) + _at(key, -3)
        both = both if self.scale is None else both * self.scale.read_value()
        return ops.reduce_sum(ops.tanh(both), axis=-1) * self.concat_score_weight.read_value()


class AdditiveAttention(_Attention):
    """softmax(scores) value, where the scores are sums of tanh(query + key) over the features, each with a weight that
    is trained (use_scale). dropout: the share of the weights that is left out in training; seed: of that.

    Source: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate" (2014).
    """

    def __init__(
        self, use_scale: bool = True, dropout: float = 0.0, seed: int | None = None, name: str | None = None,
        trainable: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        self._take(use_scale, dropout, seed)

    def build(self, input_shape: Any) -> None:
        """Makes `scale`, one number for each feature of the query, where it is used. input_shape: those of all
        inputs."""
        if self.use_scale:
            features = known_size(as_shape(input_shape[0]), -1, self.name)
            self.scale = self.add_weight("scale", (features,), initializer="glorot_uniform")
        self.built = True

    def _scores(self, query: Any, key: Any) -> Any:
        both = ops.tanh(_at(query, -2) + _at(key, -3))
        return ops.reduce_sum(both if self.scale is None else both * self.scale.read_value(), axis=-1)


class MultiHeadAttention(Layer):
    """Attention several times side by side, each time between other projections of query, key and value.

    num_heads: how often; key_dim, value_dim: the features of a projection, value_dim as many as key_dim unless given.
    output_shape: the features of the result, as many as the query has unless given. dropout: the share of the weights
    that is left out in training; seed: of that.
    """

    __guarded__ = ("num_heads", "key_dim", "value_dim", "use_bias", "dropout", "seed")
    supports_masking = True

    def __init__(
        self, num_heads: int, key_dim: int, value_dim: int | None = None, dropout: float = 0.0, use_bias: bool = True,
        output_shape: int | None = None, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        seed: int | None = None, name: str | None = None, trainable: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        self.num_heads, self.key_dim = whole(num_heads, "num_heads"), whole(key_dim, "key_dim")
        self.value_dim = self.key_dim if value_dim is None else whole(value_dim, "value_dim")
        self.use_bias, self.dropout, self.seed, self.features = use_bias, dropout, seed, output_shape
        self._projection = functools.partial(
            _Projection, use_bias=use_bias, kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer, dtype=dtype,
            activity_regularizer=activity_regularizer,
        )  # fmt: skip
        self._query, self._key, self._value = (
            self._projection((self.num_heads, size), name=word)
            for word, size in (("query", self.key_dim), ("key", self.key_dim), ("value", self.value_dim))
        )
        self._dropped = Dropout(dropout, seed=seed) if dropout else None
        self._output: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes the last projection, to as many features as the query has. The others are built when they are called,
        by what they are called with."""
        features = known_size(as_shape(input_shape), -1, self.name) if self.features is None else self.features
        self._output = self._projection((features,), contracted=2, name="attention_output")
        self.built = True

    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None, value_mask: Any = None,
        key_mask: Any = None, attention_mask: Any = None, return_attention_scores: bool = False,
        training: Any = False, use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """key: the value unless given. The masks of value and key are those that the tensors have unless given; that of
        the query is the mask of the result and changes nothing here. attention_mask: [batch, queries, values], or
        [batch, heads, queries, values]. return_attention_scores: gives the weights, too. use_causal_mask: no query
        looks at a later value."""
        key = value if key is None else key
        seen = [_mask_of(value, value_mask), _mask_of(key, key_mask)]
        query, key, value = (self._checked(given) for given in (query, key, value))
        scores = einsum("bqhf,bvhf->bhqv", self._query(query), self._key(key)) / math.sqrt(self.key_dim)
        if attention_mask is not None and convert_to_tensor(attention_mask).shape.rank == 3:
            attention_mask = _at(attention_mask, -3)
        seen = [None if mask is None else _at(_at(mask, 1), 1) for mask in seen]
        weights = _weights(scores, [*seen, attention_mask, _causal(scores) if use_causal_mask else None])
        if self._dropped is not None:
            weights = self._dropped(weights, training=training)
        result = self._output(einsum("bhqv,bvhf->bqhf", weights, self._value(value)))
        return (result, weights) if return_attention_scores else result

    def _checked(self, given: Any) -> Any:
        """A tensor in the dtype of the layer. Raises ShapeMismatchError unless it has three axes."""
        tensor = in_dtype(convert_to_tensor(given), self.dtype)
        if tensor.shape.rank not in (3, None):
            wanted = "[batch, rows, features]; take runtime.reshape for more axes between"
            raise ShapeMismatchError(f"{self.name!r} takes {wanted}; an input has the shape {tensor.shape}")
        return tensor


class _Projection(Layer):
    """inputs times a kernel, over the last axes of the inputs, + bias. sizes: of the axes in the result; contracted:
    the number of axes that are summed over."""

    __guarded__ = ("kernel", "bias")

    def __init__(
        self, sizes: tuple[int, ...], contracted: int = 1, use_bias: bool = True, kernel_initializer: Any = None,
        bias_initializer: Any = None, kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype=dtype, activity_regularizer=activity_regularizer)
        self.sizes, self.contracted, self.use_bias = sizes, contracted, use_bias
        self.of_kernel = initializers.get(kernel_initializer), regularizers.get(kernel_regularizer)
        self.of_bias = initializers.get(bias_initializer), regularizers.get(bias_regularizer)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        shape = as_shape(input_shape)
        summed = [known_size(shape, axis, self.name) for axis in range(-self.contracted, 0)]
        (of_kernel, kernel_term), (of_bias, bias_term) = self.of_kernel, self.of_bias
        self.kernel = self.add_weight("kernel", (*summed, *self.sizes), None, of_kernel, True, kernel_term)
        if self.use_bias:
            self.bias = self.add_weight("bias", self.sizes, None, of_bias, True, bias_term)
        self.built = True

    def call(self, inputs: Any) -> Any:
        result = ops.tensordot(inputs, self.kernel.read_value(), self.contracted)
        return result if self.bias is None else result + self.bias.read_value()


def _mask_of(tensor: Any, given: Any) -> Any:
    return MASKS.get(tensor) if given is None else given


def _at(tensor: Any, axis: int) -> Any:
    """A tensor with one more axis, of size 1."""
    return ops.expand_dims(convert_to_tensor(tensor), axis=axis)


def _causal(scores: Any) -> Any:
    """[queries, values]: True where the value is not later than the query."""
    sizes = ops.shape(scores)
    return _at(ops.range(0, sizes[-2], 1), 1) >= ops.range(0, sizes[-1], 1)


def _weights(scores: Any, masks: list[Any]) -> Any:
    """Shares of the values, which add up to 1 along the last axis, where all masks are True."""
    given = [ops.cast(convert_to_tensor(mask), "bool") for mask in masks if mask is not None]
    if given:
        seen = functools.reduce(ops.logical_and, given)
        scores = ops.where(seen, scores, scores.dtype.min / 2)
    return softmax(scores)
