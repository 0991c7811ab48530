"""The names of `runtime.metrics`."""

from runtime.library.metrics import *  # noqa: F403
from runtime.library.metrics import __all__ as __all__
