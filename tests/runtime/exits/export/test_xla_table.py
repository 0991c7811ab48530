"""What is said of records and XLA holds without JAX, too: each has a rule or a reason, and the extra is named."""

from __future__ import annotations

import importlib
import sys

import pytest

import runtime as tf
from runtime.backend_names import is_there
from runtime.exits.rules import EXPANSIONS
from runtime.exits.xla.lowering import reason_of
from runtime.exits.xla.rules import CONTROL, DIRECT, FAILURES, RULES
from runtime.ops.flow.core import placeholder
from runtime.ops.records.families import load_all
from runtime.ops.records.raises import OF_SHAPES
from runtime.ops.records.record import Op
from tests.every_case import every_case
from tests.runtime.exits.export.test_records import is_counted

RECORDS = sorted(load_all().values(), key=lambda op: op.name)


def has_rule(op: Op) -> bool:
    return op in RULES or op in EXPANSIONS or op in CONTROL or op is placeholder


@every_case(RECORDS, ids=lambda op: op.name)
def test_a_record_has_a_rule_or_a_reason(op: Op) -> None:
    assert bool(reason_of(op)) or has_rule(op)


def test_how_many_leave() -> None:
    counted = [op for op in RECORDS if is_counted(op)]
    assert sum(not reason_of(op) for op in counted) >= 0.9 * len(counted)


@every_case([op for op in RECORDS if not reason_of(op) and op not in CONTROL], ids=lambda op: op.name)
def test_what_raises_for_values_says_so(op: Op) -> None:
    """More than shapes, which are known before: an engine that knew nothing of it would go on with some number."""
    kinds = () if op.raises is None else op.raises.kinds
    assert op in FAILURES or all(kind in OF_SHAPES for kind in kinds)


@pytest.mark.parametrize("path", sorted({"jax." + name for name in DIRECT.values() if "." in name}))
def test_functions_are_named_by_module_and_name(path: str) -> None:
    assert all(part.isidentifier() for part in path.split("."))


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    is_there.cache_clear()
    try:
        with pytest.raises(ImportError, match=r"autograph-runtime\[jax\]"):
            tf.function(lambda x: x, backend="jax")
    finally:
        is_there.cache_clear()
