"""What the tests of saved models share: a round trip, and a model of the kinds of things that are saved.

    loaded = round_trip(directory, step=step, weights=weights)      # an object with these attributes, saved and loaded
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np

import runtime as tf
from runtime.function.concrete import ConcreteFunction
from runtime.function.guards import Guards
from runtime.function.loaded import stand_in
from runtime.function.signature import Signature
from runtime.function.trace_types import encode
from runtime.function.tracing import Trace
from runtime.graph.graph import Graph

FILE = "saved_model.safetensors"


def holder(**attributes: Any) -> tf.Module:
    module = tf.Module()
    vars(module).update(attributes)
    return module


def round_trip(directory: Path, **attributes: Any) -> Any:
    tf.saved_model.save(holder(**attributes), directory)
    return tf.saved_model.load(directory)


def file_of(directory: Path) -> str:
    return os.path.join(directory, FILE)


def trace_of(graph: Graph) -> ConcreteFunction:
    """A graph that was made by hand as the trace of a function with an argument for each of its inputs."""
    arguments = {f"a{i}": tensor for i, tensor in enumerate(graph.inputs)}
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in arguments]
    signature = Signature(stand_in(graph.name, inspect.Signature(parameters)), False, None)
    trace = Trace(graph, list(graph.outputs), arguments)
    return ConcreteFunction(graph.name, signature, trace, Guards((), {}), encode(arguments)[0])


class Model(tf.Module):
    """State, branches, loops, recursion, constants, `try`, several traces and a signature."""

    def __init__(self) -> None:
        super().__init__(name="model")
        self.w = tf.Variable([1.0, 2.0, 3.0], name="w")
        self.parts = [tf.Variable(2, trainable=False, name="count"), {"deep": (tf.Variable("text"), 1.5)}]
        self.table = tf.constant(np.arange(80, dtype=np.float32))
        self.size = 3

    @tf.function
    def step(self, x: Any, times: int = 2) -> Any:
        def power(n: Any) -> Any:
            if n <= 0:
                return tf.constant(1.0)
            return power(n - 1) * 2.0

        for _ in range(times):
            if tf.reduce_sum(x) > 0:
                x = x * self.w
            else:
                x = x + 1
        try:
            share = 10 // tf.cast(x[0], tf.int32)
        except ZeroDivisionError:
            share = -1
        assert x[0] < 1000.0, "too large"
        self.parts[0].assign_add(1)
        return x, {"share": share, "sum": tf.reduce_sum(self.table)}, power(tf.constant(3))

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def __call__(self, x: Any) -> Any:
        return x @ tf.reshape(self.w, [3, 1])
