"""bfloat16, a dtype that numpy does not have: its library, values in and out, the rules."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError
from runtime.ops.kernels import narrow
from runtime.ops.records.families import load_all

B = ml_dtypes.bfloat16
T = tf.constant(1.5, tf.bfloat16)
V = tf.constant([1.5, 2.0, 1e-3], tf.bfloat16)

eager_and_staged = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "staged"])


def run_in_python(program: str) -> str:
    """What a program of its own prints."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# -- the dtype and its library -----------------------------------------------------------------------------------------


def test_without_the_library_the_dtype_speaks_and_values_name_the_extra() -> None:
    printed = run_in_python("""
        import sys
        sys.modules["ml_dtypes"] = None
        import runtime as tf
        d = tf.bfloat16
        print(d, d.name, d.size, d.itemsize, d.is_floating, d.is_integer, d.max, d.min, tf.as_dtype("bfloat16") is d)
        print(tf.TensorSpec([None], d), d == tf.float32, {d: 1}[d], d == "bfloat16")
        for call in (lambda: tf.constant(1.0, d), lambda: tf.cast(1.0, d), lambda: tf.zeros([2], d),
                     lambda: d.as_numpy_dtype, lambda: tf.function(lambda x: tf.cast(x, d))(1.0)):
            try:
                call()
            except ImportError as error:
                print(error)
    """).splitlines()
    assert printed[0] == (
        "<dtype: 'bfloat16'> bfloat16 2 2 True False 3.3895313892515355e+38 -3.3895313892515355e+38 True"
    )
    assert printed[1] == "TensorSpec(shape=(None,), dtype=tf.bfloat16, name=None) False 1 True"
    assert len(printed) == 7 and all("autograph-runtime[bfloat16]" in line for line in printed[2:])


def test_other_dtypes_never_import_the_library() -> None:
    """Each operation of float32, integers, bools and texts runs and is compiled; nothing asks for numpy's bfloat16."""
    printed = run_in_python("""
        import sys
        import numpy as np
        import runtime as tf
        from runtime.engine.plan import compile_plan
        from runtime.ops.records.families import load_all
        from runtime.dtypes import ANY
        count = 0
        for op in load_all().values():
            for name in ("float32", "int32", "bool", "string"):
                dtype = tf.as_dtype(name)
                if op.samples is None or op.stateful or not op.groups or dtype not in op.groups[0].allowed:
                    continue
                sample = next(iter(op.samples(dtype)))
                if any(v is tf.bfloat16 for v in sample.attributes.values()):
                    continue
                fixed = len(op.tensors)
                graph = tf.Graph("g")
                values = [tf.constant(o) for o in sample.operands]
                inputs = [graph.placeholder(v.dtype, v.shape, f"x{i}") for i, v in enumerate(values)]
                for given in (values, inputs):
                    with graph.as_default() if given is inputs else __import__("contextlib").nullcontext():
                        found = op(*given[:fixed], *([given[fixed:]] if op.variadic else []), **sample.attributes)
                graph.outputs = list(found) if isinstance(found, tuple) else [found]
                compile_plan(graph).run([np.asarray(v) for v in values])
                repr(values), str(values), graph.as_text()
                count += 1
        print(np.sum(tf.constant([1.0])), np.add(tf.constant([1.0]), 1))
        tf.function(lambda x: x + 1)(tf.constant(1.0))
        print(count > 300, "ml_dtypes" in sys.modules)
    """)
    assert printed.splitlines()[-1] == "True False"


def test_the_tables_name_operations() -> None:
    records = load_all()
    for name in narrow.WITHOUT | narrow.AS_THEY_ARE | narrow.IN_ORDER:
        assert name in records
    assert not any(tf.bfloat16 in group.allowed for name in narrow.WITHOUT for group in records[name].groups)


def test_the_dtype_and_its_library() -> None:
    d = tf.bfloat16
    limits = ml_dtypes.finfo(B)
    assert (d.max, d.min, d.size) == (float(limits.max), float(limits.min), 2)
    assert d.as_numpy_dtype is B and d.numpy == np.dtype(B) and d.type is B
    for same in ("bfloat16", B, np.dtype(B), d, np.zeros(1, B).dtype):
        assert tf.as_dtype(same) is d
    assert d != tf.float16 and d == B
    assert np.zeros(2, V.dtype).dtype == B


@pytest.mark.parametrize("name", ["", ", ", "float8", "i4, f8"])
def test_texts_that_name_no_dtype(name: str) -> None:
    """Some of them are no Python for numpy, which raised SyntaxError."""
    with pytest.raises(TypeError, match="to a DType"):
        tf.as_dtype(name)
    assert tf.float32 != name


def test_limits_of_intensity() -> None:
    assert (tf.float32.limits, tf.uint8.limits, tf.int8.limits, tf.bool.limits) == ((0, 1), (0, 255), (0, 127), (0, 1))
    for dtype in (tf.bfloat16, tf.complex64, tf.string):
        with pytest.raises(ValueError, match="limits"):
            dtype.limits


# -- values in and out -------------------------------------------------------------------------------------------------


def test_text_of_values() -> None:
    """As TensorFlow shows them."""
    assert str(T) == "tf.Tensor(1.5, shape=(), dtype=bfloat16)"
    assert str(V) == "tf.Tensor([1.5 2 0.000999451], shape=(3,), dtype=bfloat16)"
    assert repr(tf.constant(2.0, tf.bfloat16)) == "<tf.Tensor: shape=(), dtype=bfloat16, numpy=2.0>"
    assert repr(V).endswith("numpy=array([1.5, 2, 0.000999451], dtype=bfloat16)>")
    assert f"{T} {T:.2f}" == "1.5 1.50"
    assert repr(tf.Variable(2.0, dtype=tf.bfloat16)) == "<tf.Variable 'Variable:0' shape=() dtype=bfloat16, numpy=2.0>"


def test_print(capfd: pytest.CaptureFixture[str]) -> None:
    tf.function(lambda x: tf.print(x, x[0], [1, x]))(V)
    assert capfd.readouterr().err == "[1.5 2 0.000999450684] 1.5 [1, [1.5 2 0.000999450684]]\n"


def test_python_and_numpy_values() -> None:
    for value in (np.array([1.5, 2], B), [B(1.5), B(2)], tf.constant([1.5, 2], tf.bfloat16)):
        tensor = tf.convert_to_tensor(value)
        assert tensor.dtype is tf.bfloat16 and tensor.numpy().tolist() == [1.5, 2.0]
    assert tf.constant(B(3)).dtype is tf.bfloat16 and type(T.numpy()) is B
    assert np.asarray(V).dtype == B and np.asarray(V, np.float32).dtype == np.float32
    assert (float(T), int(T), round(T), bool(T), [float(x) for x in V]) == (1.5, 1, 2, True, V.numpy().tolist())
    assert tf.constant([1, 2**20], tf.bfloat16).numpy().tolist() == [1.0, 2.0**20]
    for wrong in ("a", True, 1 + 2j):
        with pytest.raises(TypeError, match="bfloat16"):
            tf.constant(wrong, tf.bfloat16)
    with pytest.raises(ValueError, match="bfloat16"):
        tf.convert_to_tensor(V, tf.float32)


@pytest.mark.parametrize("other", sorted(tf.dtypes.NUMERIC | tf.dtypes.BOOLS, key=str), ids=lambda d: d.name)
def test_cast_to_and_from(other: tf.DType) -> None:
    values = tf.constant([0.0, 1.0, 77.5], tf.bfloat16)
    there = tf.cast(values, other)
    assert there.dtype is other
    wanted = {"bool": [False, True, True]}.get(other.name, [0, 1, 77] if other.is_integer else [0, 1, 77.5])
    assert there.numpy().tolist() == wanted
    back = tf.function(lambda x: tf.cast(x, tf.bfloat16))(there)
    assert back.dtype is tf.bfloat16 and back.numpy().tolist() == [float(x) for x in wanted]


def test_cast_rounds_to_even_and_overflows() -> None:
    found = tf.cast(tf.constant([1 + 2**-8, 1 + 3 * 2**-8, 3.4e38, -3.4e38, np.nan]), tf.bfloat16).numpy().tolist()
    assert found[:4] == [1.0, 1 + 2**-6, np.inf, -np.inf] and np.isnan(found[4])


# -- rules -------------------------------------------------------------------------------------------------------------

KEPT: Any = {
    "t + 1": (lambda t: t + 1, 2.5), "t * 2.0": (lambda t: t * 2.0, 3.0), "2 / t": (lambda t: 2 / t, 4 / 3),
    "t + ndarray": (lambda t: t + np.ones(2), [2.5, 2.5]), "t + float64": (lambda t: t + np.float64(0.1), 1.6),
    "t // 1": (lambda t: t // 1, 1.0), "t % 1": (lambda t: t % 1, 0.5), "t ** 3": (lambda t: t**3, 3.375),
    "-t": (lambda t: -t, -1.5), "abs": (lambda t: abs(-t), 1.5), "where": (lambda t: tf.where(t > 1, t, 0), 1.5),
    "maximum": (lambda t: tf.maximum(0.0, t), 1.5), "t / t": (lambda t: t / (t + t), 0.5),
    "stack": (lambda t: tf.stack([t, 1.0]), [1.5, 1.0]), "numpy": (lambda t: np.sqrt(t) + np.mean(t), 2.724744871),
}  # fmt: skip


@eager_and_staged
@pytest.mark.parametrize("rule", KEPT, ids=str)
def test_literals_and_arrays_take_the_dtype(rule: str, way: Any) -> None:
    call, wanted = KEPT[rule]
    found = way(call)(T)
    assert found.dtype is tf.bfloat16
    np.testing.assert_allclose(np.asarray(found, np.float64), wanted, rtol=2**-7)


@eager_and_staged
@pytest.mark.parametrize("other", [tf.float16, tf.float32, tf.float64, tf.int32, tf.bool], ids=lambda d: d.name)
def test_tensors_of_other_dtypes_do_not_mix(other: tf.DType, way: Any) -> None:
    for x, y in ((T, tf.cast(T, other)), (tf.cast(T, other), T)):
        with pytest.raises(DtypeMismatchError, match="bfloat16"):
            way(lambda x, y: x + y)(x, y)


@eager_and_staged
def test_comparisons(way: Any) -> None:
    x = tf.constant([1.0, np.nan, 3.0, -0.0], tf.bfloat16)
    found = way(lambda x: (x < 3, x <= 3, x == x, x != x, x > 0, tf.math.is_nan(x)))(x)
    wide = np.asarray(x, np.float64)
    wanted = (wide < 3, wide <= 3, wide == wide, wide != wide, wide > 0, np.isnan(wide))
    assert [f.numpy().tolist() for f in found] == [w.tolist() for w in wanted]


NUMPY: Any = {
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "sqrt": np.sqrt,
    "power": lambda x: np.power(x, 2),
    "max": np.max, "mean": np.mean, "zeros": np.zeros_like, "cumsum": np.cumsum, "stack": lambda x: np.stack([x, x]),
    "float32": lambda x: np.add(x, np.ones(3, np.float32)), "float64": lambda x: np.multiply(x, np.ones(3)),
    "where": lambda x: np.where(x > 1, x, x), "less": lambda x: np.less(x, 1.5), "outer": lambda x: np.outer(x, x),
    "zeros of it": lambda x: np.zeros(3, x.dtype), "full of it": lambda x: np.full(3, 1, x.dtype) + x,
}  # fmt: skip


@pytest.mark.parametrize("name", NUMPY)
def test_calls_of_numpy(name: str) -> None:
    """The dtype and the values that numpy gives, or those a rounding away."""
    wanted = np.asarray(NUMPY[name](np.asarray(V)))
    for found in (NUMPY[name](V), tf.function(lambda x: NUMPY[name](x))(V)):
        assert np.asarray(found).dtype == wanted.dtype
        np.testing.assert_allclose(np.asarray(found).astype(np.float64), wanted.astype(np.float64), rtol=2**-7)


def test_what_has_no_kernel_says_so() -> None:
    for call in (tf.math.lgamma, tf.math.digamma, tf.math.erfinv, lambda x: tf.linalg.inv(tf.reshape(x, [1, 3]))):
        with pytest.raises(DtypeMismatchError, match="float32"):
            call(V)
