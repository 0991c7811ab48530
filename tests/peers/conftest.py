"""Without TensorFlow there is nothing to compare with, nor without JAX; then their tests are not collected."""

from __future__ import annotations

import importlib.util
import os
import warnings

PEERS = {"tensorflow": "test_tensorflow_*.py", "jax": "test_jax_*.py"}
"""The package, and which tests need it."""

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
collect_ignore_glob = [tests for package, tests in PEERS.items() if not importlib.util.find_spec(package)]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what others' packages deprecate among themselves
    for package, tests in PEERS.items():
        if tests not in collect_ignore_glob:
            importlib.import_module(package)
