"""The names of `runtime.layers.activations`."""

from runtime.library.layers.activations import *  # noqa: F403
from runtime.library.layers.activations import __all__ as __all__
