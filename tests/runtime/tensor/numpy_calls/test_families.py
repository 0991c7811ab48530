"""The families of numpy's functions: what one trace of all calls of a family gives, beside numpy itself.

With tensors and with arrays as arguments, with sizes that only the run knows, eagerly, and gradients by differences.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.tensor.numpy_calls import creation
from runtime.tensor.numpy_calls.table import FUNCTIONS, name_of, names
from runtime.tensor.numpy_calls.ufuncs import UFUNCS
from tests.runtime.tensor.numpy_calls import families
from tests.runtime.tensor.numpy_calls.calls import COUNTS, MATRIX, SQUARE
from tests.runtime.tensor.numpy_calls.families import VALUES, arguments_of, values_of
from tests.runtime.tensor.numpy_calls.test_functions import assert_same, matrix

FAMILIES = {
    name: importlib.import_module(f"{families.__name__}.{name}")
    for _, name, _ in pkgutil.iter_modules(families.__path__)
}

each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


def wanted_of(family: ModuleType, values: Mapping[str, Any] = VALUES) -> dict[str, Any]:
    """What numpy itself gives."""
    found = {}
    for name, call in family.CALLS.items():
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[name] = call(*(np.copy(values[argument]) for argument in arguments_of(call)))
    return found


def compare(
    family: ModuleType, found: Mapping[str, Any], wanted: Mapping[str, Any], width: float | None = None
) -> None:
    for name, value in found.items():
        expected = wanted[name]
        if name in getattr(family, "COMPLEX", ()):
            expected = [np.asarray(part) + 0j for part in expected] if isinstance(expected, tuple) else expected + 0j
        assert_same(list(value) if isinstance(value, tuple) else value, _as_list(expected), name, width)


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def traced(calls: Mapping[str, Callable[..., Any]], given: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """The results of one trace of all calls; of each by itself, where that fails, to say which it is."""

    def everything(values: Any) -> Any:
        return {name: call(*[values[argument] for argument in arguments_of(call)]) for name, call in calls.items()}

    try:
        return tf.function(everything, **options)(dict(given))
    except Exception:
        for name, call in calls.items():
            values = values_of([call])
            own = {k: v for k, v in given.items() if k in values}
            if "input_signature" in options:
                options["input_signature"] = [open_signature(own)]
            try:
                tf.function(lambda values, call=call: call(**values), **options)(own)
            except Exception as error:
                error.add_note(f"in the call {name!r}")
                raise
        raise


def open_signature(values: Mapping[str, Any]) -> dict[str, tf.TensorSpec]:
    return {name: tf.TensorSpec([None] * value.ndim, value.dtype) for name, value in values.items()}


@each_family
def test_arrays_and_tensors(family: ModuleType) -> None:
    wanted = wanted_of(family)
    values = values_of(family.CALLS.values())
    for kind in (tf.constant, np.copy):
        compare(family, traced(family.CALLS, {name: kind(value) for name, value in values.items()}), wanted)


@each_family
def test_eager_tensors(family: ModuleType) -> None:
    alone = getattr(family, "TRACED_ALONE", ())
    found = {
        name: call(*(tf.constant(VALUES[argument]) for argument in arguments_of(call)))
        for name, call in family.CALLS.items() if name not in alone
    }  # fmt: skip
    compare(family, found, wanted_of(family))


@each_family
def test_float32(family: ModuleType) -> None:
    """The dtypes of results are numpy's for other floats, too."""
    values = {name: value.astype(NARROW.get(value.dtype.name, value.dtype)) for name, value in VALUES.items()}
    alone = getattr(family, "ALONE", ())
    found = {
        name: call(*(tf.constant(values[argument]) for argument in arguments_of(call)))
        for name, call in family.CALLS.items() if name not in alone
    }  # fmt: skip
    compare(family, found, wanted_of(family, values), 1e-3)


NARROW = {"float64": np.float32, "complex128": np.complex64}


@each_family
def test_sizes_that_only_the_run_knows(family: ModuleType) -> None:
    calls = {name: call for name, call in family.CALLS.items() if name not in getattr(family, "SIZES", ())}
    values = values_of(calls.values())
    found = traced(calls, values, input_signature=[open_signature(values)])
    compare(family, found, wanted_of(family))


@each_family
def test_gradients(family: ModuleType) -> None:
    """Along one direction, of the sum of all results that are numbers, in the order of their elements."""
    calls = {name: family.CALLS[name] for name in sorted(getattr(family, "SLOPES", ()))}
    given = values_of(calls.values())
    values = {name: value * np.float64(1) for name, value in given.items() if value.dtype.kind in "fc"}
    fixed = {name: value for name, value in given.items() if name not in values}
    random = np.random.default_rng(5)
    along = {name: random.normal(size=value.shape) for name, value in values.items()}

    @tf.function
    def totals(given: Any) -> Any:
        return {name: total(call(*[given[a] for a in arguments_of(call)])) for name, call in calls.items()}

    @tf.function
    def slopes(given: Any) -> Any:
        found = {}
        for name, call in calls.items():
            moving = [a for a in arguments_of(call) if a in values]
            with tf.GradientTape() as tape:
                for a in moving:
                    tape.watch(given[a])
                result = total(call(*[given[a] for a in arguments_of(call)]))
            gradients = tape.gradient(result, [given[a] for a in moving])
            found[name] = sum(
                tf.reduce_sum(np.real(g) * along[a]) for g, a in zip(gradients, moving, strict=True) if g is not None
            )
        return found

    def at(step: float) -> Any:
        moved = {name: tf.constant(value + step * along[name]) for name, value in values.items()}
        return totals(moved | {name: tf.constant(value) for name, value in fixed.items()})

    if calls:
        after, before = at(1e-6), at(-1e-6)
        found = slopes({name: tf.constant(value) for name, value in {**values, **fixed}.items()})
        for name in calls:
            wanted = (float(after[name]) - float(before[name])) / 2e-6
            np.testing.assert_allclose(float(found[name]), wanted, rtol=1e-5, atol=1e-7, err_msg=name)


def total(result: Any) -> Any:
    """The sum of the real and imaginary parts of all floats, each element with a weight of its own."""
    found: Any = 0.0
    for part in tf.nest.flatten(result):
        if part.dtype.family in ("float", "complex"):
            for side in [part] if part.dtype.family == "float" else [tf.math.real(part), tf.math.imag(part)]:
                line = tf.cast(tf.reshape(side, [-1]), tf.float64)
                found += tf.reduce_sum(line * tf.cos(tf.cast(tf.range(tf.size(line)), tf.float64)))
    return found


@pytest.mark.filterwarnings("ignore")
def test_every_function_in_the_table_is_called() -> None:
    called: set[Any] = set()

    class Spy(np.ndarray):
        def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            called.add(func)
            return super().__array_function__(func, types, args, kwargs)

    def spied(array: Any) -> Any:
        return np.asarray(array).view(Spy) if np.ndim(array) else array

    with np.errstate(all="ignore"):
        for table, value in (
            (MATRIX, matrix("float64")), (SQUARE, matrix("float64")[:, :3] + 9 * np.eye(3)),
            (COUNTS, np.array([3, 0, 5, 2, 2, 1])),
        ):  # fmt: skip
            for call in table.values():
                call(spied(value))
        for family in FAMILIES.values():
            for call in family.CALLS.values():
                call(*(spied(VALUES[name]) for name in arguments_of(call)))
            called |= getattr(family, "UNSEEN", set())
    missing = map(name_of, set(FUNCTIONS) - called - set(creation.TABLE))
    assert sorted(name for name in missing if not name.startswith("scipy.linalg.")) == []  # see test_scipy_linear
    assert len(names()) == len({*FUNCTIONS, *UFUNCS})
