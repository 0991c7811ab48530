"""Every record says what its gradient is: a rule, the reason why there is none, or dtypes that cannot have one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import runtime.autodiff
import runtime.ops
from runtime.autodiff.rules import STRUCTURED
from runtime.dtypes import ALL, COMPLEX, FLOATS, DType
from runtime.ops.records.families import LATE_FAMILIES, load_all
from runtime.ops.records.record import REQUIRED, Op, Operand
from runtime.shapes import TensorShape
from tests.every_case import every_case

REGISTRY = load_all()
for module in pkgutil.iter_modules(runtime.autodiff.__path__):  # the rules of control flow and calls
    importlib.import_module(f"runtime.autodiff.{module.name}")

NUMBERS = FLOATS | COMPLEX
ROOT = Path(__file__).resolve().parents[2]

WITHOUT_RESULTS = {"check", "check_finite", "dataset", "print", "reraise", "raise"}
"""Effects, and the handles of datasets: nothing comes back that could depend smoothly on the operands."""

INTEGERS = {"random_categorical", "stateless_categorical"}
"""Their results are classes, integers of a dtype that an attribute names; they have no samples to tell."""

every_op = every_case(sorted(REGISTRY.values(), key=lambda op: op.name), ids=lambda op: op.name)


def takes_numbers(op: Op) -> bool:
    """Whether an operand may be of floats or complex numbers."""
    return any(NUMBERS & group.allowed for group in op.groups)


def gives_numbers(op: Op) -> bool:
    """Whether a result may be of floats or complex numbers where an operand is."""
    if op.result is None:
        return True
    if isinstance(op.result, DType):
        return op.result in NUMBERS
    return any(d in NUMBERS for dtype in ALL if dtype in op.groups[0].allowed for d in result_dtypes(op, dtype))


def result_dtypes(op: Op, dtype: DType) -> tuple[DType, ...]:
    """What the rule says; for operands of its samples' dtypes where it has samples."""
    if op.samples is None:
        return tuple(NUMBERS)
    for sample in op.samples(dtype):
        operands = [Operand(as_dtype(o), TensorShape(getattr(o, "shape", ()))) for o in sample.operands]
        given = {k: v for k, v in op.attributes.items() if v is not REQUIRED}
        return op.result_dtypes(operands, {**given, **sample.attributes})
    return ()


def as_dtype(array: Any) -> DType:
    return runtime.constant(np.asarray(array)).dtype


@every_op
def test_each_record_says_what_its_gradient_is(op: Op) -> None:
    said = op.rule is not None or op.no_gradient is not None or op in STRUCTURED
    if said or op.name in WITHOUT_RESULTS | INTEGERS:
        return
    assert not (takes_numbers(op) and gives_numbers(op)), f"{op.name} has floats in and out, and no gradient rule"


@every_op
def test_a_rule_asks_for_what_there_is(op: Op) -> None:
    """Its parameters are names of operands and attributes, upstream, result and needed."""
    if op.rule is not None:
        known = {*op.tensors, op.variadic, *op.attributes, "upstream", "result", "needed"}
        assert set(inspect.signature(op.rule).parameters) <= known


@every_op
def test_a_reason_is_a_reason(op: Op) -> None:
    assert op.no_gradient is None or len(op.no_gradient.split()) > 2


def test_the_table_of_families_is_right() -> None:
    """What a fresh `import runtime.ops` does not bring stands in one late family, and there it is."""
    program = "import runtime.ops; from runtime.ops.records.record import REGISTRY; print(*REGISTRY)"
    at_once = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    late = sorted(name for names in LATE_FAMILIES.values() for name in names)
    ours = [op.name for op in REGISTRY.values() if op.__module__.startswith("runtime.ops.")]
    assert late == sorted(set(ours) - set(at_once.stdout.split()))
