"""Programs of the guides that save weights: only the import is another one; what they print is theirs."""

import os

import numpy as np
import pytest

import runtime as tf


@pytest.fixture(autouse=True)
def in_a_directory_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_object_based_saving_of_a_variable(capsys: pytest.CaptureFixture[str]) -> None:
    x = tf.Variable(10.0)
    checkpoint = tf.train.Checkpoint(x=x)

    x.assign(2.0)  # Assign a new value to the variables and save.
    checkpoint_path = "./ckpt/"
    checkpoint.save("./ckpt/")

    x.assign(11.0)  # Change the variable after saving.

    # Restore values from the checkpoint
    checkpoint.restore(tf.train.latest_checkpoint(checkpoint_path))

    print(x)  # => 2.0
    assert capsys.readouterr().out == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>\n"
    assert sorted(os.listdir("ckpt")) == ["-1.data-00000-of-00001", "-1.index", "checkpoint"]


def test_a_model_an_optimizer_and_the_step_without_hidden_variables() -> None:
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, [3, 3], activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])  # fmt: skip
    optimizer = tf.keras.optimizers.Adam(learning_rate=0.001)
    checkpoint_dir = "path/to/model_dir"
    if not os.path.exists(checkpoint_dir):
        os.makedirs(checkpoint_dir)
    checkpoint_prefix = os.path.join(checkpoint_dir, "ckpt")
    root = tf.train.Checkpoint(optimizer=optimizer, model=model)

    root.save(checkpoint_prefix)
    root.restore(tf.train.latest_checkpoint(checkpoint_dir))
    assert tf.train.latest_checkpoint(checkpoint_dir) == checkpoint_prefix + "-1"

    # The guide has said before that a model makes its variables in its first call: so may the restored one.
    images = tf.random.normal([2, 5, 5, 1])
    logits = model(images)
    root.save(checkpoint_prefix)
    for v in model.variables:
        v.assign(tf.zeros_like(v))
    root.restore(tf.train.latest_checkpoint(checkpoint_dir)).assert_consumed()
    assert (model(images).numpy() == logits.numpy()).all() and logits.numpy().any()


class Dense(tf.Module):
    def __init__(self, in_features, out_features, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([in_features, out_features]), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def __call__(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


class SequentialModule(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)

        self.dense_1 = Dense(in_features=3, out_features=3)
        self.dense_2 = Dense(in_features=3, out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


class FlexibleDenseModule(tf.Module):
    # Note: No need for `in_features`
    def __init__(self, out_features, name=None):
        super().__init__(name=name)
        self.is_built = False
        self.out_features = out_features

    def __call__(self, x):
        # Create variables on first call.
        if not self.is_built:
            self.w = tf.Variable(tf.random.normal([x.shape[-1], self.out_features]), name="w")
            self.b = tf.Variable(tf.zeros([self.out_features]), name="b")
            self.is_built = True

        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


class MySequentialModule(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)

        self.dense_1 = FlexibleDenseModule(out_features=3)
        self.dense_2 = FlexibleDenseModule(out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


def test_saving_weights_of_modules() -> None:
    my_model = SequentialModule(name="the_model")
    chkp_path = "my_checkpoint"
    checkpoint = tf.train.Checkpoint(model=my_model)
    checkpoint.write(chkp_path)

    assert sorted(os.listdir(".")) == ["my_checkpoint.data-00000-of-00001", "my_checkpoint.index"]

    assert tf.train.list_variables(chkp_path) == [
        ("_CHECKPOINTABLE_OBJECT_GRAPH", []),
        ("model/dense_1/b/.ATTRIBUTES/VARIABLE_VALUE", [3]),
        ("model/dense_1/w/.ATTRIBUTES/VARIABLE_VALUE", [3, 3]),
        ("model/dense_2/b/.ATTRIBUTES/VARIABLE_VALUE", [2]),
        ("model/dense_2/w/.ATTRIBUTES/VARIABLE_VALUE", [3, 2]),
    ]

    new_model = MySequentialModule()
    new_checkpoint = tf.train.Checkpoint(model=new_model)
    new_checkpoint.restore("my_checkpoint")

    # Test the model again: the weights come to it in this call, which makes them.
    found = new_model(tf.constant([[2.0, 2.0, 2.0]]))
    assert np.array_equal(found.numpy(), my_model(tf.constant([[2.0, 2.0, 2.0]])).numpy())
    assert [v.name for v in new_model.variables] == ["b:0", "w:0", "b:0", "w:0"]
    for old, new in zip(my_model.variables, new_model.variables, strict=True):
        assert np.array_equal(old.numpy(), new.numpy())


class Net(tf.keras.Model):
    """A simple linear model."""

    def __init__(self):
        super().__init__()
        self.l1 = tf.keras.layers.Dense(5)

    def call(self, x):
        return self.l1(x)


def toy_dataset():
    inputs = tf.range(10.0)[:, None]
    labels = inputs * 5.0 + tf.range(5.0)[None, :]
    return tf.data.Dataset.from_tensor_slices({"x": inputs, "y": labels}).repeat().batch(2)


def train_step(net, example, optimizer):
    """Trains `net` on `example` using `optimizer`."""
    with tf.GradientTape() as tape:
        output = net(example["x"])
        loss = tf.reduce_mean(tf.abs(output - example["y"]))
    variables = net.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


def train_and_checkpoint(net, manager, ckpt, opt, iterator):
    ckpt.restore(manager.latest_checkpoint)
    if manager.latest_checkpoint:
        print(f"Restored from {manager.latest_checkpoint}")
    else:
        print("Initializing from scratch.")

    for _ in range(50):
        example = next(iterator)
        train_step(net, example, opt)
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 10 == 0:
            save_path = manager.save()
            print(f"Saved checkpoint for step {int(ckpt.step)}: {save_path}")


def test_a_training_with_a_manager_that_is_started_twice(capsys: pytest.CaptureFixture[str]) -> None:
    def start() -> list[str]:
        opt = tf.keras.optimizers.Adam(0.1)
        net = Net()
        iterator = iter(toy_dataset())
        ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net, iterator=iterator)
        manager = tf.train.CheckpointManager(ckpt, "./tf_ckpts", max_to_keep=3)
        train_and_checkpoint(net, manager, ckpt, opt, iterator)
        print(manager.checkpoints)
        return capsys.readouterr().out.splitlines()

    first = start()
    assert first[:2] == ["Initializing from scratch.", "Saved checkpoint for step 10: ./tf_ckpts/ckpt-1"]
    assert first[-1] == "['./tf_ckpts/ckpt-3', './tf_ckpts/ckpt-4', './tf_ckpts/ckpt-5']"
    second = start()
    assert second[:2] == [
        "Restored from ./tf_ckpts/ckpt-5",
        "Saved checkpoint for step 60: ./tf_ckpts/ckpt-6",
    ]
    assert second[-1] == "['./tf_ckpts/ckpt-8', './tf_ckpts/ckpt-9', './tf_ckpts/ckpt-10']"

    to_restore = tf.Variable(tf.zeros([5]))
    fake_layer = tf.train.Checkpoint(bias=to_restore)
    fake_net = tf.train.Checkpoint(l1=fake_layer)
    new_root = tf.train.Checkpoint(net=fake_net)
    new_root.restore(tf.train.latest_checkpoint("./tf_ckpts/")).expect_partial()
    assert to_restore.numpy().all()  # This gets the restored value.
