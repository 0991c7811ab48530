"""Stateless random operations and `random.Generator`: the bits, reproducibility, distributions, threads, graphs."""

from __future__ import annotations

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError, ShapeMismatchError

MASK = (1 << 64) - 1


def philox(key: tuple[int, int], counter: int) -> list[int]:
    """Philox 4x64 with 10 rounds, from the paper's definition: the four words of one count."""
    words, keys = [(counter >> (64 * i)) & MASK for i in range(4)], [k & MASK for k in key]
    for _ in range(10):
        first, second = words[0] * 0xD2E7470EE14C6C93, words[2] * 0xCA5A826395121157
        words = [second >> 64 ^ words[1] ^ keys[0], second & MASK, first >> 64 ^ words[3] ^ keys[1], first & MASK]
        keys = [(keys[0] + 0x9E3779B97F4A7C15) & MASK, (keys[1] + 0xBB67AE8584CAA73B) & MASK]
    return words


@pytest.mark.parametrize("seed", [(0, 0), (1, 2), (-1, 2**40), (-(2**63), 2**63 - 1)])
def test_the_bits_are_those_of_philox(seed: tuple[int, int]) -> None:
    """numpy counts before it draws; a float64 is the upper 53 bits of a word."""
    words = philox(seed, 1) + philox(seed, 2)
    numbers = tf.random.stateless_uniform([6], seed=tf.constant(seed, tf.int64), dtype=tf.float64)
    assert numbers.numpy().tolist() == [(w >> 11) / 2**53 for w in words[:6]]
    whole = tf.random.stateless_uniform(
        [8], seed=tf.constant(seed, tf.int64), minval=None, maxval=None, dtype=tf.uint64
    )
    assert whole.numpy().tolist() == words


def test_int32_and_int64_seeds_are_alike() -> None:
    numbers = [
        tf.random.stateless_normal([3], seed=tf.constant([7, -3], d)).numpy().tolist() for d in (tf.int32, tf.int64)
    ]
    assert numbers[0] == numbers[1]


DRAWS: dict[str, Any] = {
    "uniform": lambda s: tf.random.stateless_uniform([50], s),
    "uniform of integers": lambda s: tf.random.stateless_uniform([50], s, 0, 100, tf.int32),
    "whole integers": lambda s: tf.random.stateless_uniform([50], s, None, None, tf.int64),
    "normal": lambda s: tf.random.stateless_normal([50], s, 1.0, 2.0),
    "truncated normal": lambda s: tf.random.stateless_truncated_normal([50], s),
    "categorical": lambda s: tf.random.stateless_categorical(tf.zeros([2, 90]), 25, s),
    "shuffle": lambda s: tf.random.stateless_shuffle(tf.range(50), s),
    "split": lambda s: tf.random.split(s, 25),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_says_everything(name: str) -> None:
    """Eager, in graphs, in any thread, and whatever was drawn before; another seed gives others."""
    draw = DRAWS[name]
    seed = tf.constant([3, 4])
    first = draw(seed).numpy().tolist()
    tf.random.normal([5])
    assert draw(seed).numpy().tolist() == first
    assert tf.function(draw)(seed).numpy().tolist() == first
    assert draw(tf.constant([3, 5])).numpy().tolist() != first
    assert draw(tf.constant([4, 4])).numpy().tolist() != first
    with ThreadPoolExecutor(8) as pool:
        assert all(x == first for x in pool.map(lambda _: draw(seed).numpy().tolist(), range(32)))


def test_shapes_that_only_the_run_knows() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([2], tf.int32)])
    def draw(sizes: Any, seed: Any) -> Any:
        return tf.random.stateless_uniform(sizes, seed)

    assert draw([2, 3], [1, 2]).shape == [2, 3]
    assert draw([0], [1, 2]).shape == [0]


def test_distributions() -> None:
    seed = [11, 12]
    uniform = tf.random.stateless_uniform([20000], seed, -1.0, 3.0).numpy()
    assert uniform.min() >= -1 and uniform.max() < 3 and abs(uniform.mean() - 1) < 0.03
    assert np.histogram(uniform, 4, (-1, 3))[0].std() < 150
    normal = tf.random.stateless_normal([20000], seed, 3.0, 0.5, tf.float64).numpy()
    assert abs(normal.mean() - 3) < 0.02 and abs(normal.std() - 0.5) < 0.02
    assert abs(np.mean(normal < 3.5) - 0.8413) < 0.01
    cut = tf.random.stateless_truncated_normal([20000], seed, 1.0, 2.0).numpy()
    assert cut.min() >= -3 and cut.max() <= 5 and abs(cut.mean() - 1) < 0.05
    # The variance of a normal distribution that is cut at two deviations is 1 - 4 f(2) / (F(2) - F(-2)).
    density, inside = math.exp(-2) / math.sqrt(2 * math.pi), math.erf(math.sqrt(2))
    assert abs((cut.std() / 2) ** 2 - (1 - 4 * density / inside)) < 0.02
    for dtype in (tf.float16, tf.float32, tf.float64):
        assert tf.random.stateless_truncated_normal([10], seed, dtype=dtype).dtype is dtype


def test_categorical() -> None:
    logits = tf.constant([[0.0, math.log(3.0), -np.inf], [-np.inf, -np.inf, 5.0]])
    found = tf.random.stateless_categorical(logits, 8000, [1, 1], dtype=tf.int32)
    assert found.dtype is tf.int32 and found.shape == [2, 8000]
    counts = Counter(found.numpy()[0].tolist())
    assert set(counts) == {0, 1} and abs(counts[1] / 8000 - 0.75) < 0.02
    assert set(found.numpy()[1].tolist()) == {2}
    tf.random.set_seed(3)
    shared = tf.random.categorical(logits, 4)
    assert shared.dtype is tf.int64 and shared.shape == [2, 4]
    with pytest.raises(InvalidArgumentError, match="finite"):
        tf.random.categorical([[-np.inf, -np.inf]], 1)


def test_shuffle_keeps_the_rows() -> None:
    rows = np.arange(40).reshape(20, 2)
    mixed = tf.random.stateless_shuffle(rows, [1, 2]).numpy()
    assert sorted(mixed.tolist()) == rows.tolist() and mixed.tolist() != rows.tolist()


def test_split_and_fold_in() -> None:
    seeds = tf.random.split(tf.constant([1, 2], tf.int64), 100)
    assert seeds.dtype is tf.int64 and seeds.shape == [100, 2]
    assert len({tuple(s) for s in seeds.numpy().tolist()}) == 100
    folded = [tf.random.fold_in([1, 2], i).numpy().tolist() for i in range(3)]
    assert len({tuple(f) for f in folded}) == 3
    assert folded[1] == tf.random.fold_in([1, 2], 1).numpy().tolist() != tf.random.fold_in([1, 3], 1).numpy().tolist()


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(ShapeMismatchError, match="two integers"):
        tf.random.stateless_normal([2], [1, 2, 3])
    with pytest.raises(InvalidArgumentError, match="-2"):
        tf.random.normal([-2])
    with pytest.raises(TypeError, match="float"):
        tf.random.normal([2], dtype=tf.int32)
    with pytest.raises(ValueError, match="maxval"):
        tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32)


# -- random.Generator ---------------------------------------------------------------------------------------------


def test_a_generator_draws_nothing_that_the_stateless_functions_draw() -> None:
    """Its draws are the blocks of Philox whose highest word of the counter is 1."""
    g = tf.random.Generator.from_seed(5)
    for n in range(3):
        words = philox((5, n), (1 << 192) + 1)
        assert g.uniform([4], dtype=tf.float64).numpy().tolist() == [(w >> 11) / 2**53 for w in words]
    drawn = []
    for make in (g.normal, g.uniform, g.truncated_normal):
        g.reset_from_seed(5)
        drawn += [make([4]).numpy().tolist() for _ in range(4)]
    seeds = [[a, b] for a in range(6) for b in range(6)]
    for draw in (tf.random.stateless_normal, tf.random.stateless_uniform, tf.random.stateless_truncated_normal):
        assert all(draw([4], seed).numpy().tolist() not in drawn for seed in seeds)
    assert g.state.numpy().tolist() == [4, 0, 5] and int(g.key) == 5 and g.algorithm == 1
    assert g.truncated_normal([9]).shape == [9]
    assert g.uniform_full_int([2]).dtype is tf.uint64 and g.uniform_full_int([2], tf.int16).dtype is tf.int16
    assert g.uniform([3], 2, 4, tf.int32).dtype is tf.int32
    assert g.make_seeds(3).shape == [2, 3]


def test_a_generator_goes_on_where_it_was_left() -> None:
    g = tf.random.Generator.from_seed(-1)
    g.normal([1000])
    copies = [
        tf.random.Generator.from_state(g.state), tf.random.Generator.from_state(g.state.numpy(), "philox"),
        tf.random.Generator.from_key_counter(-1, [1, 0]), tf.random.Generator.from_key_counter(-1, 1),
    ]  # fmt: skip
    wanted = g.normal([3]).numpy().tolist()
    assert all(c.normal([3]).numpy().tolist() == wanted for c in copies)
    g.reset_from_seed(-1)
    before = g.skip(1)
    assert before.numpy().tolist() == [0, 0, -1]
    assert g.normal([3]).numpy().tolist() == wanted
    g.reset_from_key_counter(-1, 1)
    assert g.normal([3]).numpy().tolist() == wanted
    g.reset([1, 0, -1])
    assert g.normal([3]).numpy().tolist() == wanted
    assert tf.random.Generator.from_seed(2**64 - 1).normal([]).numpy() == tf.random.Generator.from_seed(-1).normal([])


def test_generators_without_a_seed_and_split_ones_differ() -> None:
    made = [tf.random.Generator.from_non_deterministic_state() for _ in range(3)]
    made += tf.random.Generator.from_seed(1).split(4)
    assert len({float(g.uniform([], dtype=tf.float64)) for g in made}) == 7
    again = tf.random.Generator.from_seed(1).split(4)
    assert [g.key.numpy().item() for g in again] == [g.key.numpy().item() for g in made[3:]]


def test_a_generator_in_graphs() -> None:
    """The numbers of eager code, one after the other; each run advances it, in loops and branches too."""
    g, other = tf.random.Generator.from_seed(8), tf.random.Generator.from_seed(8)

    @tf.function
    def draw(n: Any) -> Any:
        total = tf.zeros([2])
        for _ in range(n):
            if n > 1:
                total = total + g.normal([2])
        return total, g.uniform([])

    for n in (3, 0, 2):
        total, last = draw(tf.constant(n))
        wanted = sum((other.normal([2]).numpy() for _ in range(n)), np.zeros(2, np.float32))
        np.testing.assert_array_equal(total, wanted)
        assert float(last) == float(other.uniform([]))
    assert g.state.numpy().tolist() == other.state.numpy().tolist() == [8, 0, 8]


def test_a_generator_is_a_module() -> None:
    class Noise(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.generator = tf.random.Generator.from_seed(1)

    noise = Noise()
    assert [v.shape for v in noise.variables] == [[3]] and noise.trainable_variables == ()


def test_threads_share_a_generator() -> None:
    """32 threads, eager and in a Function: each draw is given out once."""
    g = tf.random.Generator.from_seed(4)
    staged = tf.function(lambda: g.uniform([], dtype=tf.float64))
    staged()

    def draw(i: int) -> list[float]:
        return [float(staged() if (i + k) % 2 else g.uniform([], dtype=tf.float64)) for k in range(20)]

    with ThreadPoolExecutor(32) as pool:
        drawn = [x for row in pool.map(draw, range(32)) for x in row]
    wanted = [(philox((4, n), (1 << 192) + 1)[0] >> 11) / 2**53 for n in range(1, 641)]
    assert sorted(drawn) == sorted(wanted)


def test_states_that_are_none() -> None:
    with pytest.raises(ShapeMismatchError, match="three integers"):
        tf.random.Generator.from_state([1, 2])
    with pytest.raises(InvalidArgumentError, match="philox"):
        tf.random.Generator.from_seed(1, alg="threefry")


def test_the_generator_that_the_program_shares() -> None:
    before = tf.random.get_global_generator()
    try:
        assert tf.random.get_global_generator() is before
        draw = tf.function(lambda: tf.random.get_global_generator().uniform([]))
        draw()
        for seed in (1, 2):  # a Function is traced again for another generator
            tf.random.set_global_generator(tf.random.Generator.from_seed(seed))
            again = tf.random.Generator.from_seed(seed)
            assert [float(draw()), float(draw())] == [float(again.uniform([])), float(again.uniform([]))]
        with pytest.raises(TypeError, match="takes a random.Generator; got 3"):
            tf.random.set_global_generator(3)  # type: ignore[arg-type]
    finally:
        tf.random.set_global_generator(before)
