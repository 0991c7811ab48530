"""The names of `runtime.metrics`."""

from runtime.metrics import *  # noqa: F403
from runtime.metrics import __all__ as __all__
