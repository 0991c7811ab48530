"""ExtensionTypes in and out of saved Functions; functions that are registered for operations."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from runtime.composite.extension_type import NAMED


class Weighted(tf.experimental.ExtensionType):
    """Values with a weight and names of them; in saved models it has this name."""

    __name__ = "tests.Weighted"
    values: tf.Tensor
    names: tuple[str, ...]
    weight: float = 1.0


class Nameless(tf.experimental.ExtensionType):
    values: tf.Tensor


def doubled(x: Any) -> Any:
    return {"of": Weighted(x.values * 2, x.names, x.weight), "sum": tf.reduce_sum(x.values) * x.weight}


def saved(function: Any, value: Any, folder: Path) -> Any:
    module = tf.Module()
    module.f = tf.function(function)
    module.f(value)
    tf.saved_model.save(module, folder)
    return tf.saved_model.load(folder)


def test_a_value_goes_in_and_comes_out(tmp_path: Path) -> None:
    value = Weighted([1.0, 2.0], ("a", "b"), 3.0)
    found = saved(doubled, value, tmp_path / "m").f(Weighted([5.0, 6.0], ("a", "b"), 3.0))
    assert type(found["of"]) is Weighted and found["of"].names == ("a", "b") and found["of"].weight == 3.0
    assert found["of"].values.numpy().tolist() == [10.0, 12.0] and float(found["sum"]) == 33.0


def test_another_python_field_is_another_trace(tmp_path: Path) -> None:
    loaded = saved(doubled, Weighted([1.0, 2.0], ("a", "b"), 3.0), tmp_path / "m")
    with pytest.raises((TypeError, ValueError), match="Weighted"):
        loaded.f(Weighted([1.0, 2.0], ("a", "c"), 3.0))


def test_a_class_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a Nameless, whose class has no name.*__name__ = 'my_library.Nameless'"):
        saved(lambda x: x.values, Nameless([1.0]), tmp_path / "m")


def test_a_class_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(doubled, Weighted([1.0], ("a",)), tmp_path / "m")
    monkeypatch.delitem(NAMED, "tests.Weighted")
    with pytest.raises(ValueError, match="'tests.Weighted': define .or import. the class"):
        tf.saved_model.load(tmp_path / "m")


def test_two_classes_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="whose __name__ is 'tests.Weighted' already"):
        type(tf.experimental.ExtensionType)("Other", (Nameless,), {"__name__": "tests.Weighted"})


def test_functions_for_operations_hold_for_derived_classes_and_no_longer_than_wanted() -> None:
    class Base(tf.experimental.ExtensionType):
        values: tf.Tensor

    class Before(Base):
        pass

    @tf.experimental.dispatch_for_api(tf.negative, {0: Base})
    def negated(x: Any) -> Any:
        return type(x)(-x.values)

    class After(Base):
        pass

    for kind in (Base, Before, After):
        found = tf.negative(kind([1.0]))
        assert type(found) is kind and found.values.numpy().tolist() == [-1.0]
        assert not tf.is_tensor(found) and tf.nest.flatten(kind([1.0]), expand_composites=True)
    tf.experimental.unregister_dispatch_for(negated)
    with pytest.raises(TypeError, match=r"nothing is registered for Base; .*dispatch_for_api\(runtime.negative"):
        tf.negative(Base([1.0]))


def test_what_cannot_be_registered() -> None:
    register = tf.experimental.dispatch_for_api
    with pytest.raises(TypeError, match="takes an operation, such as runtime.add"):
        register(pickle.dumps, {"x": Nameless})
    with pytest.raises(ValueError, match="a signature has a class of ExtensionType"):
        register(tf.add, {"x": tf.Tensor})(lambda x, y: x)
    with pytest.raises(ValueError, match="add has the parameters x, y; got 'z'"):
        register(tf.add, {"z": Nameless})(lambda x, y: x)


def test_gradients_flow_through_registered_functions() -> None:
    class Scaled(tf.experimental.ExtensionType):
        values: tf.Tensor

    @tf.experimental.dispatch_for_unary_elementwise_apis(Scaled)
    def of_elements(api: Any, x: Any) -> Any:
        return Scaled(api(x.values))

    try:
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.square(Scaled(x)).values
        assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]
    finally:
        tf.experimental.unregister_dispatch_for(of_elements)
