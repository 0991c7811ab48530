"""The names of `runtime.losses`."""

from runtime.losses import *  # noqa: F403
from runtime.losses import __all__ as __all__
