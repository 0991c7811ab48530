"""Models, under the names of Keras."""

from runtime.library.layers import Model, Sequential, clone_model

__all__ = ["Model", "Sequential", "clone_model"]
