"""What a saved model holds besides functions: Variables, objects, lists, dicts, values; what can be done with it."""

import copy
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.saving.models import Model, file_of, holder, round_trip


def test_variables_are_live(tmp_path: Path) -> None:
    model = Model()
    model.step(tf.constant([1.0, 1.0, 1.0]))
    tf.saved_model.save(model, tmp_path)
    model.w.assign([0.0, 0.0, 0.0])
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded(tf.ones([1, 3]))) == [[6.0]]
    loaded.w.assign([1.0, 1.0, 10.0])
    assert plain(loaded(tf.ones([1, 3]))) == [[12.0]]
    assert plain(loaded.parts[0]) == 3
    loaded.step(tf.constant([1.0, 1.0, 1.0]))
    assert plain(loaded.parts[0]) == 4, "the function writes the loaded Variable"
    assert plain(model(tf.ones([1, 3]))) == [[0.0]], "and the original is another one"


def test_names_shapes_dtypes_and_trainability(tmp_path: Path) -> None:
    variables = {
        "a": tf.Variable([1.5, 2.5], name="weights", dtype=tf.float64),
        "b": tf.Variable([[1]], trainable=False, shape=[None, 1], name="scope/rows"),
        "c": tf.Variable(["text", b"\xff\x00"]),
        "d": tf.Variable(np.zeros([0, 3], np.complex64)),
        "e": tf.Variable(True, shape=tf.TensorShape(None)),
    }
    model = holder(**variables)
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for name, variable in variables.items():
        found = getattr(loaded, name)
        assert (found.name, found.dtype, found.trainable) == (variable.name, variable.dtype, variable.trainable)
        assert found.shape.dims == variable.shape.dims
        assert plain(found.value()) == plain(variable.value())
    assert [v.name for v in loaded.variables] == [v.name for v in model.variables]
    assert [v.name for v in loaded.trainable_variables] == [v.name for v in model.trainable_variables]
    loaded.b.assign([[1], [2], [3]])
    with pytest.raises(ValueError):
        loaded.a.assign([1.0, 2.0, 3.0])


def loss_of(model: Any, x: Any) -> Any:
    return tf.reduce_sum((model.step(x)[0] - 1.0) ** 2)


def test_a_checkpoint_of_a_loaded_model_is_one_of_the_original(tmp_path: Path) -> None:
    model = Model()
    tf.saved_model.save(model, tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")
    loaded.w.assign([0.0, 0.0, 1.0])
    path = tf.train.Checkpoint(model=loaded).save(str(tmp_path / "checkpoint"))
    tf.train.Checkpoint(model=model).restore(path).assert_consumed()
    assert plain(model(tf.ones([1, 3]))) == [[1.0]]


def test_small_floats(tmp_path: Path) -> None:
    class Narrow(tf.Module):
        def __init__(self):
            self.w = tf.Variable(np.linspace(-3, 3, 100), dtype=tf.bfloat16)
            self.table = tf.cast(tf.linspace(0.0, 9.0, 100), tf.bfloat16)

        @tf.function
        def f(self, x):
            return x * self.w + self.table + tf.constant(0.1, tf.bfloat16)

    narrow, x = Narrow(), tf.cast(1.5, tf.bfloat16)
    wanted = narrow.f(x)
    tf.saved_model.save(narrow, tmp_path)
    assert plain(tf.saved_model.load(tmp_path).f(x)) == plain(wanted)


def test_gradients_through_loaded_functions_are_those_of_the_original(tmp_path: Path) -> None:
    model, x = Model(), tf.constant([1.0, -0.5, 2.0])
    model.step(x)
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    found = []
    for each in (model, loaded):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = loss_of(each, x)
            first = tape.gradient(loss, [x, each.w])
        second = outer.gradient(first[0], x)
        staged = tf.function(lambda x, m=each: loss_of(m, x))
        with tf.GradientTape() as tape:
            loss = staged(x)
        found.append(plain([*first, second, tape.gradient(loss, each.w)]))
    assert found[0] == found[1]


def test_loaded_variables_are_trained(tmp_path: Path) -> None:
    tf.saved_model.save(Model(), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    x, y = tf.constant([[1.0, 0.0, 1.0], [0.0, 2.0, 1.0]]), tf.constant([[1.0], [-1.0]])
    optimizer = tf.keras.optimizers.SGD(0.05)

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((loaded(x) - y) ** 2)
        gradients = tape.gradient(loss, [loaded.w])
        optimizer.apply_gradients(zip(gradients, [loaded.w]))
        return loss

    losses = [float(train()) for _ in range(60)]
    assert losses[-1] < losses[0] / 1000


def test_an_optimizer_and_the_step_that_uses_it(tmp_path: Path) -> None:
    class Trainer(tf.Module):
        def __init__(self):
            self.w = tf.Variable(1.0)
            self.optimizer = tf.keras.optimizers.Adam(0.1)
            self.mean = tf.keras.metrics.Mean()
            self.random = tf.random.Generator.from_seed(3)

        @tf.function
        def step(self, x):
            with tf.GradientTape() as tape:
                loss = (self.w * x - 3.0) ** 2 + 0.0 * self.random.normal([])
            self.optimizer.apply_gradients([(tape.gradient(loss, self.w), self.w)])
            self.mean.update_state(loss)
            return loss, self.random.normal([2])

    trainer = Trainer()
    trainer.step(tf.constant(1.0))
    tf.saved_model.save(trainer, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for _ in range(3):
        assert plain(trainer.step(tf.constant(1.0))) == plain(loaded.step(tf.constant(1.0)))
    assert plain(loaded.optimizer.iterations.value()) == 4 and plain(loaded.mean.count.value()) == 4.0


def test_a_loaded_model_is_saved_again(tmp_path: Path) -> None:
    model = Model()
    wanted = plain(model.step(tf.constant([1.0, 1.0, 1.0])))
    tf.saved_model.save(model, tmp_path / "1")
    for i in (1, 2, 3):
        loaded = tf.saved_model.load(tmp_path / str(i))
        tf.saved_model.save(loaded, tmp_path / str(i + 1))
    assert Path(file_of(tmp_path / "2")).read_bytes() == Path(file_of(tmp_path / "4")).read_bytes()
    loaded = tf.saved_model.load(tmp_path / "4")
    assert plain(loaded.step(tf.constant([1.0, 1.0, 1.0]))) == wanted
    assert list(loaded.signatures) == ["serving_default"]


def test_loaded_functions_and_objects_as_parts_of_new_modules(tmp_path: Path) -> None:
    tf.saved_model.save(Model(), tmp_path / "inner")

    class Wrapper(tf.Module):
        def __init__(self):
            self.inner = tf.saved_model.load(tmp_path / "inner")
            self.call = self.inner.__call__
            self.bias = tf.Variable(100.0)

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def f(self, x):
            total = tf.zeros([tf.shape(x)[0], 1])
            for _ in tf.range(2):
                total += self.inner(x) + self.bias
            return total

    wrapper = Wrapper()
    assert len(wrapper.variables) == 4 and wrapper.submodules == (wrapper.inner,)
    assert plain(wrapper.f(tf.ones([1, 3]))) == [[212.0]]
    tf.saved_model.save(wrapper, tmp_path / "outer")
    loaded = tf.saved_model.load(tmp_path / "outer")
    loaded.inner.w.assign([0.0, 0.0, 1.0])
    assert plain(loaded.f(tf.ones([1, 3]))) == [[202.0]]


def test_a_loaded_function_as_a_method_of_a_class(tmp_path: Path) -> None:
    f = tf.function(lambda x: x * 2)
    f(tf.constant(1))
    loaded = round_trip(tmp_path, f=f)
    kind = type("Kind", (), {"f": loaded.f})
    assert plain(kind().f(tf.constant(3))) == 6, "it takes no object that it was never traced with"


def test_loading_within_a_function_and_under_a_tape(tmp_path: Path) -> None:
    tf.saved_model.save(Model(), tmp_path)
    kept = []

    @tf.function
    def f(x):
        if not kept:
            kept.append(tf.saved_model.load(tmp_path))
        return kept[0](x)

    assert plain(f(tf.ones([1, 3]))) == [[6.0]]
    kept[0].w.assign([1.0, 1.0, 1.0])
    assert plain(f(tf.ones([1, 3]))) == [[3.0]]
    with tf.GradientTape() as tape:
        loaded = tf.saved_model.load(tmp_path)
        y = loaded(tf.ones([1, 3]))
    assert plain(tape.gradient(y, loaded.w)) == [1.0, 1.0, 1.0]


def test_saving_within_a_function_is_refused(tmp_path: Path) -> None:
    model = Model()

    @tf.function
    def f():
        tf.saved_model.save(model, tmp_path)

    with pytest.raises(RuntimeError, match="call it outside of Functions"):
        f()
    assert not tf.saved_model.contains_saved_model(tmp_path)


def test_a_copy_of_a_loaded_model_is_a_model_of_its_own(tmp_path: Path) -> None:
    model = Model()
    model.step(tf.constant([1.0, 1.0, 1.0]))
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    copied = copy.deepcopy(loaded)
    copied.w.assign([0.0, 0.0, 0.0])
    assert plain(loaded(tf.ones([1, 3]))) == [[6.0]]
    assert plain(copied(tf.ones([1, 3]))) == [[0.0]]
    assert plain(copied.signatures["serving_default"](x=tf.ones([1, 3]))["output_0"]) == [[0.0]]
    copied.step(tf.constant([1.0, 1.0, 1.0]))
    assert (plain(copied.parts[0]), plain(loaded.parts[0])) == (4, 3)


def test_two_loads_share_nothing_and_the_same_model_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        model = Model()
        model.step(tf.constant([1.0, 1.0, 1.0]))
        tf.saved_model.save(model, tmp_path / name)
    assert Path(file_of(tmp_path / "a")).read_bytes() == Path(file_of(tmp_path / "b")).read_bytes()
    first, second = (tf.saved_model.load(tmp_path / name) for name in ("a", "a"))
    first.w.assign([0.0, 0.0, 0.0])
    assert plain(second(tf.ones([1, 3]))) == [[6.0]]


def test_threads_call_a_loaded_function(tmp_path: Path) -> None:
    f = tf.function(lambda x, n: x * n + tf.range(3))
    for n in range(4):
        f(tf.constant([1, 2, 3]), n)
    loaded = round_trip(tmp_path, f=f)
    found: list[Any] = []

    def work(n: int) -> None:
        found.append((n, plain(loaded.f(tf.constant([1, 2, 3]), n))))

    threads = [threading.Thread(target=work, args=(i % 4,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted((i % 4, [i % 4, 2 * (i % 4) + 1, 3 * (i % 4) + 2]) for i in range(16))


def test_layers_are_saved_with_what_they_were_called_with(tmp_path: Path) -> None:
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(4, activation="tanh"), layers.Dropout(0.5), layers.Dense(2)])
    x = tf.constant(np.linspace(-1, 1, 15).reshape(3, 5).astype(np.float32))
    wanted = plain(model(x))
    model.layers[0].trainable = False
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded(x)) == wanted == plain(loaded(x, training=False))
    assert plain(loaded(x[:1])) == pytest.approx(np.array(wanted[:1]), rel=1e-5, abs=1e-6)
    assert plain(loaded(x, training=True)) != wanted, "values are dropped"
    assert plain(loaded.signatures["serving_default"](inputs=x)["output_0"]) == wanted
    assert plain(loaded.layers[2](loaded.layers[0](x))) == wanted
    for kind in ("variables", "trainable_variables", "non_trainable_variables"):
        assert [v.name for v in getattr(loaded, kind)] == [v.name for v in getattr(model, kind)]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(loaded(x) ** 2)
    assert all(g is not None for g in tape.gradient(loss, loaded.trainable_variables))


def test_a_layer_of_several_inputs(tmp_path: Path) -> None:
    class Joined(tf.keras.layers.Layer):
        def build(self, shapes):
            self.w = self.add_weight("w", [shapes[0][-1], 2])

        def call(self, inputs):
            return inputs[0] @ self.w + inputs[1]["bias"]

    layer, given = Joined(), [tf.ones([2, 3]), {"bias": tf.ones([2, 2])}]
    wanted = plain(layer(given))
    tf.saved_model.save(layer, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded(given)) == wanted
    other = [tf.ones([5, 3]), {"bias": tf.zeros([5, 2])}]
    assert plain(loaded(other)) == plain(layer(other))


def test_a_model_that_knows_its_input_is_saved_before_it_is_called(tmp_path: Path) -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    tf.saved_model.save(model, tmp_path)
    x = tf.constant([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]])
    assert plain(tf.saved_model.load(tmp_path)(x)) == plain(model(x))
