"""The names of `runtime.optimizers`."""

from runtime.library.optimizers import *  # noqa: F403
from runtime.library.optimizers import __all__ as __all__
