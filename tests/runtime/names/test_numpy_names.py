"""Each function of NumPy's rooms beside its arrays (random, char, strings, ma), called with tensors in a graph."""

from __future__ import annotations

import linecache
import warnings
from collections import Counter
from typing import Any

import numpy as np
import pytest

import runtime as tf

ROOMS: dict[str, Any] = {
    "np.random": np.random, "rng": np.random.Generator, "state": np.random.RandomState, "np.char": np.char,
    "np.strings": np.strings, "np.ma": np.ma,
}  # fmt: skip

OF_NO_VALUES = {
    "BitGenerator", "Generator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "bit_generator",
    "get_bit_generator", "get_state", "set_bit_generator", "spawn", "MAError", "MaskError", "MaskType", "bool_",
    "mvoid", "masked_print_option", "mr_",
}  # fmt: skip

OF_ARRAYS = {
    "np.strings": {"add", "equal", "greater", "greater_equal", "less", "less_equal", "not_equal"},
    "np.char": {"add"},
    "np.ma": {
        "expand_dims", "amax", "amin", "clump_masked", "count_masked", "flatnotmasked_edges", "getmask", "getmaskarray",
        "isMA", "isMaskedArray", "is_mask", "is_masked", "isarray",
    },
}  # fmt: skip
"""numpy's own functions, which have operations, under another name; and questions, which are answered."""


def names(room: str) -> list[str]:
    public = getattr(ROOMS[room], "__all__", None) or [word for word in dir(ROOMS[room]) if not word.startswith("_")]
    return sorted({word for word in public if callable(getattr(ROOMS[room], word))} - OF_NO_VALUES)


def verdict(room: str, name: str) -> str:
    text = f"def f(x):\n    return {room}.{name}(x)\n"
    place = f"<{room}.{name}>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    space = {"np": np, "rng": np.random.default_rng(0), "state": np.random.RandomState(0), "__name__": "names"}
    exec(compile(text, place, "exec"), space)
    given = tf.constant("text") if room in ("np.char", "np.strings") else tf.constant([0.5, 0.25], tf.float64)
    try:
        tf.function(space["f"])(given)
    except Exception as error:
        said = str(error)
        called = f"() is called (at {place}:2 in f)" in said and "Take " in said  # absolute is abs
        return "refused" if called else f"{room}.{name}: {type(error).__name__}: {said}"
    return "as NumPy"


@pytest.mark.parametrize("room", ROOMS)
def test_each_is_refused_by_name_or_has_operations(room: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: verdict(room, name) for name in names(room)}
    print(room, dict(Counter(found.values())))
    others = OF_ARRAYS.get(room, set())
    assert {name for name, what in found.items() if what != "refused"} == others & set(found)
    assert all(what in ("refused", "as NumPy") or "argument" in what for what in found.values())


def test_calls_without_tensors_are_numpys() -> None:
    @tf.function
    def f(x: Any) -> Any:
        masked = np.ma.masked_less(np.array([1.0, 2.0]), 1.5)
        return x + float(masked.sum()) + len(np.char.upper("ab").item())

    assert float(f(tf.constant(1.0))) == 5.0


SERIES = {
    "vectorize": lambda x: np.vectorize(lambda v: v * 2)(x),
    "polyval": lambda x: np.polynomial.polynomial.polyval(x, [1]),
    "polyfit": lambda x: np.polynomial.polynomial.polyfit(x, x, 1),
    "call": lambda x: np.polynomial.Polynomial([1, 2])(x),
    "chebval": lambda x: np.polynomial.chebyshev.chebval(x, [1, 2]),
    "hermite": lambda x: np.polynomial.Hermite([1, 2])(x),
}  # fmt: skip


@pytest.mark.parametrize("name", SERIES)
def test_series_and_functions_of_one_number_are_refused_by_name(name: str) -> None:
    for given in (tf.constant([0.5, 0.25]), np.array([0.5, 0.25])):
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=r"np\.\S+\(\) is called \(at .*Take "):
            tf.function(SERIES[name])(given)


def test_series_of_numbers_are_numpys() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return x + np.polynomial.Polynomial([1, 2])(3.0) + np.vectorize(lambda v: v * 2)([1.0])[0]

    assert float(f(tf.constant(1.0))) == 10.0
