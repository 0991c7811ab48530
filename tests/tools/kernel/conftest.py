"""Without ipykernel and nbclient, which the extra `test` does not have, there is no kernel to run notebooks in."""

from __future__ import annotations

import importlib.util

collect_ignore_glob = [] if all(map(importlib.util.find_spec, ("ipykernel", "nbclient"))) else ["test_*.py"]
