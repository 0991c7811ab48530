"""A recurrent neural network over sentences of different lengths: the loop over time is a `for` over a tensor.

Each step mixes the input with the state, state = tanh(input W + state U + b). A sentence that has ended keeps its
last state, and the loop stops at the end of the longest one. The states of all steps are collected by `concat`; their
first dimension grows, which `set_loop_options` says.

    $ python samples/dynamic_rnn.py
"""

import math
import random
import sys

import runtime as tf

BATCH, TIME, FEATURES, UNITS = 3, 6, 4, 5
LENGTHS = (4, 0, 5)


@tf.function
def dynamic_rnn(inputs, lengths, w, u, b):
    """The last state of each sentence, [batch, units], and the states of all steps, [steps, batch, units].

    inputs: float32 [batch, time, features]; lengths: int32 [batch]; w: [features, units]; u: [units, units];
    b: [units].
    """
    inputs = tf.transpose(inputs, [1, 0, 2])  # time first
    state = tf.zeros([BATCH, UNITS])
    states = tf.zeros([0, BATCH, UNITS])
    for time in tf.range(tf.shape(inputs)[0]):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(states, tf.TensorShape([None, BATCH, UNITS]))])
        running = tf.expand_dims(time < lengths, 1)
        if not tf.reduce_any(running):
            break
        state = tf.where(running, tf.tanh(inputs[time] @ w + state @ u + b), state)
        states = tf.concat([states, tf.expand_dims(state, 0)], axis=0)
    return state, states


def plain_rnn(sentence, w, u, b):
    """The states of one sentence, step by step, as lists of numbers."""
    state, states = [0.0] * UNITS, []
    for word in sentence:
        state = [
            math.tanh(
                sum(x * w[i][k] for i, x in enumerate(word)) + sum(h * u[j][k] for j, h in enumerate(state)) + b[k]
            )
            for k in range(UNITS)
        ]
        states.append(state)
    return states


def matrix(rows, columns):
    return [[random.uniform(-1, 1) for _ in range(columns)] for _ in range(rows)]


def difference(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def main():
    random.seed(1)
    inputs = [matrix(TIME, FEATURES) for _ in range(BATCH)]
    w, u, b = matrix(FEATURES, UNITS), matrix(UNITS, UNITS), matrix(1, UNITS)[0]
    last, states = dynamic_rnn(
        tf.constant(inputs), tf.constant(LENGTHS), tf.constant(w), tf.constant(u), tf.constant(b)
    )
    if states.shape[0] != max(LENGTHS):
        sys.exit(f"dynamic_rnn: {states.shape[0]} steps were made, {max(LENGTHS)} are needed")
    last, states = last.numpy().tolist(), states.numpy().tolist()
    for index, length in enumerate(LENGTHS):
        expected = [[0.0] * UNITS, *plain_rnn(inputs[index][:length], w, u, b)]
        for time, step in enumerate(states):
            plain = expected[min(time + 1, length)]
            if difference(step[index], plain) > 1e-5:
                sys.exit(f"sentence {index}, step {time}: the graph gives {step[index]}, plain Python {plain}")
        if difference(last[index], expected[-1]) > 1e-5:
            sys.exit(f"sentence {index}, last state: the graph gives {last[index]}, plain Python {expected[-1]}")
        print(f"sentence of {length} words:", " ".join(f"{value:7.3f}" for value in last[index]))
    print(f"{len(states)} steps of at most {TIME}")


if __name__ == "__main__":
    main()
