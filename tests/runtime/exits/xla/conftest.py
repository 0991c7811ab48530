"""Without JAX, which the extra `test` does not have, there is nothing to run; then these tests are not collected."""

from __future__ import annotations

import importlib.util
import os
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
collect_ignore_glob = [] if importlib.util.find_spec("jax") else ["*.py"]
if not collect_ignore_glob:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what JAX deprecates of its own
        importlib.import_module("jax")
