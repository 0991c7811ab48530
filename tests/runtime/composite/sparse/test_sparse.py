"""Sparse tensors against numpy, eager and in graphs; through Functions, branches, loops and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import SparseTensor, sparse
from runtime.errors import InvalidArgumentError, ShapeMismatchError, SignatureError


def random_matrix(seed: int, shape: tuple[int, ...] = (4, 5)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape) < 0.4, rng.integers(1, 9, shape), 0).astype(np.float64)


def in_graph(function: Callable[..., Any], *values: Any) -> Any:
    """The function in a graph that knows ranks only."""
    specs = [
        runtime.SparseTensorSpec([None] * (v.rank or 0), v.dtype) if isinstance(v, SparseTensor)
        else runtime.TensorSpec([None] * v.ndim, v.dtype)
        for v in values
    ]  # fmt: skip
    return runtime.function(function, input_signature=specs)(*values)


def dense(value: Any) -> np.ndarray:
    made = sparse.to_dense(value) if isinstance(value, SparseTensor) else value
    return made.numpy()


def assert_both(function: Callable[..., Any], wanted: Any, *values: Any) -> None:
    np.testing.assert_array_equal(dense(function(*values)), wanted)
    np.testing.assert_array_equal(dense(in_graph(function, *values)), wanted)


@pytest.mark.parametrize("seed", range(3))
def test_as_numpy(seed: int) -> None:
    a, b = random_matrix(seed), random_matrix(seed + 100)
    x, y = sparse.from_dense(a), sparse.from_dense(b)
    assert x.values.numpy().tolist() == a[a != 0].tolist()
    assert x.indices.numpy().tolist() == np.argwhere(a).tolist()
    assert_both(lambda x: x, a, x)
    assert_both(lambda x: sparse.to_dense(x, -1.0), np.where(a == 0, -1, a), x)
    assert_both(sparse.add, a + b, x, y)
    assert_both(lambda x, y: x - y, a - b, x, y)
    assert_both(lambda x, d: x + d, a + b, x, runtime.constant(b))
    assert_both(lambda x, d: d - x, b - a, x, runtime.constant(b))
    assert_both(lambda x, d: x * d, a * b, x, runtime.constant(b))
    assert_both(lambda x, d: x * d, a * b[0], x, runtime.constant(b[0]))
    assert_both(lambda x: -x * 2.0 / 4.0, -a / 2, x)
    assert_both(lambda x: runtime.sqrt(runtime.abs(x)), np.sqrt(a), x)
    assert_both(lambda x: runtime.cast(x, runtime.int32), a.astype(np.int32), x)
    for axis in (None, 0, 1, -1, [0, 1]):
        which = tuple(axis) if isinstance(axis, list) else axis
        for keepdims in (False, True):
            call = lambda x: sparse.reduce_sum(x, axis, keepdims)
            assert_both(call, a.sum(axis=which, keepdims=keepdims), x)
            call = lambda x: sparse.reduce_sum(x, axis, keepdims, output_is_sparse=True)
            assert_both(call, a.sum(axis=which, keepdims=keepdims), x)
    assert_both(lambda x: sparse.reduce_max(x, axis=1), a.max(axis=1), x)
    assert_both(sparse.transpose, a.T, x)
    assert_both(lambda x: sparse.slice(x, [1, 2], [2, 9]), a[1:3, 2:], x)
    assert_both(lambda x, y: sparse.concat(0, [x, y]), np.concatenate([a, b]), x, y)
    assert_both(lambda x, y: sparse.concat(-1, [x, y, x]), np.concatenate([a, b, a], 1), x, y)
    assert_both(lambda x: sparse.expand_dims(x, 1), a[:, None], x)
    assert_both(lambda x: sparse.reshape(x, [2, -1]), a.reshape(2, -1), x)
    assert_both(lambda x: sparse.map_values(runtime.square, x), a * a, x)
    assert_both(lambda x: sparse.map_values(runtime.add, x, x), a + a, x)
    assert_both(lambda x: sparse.retain(x, x.values > 4.0), np.where(a > 4, a, 0), x)
    assert runtime.shape(x).numpy().tolist() == [4, 5] and runtime.size(x).numpy() == 20


@pytest.mark.parametrize("adjoint_a", [False, True])
@pytest.mark.parametrize("adjoint_b", [False, True])
def test_products(adjoint_a: bool, adjoint_b: bool) -> None:
    a, b = random_matrix(1, (3, 4)), random_matrix(2, (4, 2))
    left, right = (a.T if adjoint_a else a), (b.T if adjoint_b else b)
    product = lambda x, y: sparse.sparse_dense_matmul(x, y, adjoint_a, adjoint_b)
    assert_both(product, a @ b, sparse.from_dense(left), runtime.constant(right))
    assert_both(product, a @ b, runtime.constant(left), sparse.from_dense(right))
    z = left + 1j * random_matrix(5, left.shape)
    found = product(sparse.from_dense(z), runtime.constant(right.astype(np.complex128)))
    np.testing.assert_allclose(found.numpy(), (z.conj().T if adjoint_a else z) @ b)
    with pytest.raises(ShapeMismatchError, match="inner sizes differ"):
        product(sparse.from_dense(left), runtime.ones([7, 7], runtime.float64))
    with pytest.raises(InvalidArgumentError, match="inner sizes"):
        in_graph(product, sparse.from_dense(left), runtime.ones([7, 7], runtime.float64))


@pytest.mark.parametrize(
    ("indices", "words"),
    [
        ([[0, 1], [1, 5]], r"indices\[1\] = \[1, 5\] is out of bounds: 0 <= index < \[2, 3\]"),
        ([[0, -1], [1, 1]], r"indices\[0\] = \[0, -1\] is out of bounds"),
        ([[1, 2], [0, 1]], r"indices\[1\] = \[0, 1\] is out of order; runtime.sparse.reorder"),
        ([[0, 1], [0, 1]], r"indices\[1\] = \[0, 1\] is repeated"),
    ],
)
def test_wrong_indices_are_named(indices: list[list[int]], words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        sparse.to_dense(SparseTensor(indices, [1.0, 2.0], [2, 3]))
    build = lambda i: sparse.to_dense(SparseTensor(i, [1.0, 2.0], [2, 3]))
    with pytest.raises(InvalidArgumentError, match=words):
        in_graph(build, runtime.constant(indices, runtime.int64))


def test_order_and_repeats() -> None:
    x = SparseTensor([[1, 2], [0, 1]], [1.0, 2.0], [2, 3])
    assert sparse.reorder(x).values.numpy().tolist() == [2.0, 1.0]
    assert dense(sparse.reorder(x)).tolist() == [[0, 2, 0], [0, 0, 1]]
    assert sparse.to_dense(x, validate_indices=False).numpy().tolist() == [[0, 2, 0], [0, 0, 1]]
    twice = SparseTensor([[0], [0]], [1.0, 2.0], [2])
    assert sparse.to_dense(twice, validate_indices=False).numpy().tolist() == [2, 0]
    assert sparse.reduce_sum(twice).numpy() == 3
    assert sparse.add(x, x).values.numpy().tolist() == [4.0, 2.0]
    assert sparse.add(x, x, threshold=3.0).values.numpy().tolist() == [4.0]


def test_parts_that_do_not_fit() -> None:
    for parts in (([[0]], [1, 2], [3]), ([0], [1], [3]), ([[0, 1]], [1], [3]), ([[0]], [[1]], [3])):
        with pytest.raises(InvalidArgumentError):
            SparseTensor(*parts)
    x, y = SparseTensor([[0]], [1.0], [3]), SparseTensor([[1]], [1.0], [3])
    with pytest.raises(InvalidArgumentError, match="other indices"):
        sparse.map_values(runtime.add, x, y)
    with pytest.raises(InvalidArgumentError, match="one shape"):
        x + SparseTensor([[0]], [1.0], [4])
    with pytest.raises(TypeError, match="SparseTensor"):
        runtime.exp(x)  # exp(0) is not 0
    with pytest.raises(TypeError, match="made dense"):
        x * y
    refused = (lambda: x[0], lambda: list(x), lambda: bool(x), lambda: runtime.convert_to_tensor(x), lambda: np.sum(x))
    for call in (*refused, lambda: 1.0 in x):
        with pytest.raises(TypeError):
            call()
    build = lambda i, v: sparse.to_dense(SparseTensor(i, v, [3]))
    assert in_graph(build, runtime.constant([[1]], runtime.int64), runtime.constant([5])).numpy().tolist() == [0, 5, 0]
    with pytest.raises(InvalidArgumentError, match="one value for each row"):
        in_graph(build, runtime.constant([[1]], runtime.int64), runtime.constant([5, 6]))
    replaced = lambda x, v: sparse.map_values(lambda values: v, x)
    assert dense(in_graph(replaced, x, runtime.constant([5.0]))).tolist() == [5.0, 0.0, 0.0]
    for call in (replaced, lambda x, v: in_graph(replaced, x, v)):
        with pytest.raises(InvalidArgumentError, match="with_values"):
            call(x, runtime.constant([5.0, 6.0]))
    with pytest.raises(TypeError, match="from_dense"):
        sparse.to_dense(runtime.constant([1]))
    assert dense(SparseTensor([], runtime.zeros([0]), [2, 2])).tolist() == [[0, 0], [0, 0]]


def test_texts_bools_and_scalars() -> None:
    words = sparse.from_dense([["a", ""], ["", "b"]])
    assert words.values.numpy().tolist() == [b"a", b"b"]
    assert sparse.to_dense(words).numpy().tolist() == [[b"a", b""], [b"", b"b"]]
    assert dense(sparse.from_dense([True, False, True])).tolist() == [True, False, True]
    assert dense(sparse.eye(2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
    scalar = sparse.from_dense(7)
    assert scalar.indices.shape == [1, 0] and dense(scalar) == 7
    assert repr(words).startswith("SparseTensor(indices=tf.Tensor(")


def test_one_trace_for_all_numbers_of_values() -> None:
    @runtime.function
    def double(x: Any) -> Any:
        return x * 2.0, sparse.reduce_sum(x)

    for seed in range(4):
        a = random_matrix(seed)
        made, total = double(sparse.from_dense(a))
        assert dense(made).tolist() == (2 * a).tolist() and float(total) == a.sum()
    assert double.experimental_get_tracing_count() == 1
    spec = runtime.SparseTensorSpec([None, 5], runtime.float64)
    assert repr(spec) == "SparseTensorSpec(TensorShape([None, 5]), tf.float64)"
    signed = runtime.function(sparse.to_dense, input_signature=[spec])
    assert signed(sparse.from_dense(random_matrix(0))).shape == [4, 5]
    for wrong in (sparse.from_dense(random_matrix(0, (4, 4))), runtime.constant([[1.0]]), sparse.from_dense([[1]])):
        with pytest.raises(SignatureError):
            signed(wrong)
    assert runtime.SparseTensorSpec.from_value(sparse.eye(2)) == runtime.SparseTensorSpec([2, 2], runtime.float32)


def test_branches_and_loops() -> None:
    @runtime.function
    def powered(x: Any, n: Any) -> Any:
        if n > 1:
            x = x + x
        for _ in runtime.range(n):
            x = sparse.add(x, sparse.transpose(x))
        return x

    a = random_matrix(3, (3, 3))
    for n in range(4):
        wanted = 2 * a if n > 1 else a
        for _ in range(n):
            wanted = wanted + wanted.T
        assert dense(powered(sparse.from_dense(a), runtime.constant(n))).tolist() == wanted.tolist()


def test_gradients_of_values() -> None:
    a, b = random_matrix(1, (3, 4)), random_matrix(2, (4, 2))
    x = sparse.from_dense(a)
    weights = random_matrix(9, (3, 4))

    def gradients(values: Any, other: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch([values, other])
            part = x.with_values(values)
            y = runtime.reduce_sum(sparse.sparse_dense_matmul(part, other) ** 2)
            y += runtime.reduce_sum(sparse.to_dense(part) * weights)
            y += runtime.reduce_sum(sparse.reduce_sum(part, axis=0) ** 2)
        return tape.gradient(y, [values, other])

    product = a @ b
    by_cell = 2 * product @ b.T + weights + 2 * a.sum(0)
    wanted = [by_cell[a != 0], 2 * a.T @ product]
    given = (x.values, runtime.constant(b))
    for found in (gradients(*given), runtime.function(gradients)(*given)):
        for one, other in zip(found, wanted):
            np.testing.assert_allclose(one.numpy(), other)


def test_between_ragged_and_sparse() -> None:
    rows = runtime.ragged.constant([[1, 2], [], [3]])
    x = rows.to_sparse()
    assert x.indices.numpy().tolist() == [[0, 0], [0, 1], [2, 0]] and x.shape == [3, 2]
    assert runtime.RaggedTensor.from_sparse(x).to_list() == [[1, 2], [], [3]]
    cube = runtime.ragged.constant([[[1], [2, 3]], [], [[4]]])
    np.testing.assert_array_equal(dense(cube.to_sparse()), cube.to_tensor().numpy())
    with pytest.raises(InvalidArgumentError, match="without gaps"):
        runtime.RaggedTensor.from_sparse(SparseTensor([[0, 1]], [1], [1, 2]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: runtime.abs(1.0, name=x), "abs: the argument 'name' cannot be a SparseTensor"),
        (lambda x: runtime.reduce_sum([1.0], axis=x), "reduce_sum.*SparseTensor"),
        (lambda x: sparse.mask(runtime.ones([2]), [0]), "mask: an IndexedSlices is needed; got <tf.Tensor"),
    ],
    ids=["name", "axis", "mask"],
)
def test_where_no_composite_can_stand(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(sparse.from_dense([[1.0]]))
