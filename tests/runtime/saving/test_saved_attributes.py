"""The objects of a saved model and their attributes: values, what is shared, what is not saved and how it is told."""

import collections
import dataclasses
import enum
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.saving.models import Model, holder, round_trip


def test_attributes_keep_their_values_and_what_is_shared(tmp_path: Path) -> None:
    shared = [tf.Variable(1), 2]
    part = holder(shared=shared)
    values: dict[str, Any] = {
        "number": 3, "rate": -0.0, "big": 1 << 200, "words": ("a", b"\xff", None, True), "nan": float("nan"),
        "shape": tf.TensorShape([None, 3]), "dtype": tf.float16, "spec": tf.TensorSpec([None], tf.int32, "x"),
        "array": np.array([[1, 2]], np.int16), "tensor": tf.constant(["a", "b"]), "empty": np.zeros([0, 2]),
        "set": {1, 2}, "nested": {"k": [{"deep": (1, [2])}], 3: ()},
        "ordered": collections.OrderedDict([("z", 1), ("a", 2)]),
    }  # fmt: skip
    loaded = round_trip(tmp_path, shared=shared, part=part, again=part, **values)
    for name in ("number", "words", "big", "set", "nested", "ordered", "shape", "dtype", "spec"):
        found = getattr(loaded, name)
        assert found == values[name] and type(found) is type(values[name])
    assert list(loaded.ordered) == ["z", "a"] and str(loaded.rate) == "-0.0" and loaded.nan != loaded.nan
    assert loaded.array.dtype == np.int16 and loaded.array.tolist() == [[1, 2]] and loaded.empty.shape == (0, 2)
    assert plain(loaded.tensor) == [b"a", b"b"]
    assert loaded.part is loaded.again and loaded.part.shared is loaded.shared
    loaded.shared[0].assign(5)
    assert plain(loaded.part.shared[0]) == 5


def test_numbers_of_numpy_and_tensors_of_several_parts(tmp_path: Path) -> None:
    rows, cells = tf.ragged.constant([[[1.0], []], [[2.0, 3.0]]]), tf.SparseTensor([[1, 2]], [5], [2, 3])
    numbers = {"rate": np.float32(0.1), "count": np.int64(3), "flag": np.True_}
    loaded = round_trip(tmp_path, rows=rows, pair=(cells, [rows]), **numbers)
    assert (loaded.rate, type(loaded.rate)) == (np.float32(0.1), np.float32)
    assert type(loaded.count) is np.int64 and loaded.count == 3 and loaded.flag is np.True_
    assert loaded.rows.to_list() == rows.to_list() == loaded.pair[1][0].to_list()
    assert plain(tf.sparse.to_dense(loaded.pair[0])) == [[0, 0, 0], [0, 0, 5]]


def test_cycles_and_depth(tmp_path: Path) -> None:
    module = holder(v=tf.Variable(1))
    module.me, module.ring = module, [module]
    module.ring.append(module.ring)
    deep = module
    for _ in range(3000):
        deep.inner = holder()
        deep = deep.inner
    deep.v = tf.Variable(7)
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.me is loaded and loaded.ring[0] is loaded and loaded.ring[1] is loaded.ring
    for _ in range(3000):
        loaded = loaded.inner
    assert plain(loaded.v) == 7


class Plain:
    """An object of a program that is no Module."""

    def __init__(self) -> None:
        self.v = tf.Variable(2.0)

    @tf.function
    def f(self, x: Any) -> Any:
        return x * self.v


def test_an_object_that_is_no_module(tmp_path: Path) -> None:
    model = Plain()
    model.f(tf.constant(1.0))
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded.f(tf.constant(4.0))) == 8.0
    assert repr(loaded) == "<Plain, loaded from a saved model>"


def test_attributes_of_objects_may_have_any_name(tmp_path: Path) -> None:
    model = Plain()
    vars(model).update(name="mine", variables=[1], submodules=2, signature=3, _freezes=4, _lost=5)
    loaded = round_trip(tmp_path, model=model, signatures_of=1).model
    assert (loaded.name, loaded.variables, loaded.submodules, loaded._freezes, loaded._lost) == ("mine", [1], 2, 4, 5)
    assert round_trip(tmp_path, model=loaded).model.name == "mine"
    model.signatures = {}
    with pytest.raises(ValueError, match="has an attribute `signatures`"):
        tf.saved_model.save(model, tmp_path)
    assert round_trip(tmp_path, model=model).model.signatures == {}


def test_variables_of_a_module_are_those_that_it_had(tmp_path: Path) -> None:
    module = holder(plain=Plain(), settings=Settings(0.5, tf.Variable(3.0)), part=holder(v=tf.Variable(1)))
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert [plain(v.value()) for v in loaded.variables] == [plain(v.value()) for v in module.variables] == [3.0, 1]
    assert [m.name for m in loaded.submodules] == [m.name for m in module.submodules]


def test_what_is_not_saved_says_so(tmp_path: Path) -> None:
    parts = {"mixed": [1, print], "pair": (tf.Variable(1), print)}
    loaded = round_trip(tmp_path, activation=tf.nn.relu, key=lambda x: x, lock=threading.Lock(), **parts)
    with pytest.raises(AttributeError, match=r"'activation' of the saved Module was .*, which a file does not hold"):
        loaded.activation(1)
    with pytest.raises(AttributeError, match="function test_what_is_not_saved_says_so.<locals>.<lambda>"):
        loaded.key(1)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        loaded.nonsense()
    assert not hasattr(loaded, "lock")
    assert repr(loaded.mixed) == "[1, <not saved: builtin_function_or_method print>]"
    assert loaded.pair[0].numpy() == 1 and repr(loaded.pair[1]) == repr(loaded.mixed[1])
    again = round_trip(tmp_path, inner=loaded).inner
    with pytest.raises(AttributeError, match=r"'activation' of the saved Module was .*, which a file does not hold"):
        again.activation(1)
    assert repr(again.mixed) == "[1, <not saved: builtin_function_or_method print>]"
    with pytest.raises(TypeError, match="cannot be called: its __call__ was no Function"):
        loaded(1)


class Color(enum.Enum):
    RED = 1


class Rows(list):
    """A list of a program."""


@dataclasses.dataclass
class Settings:
    rate: float
    v: Any


def test_objects_that_are_more_than_their_attributes(tmp_path: Path) -> None:
    counts = collections.defaultdict(int, a=1)
    settings = Settings(0.5, tf.Variable(3))
    loaded = round_trip(tmp_path, color=Color.RED, rows=Rows([tf.Variable(1)]), counts=counts, settings=settings)
    assert type(loaded.rows) is list and loaded.rows[0].numpy() == 1, "a list, without its class"
    assert type(loaded.counts) is dict and loaded.counts == {"a": 1}
    assert loaded.settings.rate == 0.5 and loaded.settings.v.numpy() == 3 and len(loaded.variables) == 2
    assert not hasattr(loaded, "color")


def test_only_objects_are_saved(tmp_path: Path) -> None:
    for wrong in ([1], {"a": 1}, 3, tf.Variable(1), tf.function(lambda: 1), None, Model):
        with pytest.raises(ValueError, match="takes a Module, or another object"):
            tf.saved_model.save(wrong, tmp_path)
    assert not tf.saved_model.contains_saved_model(tmp_path)
    tf.saved_model.save(tf.Module(), tmp_path)
    assert tf.saved_model.contains_saved_model(tmp_path) and tf.saved_model.load(tmp_path).variables == ()
