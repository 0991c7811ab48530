"""The names of `runtime.layers`."""

from runtime.library.layers import *  # noqa: F403
from runtime.library.layers import __all__ as __all__
