"""A network learns to read digits: Dense layers, Adam, a cross-entropy, and the epochs as one loop of a graph.

The digits are drawn, five by seven dots, and every picture is spoiled: each dot gets noise, some are flipped. The plain
version is numpy with the backward pass and Adam written out.

    $ python samples/mlp_digits.py
    epoch 1: loss 1.2682
    epoch 2: loss 0.3422
    epoch 4: loss 0.0958
    epoch 8: loss 0.0384
    1991 of 2000 new pictures are read right
"""

import sys

import numpy as np

import runtime as tf

FONT = """
 ###    #    ###  #####    #  #####   ##  #####  ###   ###
#   #  ##   #   #    #    ##  #      #        # #   # #   #
#  ##   #       #   #    # #  ####  #        #  #   # #   #
# # #   #      #     #  #  #      # ####    #    ###   ####
##  #   #     #       # #####     # #   #  #    #   #     #
#   #   #    #    #   #    #  #   # #   #  #    #   #    #
 ###   ###  #####  ###     #   ###   ###   #     ###   ##
"""
HIDDEN, BATCH, BATCHES, EPOCHS, RATE = 24, 50, 40, 8, 0.005


def templates():
    """The ten digits as rows of 35 numbers, 0 and 1."""
    lines = [line.ljust(60) for line in FONT.strip("\n").split("\n")]
    return [[float(line[6 * d + i] == "#") for line in lines for i in range(5)] for d in range(10)]


def pictures(seed, count):
    """Spoiled digits, [count, 35], and which they are, [count]; the same for the same seed."""
    first, second, third = tf.unstack(tf.random.split(seed, 3))
    labels = tf.random.stateless_uniform([count], first, 0, 10, tf.int32)
    clean = tf.gather(tf.constant(templates(), tf.float64), labels)
    noise = tf.random.stateless_normal([count, 35], second, 0.0, 0.35, tf.float64)
    flipped = tf.random.stateless_uniform([count, 35], third, dtype=tf.float64) < 0.04
    return tf.where(flipped, 1.0 - clean, clean) + noise, labels


def network():
    """35 dots, a layer of tanh, ten classes."""
    layers = [tf.layers.Dense(HIDDEN, "tanh", dtype=tf.float64), tf.layers.Dense(10, dtype=tf.float64)]
    model = tf.layers.Sequential(layers)
    model(tf.zeros([1, 35], tf.float64))
    return model


@tf.function
def train(model, optimizer, mean, images, labels, epochs):
    """Goes over all batches as often as `epochs` says; returns the mean loss of each epoch, which `mean` gathers."""
    loss_of = tf.losses.SparseCategoricalCrossentropy(from_logits=True)
    history = tf.TensorArray(tf.float64, epochs)
    for epoch in tf.range(epochs):
        mean.reset_state()
        for x, y in zip(images, labels, strict=True):
            with tf.GradientTape() as tape:
                loss = loss_of(y, model(x))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            mean.update_state(loss)
        history = history.write(epoch, mean.result())
    return history.stack()


def plain_train(weights, images, labels, epochs):
    """The same in numpy, every derivative by hand; `weights` are changed in place."""
    k1, b1, k2, b2 = weights
    m, v, t, history = [0.0] * 4, [0.0] * 4, 0, []
    for _ in range(epochs):
        losses = []
        for x, y in zip(images, labels, strict=True):
            hidden = np.tanh(x @ k1 + b1)
            powers = np.exp(hidden @ k2 + b2)
            shares = powers / powers.sum(1, keepdims=True)
            rows = np.arange(len(y))
            losses.append(-np.log(shares[rows, y]).mean())
            error = shares.copy()
            error[rows, y] -= 1
            error /= len(y)
            inner = error @ k2.T * (1 - hidden * hidden)
            t += 1
            for i, g in enumerate((x.T @ inner, inner.sum(0), hidden.T @ error, error.sum(0))):
                m[i] = 0.9 * m[i] + 0.1 * g
                v[i] = 0.999 * v[i] + 0.001 * g * g
                step = RATE * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
                weights[i] -= step * m[i] / (np.sqrt(v[i]) + 1e-7)
        history.append(np.mean(losses))
    return history


def main():
    tf.random.set_seed(1)
    images, labels = pictures(tf.constant([1, 2]), BATCHES * BATCH)
    images, labels = tf.reshape(images, [BATCHES, BATCH, 35]), tf.reshape(labels, [BATCHES, BATCH])
    model, optimizer = network(), tf.optimizers.Adam(RATE)
    weights = [np.array(w) for w in model.get_weights()]
    mean = tf.metrics.Mean(dtype=tf.float64)
    history = train(model, optimizer, mean, images, labels, tf.constant(EPOCHS)).numpy()
    plain = plain_train(weights, images.numpy(), labels.numpy(), EPOCHS)
    if np.abs(history - plain).max() > 1e-4:
        sys.exit(f"digits: the losses are {history.tolist()} in the graph, {plain} in numpy")
    for epoch in (1, 2, 4, 8):
        print(f"epoch {epoch}: loss {history[epoch - 1]:.4f}")
    fresh, truth = pictures(tf.constant([3, 4]), 2000)
    accuracy = tf.metrics.SparseCategoricalAccuracy()
    accuracy.update_state(truth, model(fresh))
    print(f"{round(2000 * float(accuracy.result()))} of 2000 new pictures are read right")


if __name__ == "__main__":
    main()
