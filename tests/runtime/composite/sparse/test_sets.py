"""Sets along the last axis against Python's sets."""

from __future__ import annotations

import random

import numpy as np
import pytest

import runtime
from runtime import sets, sparse
from runtime.errors import InvalidArgumentError, ShapeMismatchError

OPERATIONS = [
    (sets.union, set.union), (sets.intersection, set.intersection), (sets.difference, set.difference),
    (lambda a, b: sets.difference(a, b, aminusb=False), lambda a, b: b - a),
]  # fmt: skip


def as_sets(result: runtime.SparseTensor) -> dict[tuple[int, ...], list[object]]:
    found: dict[tuple[int, ...], list[object]] = {}
    for (*outer, place), value in zip(result.indices.numpy().tolist(), result.values.numpy().tolist()):
        row = found.setdefault(tuple(outer), [])
        assert place == len(row)  # from the beginning of the row on
        row.append(value)
    return found


@pytest.mark.parametrize(("function", "by_python"), OPERATIONS)
@pytest.mark.parametrize("text", [False, True])
def test_random_sets(function: object, by_python: object, text: bool) -> None:
    rng = random.Random(5)
    staged = runtime.function(function)
    for shape in ((3, 4), (2, 3, 2), (1, 0)):
        count = int(np.prod(shape))
        a, b = (np.array([rng.randint(0, 5) for _ in range(count)], np.int64).reshape(shape) for _ in range(2))
        if text:
            a, b = (np.frompyfunc(lambda n: b"w%d" % n, 1, 1)(x) if x.size else x.astype(object) for x in (a, b))
        wanted = {
            place: sorted(by_python(set(a[place].tolist()), set(b[place].tolist()))) for place in np.ndindex(shape[:-1])
        }
        for result in (function(a, b), staged(runtime.constant(a), runtime.constant(b))):
            assert as_sets(result) == {place: row for place, row in wanted.items() if row}
            assert result.dense_shape.numpy().tolist() == [*shape[:-1], max(map(len, wanted.values()), default=0)]
            sizes = np.array([len(wanted[place]) for place in np.ndindex(shape[:-1])])
            assert sets.size(result).numpy().tolist() == sizes.reshape(shape[:-1]).tolist()


def test_sparse_sets_have_what_is_kept() -> None:
    a, b = sparse.from_dense([[1, 2], [3, 0]]), sparse.from_dense([[2], [3]])
    assert as_sets(sets.union(a, b)) == {(0,): [1, 2], (1,): [3]}
    assert as_sets(sets.difference(a, [[2], [3]])) == {(0,): [1]}
    assert sets.size(sparse.from_dense([[1, 1, 2], [0, 0, 0]])).numpy().tolist() == [2, 0]


def test_what_does_not_fit() -> None:
    with pytest.raises(ShapeMismatchError, match="2 or more"):
        sets.union([1, 2], [2, 3])
    with pytest.raises(InvalidArgumentError, match="one shape"):
        sets.union([[1]], [[1], [2]])
    with pytest.raises(ShapeMismatchError, match="one rank"):
        sets.union([[1]], [[[1]]])
    with pytest.raises(TypeError, match="float32"):
        sets.union([[1.0]], [[1.0]])
    with pytest.raises(TypeError, match="a SparseTensor is needed"):
        sets.size([[1]])
