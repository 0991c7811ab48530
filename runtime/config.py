"""Settings that hold for the whole process.

runtime.config.run_functions_eagerly(True)      # functions run as plain Python: pdb and print see values
"""

from __future__ import annotations

__all__ = ["functions_run_eagerly", "run_functions_eagerly"]

_eagerly = False


def run_functions_eagerly(run_eagerly: bool) -> None:
    """True: each Function calls its Python function directly, with values. Traces that exist are kept for later."""
    global _eagerly
    if not isinstance(run_eagerly, bool):
        raise TypeError(f"run_functions_eagerly takes True or False; got {run_eagerly!r}")
    _eagerly = run_eagerly


def functions_run_eagerly() -> bool:
    """Whether Functions run as plain Python."""
    return _eagerly
