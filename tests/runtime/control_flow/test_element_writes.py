"""`x[key] = v` and `x[key] += v` on tensors, eager and staged, against numpy's own assignment."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.runtime.comparing import assert_same, plain

CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)

KEYS: list[Any] = [
    *itertools.chain.from_iterable(
        itertools.product((0, -1, slice(None), slice(1, None), slice(None, None, -1), np.newaxis, ...), repeat=n)
        for n in (1, 2, 3)
    ),
    (), 1, slice(5, 0, -2), (slice(-99, 99, 3),), (0, 0, 0), slice(2, 1), (..., slice(None, None, 2)),
    np.array([1, 0]), [1, 1], ([0, 1], [2, 0]), (slice(None), [0, 2]), ([1, 0], slice(None), [3, 3]),
    ([[0], [1]], [0, 2]), CUBE > 11, CUBE[:, :, 0] > 5, np.array([True, False]), [False, True],
    (0, np.array([True, False, True])),
    (np.array([True, True]), 1), (slice(None), np.zeros(3, np.bool_)),
]  # fmt: skip
KEYS = [key for key in KEYS if not (isinstance(key, tuple) and sum(1 for e in key if e is ...) > 1)]


def as_tensors(key: Any) -> Any:
    """The key with tensors in the place of integers, ends of slices and arrays."""
    if isinstance(key, tuple):
        return tuple(map(as_tensors, key))
    if isinstance(key, slice):
        return slice(*(None if e is None else tf.constant(e) for e in (key.start, key.stop, key.step)))
    return tf.constant(key) if isinstance(key, int | list | np.ndarray) else key


def replaced(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


def added(x: Any, key: Any, value: Any) -> Any:
    x[key] += value
    return x


def with_key(program: Callable[..., Any], key: Any) -> Callable[[Any], Any]:
    return lambda x: program(x, key, 7)


some_and_all_keys = pytest.mark.parametrize(
    "keys", [KEYS[::4] + KEYS[-30:], pytest.param(KEYS, marks=pytest.mark.slow)], ids=["some", "all"]
)


@some_and_all_keys
@pytest.mark.parametrize("program", [replaced, added])
def test_as_numpy_does(program: Callable[..., Any], keys: list[Any]) -> None:
    eager = autograph.to_graph(program)
    for key in keys:
        wanted = program(CUBE.copy(), key, 7)
        assert np.array_equal(np.asarray(eager(tf.constant(CUBE), key, 7)), wanted), key
        graph = tf.function(with_key(program, key))
        for spec in ([2, 3, 4], [None, 3, None], None):
            found = graph.get_concrete_function(tf.TensorSpec(spec, tf.int32))(tf.constant(CUBE))
            assert np.array_equal(np.asarray(found), wanted), (key, spec)


@some_and_all_keys
@pytest.mark.parametrize("program", [replaced, added])
def test_with_keys_that_only_the_graph_knows(program: Callable[..., Any], keys: list[Any]) -> None:
    for key in keys:
        if isinstance(key, list) or (isinstance(key, tuple) and None in [k if k is None else 0 for k in key]):
            key = np.array(key) if isinstance(key, list) else tuple(k for k in key if k is not None)
        wanted = program(CUBE.copy(), key, -1)
        shape = np.shape(CUBE[key])
        value = np.full(shape, -1, np.int32)
        staged_key = as_tensors(key)
        leaves: list[Any] = []

        def collect(part: Any, leaves: list[Any] = leaves) -> Any:
            if isinstance(part, tuple):
                return tuple(map(collect, part))
            if isinstance(part, slice):
                return slice(*map(collect, (part.start, part.stop, part.step)))
            if isinstance(part, tf.Tensor):
                leaves.append(part)
                return len(leaves)
            return part

        pattern = collect(staged_key)

        @tf.function
        def graph(x: Any, v: Any, *given: Any, pattern: Any = pattern) -> Any:
            def fill(part: Any) -> Any:
                if isinstance(part, tuple):
                    return tuple(map(fill, part))
                if isinstance(part, slice):
                    return slice(*map(fill, (part.start, part.stop, part.step)))
                return given[part - 1] if type(part) is int else part

            return program(x, fill(pattern), v)

        assert np.array_equal(np.asarray(graph(tf.constant(CUBE), tf.constant(value), *leaves)), wanted), key


SIGNS = ("+=", "-=", "*=", "/=", "//=", "%=", "**=")
INTEGER_SIGNS = ("&=", "|=", "^=", "<<=", ">>=")


@pytest.mark.parametrize(
    ("sign", "dtype"), [*((s, np.float32) for s in SIGNS), *((s, np.int32) for s in INTEGER_SIGNS)]
)
def test_augmented_operators(sign: str, dtype: Any, tmp_path: Any) -> None:
    path = tmp_path / "program.py"
    lines = [
        "def program(x, i, v):",
        f"    x[i] {sign} v",
        f"    x[1:] {sign} x[0]",
        f"    x[-1] {sign} 2",
        "    return x",
    ]
    path.write_text("\n".join(lines))
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    values = np.array([3, 5, 2, 6], dtype)
    wanted = names["program"](values.copy(), 2, dtype(2))
    found = tf.function(names["program"])(tf.constant(values), tf.constant(2), tf.constant(dtype(2)))
    assert np.array_equal(np.asarray(found), wanted)


def test_matrix_product_of_an_element() -> None:
    def program(x: Any, i: Any, m: Any) -> Any:
        x[i] @= m
        return x

    x, m = np.arange(8, dtype=np.float32).reshape(2, 2, 2), np.array([[1, 2], [3, 4]], np.float32)
    wanted = x.copy()
    wanted[1] = wanted[1] @ m
    assert np.array_equal(np.asarray(tf.function(program)(tf.constant(x), tf.constant(1), tf.constant(m))), wanted)


# -- inside of staged statements: each function runs on arrays in Python and on tensors in a graph


def running(x, n):
    for i in range(n):
        x[i + 1] += x[i]
        if x[i] > 5:
            x[0] = -x[i]
        elif i > 1:
            x[i], x[0] = x[0], x[i]
            continue
        x[-1] -= 1
    return x


def bubble(x, n):
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return x


def grid(x, n):
    for i in range(n):
        x[i % 2, 1:] *= 2
        x[:, 0] += i
        x[x > 40] = 0
    return x


def early(x, n):
    for i in range(n):
        x[i] = 0
        if x[i + 1] > 2:
            return x
    x[:] = 9
    return x


class Model:
    def __init__(self, w):
        self.w = w
        self.parts = [w, {"a": w}]

    def step(self, i, n):
        if n > 2:
            self.w[i] = n
        else:
            self.w[0] -= 1
        for k in range(n):
            self.w[k] += k
            self.parts[0][k] = n
        self.parts[1]["a"][i] *= 2
        return self.w, self.parts[0], self.parts[1]["a"]


def of_attributes(x, n):
    model = Model(x)
    model.parts[0], model.parts[1]["a"] = x + 0, x + 1
    return model.step(1, n)


def by_closure(x, n):
    def write(i, v):
        nonlocal x
        x[i] = v
        return i

    write(0, n)
    for i in (1, 3):
        j = write(2, i)
        write(j, x[2] + n)
    return x


def through_calls(x, n):
    def with_zero(y, i):
        y[i] = 0
        return y

    for i in range(n):
        x = with_zero(x + 1, i)
    return x


def targets(x, n):
    for x[0] in range(n):
        x[1] += x[0]
    for i, x[2] in enumerate(range(n)):
        x[3] = i
    return x


@pytest.mark.parametrize("program", [running, bubble, early, of_attributes, by_closure, through_calls, targets])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_vectors(program: Callable[..., Any], n: int) -> None:
    values = np.array([4, 3, 1, 2, 7], np.int32)
    wanted = program(values.copy(), n)
    found = tf.function(program)(tf.constant(values), tf.constant(n))
    assert plain(found) == plain(tf.nest.map_structure(tf.constant, wanted))


@pytest.mark.parametrize("n", [0, 1, 5])
def test_matrices(n: int) -> None:
    values = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert plain(tf.function(grid)(tf.constant(values), tf.constant(n))) == grid(values.copy(), n).tolist()


def sieve(n):
    prime = [True] * 30
    for i in range(2, n):
        if prime[i]:
            for j in range(i * i, 30, i):
                prime[j] = False
    return [i for i in range(2, 30) if prime[i]], prime


def flags(n):
    seen = [False, True, False]
    seen[n] = n > 1
    seen[n - 1] = not seen[n]
    return seen


def test_lists_of_truths() -> None:
    assert_same(sieve, 2, 6)
    assert_same(flags, 0, 1, 2)


def one_row_twice(x):
    row, other = [x, 1], [4, 4]
    (row, row)[x % 2][1] = 5
    (row, row)[x % 2][0] += 2
    (row, other)[x % 2][0] += 3
    return row, other


def rows_of_several_lengths(x):
    rows = [[x, 1], [3, 2, 4], [5]]
    rows[x % 3][0] += 7
    rows[x % 2][1] = x
    rows[1][2] += rows[0][0]
    return rows


def rows_that_grow(x):
    a, b = [x, 1], [3, 2]
    rows = [a, b, a]
    rows[x % 3] += [x]
    rows[x % 2] += [7, x]
    rows[0][0] = 9
    rows[x % 2][1] = x + 5
    if x > 1:
        rows[x % 2] += [4]
    named = {1: a, 2: b}
    named[x % 2 + 1] += [8]
    return a, b, rows, [len(row) for row in rows]


def test_rows_of_tuples_and_of_several_lengths() -> None:
    assert_same(rows_that_grow, 0, 1, 2, 3, 4, 5)
    assert_same(one_row_twice, 0, 1, 2)
    assert_same(rows_of_several_lengths, 0, 1, 2, 3, 4, 5)


def test_a_tuple_has_no_elements_to_set() -> None:
    @tf.function
    def of_a_tuple(x):
        row = (x, 1)
        row[x] = 5
        return row

    with pytest.raises(TypeError, match="'tuple' object does not support item assignment"):
        of_a_tuple(tf.constant(1))
