"""A decorated method is called without `self`; in its class it is a Function of the object, too."""
import runtime as tf

class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__("model")
        self.w = tf.Variable(2.0)

    @tf.function
    def predict(self, x: tf.Tensor) -> tf.Tensor:
        return x * self.w

    @tf.function(jit_compile=False)
    def train(self, x: tf.Tensor, rate: float) -> None:
        self.w.assign_sub(rate * x)

    @staticmethod
    @tf.function
    def loss(x: tf.Tensor) -> tf.Tensor:
        return tf.reduce_sum(x)

model = Model()
reveal_type(model.predict(tf.constant(1.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "model.predict(tf.constant(1))" is "Tensor"
reveal_type(model.predict)
# by mypy: note: Revealed type is "runtime.function.function.Function[[x: runtime.tensor.tensor.Tensor], runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "model.predict" is "Function[(x: Tensor), Tensor]"
model.train(tf.constant(1.0))
# by mypy: error: Missing positional argument "rate" in call to "__call__" of "Function"  [call-arg]
# by pyright: error: Argument missing for parameter "rate"
model.train(tf.constant(1.0), 0.1)
reveal_type(Model.loss(tf.constant(1.0)))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
# by pyright: information: Type of "Model.loss(tf.constant(1))" is "Tensor"
reveal_type(model.loss)  # mypy takes the object for the first argument of a static method, too: call it by its class
# by mypy: note: Revealed type is "runtime.function.function.Function[[], runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "model.loss" is "Function[(x: Tensor), Tensor]"
reveal_type(Model.predict)
# by mypy: note: Revealed type is "runtime.function.function.Function[[self: tests.typing.programs.methods.Model, x: runtime.tensor.tensor.Tensor], runtime.tensor.tensor.Tensor]"
# by pyright: information: Type of "Model.predict" is "Function[(self: Model, x: Tensor), Tensor]"
model.predict.cache_clear()
