"""The names of `runtime.layers.callbacks`."""

from runtime.layers.callbacks import *  # noqa: F403
from runtime.layers.callbacks import __all__ as __all__
