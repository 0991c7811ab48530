"""`saved_model.save`: objects, the traces of their Functions and the values of their Variables in one file.

    write_model(module, "models/1/saved_model.safetensors", {"serving_default": trace})

Everything is described before anything is written, so what cannot be saved leaves no trace on the disk.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from runtime.checkpoint.container import write_container
from runtime.checkpoint.json_text import written
from runtime.function.concrete import ConcreteFunction
from runtime.ops.records.record import Array
from runtime.saved_model.loading import FORMAT, MODEL, VERSION
from runtime.saved_model.objects import Tree

__all__ = ["arrays_of", "write_model"]


def write_model(tree: Tree, path: str, served: Mapping[str, ConcreteFunction]) -> None:
    """Writes the file. Raises NotSavable, and what `write_container` raises."""
    tree.describe()
    write_container(path, arrays_of(tree, served), {"format": FORMAT, "version": VERSION})


def arrays_of(tree: Tree, served: Mapping[str, ConcreteFunction]) -> dict[str, Array]:
    """The arrays of a tree that has been described, and one that holds the description."""
    model = {
        "graphs": tree.graphs,
        "objects": tree.nodes,
        "served": [[name, tree.trace(trace)] for name, trace in served.items()],
        "signatures": tree.signatures,
        "traces": tree.traces,
    }
    return {**tree.arrays, MODEL: np.frombuffer(written(model).encode(), np.uint8)}
