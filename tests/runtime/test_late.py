"""What tracing needs is imported when it is first used; it is all there then, under the same names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import runtime
from runtime.late import LATE, MODULES

ROOT = Path(__file__).resolve().parents[2]


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_import_leaves_out_what_traces() -> None:
    loaded = run("import runtime, sys; print(*(m for m in sys.modules if '.' in m))").split()
    late = {"runtime.control_flow.stager", "runtime.engine.plan", "runtime.passes", "runtime.function.concrete"}
    late |= {"runtime.ndarrays.traced", "runtime.tensor.numpy_calls", "autograph.pipeline"}
    assert "runtime.function.decorator" in loaded
    assert not late & set(loaded)


def test_eager_work_needs_no_tracing() -> None:
    program = "import runtime, sys; print(float(runtime.constant(2.0) * 3), 'runtime.engine.plan' in sys.modules)"
    assert run(program).split() == ["6.0", "False"]


@pytest.mark.parametrize("name", sorted([*LATE, *MODULES]))
def test_late_names_are_public(name: str) -> None:
    assert name in runtime.__all__
    assert name in dir(runtime)


WAYS = ["found = getattr(runtime, name)", "exec(f'from runtime import {name} as found')"]


@pytest.mark.parametrize("way", WAYS)
def test_late_names_are_found_in_a_fresh_program(way: str) -> None:
    """Each is itself, and no late module is there before it is asked for."""
    program = f"""\
import runtime, sys
from runtime.late import LATE, MODULES
print(*(name for name in MODULES if "runtime." + name in sys.modules))
for name in [*LATE, *MODULES]:
    {way}
    assert found.__name__ in (name, "runtime." + name, "runtime.library." + name), (name, found)
"""
    assert run(program).strip() == ""


def test_modules_of_the_library_are_imported_by_their_public_names() -> None:
    """A statement gives the module that the attribute gives, and its specification stays its own."""
    program = """\
import importlib, runtime
from runtime.late import LIBRARY
from runtime.keras.layers import Dense
for name in sorted(LIBRARY):
    found = importlib.import_module(f"runtime.{name}")
    assert found is getattr(runtime, name) is importlib.import_module(f"runtime.library.{name}"), name
    assert found.__spec__.name == found.__name__ == f"runtime.library.{name}", name
print(Dense is runtime.layers.Dense)
"""
    assert run(program).strip() == "True"


def test_other_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="module 'runtime' has no attribute 'cnd'"):
        _ = runtime.cnd


def test_a_converted_function_finds_the_stager_of_a_graph_made_by_hand() -> None:
    program = """\
import autograph, runtime
from runtime.context import recording
from runtime.ops.flow.core import placeholder
graph = runtime.Graph("g")
with recording(graph):
    x = runtime.convert_to_tensor([1.0, 2.0])
    print(type(type(runtime.zeros([2]) + x).__ag_stager__).__name__)
"""
    assert run(program).strip() == "RuntimeStager"
