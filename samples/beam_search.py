"""Beam search: the most probable words of a model that knows which letter follows which.

The loop ends when all beams have come to their end, or at the longest word. In each step `top_k` chooses among all
continuations of all beams, and `gather` takes over what the chosen ones go on from.

    $ python samples/beam_search.py
    width 3: ba -2.5911, band -3.4762, banand -5.0014 after 7 steps
"""

import itertools
import math
import sys

import runtime as tf

CORPUS = ["banana", "bandana", "cabana", "sahara", "havana", "anaconda", "abandon", "husband", "wristband", "band"]
LETTERS = "." + "".join(sorted(set("".join(CORPUS))))  # the dot is before each word, and after it
LONGEST = 12


def log_probabilities():
    """Row i: how probable each letter is after letter i, by how often it comes in the corpus."""
    counts = [[0.01] * len(LETTERS) for _ in LETTERS]
    for word in CORPUS:
        for before, after in itertools.pairwise(f".{word}."):
            counts[LETTERS.index(before)][LETTERS.index(after)] += 1 + LETTERS.index(after) / 1000
    return [[math.log(n / sum(row)) for n in row] for row in counts]


@tf.function
def beam_search(table, width):
    """The best words as numbers of letters (0 after their end), their scores, and the number of steps."""
    letters = tf.shape(table)[0]
    nothing = tf.constant(-math.inf, table.dtype)
    # A word that has ended goes on with dots, at no cost.
    only_dots = tf.where(tf.range(letters) == 0, tf.constant(0.0, table.dtype), nothing)
    scores = tf.where(tf.range(width) == 0, tf.constant(0.0, table.dtype), nothing)  # one beam to begin with
    last = tf.zeros([width], tf.int32)
    ended = tf.zeros([width], tf.bool)
    words = tf.zeros([width, LONGEST], tf.int32)
    step = 0
    while step < LONGEST and not tf.reduce_all(ended):
        ahead = tf.where(tf.expand_dims(ended, 1), only_dots, tf.gather(table, last))
        scores, best = tf.math.top_k(tf.reshape(tf.expand_dims(scores, 1) + ahead, [-1]), width)
        origin, last = best // letters, best % letters
        words = tf.gather(words, origin)
        words[:, step] = last
        ended = tf.gather(ended, origin) | (last == 0)
        step += 1
    return words, scores, step


def plain_beam_search(table, width):
    """The same with lists: a beam is a score, the letters so far, and whether it has ended."""
    beams = [(0.0, [], False)]
    step = 0
    while step < LONGEST and not all(ended for _, _, ended in beams):
        found = []
        for score, word, ended in beams:
            row = table[word[-1] if word else 0]
            found += [(score, word + [0], True)] if ended else [
                (score + p, word + [letter], letter == 0) for letter, p in enumerate(row)
            ]
        beams = sorted(found, key=lambda beam: -beam[0])[:width]
        step += 1
    return beams, step


def spelled(letters):
    return "".join(LETTERS[i] for i in letters).rstrip(".")


def main():
    table = log_probabilities()
    for width in (1, 3, 10):
        words, scores, steps = beam_search(tf.constant(table, tf.float64), width)
        words, scores = words.numpy(), scores.numpy()
        graph = [(spelled(word), round(float(score), 9)) for word, score in zip(words, scores, strict=True)]
        beams, plain_steps = plain_beam_search(table, width)
        plain = [(spelled(word), round(score, 9)) for score, word, _ in beams]
        if (graph, int(steps)) != (plain, plain_steps):
            sys.exit(f"width {width}: the graph gives {graph} after {int(steps)} steps, plain Python {plain}")
        shown = ", ".join(f"{word} {score:.4f}" for word, score in graph[:3])
        print(f"width {width}: {shown} after {int(steps)} steps")


if __name__ == "__main__":
    main()
