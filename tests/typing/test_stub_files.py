"""The stubs are what the records say, and their names are those of the modules."""

from __future__ import annotations

import ast
import importlib

import pytest

import runtime
from docs.stub_files import NAMESPACES, path_of, stub


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_stubs_are_made_from_the_records(namespace: str) -> None:
    assert path_of(namespace).read_text(encoding="utf-8") == stub(namespace), "run: python docs/stub_files.py"


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_a_stub_has_each_public_name(namespace: str) -> None:
    found = set()
    for node in ast.parse(path_of(namespace).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname for alias in node.names if alias.asname}
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    public = {*importlib.import_module(namespace).__all__}
    assert {name for name in found if not name.startswith("_") or name in public} == public


def test_dir_shows_public_names_only() -> None:
    assert dir(runtime) == sorted(runtime.__all__)
