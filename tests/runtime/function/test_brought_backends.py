"""Engines that other packages bring, as entry points of the group `runtime.backends`."""

import importlib.metadata
import sys
import textwrap

import pytest

import runtime as tf
from runtime import backends

MODULE = """
    from runtime.engine.plan import NumpyBackend

    class Counting(NumpyBackend):
        compiled = 0

        def compile(self, graph, whole=False):
            Counting.compiled += 1
            return super().compile(graph, whole)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package that brings the engine "counting"; its module."""
    (tmp_path / "counting_engine.py").write_text(textwrap.dedent(MODULE))
    about = tmp_path / "counting_engine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting-engine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[runtime.backends]\ncounting = counting_engine:Counting\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "counting_engine", raising=False)
    yield importlib.import_module("counting_engine")
    backends.backend_named.cache_clear()


def test_a_function_runs_on_it(package):
    staged = tf.function(lambda x: x * 2 + 1, backend="counting")
    assert package.Counting.compiled == 0
    assert int(staged(tf.constant(4))) == 9
    assert package.Counting.compiled == 1


def test_the_setting_takes_its_name(package):
    with tf.config.backend("counting"):
        assert int(tf.function(lambda x: x - 1)(tf.constant(4))) == 3
    assert package.Counting.compiled == 1


def test_the_nearest_name(package):
    with pytest.raises(ValueError, match="no backend 'countign'; did you mean 'counting'"):
        tf.function(lambda x: x, backend="countign")
    with pytest.raises(ValueError, match="there are .*'numpy', 'counting'"):
        tf.function(lambda x: x, backend="xyz")


def test_our_own_names_are_looked_up_nowhere(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: pytest.fail("looked at what is installed"))
    assert int(tf.function(lambda x: x + 3, backend="interpreter")(tf.constant(4))) == 7
