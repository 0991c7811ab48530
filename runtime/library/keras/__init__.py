"""`runtime.keras`: the parts of training under the names that programs for TensorFlow know them by.

    model = runtime.keras.Sequential([runtime.keras.layers.Dense(3)])

They are those of `runtime.layers`, `runtime.losses`, `runtime.metrics` and `runtime.optimizers`; see docs/training.md.
"""

from __future__ import annotations

from runtime.library.keras import (
    activations,
    backend,
    callbacks,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    regularizers,
    utils,
)
from runtime.library.layers import Input, Model, Sequential
from runtime.names.elsewhere import explain

__all__ = [
    "Input", "Model", "Sequential", "activations", "backend", "callbacks", "initializers", "layers", "losses",
    "metrics", "models", "optimizers", "regularizers", "utils",
]  # fmt: skip

explain(__name__, *(f"{__name__}.{name}" for name in __all__ if name.islower()))
