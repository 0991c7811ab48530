"""Models, under the names of Keras."""

from runtime.library.layers import Model, Sequential

__all__ = ["Model", "Sequential"]
