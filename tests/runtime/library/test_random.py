"""Random operations: range, dtype, seeds, distribution, threads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.engine.interpreter import run_graph
from runtime.errors import InvalidArgumentError


@pytest.fixture(autouse=True)
def fresh_seed() -> Iterator[None]:
    """Each test has its own sequence, and none decides what others see."""
    tf.random.set_seed(12)
    yield
    tf.random.set_seed(None)


def test_uniform_floats() -> None:
    for dtype in (tf.float16, tf.float32, tf.float64):
        x = tf.random.uniform([2000], -1.0, 3.0, dtype)
        assert x.dtype is dtype and x.shape == [2000]
        values = x.numpy().astype(np.float64)
        assert values.min() >= -1 and values.max() < 3 and abs(values.mean() - 1) < 0.1


def test_uniform_integers() -> None:
    for dtype in (tf.int32, tf.int64, tf.uint8):
        x = tf.random.uniform([3000], 2, 5, dtype)
        assert x.dtype is dtype and set(x.numpy().tolist()) == {2, 3, 4}
    with pytest.raises(InvalidArgumentError, match="minval"):
        tf.random.uniform([2], 5, 5, tf.int32)


def test_uniform_with_limits_that_broadcast() -> None:
    x = tf.random.uniform([500, 2], tf.constant([0.0, 10.0]), tf.constant([1.0, 20.0])).numpy()
    assert x[:, 0].max() < 1 and x[:, 1].min() >= 10


def test_normal() -> None:
    x = tf.random.normal([5000], mean=3.0, stddev=0.5, dtype=tf.float64).numpy()
    assert x.dtype == np.float64 and abs(x.mean() - 3) < 0.05 and abs(x.std() - 0.5) < 0.05


def test_shuffle() -> None:
    rows = np.arange(40).reshape(20, 2)
    mixed = tf.random.shuffle(rows).numpy()
    assert sorted(mixed.tolist()) == rows.tolist() and mixed.tolist() != rows.tolist()
    with pytest.raises(InvalidArgumentError, match="scalar"):
        tf.random.shuffle(1)


def test_global_seed() -> None:
    def draw() -> list[float]:
        return [float(tf.random.uniform([])), float(tf.random.normal([])), float(tf.random.uniform([], seed=3))]

    first, more = draw(), draw()
    tf.random.set_seed(12)
    assert draw() == first != more
    tf.random.set_seed(13)
    assert all(a != b for a, b in zip(draw(), first, strict=True))


def test_a_seed_of_its_own() -> None:
    """The sequence of a seed is not disturbed by other draws, and differs from that of other seeds."""
    alone = [float(tf.random.uniform([], seed=5)) for _ in range(3)]
    tf.random.set_seed(12)
    among = []
    for _ in range(3):
        tf.random.uniform([4])
        among.append(float(tf.random.uniform([], seed=5)))
    assert alone == among and len(set(alone)) == 3
    assert float(tf.random.uniform([], seed=-5)) not in alone


def test_a_seed_of_its_own_without_a_global_one() -> None:
    draws = []
    for _ in range(2):
        tf.random.set_seed(None)
        draws.append(float(tf.random.uniform([], seed=5)))
    assert draws[0] == draws[1]


def test_without_any_seed_the_numbers_differ() -> None:
    draws = set()
    for _ in range(3):
        tf.random.set_seed(None)
        draws.add(float(tf.random.uniform([], dtype=tf.float64)))
    assert len(draws) == 3


def test_each_run_of_a_graph_draws_again() -> None:
    graph = tf.Graph("g")
    n = graph.placeholder(tf.int32, [], "n")
    with graph.as_default():
        x = tf.random.uniform([n, 2])
        graph.outputs = [x, tf.random.uniform([n, 2])]
    assert x.shape == [None, 2] and x.op.stateful
    first, second = run_graph(graph, [3]), run_graph(graph, [3])
    assert first[0].shape == (3, 2)
    assert len({a.tobytes() for a in (*first, *second)}) == 4


def test_threads_draw_each_number_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: tf.random.uniform([50], dtype=tf.float64).numpy().tolist(), range(40)))
    numbers = [x for row in drawn for x in row]
    assert len(set(numbers)) == len(numbers) == 2000


STREAM = """
import sys
import threading
import runtime as tf
tf.random.set_seed(7)

def draw():
    return [*tf.random.uniform([3]).numpy().tolist(), *tf.random.normal([2], seed=4).numpy().tolist(),
            *tf.random.truncated_normal([2], 1.0, 2.0).numpy().tolist(),
            *tf.random.categorical([[0.0, 1.0]], 4, seed=4).numpy()[0].tolist(),
            *tf.random.shuffle(list(range(5))).numpy().tolist()]

found = []
if sys.argv[1] == "thread":
    thread = threading.Thread(target=lambda: found.extend(draw()))
    thread.start()
    thread.join()
elif sys.argv[1] == "graph":
    @tf.function
    def staged():
        return (tf.random.uniform([3]), tf.random.normal([2], seed=4), tf.random.truncated_normal([2], 1.0, 2.0),
                tf.random.categorical([[0.0, 1.0]], 4, seed=4)[0], tf.random.shuffle(list(range(5))))
    found = [x for part in staged() for x in part.numpy().tolist()]
else:
    found = draw()
print(found)
"""


def test_the_stream_of_a_seed_is_the_same_in_every_run_thread_and_graph(tmp_path: Path) -> None:
    """In processes of their own, with other hashes."""
    root = Path(__file__).resolve().parents[3]
    program = tmp_path / "stream.py"
    program.write_text(STREAM)
    printed = set()
    for number, mode in enumerate(("eager", "eager", "thread", "graph")):
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": str(number)}
        command = [sys.executable, str(program), mode]
        printed.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(printed) == 1 and printed.pop().count(",") == 15


def test_threads_with_seeds_of_their_own() -> None:
    """32 threads: what others draw at the same moment does not change what a seed gives."""
    alone = {s: [float(tf.random.normal([], seed=s)) for _ in range(20)] for s in range(32)}
    tf.random.set_seed(12)
    with ThreadPoolExecutor(32) as pool:
        among = dict(pool.map(lambda s: (s, [float(tf.random.normal([], seed=s)) for _ in range(20)]), range(32)))
    assert among == alone and len({row[0] for row in alone.values()}) == 32


def test_gradients_of_the_parameters() -> None:
    """A number is a function of the parameters of its distribution and of what was drawn."""
    mean, deviation, low, high = (tf.constant(v, tf.float64) for v in (1.0, [0.0, 2.0, 3.0], 1.0, 4.0))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([mean, deviation, low, high])
        normal = tf.random.normal([3], mean, deviation, tf.float64)
        uniform = tf.random.uniform([5], low, high, tf.float64)
    assert float(tape.gradient(normal, mean)) == 3
    drawn = tape.gradient(normal, deviation).numpy()
    np.testing.assert_allclose(normal.numpy(), 1 + drawn * [0, 2, 3])
    assert drawn[0] != 0
    share = (uniform.numpy() - 1) / 3
    np.testing.assert_allclose(float(tape.gradient(uniform, high)), share.sum())
    np.testing.assert_allclose(float(tape.gradient(uniform, low)), (1 - share).sum())


@pytest.mark.parametrize("seed", ["3", 1.5, [1, 2]])
def test_a_seed_is_an_integer(seed: object) -> None:
    tries = (
        lambda: tf.random.set_seed(seed), lambda: tf.random.uniform([2], seed=seed),
        lambda: tf.random.normal([2], seed=seed), lambda: tf.random.shuffle([1, 2], seed=seed),
        lambda: tf.random.Generator.from_seed(seed), lambda: tf.nn.dropout([1.0], 0.5, seed=seed),
    )  # fmt: skip
    for attempt in tries:
        with pytest.raises(TypeError, match="a seed is an integer"):
            attempt()
    with pytest.raises(TypeError, match="from_non_deterministic_state"):
        tf.random.Generator.from_seed(None)


def test_integers_of_all_kinds_are_one_seed() -> None:
    seen = []
    for seed in (5, np.int64(5), tf.constant(5)):
        tf.random.set_seed(seed)
        seen.append((float(tf.random.uniform([])), float(tf.random.normal([], seed=seed))))
    assert seen[0] == seen[1] == seen[2]
