"""The functions of runtime.nn against those of tf.nn: the same program on both, values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import runtime

RNG = np.random.default_rng(0)


def numbers(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


X, P = 2 * numbers(3, 4), RNG.uniform(0.05, 0.95, (3, 4)).astype(np.float32)
SHARES = P / P.sum(1, keepdims=True)
IMAGE, SEQUENCE, VOLUME = numbers(2, 7, 6, 4), numbers(2, 9, 3), numbers(1, 3, 4, 3, 2)
KERNEL, DEPTHWISE, POINTWISE = numbers(3, 2, 4, 6), numbers(2, 3, 4, 2), numbers(1, 1, 8, 3)
EXPLICIT = [[0, 0], [1, 2], [0, 1], [0, 0]]

Case = tuple[Callable[..., Any], list[Any]]

PLAIN = (
    "crelu", "elu", "gelu", "l2_loss", "leaky_relu", "log_softmax", "relu", "relu6", "selu", "sigmoid", "silu",
    "softmax", "softplus", "softsign", "swish", "tanh", "zero_fraction",
)  # fmt: skip

CASES: dict[str, Case] = {
    **{name: ((lambda m, x, name=name: getattr(m.nn, name)(x)), [X]) for name in PLAIN},
    "approximate gelu": (lambda m, x: m.nn.gelu(x, approximate=True), [X]),
    "log_sigmoid": (lambda m, x: m.math.log_sigmoid(x), [X]),
    "leaky_relu of integers": (lambda m, x: m.nn.leaky_relu(x), [np.array([-3, 4], np.int32)]),
    "softmax of columns": (lambda m, x: m.nn.softmax(x, axis=0), [X]),
    "sigmoid cross-entropy": (
        lambda m, x, p: m.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x), [X, P]),
    "weighted cross-entropy": (lambda m, x, p: m.nn.weighted_cross_entropy_with_logits(p, x, 2.5), [X, P]),
    "softmax cross-entropy": (lambda m, x: m.nn.softmax_cross_entropy_with_logits(SHARES, x), [X]),
    "sparse cross-entropy": (lambda m, x: m.nn.sparse_softmax_cross_entropy_with_logits([0, 3, 1], x), [X]),
    **{
        f"conv2d {padding} {strides} {dilations}": (
            (lambda m, x, k, s=strides, p=padding, d=dilations: m.nn.conv2d(x, k, s, p, dilations=d)), [IMAGE, KERNEL])
        for padding in ("SAME", "VALID", EXPLICIT)
        for strides, dilations in ((1, 1), (2, 1), (1, 2), ([1, 2, 1, 1], None))
    },
    "conv1d": (lambda m, x, k: m.nn.conv1d(x, k, 2, "SAME"), [SEQUENCE, numbers(4, 3, 5)]),
    "conv3d": (lambda m, x, k: m.nn.conv3d(x, k, [1, 1, 2, 1, 1], "SAME"), [VOLUME, numbers(2, 2, 2, 2, 3)]),
    **{
        f"depthwise {padding} {stride}": (
            (lambda m, x, k, s=stride, p=padding: m.nn.depthwise_conv2d(x, k, [1, s, s, 1], p)), [IMAGE, DEPTHWISE])
        for padding in ("SAME", "VALID")
        for stride in (1, 2)
    },
    "separable": (
        lambda m, x, d, p: m.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME"), [IMAGE, DEPTHWISE, POINTWISE]),
    "conv2d_transpose": (
        lambda m, y, k: m.nn.conv2d_transpose(y, k, [2, 7, 6, 4], 2, "SAME"), [numbers(2, 4, 3, 6), KERNEL]),
    "conv1d_transpose": (
        lambda m, y, k: m.nn.conv1d_transpose(y, k, [2, 9, 3], 2, "SAME"), [numbers(2, 5, 5), numbers(4, 3, 5)]),
    **{
        f"{name} {padding} {size} {strides}": (
            (lambda m, x, n=name, p=padding, k=size, s=strides: getattr(m.nn, n)(x, k, s, p)), [IMAGE])
        for name in ("max_pool2d", "avg_pool2d")
        for padding in ("SAME", "VALID")
        for size, strides in ((2, 2), (3, 1), ([3, 2], [1, 2]))
    },
    "max_pool1d": (lambda m, x: m.nn.max_pool1d(x, 2, 2, "SAME"), [SEQUENCE]),
    "avg_pool3d": (lambda m, x: m.nn.avg_pool3d(x, 2, 1, "SAME"), [VOLUME]),
    "explicit padding": (lambda m, x: m.nn.max_pool2d(x, 3, 2, [[0, 0], [1, 1], [1, 0], [0, 0]]), [IMAGE]),
    "bias_add": (lambda m, x, b: m.nn.bias_add(x, b), [X, X[0]]),
    "mean": (lambda m, x: m.nn.moments(x, [0])[0], [X]),
    "variance": (lambda m, x: m.nn.moments(x, [0, 1], keepdims=True)[1], [X]),
    "batch_normalization": (
        lambda m, x: m.nn.batch_normalization(x, X.mean(0), X.var(0), P[0], P[1], 1e-3), [X]),
    "l2_normalize": (lambda m, x: m.nn.l2_normalize(x, axis=1), [X]),
    "embedding_lookup": (lambda m, x: m.nn.embedding_lookup(x, [2, 0]), [X]),
    "top_k": (lambda m, x: m.nn.top_k(x, 2)[0], [X]),
    "in_top_k": (lambda m, x: m.nn.in_top_k([0, 3, 1], x, 2), [np.round(X)]),
}  # fmt: skip

WITHOUT_GRADIENT = {f"conv2d {EXPLICIT} 1 2"}
"""TensorFlow has the value, and no gradient on the CPU: dilations with explicit padding."""


def run(module: Any, name: str) -> tuple[Any, list[Any]]:
    """The value, and the gradients of its elements times 1, 2, 3, ..."""
    function, arrays = CASES[name]
    operands = [module.constant(a) for a in arrays]
    with module.GradientTape() as tape:
        tape.watch(operands)
        value = function(module, *operands)
        weighted = value.dtype == module.float32 and operands[0].dtype == module.float32
        if not weighted or name in WITHOUT_GRADIENT:
            return value.numpy(), []
        weights = np.arange(1, 1 + int(np.prod(value.shape)), dtype=np.float32).reshape(value.shape)
        loss = module.reduce_sum(value * weights)
    gradients = tape.gradient(loss, operands)
    return value.numpy(), [None if g is None else module.convert_to_tensor(g).numpy() for g in gradients]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_the_function_gives_the_same_with_tensorflow(name: str) -> None:
    (value, gradients), (wanted, slopes) = run(runtime, name), run(tf, name)
    assert value.dtype == wanted.dtype
    np.testing.assert_allclose(value, wanted, rtol=2e-4, atol=2e-4)
    assert [g is None for g in gradients] == [g is None for g in slopes]
    for found, other in zip(gradients, slopes, strict=True):
        if found is not None:
            np.testing.assert_allclose(found, other, rtol=1e-3, atol=1e-3)
