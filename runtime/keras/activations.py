"""The names of `runtime.layers.activations`."""

from runtime.layers.activations import *  # noqa: F403
from runtime.layers.activations import __all__ as __all__
