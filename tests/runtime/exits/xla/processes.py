"""Programs in processes of their own, whose CPU counts as several devices: that is settled when JAX starts.

    found(start("import jax; print('found', len(jax.devices()))", 8))       # 8
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[4]


def start(program: str, devices: int, *arguments: Any) -> subprocess.Popen[str]:
    flags = f"--xla_force_host_platform_device_count={devices}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def found(process: subprocess.Popen[str]) -> Any:
    """What the program has printed behind "found"."""
    try:
        out, errors = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    return ast.literal_eval(next(line for line in out.splitlines() if line.startswith("found")).partition(" ")[2])
