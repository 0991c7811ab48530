"""Makes a virtual environment with TensorFlow, JAX and Dask, and says how the tests against them are run in it.

    $ python -m tests.peers.environment .peers
    $ .peers/bin/python -m pytest -n auto tests/peers tests/runtime/exits/xla tests/runtime/exits/dask

It takes two minutes or more, and about 2 GB. TensorFlow has no packages for the newest Pythons: call it with one that
it has.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def make(folder: Path) -> Path:
    """The Python of a new environment in the folder, which holds this project and its extras `peers` and `test`."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--editable", f"{ROOT}[peers,test]"], check=True)
    return python


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".peers").resolve()
    print(f"{make(target)} -m pytest -n auto tests/peers tests/runtime/exits/xla tests/runtime/exits/dask")
