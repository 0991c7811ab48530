"""Eager and symbolic tensors: text, operators, conversion to Python and numpy, immutability."""

from __future__ import annotations

import array
import copy
import operator
import pickle
import re
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError


@pytest.mark.parametrize(
    ("value", "text", "representation"),
    [
        (2, "tf.Tensor(2, shape=(), dtype=int32)", "<tf.Tensor: shape=(), dtype=int32, numpy=2>"),
        (2.2, "tf.Tensor(2.2, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=2.2>"),
        (1.0, "tf.Tensor(1.0, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>"),
        ("aa", "tf.Tensor(b'aa', shape=(), dtype=string)", "<tf.Tensor: shape=(), dtype=string, numpy=b'aa'>"),
        (True, "tf.Tensor(True, shape=(), dtype=bool)", "<tf.Tensor: shape=(), dtype=bool, numpy=True>"),
        ([4, 1], "tf.Tensor([4 1], shape=(2,), dtype=int32)",
         "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([4, 1], dtype=int32)>"),
        ([[9.0]], "tf.Tensor([[9.]], shape=(1, 1), dtype=float32)",
         "<tf.Tensor: shape=(1, 1), dtype=float32, numpy=array([[9.]], dtype=float32)>"),
        ([[1, 2], [3, 4]], "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)",
         "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([[1, 2],\n       [3, 4]], dtype=int32)>"),
        ([], "tf.Tensor([], shape=(0,), dtype=float32)",
         "<tf.Tensor: shape=(0,), dtype=float32, numpy=array([], dtype=float32)>"),
        (["a", "b"], "tf.Tensor([b'a' b'b'], shape=(2,), dtype=string)",
         "<tf.Tensor: shape=(2,), dtype=string, numpy=array([b'a', b'b'], dtype=object)>"),
    ],
)  # fmt: skip
def test_text_of_eager_tensors(value: Any, text: str, representation: str) -> None:
    tensor = tf.constant(value)
    assert str(tensor) == text
    assert repr(tensor) == representation


def test_text_of_symbolic_tensors() -> None:
    graph = tf.Graph("g")
    a = graph.placeholder(tf.int32, [], "a")
    assert str(a) == 'Tensor("a:0", shape=(), dtype=int32)'
    assert repr(a) == "<tf.Tensor 'a:0' shape=() dtype=int32>"
    assert str(graph.placeholder(tf.float32, None, "b")) == 'Tensor("b:0", shape=<unknown>, dtype=float32)'
    assert str(graph.placeholder(tf.float32, [None, 2], "c")) == 'Tensor("c:0", shape=(None, 2), dtype=float32)'


def test_format_gives_the_numpy_text() -> None:
    assert f"{tf.constant([[9.0]])}" == "[[9.]]"
    assert "{:.2f}".format(tf.constant(1.5)) == "1.50"


BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
]  # fmt: skip


@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_binary_operators(function: Any) -> None:
    a, b = np.array([7, 2, 9], np.int32), np.array([2, 3, 9], np.int32)
    for x, y in ((tf.constant(a), tf.constant(b)), (tf.constant(a), b), (a, tf.constant(b))):
        result = function(x, y)
        assert isinstance(result, tf.Tensor)
        np.testing.assert_array_equal(np.asarray(result), function(a, b))
    np.testing.assert_array_equal(np.asarray(function(tf.constant(a), 2)), function(a, 2))
    np.testing.assert_array_equal(np.asarray(function(9, tf.constant(b))), function(9, b))


@pytest.mark.parametrize("function", [operator.and_, operator.or_, operator.xor], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.bool_, np.int32])
def test_bit_operators(function: Any, dtype: Any) -> None:
    a, b = np.array([1, 0, 1], dtype), np.array([1, 1, 0], dtype)
    result = function(tf.constant(a), tf.constant(b))
    assert result.dtype == dtype and result.numpy().tolist() == function(a, b).tolist()
    np.testing.assert_array_equal(np.asarray(~tf.constant(a)), ~a)


def test_matmul_operator() -> None:
    a, b = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
    for result in (tf.constant(a) @ tf.constant(b), tf.constant(a) @ b, a @ tf.constant(b)):
        assert isinstance(result, tf.Tensor) and result.numpy().tolist() == (a @ b).tolist()


def test_unary_operators() -> None:
    x = tf.constant([-1, 2])
    assert (-x).numpy().tolist() == [1, -2] and abs(x).numpy().tolist() == [1, 2] and (+x) is x
    quotient, rest = divmod(tf.constant(7), 2)
    assert (int(quotient), int(rest)) == (3, 1)
    quotient, rest = divmod(7, tf.constant(2))
    assert (int(quotient), int(rest)) == (3, 1)


def test_strings_concatenate() -> None:
    assert (tf.constant("a\0") + "b").numpy() == b"a\0b"
    assert ("a" + tf.constant(["b", "c"])).numpy().tolist() == [b"ab", b"ac"]


def test_python_values() -> None:
    assert (bool(tf.constant([0])), int(tf.constant(3.7)), float(tf.constant([[2]]))) == (False, 3, 2.0)
    assert complex(tf.constant(1.5)) == 1.5 and [10, 20, 30][tf.constant(1)] == 20
    assert len(tf.constant([1, 2])) == 2 and [int(v) for v in tf.constant([4, 5])] == [4, 5]
    assert round(tf.constant(2.5)) == 2 and 2 in tf.constant([1, 2]) and 7 not in tf.constant([1, 2])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: bool(tf.constant([1, 2])), ValueError, "ambiguous"),
        (lambda: int(tf.constant([1, 2])), TypeError, "one element"),
        (lambda: [1][tf.constant(0.0)], TypeError, "float32"),
        (lambda: len(tf.constant(1)), TypeError, "scalar"),
        (lambda: list(tf.constant(1)), TypeError, "scalar"),
        (lambda: hash(tf.constant(1)), TypeError, "unhashable"),
        (lambda: operator.setitem(tf.constant([1]), 0, 2), TypeError, "in place"),
        (lambda: tf.constant(1).op, AttributeError, "eager"),
        (lambda: tf.constant(1).nothing, AttributeError, "'Tensor' object has no attribute 'nothing'"),
        (lambda: tf.constant(1.5) << 2, TypeError, "left_shift.*float32.*runtime.int32"),
        (lambda: tf.constant(1)(2), TypeError, "not callable"),
    ],
)
def test_refused_on_eager_tensors(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    "call",
    [bool, int, float, complex, len, iter, list, round, np.asarray, "{:d}".format, lambda x: 1 in x, lambda x: [1][x]],
)  # fmt: skip
def test_refused_on_symbolic_tensors(call: Any) -> None:
    graph = tf.Graph("step")
    x = graph.placeholder(tf.int32, [], "x")
    with pytest.raises(OperatorNotAllowedInGraphError) as caught, graph.as_default():
        call(x)
    assert "step" in str(caught.value) and __file__ in str(caught.value) and "runtime" in str(caught.value)


def test_a_symbolic_tensor_is_no_key() -> None:
    x = tf.Graph("step").placeholder(tf.int32, [], "x")
    with pytest.raises(TypeError, match=r"unhashable.*'x'.*ref\(\)"):
        {x: 1}
    assert f"{x}" == str(x)


def test_a_refusal_inside_of_a_loop_names_the_function_of_the_user() -> None:
    @tf.function
    def largest(n: Any) -> Any:
        best = 0
        for i in tf.range(n):
            best += array.array("q", [1, 2]).count(i * 2)
        return best

    with pytest.raises(OperatorNotAllowedInGraphError, match=r"'largest'.*runtime\.where") as caught:
        largest(tf.constant(3))
    assert "while_body" not in str(caught.value)


def test_shifts_are_those_of_python() -> None:
    @tf.function
    def shifts(a: Any, b: Any) -> Any:
        return a << b, a >> b, 1 << b, -9 >> b

    for a, b in [(5, 1), (-7, 2), (1, 0)]:
        expected = [a << b, a >> b, 1 << b, -9 >> b]
        assert [int(t) for t in shifts(tf.constant(a), tf.constant(b))] == expected
        assert [int(t) for t in shifts.python_function(tf.constant(a), tf.constant(b))] == expected


@pytest.mark.parametrize(("x", "y", "cast"), [(1, 1.5, "(x, 'float32')"), (1.5, 1, "(y, 'float32')")])
def test_a_mismatch_of_dtypes_proposes_the_cast_that_loses_nothing(x: Any, y: Any, cast: str) -> None:
    with pytest.raises(tf.errors.DtypeMismatchError, match=re.escape("runtime.cast" + cast)):
        tf.constant(x) + tf.constant(y)


def test_a_leaked_tensor() -> None:
    graph = tf.Graph("leaky")
    x = graph.placeholder(tf.int32, [], "x")
    with pytest.raises(AttributeError, match="no attribute 'numpy'"):
        x.numpy()
    for use in (lambda: x + 1, lambda: tf.stack([x, x]), lambda: tf.constant([1, 2])[x]):
        with pytest.raises(InaccessibleTensorError, match=r"out of scope.*leaky"):
            use()
    with tf.Graph("other").as_default(), pytest.raises(TypeError, match=r"out of scope.*leaky"):
        x + 1


def test_the_value_cannot_be_changed_from_outside() -> None:
    array = np.array([1.0, 2.0])
    tensor = tf.constant(array)
    array[0] = 9
    assert tensor.numpy().tolist() == [1.0, 2.0]
    for view in (tensor.numpy(), np.asarray(tensor), tensor[:1].numpy(), tf.reshape(tensor, [2, 1]).numpy()):
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 5
    assert tensor.numpy().tolist() == [1.0, 2.0]
    copied = np.array(tensor)
    copied[0] = 7
    assert tensor.numpy().tolist() == [1.0, 2.0]
    total = tensor
    total += 1
    assert tensor.numpy().tolist() == [1.0, 2.0] and total.numpy().tolist() == [2.0, 3.0]


def test_numpy_of_a_scalar_is_a_numpy_scalar() -> None:
    assert type(tf.constant(1).numpy()) is np.int32 and type(tf.constant("a").numpy()) is bytes
    assert type((tf.constant(1.0) + 1).numpy()) is np.float32


def test_numpy_functions_on_eager_tensors() -> None:
    x = tf.constant([1.0, 4.0])
    for result in (np.add(x, 1), np.sqrt(x), np.multiply(2, x), x + np.ones(2), np.ones(2) + x):
        assert isinstance(result, tf.Tensor) and result.dtype is tf.float32
    assert np.asarray(np.sum(x)) == 5.0 and float(np.sqrt(tf.constant(4.0))) == 2.0
    assert isinstance(np.linalg.norm(x), tf.Tensor | np.floating | float)
    assert np.array(x, np.int64).dtype == np.int64 and np.array_equal(np.array([x, x]), [[1, 4], [1, 4]])


def test_numpy_functions_record_on_symbolic_tensors() -> None:
    graph = tf.Graph("g")
    x = graph.placeholder(tf.float32, [None], "x")
    with graph.as_default():
        assert np.add(x, 1).op.type == "add" and np.hypot(x, x).op.type == "hypot"
        assert (np.ones(2) + x).op.type == "add" and np.ones(2, np.float32).__lt__(x) is not None
        with pytest.raises(TypeError, match="packbits"):
            np.packbits(x)


def test_tensors_as_keys() -> None:
    a, b = tf.constant(1), tf.constant(1)
    table = {a.ref(): "a", b.ref(): "b"}
    assert table[a.ref()] == "a" and table[b.ref()] == "b" and a.ref().deref() is a


def test_copies() -> None:
    tensor = tf.constant([1, 2])
    assert copy.copy(tensor) is tensor and copy.deepcopy([tensor])[0] is tensor
    again = pickle.loads(pickle.dumps(tensor))
    assert again.dtype is tf.int32 and again.numpy().tolist() == [1, 2]


def test_static_facts() -> None:
    x = tf.zeros([2, 3])
    assert (x.shape, x.ndim, x.dtype, x.get_shape()) == (tf.TensorShape([2, 3]), 2, tf.float32, [2, 3])
    assert x.device.endswith("CPU:0")
    graph = tf.Graph("g")
    y = graph.placeholder(tf.float32, [None, 3], "y")
    y.set_shape([2, None])
    assert y.shape == [2, 3] and y.name == "y:0" and y.graph is graph and y.op.type == "placeholder"
    with pytest.raises(ValueError, match="incompatible"):
        y.set_shape([5, 3])
