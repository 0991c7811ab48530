"""Without TensorFlow there is nothing to compare with, and nothing is collected."""

from __future__ import annotations

import importlib.util
import os
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
collect_ignore_glob = [] if importlib.util.find_spec("tensorflow") else ["test_*.py"]
if not collect_ignore_glob:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what others' packages deprecate among themselves
        importlib.import_module("tensorflow")
