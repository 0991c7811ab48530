"""The names of `runtime.layers.regularizers`."""

from runtime.library.layers.regularizers import *  # noqa: F403
from runtime.library.layers.regularizers import __all__ as __all__
