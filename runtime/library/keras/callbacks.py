"""The names of `runtime.layers.callbacks`."""

from runtime.library.layers.callbacks import *  # noqa: F403
from runtime.library.layers.callbacks import __all__ as __all__
