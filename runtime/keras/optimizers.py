"""The names of `runtime.optimizers`."""

from runtime.optimizers import *  # noqa: F403
from runtime.optimizers import __all__ as __all__
