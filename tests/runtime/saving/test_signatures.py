"""`loaded.signatures`: traces by names, which take their tensors by name and return dicts."""

from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.saving.models import Model, holder


def saved(directory: Path, obj: Any, signatures: Any = None) -> Any:
    tf.saved_model.save(obj, directory, signatures)
    return tf.saved_model.load(directory).signatures


def test_the_one_signature_of_a_model_is_the_default(tmp_path: Path) -> None:
    served = saved(tmp_path, Model())
    assert list(served) == ["serving_default"]
    serve = served["serving_default"]
    assert plain(serve(x=tf.ones([1, 3]))) == {"output_0": [[6.0]]} == plain(serve(tf.ones([1, 3])))
    assert serve.structured_input_signature == ((tf.TensorSpec([None, 3], tf.float32, "x"),), {})
    assert serve.output_shapes == {"output_0": tf.TensorShape([None, 1])}
    for wrong in ({"y": tf.ones([1, 3])}, {}, {"x": tf.ones([1, 2])}):
        with pytest.raises((ValueError, TypeError)):
            serve(**wrong)


def test_there_is_no_default_where_several_functions_or_traces_could_be_it(tmp_path: Path) -> None:
    f, g = tf.function(lambda x: x), tf.function(lambda x: x + 1)
    f(tf.constant(1))
    assert list(saved(tmp_path, holder(f=f, g=g))) == ["serving_default"], "g has no trace"
    g(tf.constant(1))
    assert saved(tmp_path, holder(f=f, g=g)) == {}
    f(tf.constant(1.0))
    assert saved(tmp_path, holder(f=f)) == {}
    assert list(saved(tmp_path, holder(f=f), f.get_concrete_function(tf.constant(1)))) == ["serving_default"]


def test_signatures_under_names(tmp_path: Path) -> None:
    model = Model()
    two = tf.function(lambda pair, k: {"sum": pair[0] + pair[1]["b"], "times": pair[0] * k})
    given = (tf.TensorSpec([], tf.int32), {"b": tf.TensorSpec([], tf.int32, "second")}), tf.TensorSpec([], tf.int32)
    model.two = two.get_concrete_function(*given)
    served = saved(tmp_path, model, {"double": model.two, "call": model.__call__})
    assert list(served) == ["double", "call"]
    one = served["double"]
    assert list(one.structured_input_signature[1]) == ["pair_0", "second", "k"]
    assert plain(one(pair_0=1, second=tf.constant(2), k=3)) == {"sum": 3, "times": 3}
    with pytest.raises((ValueError, TypeError)):
        one(tf.constant(1), tf.constant(2))


def test_python_arguments_stay_what_they_were(tmp_path: Path) -> None:
    f = tf.function(lambda x, training=False, scale=2: x * scale if training else x)
    trained = f.get_concrete_function(tf.TensorSpec([], tf.int32), training=True, scale=5)
    served = saved(tmp_path, holder(f=f), {"train": trained})["train"]
    assert plain(served(tf.constant(3))) == {"output_0": 15} and list(served.structured_input_signature[0]) == [
        tf.TensorSpec([], tf.int32, "x")
    ]


def test_many_results_keep_their_places(tmp_path: Path) -> None:
    f = tf.function(lambda x: [x + i for i in range(12)], input_signature=[tf.TensorSpec([], tf.int32)])
    found = plain(saved(tmp_path, holder(f=f))["serving_default"](x=tf.constant(0)))
    assert found == {f"output_{i}": i for i in range(12)}


def test_signatures_use_the_variables_of_the_loaded_model(tmp_path: Path) -> None:
    tf.saved_model.save(Model(), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    loaded.w.assign([0.0, 0.0, 1.0])
    assert plain(loaded.signatures["serving_default"](x=tf.ones([1, 3]))) == {"output_0": [[1.0]]}


def test_signatures_that_were_given_are_kept_when_the_loaded_model_is_saved(tmp_path: Path) -> None:
    model = Model()
    model.f = tf.function(lambda x: x + 1)
    trace = model.f.get_concrete_function(tf.TensorSpec([], tf.int32))
    tf.saved_model.save(model, tmp_path / "1", {"add": trace, "call": model.__call__})
    tf.saved_model.save(tf.saved_model.load(tmp_path / "1"), tmp_path / "2")
    served = tf.saved_model.load(tmp_path / "2").signatures
    assert list(served) == ["add", "call"] and plain(served["add"](x=tf.constant(1))) == {"output_0": 2}
    assert plain(served["call"](x=tf.ones([1, 3]))) == {"output_0": [[6.0]]}
    tf.saved_model.save(tf.saved_model.load(tmp_path / "2"), tmp_path / "3", served["add"])
    assert list(tf.saved_model.load(tmp_path / "3").signatures) == ["serving_default"]


def test_what_is_no_signature_says_why(tmp_path: Path) -> None:
    f = tf.function(lambda x, mode="a": (x, None) if mode == "a" else {1: x})
    f(tf.constant(1))
    f(tf.constant(1), "b")
    fits = tf.function(lambda x: x)
    cases: list[tuple[Any, type[Exception], str]] = [
        (f, ValueError, "2 traces; say which is meant"),
        (tf.function(lambda v: v + 1).get_concrete_function(tf.Variable(1)), ValueError, "'v' is a Variable, and"),
        (fits, ValueError, "0 traces; say which is meant"),
        ({"a": lambda x: x}, TypeError, "the signature 'a' is a Function or a trace of one"),
        ({3: f}, TypeError, "the name of a signature is a str; got 3"),
        (tf.function(lambda x: (x, None)).get_concrete_function(tf.constant(1)), ValueError, "a signature returns"),
        (tf.function(lambda x: {1: x}).get_concrete_function(tf.constant(1)), ValueError, "a signature returns"),
    ]
    for signatures, kind, words in cases:
        with pytest.raises(kind, match=words):
            tf.saved_model.save(holder(f=f), tmp_path, signatures)
    assert not tf.saved_model.contains_saved_model(tmp_path)
