"""The names of `runtime.layers`."""

from runtime.layers import *  # noqa: F403
from runtime.layers import __all__ as __all__
