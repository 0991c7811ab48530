"""Calls that cannot be right, of every operation: arguments of other ranks, dtypes and kinds than it takes.

Whatever becomes of such a call, it is a result, or an error that the documentation knows and that names the operation:
never what numpy or Python raise inside of a kernel, and never one thing eagerly and another in a graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.plan import compile_plan
from runtime.errors import InvalidArgumentError, OpError, ResourceExhaustedError
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.runtime.op_samples import samples
from tests.runtime.test_ops import SAMPLED, as_list, public_call, record

each_op = pytest.mark.parametrize("op", [op for op in SAMPLED if not op.stateful], ids=lambda op: op.name)

WRONG: tuple[Any, ...] = (None, -1, 99, 2**40, "bad", 1.5, (), (0, 99), (1.5,), ("a",), {}, object(), tf.string, True)
RANKS = ((), (0,), (7,), (1, 1), (2, 3, 4, 5))

INSIDE = frozenset({"getitem", "setitem", "add_item"})
"""Their `spec` is written by the index of a tensor, not by users."""


LIKE_PYTHON = frozenset(
    {"in_domain", "integer_call", "string_template", "string_to_number", "text_call", "text_pieces"}
)
"""`math`, `int(text)` and methods of `str` in staged code: they raise what Python raises, in Python's words."""


def first_samples(op: Op) -> Iterator[Sample]:
    """One sample of each rank of the first operand, of one dtype."""
    seen: set[int] = set()
    for _, sample, _ in samples(op):
        rank = np.ndim(sample.operands[0]) if sample.operands else 0
        if rank not in seen and np.size(sample.operands[0] if sample.operands else 1):
            seen.add(rank)
            yield sample
        if len(seen) > 2:
            return


def of_shape(array: Any, shape: tuple[int, ...]) -> np.ndarray:
    """The first element of an array, everywhere in another shape."""
    array = np.asarray(array)
    result = np.empty(shape, array.dtype)
    result[...] = array.reshape(-1)[0] if array.size else np.zeros(1, array.dtype)[0]
    return result


def changed(op: Op) -> Iterator[Sample]:
    """The samples with one attribute or the shape of one operand changed."""
    for sample in first_samples(op):
        for key in () if op.name in INSIDE else op.attributes:
            yield from (Sample(sample.operands, {**sample.attributes, key: value}) for value in WRONG)
        for place, operand in enumerate(sample.operands):
            if np.asarray(operand).dtype.kind != "V":
                for shape in RANKS:
                    operands = (*sample.operands[:place], of_shape(operand, shape), *sample.operands[place + 1 :])
                    yield Sample(operands, sample.attributes)


def outcome(call: Callable[[], Any]) -> Any:
    """The shapes of the results, or the error."""
    try:
        return [np.shape(np.asarray(r)) for r in call()]
    except Exception as error:
        return error


def unknown(shape: Any) -> None:
    return None


@each_op
def test_an_error_is_one_of_ours_and_names_the_operation(op: Op) -> None:
    for sample in changed(op):
        eager = outcome(lambda s=sample: as_list(public_call(op, s)))
        staged = outcome(lambda s=sample: compile_plan(record(op, s, unknown)).run([np.array(o) for o in s.operands]))
        for found in (eager, staged):
            if isinstance(found, Exception):
                plain = type(found) in (TypeError, ValueError)
                assert plain or isinstance(found, OpError) or op.name in LIKE_PYTHON, (sample, found)
                assert op.name in str(found) or not plain or op.name in LIKE_PYTHON, (sample, found)
        refused = [isinstance(found, Exception) for found in (eager, staged)]
        rank = isinstance(staged, InvalidArgumentError) and "know" in str(staged)
        assert refused[0] == refused[1] or rank, (sample, eager, staged)


FEW = tf.constant([1.0, 2.0])
SPEC = tf.TensorSpec([None], tf.int64)

CALLS: list[tuple[Callable[[], Any], type[Exception], tuple[str, ...]]] = [
    (lambda: tf.reduce_sum(FEW, axis=1.5), TypeError, ("reduce_sum: axis must be an integer", "1.5")),
    (lambda: tf.reduce_sum(FEW, keepdims="yes"), TypeError, ("reduce_sum: keepdims must be True or False", "'yes'")),
    (lambda: tf.cumsum(FEW, axis=None), TypeError, ("cumsum: axis must be an integer", "None")),
    (lambda: tf.cast(FEW, None), TypeError, ("cast: dtype must be a dtype",)),
    (lambda: tf.zeros([2], dtype="float99"), TypeError, ("zeros: dtype", "'float99'", "float32")),
    (lambda: tf.cast(FEW, tf.constant(1)), TypeError, ("cast: dtype",)),
    (lambda: tf.add(FEW, None), TypeError, ("add: Cannot convert None",)),
    (lambda: tf.add(1, 2**70), ValueError, ("add", str(2**70), "int64")),
    (lambda: tf.zeros([2**20, 2**20, 2**20]), ResourceExhaustedError, ("zeros", "EiB", "[1048576, 1048576, 1048576]")),
    (lambda: tf.zeros([2**31, 2**31, 2**31]), InvalidArgumentError, ("zeros", "too big", "2147483648")),
    (lambda: tf.linspace(0.0, 1.0, 3, axis="a"), TypeError, ("linspace: axis must be an integer",)),
    (lambda: tf.linalg.diag(FEW, k=()), InvalidArgumentError, ("one diagonal",)),
    (lambda: tf.strided_slice(FEW, [0], [1], [1], "x"), TypeError, ("strided_slice: a mask", "'x'")),
    (lambda: tf.linalg.lstsq(1.0, 2.0), InvalidArgumentError, ("lstsq", "rank 2")),
    (lambda: tf.case(None), TypeError, ("case: pred_fn_pairs",)),
    (lambda: tf.case([1]), TypeError, ("case: pred_fn_pairs",)),
    (lambda: tf.switch_case(0, None), TypeError, ("switch_case: branch_fns",)),
    (lambda: tf.linalg.global_norm(3.0), TypeError, ("global_norm", "3.0")),
    (lambda: tf.histogram_fixed_width(FEW, [0.0, 1.0], [9]), TypeError, ("nbins must be an integer",)),
    (lambda: tf.histogram_fixed_width(FEW, [0.0, 1.0], 0), InvalidArgumentError, ("nbins", "0")),
    (lambda: tf.split(tf.zeros([4]), -2), InvalidArgumentError, ("split", "-2 equal parts")),
    (lambda: tf.einsum("ij,jk->ik", tf.ones([2, 1]), tf.ones([3, 2])), InvalidArgumentError, ("einsum", "1 and 3")),
    (lambda: tf.norm(FEW, None), InvalidArgumentError, ("norm: ord", "None")),
    (lambda: tf.eye(2, batch_shape=-1), InvalidArgumentError, ("-1",)),
]


@pytest.mark.parametrize(("call", "kind", "words"), CALLS)
@pytest.mark.parametrize("staged", [False, True])
def test_public_calls(call: Callable[[], Any], kind: type[Exception], words: tuple[str, ...], staged: bool) -> None:
    with pytest.raises(kind) as caught:
        (tf.function(call, autograph=False) if staged else call)()
    for word in words:
        assert word in str(caught.value)


def test_sizes_that_only_the_run_knows() -> None:
    made = tf.function(lambda shape: tf.zeros(shape), input_signature=[SPEC])
    with pytest.raises(ResourceExhaustedError, match="zeros: there is not enough memory.*4.00 TiB") as caught:
        made([2**20, 2**20])
    assert f"{__file__}:" in "".join(caught.value.__notes__) and isinstance(caught.value, MemoryError)
    with pytest.raises(InvalidArgumentError, match="zeros"):
        made([3, -1])
    assert made([2, 3]).shape == (2, 3)


def test_parts_of_nothing() -> None:
    """A list of no rows is an empty list, eagerly as in graphs."""
    nothing = tf.zeros([0, 3])
    for run in (lambda f: f(), lambda f: tf.function(f, autograph=False)()):
        assert run(lambda: tf.unstack(nothing)) == [] and run(lambda: tf.split(nothing, [])) == []
    unknown_size = tf.function(lambda x: tf.split(x, 0), autograph=False, input_signature=[tf.TensorSpec([None])])
    with pytest.raises(InvalidArgumentError, match="0 equal parts"):
        unknown_size(FEW)


def test_batches_of_identity_matrices() -> None:
    made = tf.function(lambda b, n: tf.eye(n, 2, batch_shape=b), autograph=False)
    for batch in ([], [3], [2, 1]):
        wanted = np.broadcast_to(np.eye(4, 2, dtype=np.float32), (*batch, 4, 2))
        np.testing.assert_array_equal(np.asarray(tf.eye(4, 2, batch_shape=batch)), wanted)
        np.testing.assert_array_equal(np.asarray(made(tf.constant(batch, tf.int32), 4)), wanted)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_linspace_of_tensors(axis: int) -> None:
    start, stop = np.array([0.0, 1.0]), np.array([[4.0], [5.0], [6.0]])
    wanted = np.linspace(start, stop, 5, axis=axis)
    np.testing.assert_allclose(np.asarray(tf.linspace(start, stop, 5, axis=axis)), wanted)
    staged = tf.function(lambda a, b: tf.linspace(a, b, 5, axis=axis), autograph=False)
    np.testing.assert_allclose(np.asarray(staged(start, stop)), wanted)
