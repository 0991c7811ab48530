"""Gradients have the structure of the sources; one may be None, which need not be checked each time."""
import runtime as tf

w, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    loss = w * w + b
reveal_type(tape)
# by mypy: note: Revealed type is "runtime.autodiff.tape.GradientTape"
# by pyright: information: Type of "tape" is "GradientTape"
reveal_type(tape.gradient(loss, w))
# by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor | Any"
# by pyright: information: Type of "tape.gradient(loss, w)" is "Tensor | Any"
reveal_type(tape.gradient(loss, [w, b]))
# by mypy: note: Revealed type is "list[runtime.tensor.tensor.Tensor | Any]"
# by pyright: information: Type of "tape.gradient(loss, [w, b])" is "list[Tensor | Any]"
reveal_type(tape.gradient(loss, (w, b)))
# by mypy: note: Revealed type is "tuple[runtime.tensor.tensor.Tensor | Any, ...]"
# by pyright: information: Type of "tape.gradient(loss, (w, b))" is "tuple[Tensor | Any, ...]"
reveal_type(tape.gradient(loss, {"w": w}))
# by mypy: note: Revealed type is "dict[str, runtime.tensor.tensor.Tensor | Any]"
# by pyright: information: Type of "tape.gradient(loss, { "w": w })" is "dict[str, Tensor | Any]"
reveal_type(tape.watched_variables())
# by mypy: note: Revealed type is "tuple[runtime.state.variable.Variable, ...]"
# by pyright: information: Type of "tape.watched_variables()" is "tuple[Variable, ...]"
dw, db = tape.gradient(loss, [w, b])
w.assign_sub(0.1 * dw)
tape.gradient(loss, w).nothing
# by mypy: error: Item "Tensor" of "Tensor | Any" has no attribute "nothing"  [union-attr]
# by pyright: error: Cannot access attribute "nothing" for class "Tensor"
tape.gradient(loss)
# by mypy: error: No overload variant of "__call__" of "Gradients" matches argument type "Tensor"  [call-overload]
# by pyright: error: No overloads for "__call__" match the provided arguments
