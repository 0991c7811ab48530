"""numpy on tensors beside its functions: operators with arrays, refusals, Variables, methods, arrays in and out.

The functions themselves, with numpy's values and dtypes, are compared in tests/runtime/numpy_calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OperatorNotAllowedInGraphError

VALUE = np.array([[-1.5, 2.0, 0.25], [3.0, -0.5, 1.0]], np.float32)


def traced(call: Any, *arrays: Any) -> Any:
    """The result of a Function that is not converted."""
    return tf.function(lambda *args: call(*args), autograph=False)(*arrays)


# -- operators between arrays and tensors: the rules of tensors, whatever the side -----------------------------------


@pytest.mark.parametrize(
    "call",
    [lambda a, t: a + t, lambda a, t: t + a, lambda a, t: a * t, lambda a, t: a - t, lambda a, t: a @ t,
     lambda a, t: np.float64(2) * t, lambda a, t: a / t],
)  # fmt: skip
def test_an_array_beside_a_tensor_takes_its_dtype_by_operators(call: Any) -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    value = np.array([[2.0, 0.5], [1.0, -1.0]], np.float32)
    for result in (call(array, tf.constant(value)), traced(lambda t: call(array, t), value)):
        assert result.dtype is tf.float32
        np.testing.assert_allclose(np.asarray(result), call(array, value.astype(np.float64)), rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [lambda m, v: m @ v, lambda m, v: v @ m.T, lambda m, v: v @ v, lambda m, v: m[None] @ v,
     lambda m, v: v @ m.T[None]],
)  # fmt: skip
def test_products_of_vectors_by_the_operator(call: Any) -> None:
    v = np.array([1.0, 2.0, -1.0], np.float32)
    wanted = call(VALUE, v)
    pairs = ((tf.constant(VALUE), tf.constant(v)), (VALUE, tf.constant(v)), (tf.Variable(VALUE), tf.Variable(v)))
    for m, x in pairs:
        np.testing.assert_allclose(np.asarray(call(m, x)), wanted, rtol=1e-6)
    np.testing.assert_allclose(np.asarray(traced(call, VALUE, v)), wanted, rtol=1e-6)
    np.testing.assert_allclose(np.asarray(traced(lambda x: call(VALUE, x), v)), wanted, rtol=1e-6)
    for m, x in ((VALUE, v[:2]), (v, v[:2]), (v[:2], VALUE.T)):
        with pytest.raises(tf.errors.ShapeMismatchError):
            tf.constant(m) @ tf.constant(x)


def test_comparisons_by_operators_and_by_functions() -> None:
    array = np.array([1.0, 2.0])
    t = tf.constant([1, 3])
    with pytest.raises(tf.errors.DtypeMismatchError):
        _ = array < t
    assert np.less(array, t).numpy().tolist() == [False, True]
    assert np.add(array, t).dtype is tf.float64


def test_tensors_stay_strict() -> None:
    with pytest.raises(tf.errors.DtypeMismatchError):
        _ = tf.constant([1]) + tf.constant([1.0])
    assert np.add(tf.constant([1]), tf.constant([1.0])).dtype is tf.float64


def test_an_array_that_is_added_to_stays_an_array() -> None:
    array = np.ones(2, np.float32)
    same = array
    array += tf.constant([1.0, 2.0])
    assert array is same and array.tolist() == [2.0, 3.0]


def test_python_numbers_of_loops_are_weak_in_numpy_calls() -> None:
    def f(x: Any) -> Any:
        i = 0
        total = np.zeros_like(x)
        while i < np.sum(x) * 0 + 3:
            total = total + np.add(x, i)
            i = i + 1
        return total

    result = tf.function(f)(VALUE)
    assert result.dtype is tf.float32
    np.testing.assert_allclose(result.numpy(), 3 * VALUE + 3)


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: np.percentile(x, 50), ("np.percentile", "np.median")),
        (lambda x: np.spacing(x), ("np.spacing", "it has no operation")),
        (lambda x: np.sum(x, initial=3), ("np.sum", "`initial` has no operation", "np.sum with other arguments")),
        (lambda x: np.sum(x, where=x > 0), ("np.sum", "`where` has no operation")),
        (lambda x: np.add(x, 1, where=x > 0), ("np.add", "`where` has no operation")),
        (lambda x: np.reshape(x, (3, 2), order="F"), ("np.reshape", "order='F'", "transpose")),
        (lambda x: np.pad(x, 1, mode="edge"), ("np.pad", "mode='edge'", "symmetric")),
        (lambda x: np.add.at(x, 0, 1), ("np.add.at",)),
        (lambda x: np.maximum.accumulate(x), ("np.maximum.accumulate", "np.maximum with other arguments")),
        (lambda x: np.linalg.pinv(x), ("np.linalg.pinv", "np.linalg.solve")),
    ],
)  # fmt: skip
def test_what_cannot_be_recorded_is_refused_with_the_nearest(call: Any, words: tuple[str, ...]) -> None:
    with pytest.raises(TypeError) as caught:
        traced(call, VALUE)
    for word in ("cannot be recorded for the symbolic tensor", *words):
        assert word in str(caught.value)


@pytest.mark.parametrize("call", [lambda x: np.percentile(x, 50), np.spacing, lambda x: np.sum(x, initial=3)])
def test_what_cannot_be_recorded_runs_on_the_value_of_an_eager_tensor(call: Any) -> None:
    result = call(tf.constant(VALUE))
    assert isinstance(result, tf.Tensor)
    np.testing.assert_allclose(np.asarray(result), call(VALUE))


def test_nothing_is_baked_into_a_graph() -> None:
    """The function that numpy would have to run on values is refused before it sees one, also for a Variable."""
    v = tf.Variable(VALUE)
    with pytest.raises(TypeError, match="cannot be recorded"):
        traced(lambda: np.percentile(v, 50))
    np.testing.assert_allclose(np.asarray(np.percentile(v, 50)), np.percentile(VALUE, 50))


@pytest.mark.parametrize(
    "call",
    [lambda x: np.add(x, 1, out=x), lambda x: np.sum(x, axis=0, out=x), lambda x: np.copyto(x, 1),
     lambda x: np.exp(x, x), lambda x: np.fill_diagonal(x, 0), lambda x: np.add(np.ones((2, 3)), 1, out=x)],
)  # fmt: skip
def test_a_tensor_is_not_written_to(call: Any) -> None:
    for run in (lambda: call(tf.constant(VALUE)), lambda: traced(call, VALUE), lambda: call(tf.Variable(VALUE))):
        with pytest.raises(TypeError, match="never changes: take its result, as in `x = np"):
            run()


def test_an_array_is_no_place_for_what_a_graph_computes() -> None:
    array = np.zeros((2, 3), np.float32)
    with pytest.raises(TypeError, match=r"np.add cannot be recorded.*`out`"):
        traced(lambda x: np.add(x, 1, out=array), VALUE)
    np.add(tf.constant(VALUE), 1, out=array)
    np.testing.assert_allclose(array, VALUE + 1)


def test_elements_are_not_set() -> None:
    def f(x: Any) -> Any:
        x[0] = 1
        return x

    with pytest.raises(TypeError, match="in a converted function an assignment to an element makes a new tensor"):
        tf.function(f, autograph=False)(VALUE)
    before = VALUE.copy()
    assert tf.function(f)(VALUE).numpy().tolist() == [[1, 1, 1], VALUE[1].tolist()]
    np.testing.assert_array_equal(VALUE, before)


@pytest.mark.parametrize(
    ("call", "word"),
    [(lambda x: x.sort(), "np.sort"), (lambda x: x.fill(1), "np.full_like"), (lambda x: x.resize(3), "reshape"),
     (lambda x: x.put(0, 1), "np.where"), (lambda x: x.partition(1), "np.sort")],
)  # fmt: skip
def test_methods_that_would_change_a_tensor(call: Any, word: str) -> None:
    for run in (lambda: call(tf.constant(VALUE)), lambda: traced(call, VALUE), lambda: call(tf.Variable(VALUE))):
        with pytest.raises(TypeError, match=word):
            run()


# -- methods and attributes ------------------------------------------------------------------------------------------

METHODS: dict[str, Any] = {
    "sum": lambda x: x.sum(), "sum axis": lambda x: x.sum(1), "sum dtype": lambda x: x.sum(0, np.float64),
    "prod": lambda x: x.prod(axis=0), "mean": lambda x: x.mean(axis=1, keepdims=True), "std": lambda x: x.std(ddof=1),
    "var": lambda x: x.var(0), "min": lambda x: x.min(), "max": lambda x: x.max(-1), "argmin": lambda x: x.argmin(),
    "argmax": lambda x: x.argmax(axis=0), "any": lambda x: x.any(), "all": lambda x: x.all(1),
    "cumsum": lambda x: x.cumsum(), "cumprod": lambda x: x.cumprod(1), "dot": lambda x: x.dot(x[0]),
    "trace": lambda x: x.trace(), "diagonal": lambda x: x.diagonal(1), "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.flatten(), "squeeze": lambda x: x[:1].squeeze(), "swapaxes": lambda x: x.swapaxes(0, 1),
    "repeat": lambda x: x.repeat(2, axis=1), "take": lambda x: x.take([0, -1], axis=1), "clip": lambda x: x.clip(0, 1),
    "clip high": lambda x: x.clip(max=1), "round": lambda x: x.round(), "argsort": lambda x: x.argsort(kind="stable"),
    "nonzero": lambda x: x.nonzero(), "conj": lambda x: x.conj(), "compress": lambda x: x.compress([False, True], 0),
    "searchsorted": lambda x: x[0].searchsorted(1.5), "reshape": lambda x: x.reshape(3, 2),
    "reshape tuple": lambda x: x.reshape((3, -1)), "reshape one": lambda x: x.reshape(-1),
    "transpose": lambda x: x.transpose(), "transpose axes": lambda x: x.transpose(1, 0),
    "transpose tuple": lambda x: x.transpose((0, 1)), "T": lambda x: x.T, "mT": lambda x: x.mT,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag, "copy": lambda x: x.copy(), "astype": lambda x: x.astype(np.int32),
    "astype name": lambda x: x.astype("float64"), "astype float": lambda x: x.astype(float),
    "astype int": lambda x: x.astype(int), "astype bool": lambda x: x.astype(bool), "size": lambda x: np.add(x.size, x),
    "ndim": lambda x: np.add(x.ndim, x), "itemsize": lambda x: np.add(x.itemsize, x),
    "nbytes": lambda x: np.add(x.nbytes, x),
    "zeros of its dtype": lambda x: np.zeros(x.shape, x.dtype) + x,
    "dtype of floats": lambda x: np.add(x, int(np.issubdtype(x.dtype, np.floating))),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
@pytest.mark.parametrize("name", METHODS)
def test_method(name: str, dtype: str) -> None:
    from tests.runtime.numpy_calls.test_functions import assert_same

    call, array = METHODS[name], VALUE.astype(dtype)
    wanted = call(array)
    assert_same(call(tf.constant(array)), wanted, "eager")
    assert_same(call(tf.Variable(array)), wanted, "Variable")
    for autograph in (True, False):
        assert_same(tf.function(call, autograph=autograph)(array), wanted, f"autograph={autograph}")
    if not name.startswith(("reshape one", "zeros of", "nbytes", "size")):
        signature = [tf.TensorSpec([None, None], dtype)]
        assert_same(tf.function(call, input_signature=signature)(array), wanted, "unknown sizes")


def test_sizes_that_are_not_known() -> None:
    f = tf.function(lambda x: (x.size, x.nbytes), input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    assert [int(part) for part in f(VALUE)] == [6, 24]


def test_dtypes_compare_with_those_of_numpy() -> None:
    x = tf.constant(VALUE)
    assert x.dtype == np.float32 and np.float32 == x.dtype and np.dtype("float32") == x.dtype
    assert np.dtype(x.dtype) == np.float32 and x.dtype != np.float64 and x.dtype == "float32"
    assert x.dtype.itemsize == 4 and x.dtype.type is np.float32 and np.result_type(x.dtype, np.int32) == np.float64


def test_astype_by_a_rule() -> None:
    assert tf.constant([1]).astype(np.float64, casting="safe").dtype is tf.float64
    with pytest.raises(TypeError, match="float32 to int32 by the rule 'same_kind'"):
        tf.constant([1.0]).astype(np.int32, casting="same_kind")


def test_values_as_python_numbers() -> None:
    x = tf.constant(VALUE)
    assert x[0, 1].item() == 2.0 and type(x[0, 1].item()) is float and x.item(1, 0) == 3.0
    assert x.tolist() == VALUE.tolist() and x.tobytes() == VALUE.tobytes()
    assert tf.Variable(3).item() == 3


@pytest.mark.parametrize("name", ["item", "tolist", "tobytes"])
def test_values_that_are_not_there_yet(name: str) -> None:
    for run in (lambda x: getattr(x, name)(), lambda x: getattr(tf.Variable(VALUE) if x is None else x, name)()):
        with pytest.raises(OperatorNotAllowedInGraphError, match=rf"asked for its value by `\.{name}\(\)`"):
            traced(run, VALUE)


# -- arrays in and out -----------------------------------------------------------------------------------------------


def test_an_argument_is_not_changed_by_what_is_done_with_it() -> None:
    def f(x: Any) -> Any:
        x += 1
        return x

    array = VALUE.copy()
    for autograph in (True, False):
        np.testing.assert_allclose(np.asarray(tf.function(f, autograph=autograph)(array)), VALUE + 1)
        np.testing.assert_array_equal(array, VALUE)


def test_results_are_arrays_for_numpy() -> None:
    result = tf.function(lambda x: np.sqrt(np.abs(x)))(VALUE)
    assert isinstance(result, tf.Tensor)
    np.testing.assert_allclose(
        np.linalg.svd(np.asarray(result))[1], np.linalg.svd(np.sqrt(np.abs(VALUE)))[1], rtol=1e-5
    )
    assert np.asarray(result).flags.writeable is False


def test_copies_as_numpy_2_asks_for_them() -> None:
    t = tf.constant(VALUE)
    shared, copied = np.asarray(t), np.array(t)
    assert np.shares_memory(shared, np.asarray(t)) and not shared.flags.writeable
    assert not np.shares_memory(copied, shared) and copied.flags.writeable
    copied[:] = 0
    assert np.shares_memory(np.array(t, copy=False), shared) and np.shares_memory(np.array(t, copy=None), shared)
    assert np.asarray(t, dtype=np.float64).dtype == np.float64
    assert np.array(t, dtype=np.float32, copy=False).dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.array(t, dtype=np.float64, copy=False)
    np.testing.assert_array_equal(t.numpy(), VALUE)


def test_a_variable_is_copied_from_its_memory() -> None:
    v = tf.Variable(VALUE)
    before, shared = np.array(v), np.asarray(v)
    v.assign_add(np.ones_like(VALUE))
    np.testing.assert_array_equal(before, VALUE)
    np.testing.assert_array_equal(shared, VALUE)


def test_dlpack_out() -> None:
    t = tf.constant(VALUE)
    array = np.from_dlpack(t)
    np.testing.assert_array_equal(array, VALUE)
    assert np.shares_memory(array, np.asarray(t)) and not array.flags.writeable
    copied = np.from_dlpack(t, copy=True) if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else np.array(array)
    copied[:] = 0
    np.testing.assert_array_equal(t.numpy(), VALUE)
    assert t.__dlpack_device__() == VALUE.__dlpack_device__()
    old = Exporter(t)
    assert not np.shares_memory(np.from_dlpack(old), array)
    np.testing.assert_array_equal(np.from_dlpack(tf.Variable(VALUE)), VALUE)
    with pytest.raises(OperatorNotAllowedInGraphError, match="__dlpack__"):
        traced(lambda x: np.from_dlpack(x), VALUE)


class Exporter:
    """What knows DLPack alone, of the version before read-only memory."""

    def __init__(self, holder: Any) -> None:
        self.holder = holder

    def __dlpack__(self, **options: Any) -> Any:
        return self.holder.__dlpack__()

    def __dlpack_device__(self) -> Any:
        return self.holder.__dlpack_device__()


def test_dlpack_in() -> None:
    source = VALUE.copy()
    t = tf.constant(Exporter(source))
    source[:] = 0
    np.testing.assert_array_equal(t.numpy(), VALUE)
    assert t.dtype is tf.float32
    np.testing.assert_array_equal(tf.add(Exporter(VALUE), 1.0), VALUE + 1)
    np.testing.assert_array_equal(tf.convert_to_tensor(Exporter(tf.constant(VALUE))), VALUE)


def test_variables_in_calls_of_numpy() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x: Any) -> Any:
        v.assign(np.add(v, x).astype(np.float32))
        return np.sum(v * 2, axis=0), np.concatenate([v, x]), np.where(v > 2, v, 0), np.dot(v, v)

    for _ in range(2):
        step(np.ones(2, np.float32))
    total, joined, chosen, product = step(np.ones(2, np.float32))
    assert v.numpy().tolist() == [4.0, 5.0]
    assert total.numpy() == 18.0 and joined.numpy().tolist() == [4.0, 5.0, 1.0, 1.0]
    assert chosen.numpy().tolist() == [4.0, 5.0] and product.numpy() == 41.0
    assert step.experimental_get_tracing_count() == 1
