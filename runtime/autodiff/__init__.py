"""Gradients: `GradientTape` and `gradients`, exact through control flow, calls and Functions; `ForwardAccumulator`.

    with runtime.GradientTape() as tape:
        y = tf.reduce_sum(tf.square(v))
    tape.gradient(y, v)

`sweep` goes back over what was recorded, once; `rules` asks each operation's record for its gradient, and the modules
of control flow build the graphs that go back through branches, loops and calls.
"""
