"""Parameters of public functions that few programs give: each does what it says, eager and in a graph."""

from __future__ import annotations

import inspect
from collections import OrderedDict, defaultdict, namedtuple
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import nest

Z = np.array([[1 + 2j, 3 - 1j], [0.5j, 2.0]])
W = np.array([[2 - 1j, 1j], [1.0, 4 + 4j]])


def both(function: Any, *args: Any) -> Any:
    """The result of a call, which must be the same in a graph."""
    eager = function(*args)
    staged = tf.function(function)(*args)
    np.testing.assert_array_equal(np.asarray(eager), np.asarray(staged))
    return np.asarray(eager)


def test_products_of_adjoint_matrices() -> None:
    np.testing.assert_allclose(both(lambda a, b: tf.matmul(a, b, adjoint_a=True), Z, W), Z.conj().T @ W)
    np.testing.assert_allclose(both(lambda a, b: tf.linalg.matmul(a, b, adjoint_b=True), Z, W), Z @ W.conj().T)
    mixed = both(lambda a, b: tf.matmul(a, b, transpose_a=True, adjoint_b=True), Z, W)
    np.testing.assert_allclose(mixed, Z.T @ W.conj().T)
    with pytest.raises(ValueError, match="only one"):
        tf.matmul(Z, W, transpose_a=True, adjoint_a=True)
    assert tf.matmul([[1, 2]], [[3], [4]], output_type=tf.float64).dtype is tf.float64
    np.testing.assert_array_equal(both(lambda a: tf.transpose(a, conjugate=True), Z), Z.conj().T)


def test_gradients_through_adjoints() -> None:
    a, b = tf.constant(Z), tf.constant(W)
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.reduce_sum(tf.abs(tf.matmul(a, b, adjoint_a=True)) ** 2)
    product = Z.conj().T @ W
    np.testing.assert_allclose(tape.gradient(y, a), 2 * (W @ product.conj().T))


def test_counts_orders_and_parts() -> None:
    assert both(lambda x: tf.math.count_nonzero(x, 1), [[1, 0], [2, 3]]).tolist() == [1, 2]
    assert tf.math.count_nonzero([[1, 0]], None, True, tf.int32).dtype is tf.int32
    assert tf.math.count_nonzero(["a", "", "b"]).numpy() == 2
    assert both(lambda x: tf.argsort(x, stable=True), [2, 1, 2, 1]).tolist() == [1, 3, 0, 2]
    assert tf.math.top_k([1, 3, 2], 2, index_type=tf.int64).indices.dtype is tf.int64
    assert [p.shape[0] for p in tf.split(tf.zeros([5]), [2, 3], 0, 2)] == [2, 3]
    with pytest.raises(ValueError, match="num is 3"):
        tf.split(tf.zeros([5]), [2, 3], num=3)


def test_random_numbers_by_all_names_of_the_algorithm() -> None:
    plain = tf.random.stateless_uniform([3], [1, 2]).numpy()
    for alg in ("philox", "auto_select", "PHILOX"):
        assert (tf.random.stateless_uniform([3], [1, 2], alg=alg).numpy() == plain).all()
    for function in (tf.random.stateless_normal, tf.random.stateless_truncated_normal):
        with pytest.raises(tf.errors.InvalidArgumentError, match="threefry"):
            function([3], [1, 2], alg="threefry")
    assert tf.random.split([1, 2], 3, "philox").shape == tf.random.split([1, 2], 3).shape


def test_a_generator_that_copies_another_goes_on_as_that() -> None:
    first = tf.random.Generator.from_seed(5)
    first.normal([2])
    second = tf.random.Generator(first)
    assert (first.normal([3]).numpy() == second.normal([3]).numpy()).all()
    third = tf.random.Generator(state=[0, 0, 5])
    assert (third.normal([2]).numpy() == tf.random.Generator.from_state([0, 0, 5]).normal([2]).numpy()).all()
    for wrong, kind in (({}, ValueError), ({"copy_from": first, "state": [0, 0, 1]}, ValueError)):
        with pytest.raises(kind, match="copy_from"):
            tf.random.Generator(**wrong)
    with pytest.raises(TypeError, match="copy_from"):
        tf.random.Generator([0, 0, 5])  # type: ignore[arg-type]


def test_sparse_tensors_of_other_sizes_side_by_side() -> None:
    a = tf.SparseTensor([[0, 1]], [1], [1, 2])
    b = tf.SparseTensor([[2, 0]], [2], [3, 1])
    joined = tf.sparse.concat(1, [a, b], expand_nonconcat_dims=True)
    assert tf.sparse.to_dense(joined).numpy().tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 2]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="one shape"):
        tf.sparse.concat(1, [a, b])
    assert tf.sparse.expand_dims(a, None).shape == [1, 2, 1]


def test_python_functions_that_return_ragged_and_sparse_tensors() -> None:
    rows = tf.ragged.constant([[1], [2, 3]])
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    wanted = [spec, tf.SparseTensorSpec([None, None], tf.int32), tf.TensorSpec([2], tf.int64)]

    def parts(r: Any) -> Any:
        return r + 1, r.to_sparse(), r.row_lengths()

    def call(r: Any) -> Any:
        return tf.py_function(parts, [r], wanted)

    for function in (call, tf.function(call)):
        more, sparse, lengths = function(rows)
        assert more.to_list() == [[2], [3, 4]] and lengths.numpy().tolist() == [1, 2]
        assert tf.sparse.to_dense(sparse).numpy().tolist() == [[1, 0], [2, 3]]
    assert tf.function(lambda r: tf.reduce_sum(tf.py_function(lambda x: x[1:], [r], spec), axis=1))(rows).numpy() == [5]
    for wrong in (lambda r: 3, lambda r: tf.stack([r, r]), lambda r: tf.cast(r, tf.float32)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Tout names"):
            tf.py_function(wrong, [rows], spec)
    with pytest.raises(ValueError, match=r"\(3,\)"):
        tf.py_function(lambda: np.zeros(3), [], tf.TensorSpec([2], tf.float64))


def test_python_functions_as_decorators() -> None:
    @tf.py_function(Tout=tf.float32)
    def doubled(x: Any) -> Any:
        return x * 2

    @tf.numpy_function(Tout=[tf.float64, tf.int64], stateful=False)
    def parts(x: Any) -> Any:
        return np.sum(x), np.argmax(x)

    assert tf.function(lambda x: doubled(x) + 1)(tf.constant(3.0)).numpy() == 7
    assert [v.numpy() for v in parts(np.array([1.0, 5.0]))] == [6.0, 1]


def test_custom_gradients_with_and_without_brackets() -> None:
    @tf.custom_gradient()
    def five(x: Any) -> Any:
        return x * 2, lambda upstream: upstream * 5

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = five(x)
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (6, 5)


Pair = namedtuple("Pair", "x y")


def test_structures_of_one_kind() -> None:
    for a, b in (
        ({"a": 1, "b": [2]}, OrderedDict(b=[0], a=0)), (defaultdict(int, k=1), {"k": 2}),
        (Pair(1, 2), namedtuple("Pair", "x y")(3, 4)), ([1], type("Names", (list,), {})([2])),
    ):  # fmt: skip
        nest.assert_same_structure(a, b)
        nest.assert_same_structure(b, a)
    assert nest.map_structure(lambda x, y: x - y, {"b": 5, "a": 7}, OrderedDict(a=1, b=2)) == {"b": 3, "a": 6}
    for a, b in ((Pair(1, 2), namedtuple("Other", "x y")(3, 4)), (Pair(1, 2), (1, 2)), ([1], (1,))):
        with pytest.raises(TypeError, match="their types differ"):
            nest.assert_same_structure(a, b)
        assert nest.map_structure(lambda x, y: x, a, b, check_types=False) == a


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: nest.map_structure(3, [1]), TypeError, "func is a function; got 3"),
        (lambda: nest.map_structure(len), ValueError, "at least one structure"),
        (lambda: nest.pack_sequence_as([0, 0], 5), TypeError, "a list of leaves; got 5"),
        (lambda: nest.pack_sequence_as([0, 0], "ab"), TypeError, "a list of leaves; got 'ab'"),
        (lambda: nest.pack_sequence_as([0, 0], {1: 2, 3: 4}), TypeError, "a list of leaves"),
        (lambda: tf.strings.join(["a"], separator=["x"]), TypeError, "separator is a text"),
    ],
)
def test_mistakes_name_what_was_given(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_operations_say_how_they_are_called() -> None:
    assert str(inspect.signature(tf.reduce_sum)) == "(input_tensor, axis=None, keepdims=False, *, name=None)"
    assert list(inspect.signature(tf.reverse).parameters) == ["tensor", "axis", "name"]
    assert "kernel" in inspect.signature(type(tf.abs)).parameters
