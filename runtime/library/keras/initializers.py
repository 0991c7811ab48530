"""The names of `runtime.layers.initializers`."""

from runtime.library.layers.initializers import *  # noqa: F403
from runtime.library.layers.initializers import __all__ as __all__
