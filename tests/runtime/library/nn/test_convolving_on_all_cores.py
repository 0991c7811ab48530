"""Convolutions that are large enough to be shared out among cores: the same numbers, and numpy keeps its threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

import runtime as tf
from runtime.ops.kernels.cores import on_all_cores

RNG = np.random.default_rng(5)
IMAGES = RNG.normal(size=(2, 60, 50, 48))
FILTERS = RNG.normal(size=(3, 3, 48, 64))


def threads() -> list[int]:
    return [library["num_threads"] for library in ThreadpoolController().info()]


@pytest.fixture(autouse=True)
def _threads_are_given_back():
    """On a machine of one core, or where it is so configured, two threads are asked for all the same."""
    library = ThreadpoolController()
    with library.limit(limits=2):
        before = threads()
        yield
        assert threads() == before


def convolved(images: Any, filters: Any) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), (1, 2))
    return np.einsum("nhwcij,ijcf->nhwf", windows, filters, optimize=True)


WANTED = convolved(IMAGES, FILTERS)


@pytest.mark.parametrize("images", [IMAGES, IMAGES[:, ::-1], IMAGES[1:]], ids=["images", "upside down", "one image"])
def test_the_same_numbers(images):
    wanted = convolved(images, FILTERS)
    found = tf.nn.conv2d(images, FILTERS, 1, "VALID").numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)
    single = tf.nn.conv2d(images.astype(np.float32), FILTERS.astype(np.float32), 1, "VALID").numpy()
    np.testing.assert_allclose(single, wanted, rtol=1e-4, atol=1e-4)


def test_groups_and_strides():
    filters = RNG.normal(size=(3, 3, 24, 128))
    found = tf.nn.conv2d(np.tile(IMAGES, (1, 2, 2, 1)), filters, 2, "SAME").numpy()
    images = np.pad(np.tile(IMAGES, (1, 2, 2, 1)), ((0, 0), (0, 1), (0, 1), (0, 0)))
    for group in (0, 1):
        part = convolved(images[..., group * 24 : (group + 1) * 24], filters[..., group * 64 : (group + 1) * 64])
        np.testing.assert_allclose(found[..., group * 64 : (group + 1) * 64], part[:, ::2, ::2], rtol=1e-9, atol=1e-9)


def test_infinite_numbers_give_what_they_give_in_one_thread(recwarn):
    images = IMAGES.copy()
    images[0, 5, 5, 0], images[0, 5, 6, 0] = np.inf, -np.inf
    found = tf.nn.conv2d(images, FILTERS, 1, "VALID").numpy()
    assert not np.isfinite(found[0, 4, 5]).any() and np.isnan(found[0, 4, 5]).any()
    assert np.isfinite(found[1]).all()
    assert not recwarn


def test_convolutions_in_several_threads_at_once():
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: tf.nn.conv2d(IMAGES, FILTERS, 1, "VALID").numpy(), range(8)):
            np.testing.assert_allclose(found, WANTED, rtol=1e-10, atol=1e-10)


def test_every_part_is_done_once():
    done: list[int] = []
    on_all_cores(done.extend, list(range(101)))
    assert sorted(done) == list(range(101))


@pytest.mark.parametrize("bad", [0, 100])
def test_an_error_of_any_share_is_raised_when_all_have_ended(bad):
    done: list[int] = []

    def work(parts: Any) -> None:
        if bad in parts:
            raise ArithmeticError(bad)
        done.extend(parts)

    with pytest.raises(ArithmeticError, match=str(bad)):
        on_all_cores(work, list(range(101)))
    assert len(done) in (50, 51)
