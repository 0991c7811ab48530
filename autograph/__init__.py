"""AutoGraph: Python functions with `if`, `while` and `for` become functions whose control flow can be staged."""

from __future__ import annotations
