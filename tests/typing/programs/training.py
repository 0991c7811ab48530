"""A training step as in the guides."""
import runtime as tf

w = tf.Variable(tf.zeros([3, 1]))
optimizer = tf.optimizers.SGD(0.1)

@tf.function
def step(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    gradients = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip(gradients, [w]))
    return loss

data = tf.data.Dataset.from_tensor_slices((tf.ones([8, 3]), tf.ones([8, 1]))).batch(4)
for x, y in data:
    loss = step(x, y)
    reveal_type(loss)
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "loss" is "Tensor"
    reveal_type(float(loss))
    # by mypy: note: Revealed type is "float"
    # by pyright: information: Type of "float(loss)" is "float"
    step(x)
    # by mypy: error: Missing positional argument "y" in call to "__call__" of "Function"  [call-arg]
    # by pyright: error: Argument missing for parameter "y"
