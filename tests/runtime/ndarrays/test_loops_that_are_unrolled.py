"""Loops over arrays whose bodies no loop of the graph can run: they are unrolled, where the array has few elements."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same


class Particle:
    def __init__(self, at: Any) -> None:
        self.at = at


def drawn(zs: Any) -> Any:
    generator, total = random.Random(1), 0.0
    for z in zs:
        total += z * generator.random()
    return total


def resampled(zs: Any) -> Any:
    generator = np.random.default_rng(5)
    particles, weights, means = generator.normal(size=20), np.ones(20) / 20, []
    for z in zs:
        particles += 0.1 * generator.normal(size=20)
        weights *= np.exp(-0.5 * (z - particles) ** 2)
        weights /= weights.sum()
        if 1.0 / np.sum(weights**2) < 10:
            places = np.searchsorted(np.cumsum(weights), (np.arange(20) + 0.5) / 20)
            particles[:] = particles[np.minimum(places, 19)]
            weights.fill(1.0 / 20)
        means.append(np.sum(particles * weights))
    return np.array(means), particles, weights


def different_kinds(zs: Any) -> Any:
    out = []
    for i, z in enumerate(zs):
        out.append({"i": i, "z": z} if i % 2 else z)
    return out


def objects(zs: Any) -> Any:
    made = []
    for z in zs:
        made.append(Particle(z))
    return sum(p.at for p in made), len(made)


def objects_in_a_comprehension(zs: Any) -> Any:
    made = [Particle(z) for z in zs]
    for z, particle in zip(zs, made, strict=True):
        particle.at *= z
    return [p.at for p in made]


def objects_in_a_dict(zs: Any) -> Any:
    made: dict[int, Particle] = {}
    for z, w in zip(zs, zs[::-1], strict=True):
        made[len(made)] = Particle(z * w)
    return [p.at for p in made.values()]


def rows_of_rows(zs: Any) -> Any:
    made = []
    for row in np.stack([zs, zs + 1]):
        for z in row:
            made.append(Particle(z))
    return len(made), made[-1].at


def elements_that_change(zs: Any) -> Any:
    generator = random.Random(3)
    for i, z in enumerate(zs):
        if i + 1 < len(zs):
            zs[i + 1] += z * generator.random()
    return zs


PROGRAMS = [
    drawn, resampled, different_kinds, objects, objects_in_a_comprehension, objects_in_a_dict, rows_of_rows,
    elements_that_change,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_the_same_as_numpy(program: Callable[[Any], Any]) -> None:
    assert_same(program, np.array([1.0, 2.0, -3.0, 0.5]))


def test_what_can_be_one_loop_of_the_graph_is() -> None:
    @tf.function
    def total(zs: Any) -> Any:
        s = 0.0
        for z in zs:
            s += z * z
        return s

    assert total(np.arange(5.0)).numpy() == 30.0
    types = [op.type for op in total.get_concrete_function(np.arange(5.0)).graph.get_operations()]
    assert types.count("while") == 1 and "multiply" not in types


def test_many_elements_are_refused_in_the_words_of_the_loop() -> None:
    with pytest.raises(StagingError, match="generator .* is changed inside the body of a loop"):
        tf.function(drawn)(np.arange(1000.0))


def test_tensors_are_for_loops_of_the_graph() -> None:
    with pytest.raises(StagingError, match="generator .* is changed inside the body of a loop"):
        tf.function(drawn)(tf.constant([1.0, 2.0]))
