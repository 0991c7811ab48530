"""`runtime.types`: the types that signatures and trace protocols speak of; all are in `runtime.types.experimental`."""

from runtime.library.types import experimental

__all__ = ["experimental"]
