"""What another thread does at any line of a call or a setting: it drops traces, converts the same, sets rules."""

from __future__ import annotations

import itertools
import sys

import pytest

import autograph
import runtime as tf
from runtime import config
from runtime.function.quick_calls import OFTEN
from tests.runtime.other_threads import at_each_line

WAYS = ("runtime/function/function.py", "runtime/function/cache.py", "runtime/function/quick_calls.py")


def trace(f, x):
    f.get_concrete_function(x)


def call_often(f, x):
    for _ in range(OFTEN):
        f(x)


@pytest.mark.parametrize("before", [trace, call_often])
def test_no_call_keeps_traces_that_are_dropped_meanwhile(before):
    traced = []

    @tf.function
    def f(x):
        traced.append(1)
        return x + 1

    x = tf.constant(1)
    for line in itertools.count(1):
        f.cache_clear()
        before(f, x)

        def drop():
            f.cache_clear()
            return len(traced)

        with at_each_line(drop, WAYS, only=line) as found:
            f(x)
        if not found:
            break
        f(x)
        assert len(traced) > found[0], line
    assert line > 3


def is_converted():
    return sys._getframe(0).f_code is not is_converted.__code__


def test_rules_that_are_set_while_it_is_decided_what_to_do_with_a_function():
    outer = autograph.to_graph(lambda: is_converted())
    try:
        for line in itertools.count(1):
            autograph.set_conversion_rules()
            with at_each_line(
                lambda: autograph.set_conversion_rules(exclude=is_converted), ("operators/call.py",), only=line
            ) as found:
                outer()
            if not found:
                break
            assert not outer(), line
    finally:
        autograph.set_conversion_rules()
    assert line > 3 and outer()


def test_a_function_that_is_converted_by_two_threads_at_once():
    for line in itertools.count(1):

        def f(x):
            return x + 1

        with at_each_line(lambda: autograph.to_graph(f), ("autograph/api.py",), only=line) as found:
            made = autograph.to_graph(f)
        if not found:
            break
        assert found[0] is made is autograph.to_graph(f), line
    assert line > 3


@pytest.mark.parametrize(
    "on, off",
    [
        (tf.debugging.enable_check_numerics, tf.debugging.disable_check_numerics),
        (tf.debugging.disable_check_numerics, tf.debugging.enable_check_numerics),
    ],
)
def test_checks_of_numerics_that_are_set_by_two_threads_at_once(on, off):
    log = tf.function(tf.math.log)
    nothing = tf.constant(-1.0)

    def checks(call):
        try:
            call(nothing)
        except tf.errors.InvalidArgumentError:
            return True
        return False

    try:
        for line in itertools.count(1):
            off()
            with at_each_line(off, ("runtime/engine/numerics.py", "runtime/config.py"), only=line) as found:
                on()
            assert checks(log) == checks(tf.math.log), line
            if not found:
                break
    finally:
        tf.debugging.disable_check_numerics()
    assert line > 3


def test_watchers_of_calls_that_two_threads_add_at_once():
    watched = [lambda concrete, run: run, lambda concrete, run: run]
    for line in itertools.count(1):
        with at_each_line(lambda: config.watch_calls(watched[1]), ("runtime/config.py",), only=line) as found:
            config.watch_calls(watched[0])
        known = config.watchers
        for watcher in watched:
            config.watch_calls(watcher, ended=True)
        if not found:
            break
        assert set(watched) <= set(known), line
    assert line > 3
