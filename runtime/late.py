"""What is imported when it is first used: the modules that trace, compile and run graphs, about half of the package.

    runtime.cond                        # imports runtime.control_flow.functions, then
    symbolic.__ag_stager__              # the first converted statement on a symbolic tensor imports the stager

A program that only defines functions, or only works eagerly, starts faster by that.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from runtime.elsewhere import Unknown
from runtime.function import pickling
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["LATE", "MODULES", "PLACES", "late_name"]

LATE: Final = {
    "ConcreteFunction": "runtime.function.concrete",
    "GradientTape": "runtime.autodiff.tape",
    "RaggedTensor": "runtime.composite.ragged_tensor",
    "RaggedTensorSpec": "runtime.composite.ragged_spec",
    "SparseTensor": "runtime.composite.sparse_tensor",
    "SparseTensorSpec": "runtime.composite.sparse_tensor",
    "UnconnectedGradients": "runtime.autodiff.tape",
    "broadcast_dynamic_shape": "runtime.places",
    "broadcast_static_shape": "runtime.places",
    "case": "runtime.control_flow.functions",
    "clip_by_global_norm": "runtime.clipping",
    "clip_by_norm": "runtime.clipping",
    "complex": "runtime.ops.complex_numbers:complex_",
    "cond": "runtime.control_flow.functions",
    "custom_gradient": "runtime.autodiff.custom",
    "ensure_shape": "runtime.places",
    "foldl": "runtime.control_flow.loops.folds",
    "foldr": "runtime.control_flow.loops.folds",
    "gather_nd": "runtime.places",
    "gradients": "runtime.autodiff.graph_gradients",
    "histogram_fixed_width": "runtime.tallies",
    "load_onnx": "runtime.exits.onnx.loading",
    "map_fn": "runtime.control_flow.loops.folds",
    "meshgrid": "runtime.places",
    "progress": "runtime.progress_bar",
    "recompute_grad": "runtime.autodiff.custom",
    "register_tensor_conversion_function": "runtime.tensor.conversions",
    "repeat": "runtime.places",
    "scan": "runtime.control_flow.loops.folds",
    "scatter_nd": "runtime.places",
    "searchsorted": "runtime.places",
    "sequence_mask": "runtime.places",
    "shape_n": "runtime.places",
    "slice": "runtime.places",
    "strided_slice": "runtime.places",
    "switch_case": "runtime.control_flow.functions",
    "tensor_scatter_nd_add": "runtime.ops.scatter",
    "tensor_scatter_nd_max": "runtime.ops.scatter",
    "tensor_scatter_nd_min": "runtime.ops.scatter",
    "tensor_scatter_nd_sub": "runtime.ops.scatter",
    "tensor_scatter_nd_update": "runtime.ops.scatter",
    "to_jax": "runtime.exits.xla.pure",
    "type_spec_from_value": "runtime.type_specs",
    "unique": "runtime.places",
    "unique_with_counts": "runtime.places",
    "vectorized_map": "runtime.vectorized",
    "while_loop": "runtime.control_flow.functions",
}
"""Public names of the package, and where they are: a module, or module:name where the name there is another one."""

MODULES: Final = frozenset(
    {
        "autodiff", "data", "distribute", "experimental", "export", "image", "io", "keras", "layers", "linalg",
        "losses", "math", "metrics", "nn", "numpy", "optimizers", "profiler", "ragged", "random", "saved_model",
        "sets", "signal", "sparse", "strings", "summary", "test", "train",
    }
)  # fmt: skip
"""Modules of the package that a program may name without having imported them."""

PLACES: Final = {"image": "runtime.library.image"}
"""Where those of them are that are not at the top."""


def late_name(name: str) -> Any:
    """The value of a public name that is imported late. Raises AttributeError for all others."""
    if name in MODULES:
        return importlib.import_module(PLACES.get(name, f"runtime.{name}"))
    if name not in LATE:
        raise Unknown("runtime", name)
    module, _, attribute = LATE[name].partition(":")
    return getattr(importlib.import_module(module), attribute or name)


class _LateStager:
    """Stands for the stager in the class of symbolic tensors, where the module of the stager puts it."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        return importlib.import_module("runtime.control_flow.stager").STAGER


SymbolicTensor.__ag_stager__ = _LateStager()


def _by_graph(value: Any) -> Any:
    """What writes Functions and traces as pickles."""
    return importlib.import_module("runtime.io.pickled").by_graph(value)


pickling.by_graph = _by_graph
