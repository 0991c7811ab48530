"""The names of `runtime.layers.initializers`."""

from runtime.layers.initializers import *  # noqa: F403
from runtime.layers.initializers import __all__ as __all__
