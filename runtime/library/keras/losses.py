"""The names of `runtime.losses`."""

from runtime.library.losses import *  # noqa: F403
from runtime.library.losses import __all__ as __all__
