"""Convolutions and poolings in the forms of tf.nn, against loops over windows; what cannot be is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError, ShapeMismatchError

RNG = np.random.default_rng(3)


def convolved(x: Any, w: Any, stride: int = 1, pads: Any = ((0, 0), (0, 0)), dilation: int = 1) -> Any:
    """The convolution of images as a sum over the positions of the kernel."""
    x = np.pad(x, ((0, 0), *pads, (0, 0)))
    sizes = [(n - (k - 1) * dilation - 1) // stride + 1 for n, k in zip(x.shape[1:3], w.shape[:2], strict=True)]
    result = np.zeros((len(x), *sizes, w.shape[-1]))
    rows, columns = (stride * np.arange(n) for n in sizes)
    for a, b in np.ndindex(*w.shape[:2]):
        result += x[:, rows[:, None] + a * dilation, columns + b * dilation] @ w[a, b]
    return result


def array(*shape: int) -> Any:
    return RNG.normal(size=shape)


IMAGE, FILTERS = array(2, 7, 6, 3), array(3, 2, 3, 4)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"strides": 1, "padding": "VALID"}, lambda: convolved(IMAGE, FILTERS)),
        ({"strides": [2], "padding": "valid"}, lambda: convolved(IMAGE, FILTERS, 2)),
        ({"strides": [1, 2, 2, 1], "padding": "SAME"}, lambda: convolved(IMAGE, FILTERS, 2, ((1, 1), (0, 0)))),
        ({"strides": 1, "padding": "SAME"}, lambda: convolved(IMAGE, FILTERS, 1, ((1, 1), (0, 1)))),
        ({"strides": 1, "padding": [[0, 0], [2, 0], [1, 3], [0, 0]]},
         lambda: convolved(IMAGE, FILTERS, 1, ((2, 0), (1, 3)))),
        ({"strides": [1, 1], "padding": "VALID", "dilations": [2, 2]},
         lambda: convolved(IMAGE, FILTERS, 1, dilation=2)),
        ({"strides": 1, "padding": "VALID", "dilations": [1, 2, 2, 1]},
         lambda: convolved(IMAGE, FILTERS, 1, dilation=2)),
    ],
)  # fmt: skip
def test_conv2d(arguments: Any, wanted: Any) -> None:
    """Eager, in a Function of static and of unknown sizes, and with the channels first."""
    function = tf.function(lambda x, w: tf.nn.conv2d(x, w, **arguments))
    unknown = tf.TensorSpec([None, None, None, 3], tf.float64)
    concrete = function.get_concrete_function(unknown, tf.TensorSpec([None, None, 3, None], tf.float64))
    for found in (tf.nn.conv2d(IMAGE, FILTERS, **arguments), function(IMAGE, FILTERS), concrete(IMAGE, FILTERS)):
        np.testing.assert_allclose(found, wanted(), rtol=1e-12)
    swapped = {k: [v[0], v[3], v[1], v[2]] if len(np.shape(v)) and len(v) == 4 else v for k, v in arguments.items()}
    first = tf.nn.conv2d(IMAGE.transpose(0, 3, 1, 2), FILTERS, data_format="NCHW", **swapped)
    np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), wanted(), rtol=1e-12)


@pytest.mark.parametrize(
    ("shape", "kernel"),
    [((2, 150, 90, 16), (3, 3, 16, 4)), ((40, 30, 30, 8), (3, 3, 8, 4)), ((3, 300, 400, 1), (5, 5, 1, 2))],
)
def test_blocks_of_large_images(shape: Any, kernel: Any) -> None:
    """More than fits into the cache is multiplied in blocks: of rows, and of whole images. The gradients agree with the
    convolution, which is linear: <y', conv(x, w)> = <x, x'> = <w, w'>."""
    x, w = tf.constant(array(*shape)), tf.constant(array(*kernel))
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv2d(x, w, 1, "VALID")
    np.testing.assert_allclose(y, convolved(x.numpy(), w.numpy()), rtol=1e-9, atol=1e-9)
    upstream = array(*y.shape.as_tuple())
    total = (upstream * y.numpy()).sum()
    for operand, gradient in zip((x, w), tape.gradient(y, [x, w], output_gradients=tf.constant(upstream)), strict=True):
        np.testing.assert_allclose((operand.numpy() * gradient.numpy()).sum(), total, rtol=1e-9)


def test_convolutions_of_other_ranks() -> None:
    x, w = array(2, 9, 3), array(4, 3, 5)
    wanted = convolved(x[:, :, None], w[:, None])[:, :, 0]
    np.testing.assert_allclose(tf.nn.conv1d(x, w, 1, "VALID"), wanted)
    np.testing.assert_allclose(tf.nn.convolution(x, w), wanted)
    np.testing.assert_allclose(tf.nn.conv1d(x.transpose(0, 2, 1), w, 1, "VALID", "NCW"), wanted.transpose(0, 2, 1))
    x, w = array(1, 1, 6, 5, 2), array(1, 2, 3, 2, 3)
    np.testing.assert_allclose(tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "VALID")[0], convolved(x[0], w[0]))


def test_depthwise_and_separable() -> None:
    x, w, point = array(2, 5, 5, 3), array(2, 2, 3, 2), array(1, 1, 6, 4)
    parts = [convolved(x[..., c : c + 1], w[:, :, c : c + 1]) for c in range(3)]
    wanted = np.concatenate(parts, -1)
    np.testing.assert_allclose(tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID"), wanted)
    np.testing.assert_allclose(
        tf.nn.separable_conv2d(x, w, point, 1, "VALID"), convolved(wanted, point), rtol=1e-12, atol=1e-12
    )
    unknown = tf.function(lambda x, w: tf.nn.depthwise_conv2d(x, w, 1, "VALID"))
    concrete = unknown.get_concrete_function(
        tf.TensorSpec([None, None, None, None], tf.float64), tf.TensorSpec([None, None, None, None], tf.float64)
    )
    np.testing.assert_allclose(concrete(x, w), wanted)


def test_groups_of_channels() -> None:
    x, w = array(1, 4, 4, 4), array(2, 2, 2, 6)
    wanted = np.concatenate([convolved(x[..., :2], w[..., :3]), convolved(x[..., 2:], w[..., 3:])], -1)
    np.testing.assert_allclose(tf.nn.conv2d(x, w, 1, "VALID"), wanted)


@pytest.mark.parametrize(("stride", "padding"), [(1, "VALID"), (2, "SAME"), (3, "VALID")])
def test_the_transposed_convolution_is_the_gradient(stride: int, padding: str) -> None:
    x, w = tf.constant(array(1, 7, 7, 2)), array(3, 3, 2, 3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.conv2d(x, w, stride, padding)
    upstream = array(*y.shape.as_tuple())
    wanted = tape.gradient(y, x, output_gradients=tf.constant(upstream))
    np.testing.assert_allclose(tf.nn.conv2d_transpose(upstream, w, [1, 7, 7, 2], stride, padding), wanted)
    first = tf.nn.conv2d_transpose(upstream.transpose(0, 3, 1, 2), w, [1, 2, 7, 7], stride, padding, "NCHW")
    np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), wanted)


def test_transposed_convolutions_of_other_ranks() -> None:
    y, w = array(1, 4, 3), array(2, 5, 3)
    wanted = np.zeros((1, 8, 5))
    for i, k in np.ndindex(4, 2):
        wanted[:, 2 * i + k] += y[:, i] @ w[k].T
    np.testing.assert_allclose(tf.nn.conv1d_transpose(y, w, [1, 8, 5], 2), wanted)
    found = tf.nn.conv3d_transpose(y[:, None, None], w[None, None], [1, 1, 1, 8, 5], [1, 1, 2])
    np.testing.assert_allclose(found[0, 0, 0], wanted[0])


def test_float16_is_summed_in_float32() -> None:
    x, w = np.full((1, 1, 1, 4096), 1, np.float16), np.full((1, 1, 4096, 1), 1, np.float16)
    y = tf.nn.conv2d(x, w, 1, "VALID")
    assert y.dtype is tf.float16 and float(y) == 4096


def test_max_pool() -> None:
    x = array(2, 4, 6, 3)
    wanted = x.reshape(2, 2, 2, 3, 2, 3).max((2, 4))
    found = [tf.nn.max_pool2d(x, 2, 2, "VALID"), tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")]
    for y in found:
        np.testing.assert_array_equal(y, wanted)
    first = tf.nn.max_pool2d(x.transpose(0, 3, 1, 2), 2, 2, "VALID", "NCHW")
    np.testing.assert_array_equal(first.numpy().transpose(0, 2, 3, 1), wanted)
    line = np.array([3, 1, 2, 5], np.int32).reshape(1, 4, 1)
    assert tf.nn.max_pool1d(line, 3, 1, "SAME").numpy().ravel().tolist() == [3, 3, 5, 5]
    cube = array(1, 2, 2, 2, 1)
    assert float(tf.nn.max_pool3d(cube, 2, 2, "VALID")) == cube.max()


def test_avg_pool_leaves_out_the_padding() -> None:
    line = np.array([2.0, 4.0, 9.0]).reshape(1, 3, 1)
    assert tf.nn.avg_pool1d(line, 3, 1, "SAME").numpy().ravel().tolist() == [3, 5, 6.5]
    x = array(2, 4, 6, 3)
    wanted = x.reshape(2, 2, 2, 3, 2, 3).mean((2, 4))
    np.testing.assert_allclose(tf.nn.avg_pool2d(x, 2, 2, "VALID"), wanted)
    np.testing.assert_allclose(tf.nn.avg_pool(x, 2, 2, "VALID"), wanted)
    cube = array(1, 2, 2, 2, 1)
    np.testing.assert_allclose(float(tf.nn.avg_pool3d(cube, 2, 2, "VALID")), cube.mean())


def test_the_gradient_of_a_maximum_goes_to_the_first() -> None:
    x = tf.ones([1, 3, 3, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 1, "VALID")
    assert tape.gradient(y, x).numpy()[0, :, :, 0].tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 0]]


def test_nan_is_the_maximum() -> None:
    x = tf.constant([[[1.0], [np.nan], [2.0], [3.0]]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool1d(x, 2, 2, "VALID")
    assert np.isnan(y.numpy()[0, 0, 0]) and float(y[0, 1, 0]) == 3
    assert tape.gradient(y, x).numpy().ravel().tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tf.nn.conv2d(IMAGE, FILTERS, 1, "VALID", "NHCW"), InvalidArgumentError, "NCHW"),
        (lambda: tf.nn.conv2d(IMAGE, FILTERS, [2, 1, 1, 1], "VALID"), InvalidArgumentError, "batch"),
        (lambda: tf.nn.conv2d(IMAGE, FILTERS, [1, 1, 1], "VALID"), InvalidArgumentError, "strides"),
        (lambda: tf.nn.conv2d(IMAGE, FILTERS, 1, [[0, 0], [1, 1]]), InvalidArgumentError, "4 axes"),
        (lambda: tf.nn.conv2d(IMAGE, FILTERS, 1, [[1, 0], [1, 1], [1, 1], [0, 0]]), InvalidArgumentError, "padded"),
        (lambda: tf.nn.depthwise_conv2d(IMAGE, array(2, 2, 1, 3), 1, "SAME"), ShapeMismatchError, "3 channels"),
        (lambda: tf.nn.depthwise_conv2d(IMAGE, array(2, 2, 3), 1, "SAME"), ShapeMismatchError, "(2, 2, 3)"),
        (lambda: tf.nn.convolution(IMAGE, array(2, 3)), ShapeMismatchError, "rank"),
        (lambda: tf.nn.conv2d_transpose(IMAGE, FILTERS, [2, 9, 9, 3], 1), ShapeMismatchError, "(2, 7, 6, 3)"),
        (lambda: tf.nn.max_pool(array(3, 3), 2, 2, "SAME"), ShapeMismatchError, "(3, 3)"),
        (lambda: tf.nn.max_pool2d(IMAGE, 2, 0, "SAME"), InvalidArgumentError, "positive"),
    ],
)
def test_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


NUMBERS: dict[str, Any] = {
    "a number with a fraction": (lambda: 1.5, "SAME", "strides: integers"),
    "fractions in a list": (lambda: [1.5, 2], "SAME", "strides: integers"),
    "text": (lambda: "2", "SAME", "strides: integers"),
    "half a row of padding": (lambda: 1, [[0, 0], [0.5, 0], [0, 0], [0, 0]], "padding: integers"),
    "one number as padding": (lambda: 1, 3, "padding: a pair"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_not_cut_off(name: str) -> None:
    strides, padding, text = NUMBERS[name]
    with pytest.raises(InvalidArgumentError, match=text):
        tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), strides(), padding)


def test_numbers_come_in_many_forms() -> None:
    for strides in (2, np.int64(2), [2], np.array([2, 2]), tf.constant(2), tf.constant([2, 2]), (1, 2, 2, 1)):
        assert tf.nn.conv2d(tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1]), strides, "SAME").shape == [1, 3, 3, 1]
