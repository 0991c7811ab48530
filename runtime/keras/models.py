"""Models, under the names of Keras."""

from runtime.layers import Model, Sequential

__all__ = ["Model", "Sequential"]
