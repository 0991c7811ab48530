"""`map_blocks`: dtype and chunks by the trace, results as those of numpy on each block, and what is refused."""

from __future__ import annotations

import io
import pickle
from typing import Any

import dask.array
import numpy as np
import pytest

import runtime as tf
from runtime.distribute import map_blocks

ROWS = np.arange(40, dtype=np.float32).reshape(10, 4)


class _WithoutCode(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        assert not module.startswith("tests")
        return super().find_class(module, name)


def cut(*chunks: Any, array: Any = ROWS) -> Any:
    return dask.array.from_array(array, chunks=chunks)


def halved(x: Any) -> Any:
    while tf.reduce_max(x) > 8.0:
        x = x / 2.0
    return tf.cast(x, tf.float64)


@pytest.mark.parametrize("chunks", [(10, 4), (3, 4), (4, 3), (1, 1)])
def test_each_block_by_its_graph(chunks: Any) -> None:
    def by_hand(x: Any) -> Any:
        while x.max() > 8:
            x = x / 2
        return x.astype(np.float64)

    found = map_blocks(halved, cut(*chunks))
    wanted = cut(*chunks).map_blocks(by_hand, dtype=np.float64)
    assert (found.dtype, found.chunks) == (np.float64, wanted.chunks)
    made = found.compute()
    assert type(made) is np.ndarray and made.tolist() == wanted.compute().tolist()
    assert float(found.sum().compute()) == float(wanted.sum().compute())


def test_axes_that_go_and_come() -> None:
    sums = map_blocks(lambda x: tf.reduce_sum(x, axis=1), cut(3, 4), drop_axis=1)
    assert sums.shape == (10,) and sums.compute().tolist() == ROWS.sum(axis=1).tolist()
    powers = map_blocks(lambda x: tf.stack([x, x * x], axis=2), cut(3, 4), new_axis=2)
    assert powers.shape == (10, 4, 2) and powers.compute().tolist() == np.stack([ROWS, ROWS**2], axis=2).tolist()
    halves = map_blocks(lambda x: x[::2], cut(4, 4))
    assert halves.chunks == ((2, 2, 1), (4,)) and halves.compute().tolist() == ROWS[[0, 2, 4, 6, 8]].tolist()
    some = map_blocks(lambda x: tf.boolean_mask(x, x[:, 0] > 15.0), cut(3, 4))
    assert np.isnan(some.shape[0]) and some.compute().tolist() == ROWS[4:].tolist()


def test_more_arrays_and_arguments() -> None:
    other = cut(2, 4, array=ROWS + 1)
    found = map_blocks(lambda x, y, scale: (x - y) * scale, cut(3, 4), other, scale=3.0)
    assert found.compute().tolist() == np.full((10, 4), -3.0).tolist()
    x = cut(3, 4)
    unknown = x[x[:, 0] > 10]
    assert map_blocks(lambda x: x + 1.0, unknown).compute().tolist() == (ROWS[3:] + 1).tolist()


def test_variables_have_the_values_of_now_and_no_code_is_sent() -> None:
    weights = tf.Variable(2.0)
    found = map_blocks(lambda x: x * weights, cut(3, 4))
    weights.assign(100.0)
    assert found.compute().tolist() == (2 * ROWS).tolist()
    _WithoutCode(io.BytesIO(pickle.dumps(dict(found.dask)))).load()


def test_what_cannot_be_sent_is_refused_before() -> None:
    count = tf.Variable(0.0)

    def counting(x: Any) -> Any:
        tf.print("a block")
        return x + tf.random.normal([]) + count.assign_add(1.0)

    with pytest.raises(tf.errors.NotExportableError) as caught:
        map_blocks(counting, cut(3, 4))
    lines = str(caught.value).splitlines()
    assert len(lines) == 4 and lines[0] == "map_blocks: counting(x) cannot be sent to workers:"
    assert "would print where nobody reads it" in lines[1] and "test_blocks.py:" in lines[1]
    assert "stateless_*" in lines[2] and "has its own copy there" in lines[3]
    with pytest.raises(TypeError, match="takes a function and dask arrays"):
        map_blocks(halved, ROWS)
    with pytest.raises(TypeError, match="returns one tensor of a known rank"):
        map_blocks(lambda x: (x, x), cut(3, 4))
    with pytest.raises(tf.errors.ShapeMismatchError, match="gives 1 axes of 2, 2 were expected; say which with drop"):
        map_blocks(lambda x: x[0], cut(3, 4))
    with pytest.raises(tf.errors.ShapeMismatchError, match=r"axis 1 is dropped, and in 2 blocks; rechunk\({1: -1}\)"):
        map_blocks(lambda x: x[:, 0], cut(3, 2), drop_axis=1)
    with pytest.raises(tf.errors.ShapeMismatchError, match="do not fit together: along axis 0 they have"):
        map_blocks(tf.transpose, cut(3, 3))
    with pytest.raises(tf.errors.ShapeMismatchError, match=r"one shape; they have \(10, 4\), \(4, 10\)"):
        map_blocks(lambda x, y: x, cut(3, 4), cut(3, 4, array=ROWS.T))


def test_an_error_of_a_block_is_that_of_the_program() -> None:
    def checked(x: Any) -> Any:
        assert tf.reduce_all(x < 30.0), "too large"
        return x

    with pytest.raises(AssertionError, match="too large"):
        map_blocks(checked, cut(3, 4)).compute()
