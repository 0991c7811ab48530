"""`python -m runtime --info`, which reports of defects should hold."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import requires

import pytest

from runtime.__main__ import main
from runtime.library.about import _EXTRAS, about


def test_it_names_the_versions_and_the_machine() -> None:
    lines = about().splitlines()
    version = ".".join(map(str, sys.version_info[:3]))
    assert lines[0].startswith("autograph-runtime 0.") and f" {version} on " in lines[1]
    assert any(line.startswith("  native: llvmlite ") for line in lines)


def test_every_extra_of_users_is_named() -> None:
    needed = [line for line in requires("autograph-runtime") or () if "extra ==" in line]
    extras = {line.rpartition("==")[2].strip().strip("\"'") for line in needed}
    assert extras - set(_EXTRAS) <= {"test", "dev", "docs", "peers", "pyright"}


@pytest.mark.parametrize(("option", "begin"), [("--version", "0."), ("--info", "autograph-runtime 0.")])
def test_the_command_line(option: str, begin: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option])
    assert ended.value.code == 0 and capsys.readouterr().out.startswith(begin)


def test_nothing_is_imported_to_find_out() -> None:
    program = "import runtime.library.about as a, sys; a.about(); print(*{'llvmlite', 'onnx'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
