"""Arrays of other libraries as arguments, by their protocols, beside numpy."""

from __future__ import annotations

import array
import sys
import types

import numpy as np
import pytest

import runtime


class OnlyDlpack:
    """An array by `__dlpack__`, in memory that it shares."""

    def __init__(self, elements):
        self.elements = elements

    def __dlpack__(self, **options):
        return self.elements.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.elements.__dlpack_device__()


class Table:
    """An object of the user, with a method of its own."""

    def __init__(self, elements):
        self.elements = elements

    def __array__(self, dtype=None, copy=None):
        return np.array(self.elements, dtype)

    def __mul__(self, other):
        return self.elements[0] + other


def library_class(name, **methods):
    """A class as a library has it, whose code is not the user's."""
    module = types.ModuleType("elsewhere")
    module.__file__ = np.__file__
    sys.modules["elsewhere"] = module
    return type(name, (), {"__module__": "elsewhere", **methods})


def sum_of(a):
    return np.sum(a) * 2.5


def write(a, x):
    a[0] = x
    return a[0]


def test_dlpack():
    for signature in (None, [runtime.TensorSpec([None], runtime.float64), runtime.TensorSpec([], runtime.float64)]):
        x = OnlyDlpack(np.arange(3.0))
        assert runtime.function(write, input_signature=signature)(x, 7.0).numpy() == 7
        assert x.elements.tolist() == [7, 1, 2]
        nested = runtime.function(lambda p: np.sum(p["k"][0]) * p["k"][1])
        assert nested({"k": [x, np.int64(3)]}).numpy() == 30
        keyword = runtime.function(lambda *, z: z.astype("float32") * np.float64(2))
        assert keyword(z=x).dtype == runtime.float64


@pytest.mark.parametrize("make", [OnlyDlpack, memoryview, lambda a: array.array("d", a)])
def test_what_is_captured_is_not_stale(make):
    x = make(np.arange(3.0))
    f = runtime.function(lambda y: np.sum(np.from_dlpack(x) if hasattr(x, "__dlpack__") else x) * y)
    assert f(2.0).numpy() == 6
    getattr(x, "elements", x)[0] = 7
    assert f(2.0).numpy() == 20


def test_a_copy_is_never_written_to():
    elements = np.arange(3.0)
    kind = library_class("Copied", __array__=lambda self, dtype=None, copy=None: elements.copy())
    assert runtime.function(sum_of)(kind()).numpy() == 7.5
    with pytest.raises(ValueError, match=r"'a', an elsewhere Copied, gives a copy.*a = np.array\(a\)"):
        runtime.function(write)(kind(), 7)


def test_errors_name_the_argument():
    def fails(self, dtype=None, copy=None):
        raise RuntimeError("it is on another device")

    kind = library_class("Far", __array__=fails)
    with pytest.raises(TypeError, match="the argument 'p_k_0', an elsewhere Far, gives no ndarray: it is on another"):
        runtime.function(lambda p: p)({"k": [kind()]})
    texts = library_class("Texts", __array__=lambda self, dtype=None, copy=None: np.array(["a"]))
    with pytest.raises(TypeError, match="the argument 'a', an elsewhere Texts, has elements of <U1"):
        runtime.function(sum_of)(texts())


def test_objects_of_the_user_are_objects():
    table = Table([1.0, 2.0])
    f = runtime.function(lambda t, x: t * x)
    assert f(table, runtime.constant(2.0)).numpy() == 3.0


def test_lists_of_arrays():
    def f(arrays):
        arrays[0][0] = 5
        return arrays[0][0] + arrays[1][0]

    F = runtime.function(f)
    a = np.arange(3.0)
    assert F([a, a[:2]]).numpy() == 10
    assert F([a, np.arange(3.0)]).numpy() == 5
    assert F([a, a, a]).numpy() == 10
    assert a.tolist() == [5, 1, 2]
    count = F.experimental_get_tracing_count()
    F([np.ones(3), np.ones(3), np.ones(3)])
    assert F.experimental_get_tracing_count() == count + 1


@pytest.mark.parametrize("make", [OnlyDlpack, lambda a: a])
def test_plain_python_sees_ndarrays_too(make):
    runtime.config.run_functions_eagerly(True)
    try:
        x = make(np.arange(3.0))
        assert type(runtime.function(lambda a: a * 2)(x)) is np.ndarray
        assert runtime.function(write)(x, 7) == 7
        assert np.asarray(getattr(x, "elements", x))[0] == 7
    finally:
        runtime.config.run_functions_eagerly(False)
