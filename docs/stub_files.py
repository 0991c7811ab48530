"""Makes the stub files of the namespaces of operations from the records, for type checkers and editors.

    $ python docs/stub_files.py    # writes runtime/__init__.pyi and its like; a test tells whether they are up to date

What an operation takes and gives is said by its record, which checkers cannot read; and a name that is imported when it
is first used is given by a module's `__getattr__`, so that to a checker every name is there. A stub has the names of
`__all__` and no others: those of operations as functions, the others from where the module has them.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runtime.ops.records.record import Op

ROOT = Path(__file__).resolve().parent.parent

NAMESPACES: Final = (
    "runtime", "runtime.library.bitwise", "runtime.library.linalg", "runtime.library.math", "runtime.library.nn",
    "runtime.library.strings",
)  # fmt: skip
"""The modules in which operations are public."""

HEAD: Final = '''\
# Made by docs/stub_files.py from the records in runtime/ops: change those, then run it again.

from builtins import bool as _bool
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import overload as _overload

import numpy as _np

from runtime.composite.ragged_tensor import RaggedTensor as _RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor as _SparseTensor
from runtime.dtypes import DType as _DType
from runtime.tensor.tensor import Tensor as _Tensor
from runtime.tensor.tensor_like import TensorLike as _TensorLike

_AxesLike: _TypeAlias = _SupportsIndex | _Sequence[_SupportsIndex] | None
_DTypeLike: _TypeAlias = _DType | str | type[_Any] | _np.dtype[_Any]
'''

KINDS: Final = {
    "Axes": "_AxesLike",
    "DType": "_DTypeLike",
    "DType | None": "_DTypeLike | None",
    "bool": "_bool",
    "float": "float",
    "int": "_SupportsIndex",
    "int | None": "_SupportsIndex | None",
    "int | tuple[int, ...]": "_SupportsIndex | _Sequence[_SupportsIndex]",
    "str": "str",
}
"""What a call may give for an attribute, by the annotation of the kernel; `Any` for others."""


def stub(namespace: str) -> str:
    """The text of the stub of a namespace."""
    module = importlib.import_module(namespace)
    places = places_of(namespace)
    lines = [line for name in sorted(module.__all__) for line in entry(namespace, name, places)]
    return "\n".join([HEAD, *lines, "", f"__all__ = {[*sorted(module.__all__)]}"]) + "\n"


def path_of(namespace: str) -> Path:
    """Where the stub is: beside the module."""
    return Path(importlib.import_module(namespace).__file__ or "").with_suffix(".pyi")


def places_of(namespace: str) -> dict[str, tuple[str, str]]:
    """From where the module has each of its names, as its imports say, or its tables of what is imported late."""
    from runtime.late import LATE, LIBRARY, MODULES

    tree = ast.parse(path_of(namespace).with_suffix(".py").read_text(encoding="utf-8"))
    found: dict[str, tuple[str, str]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            found |= {alias.asname or alias.name: (str(statement.module), alias.name) for alias in statement.names}
    if namespace == "runtime":
        found |= {name: ("runtime.library" if name in LIBRARY else "runtime", name) for name in MODULES}
        for name, place in LATE.items():
            where, _, attribute = place.partition(":")
            found[name] = where, attribute or name
    found |= {name: ("runtime.library.nn", name) for name in vars(sys.modules[namespace]).get("FROM_NN", ())}
    return found


def entry(namespace: str, name: str, places: dict[str, tuple[str, str]]) -> Iterator[str]:
    """The lines for a public name."""
    import runtime
    from runtime.ops.records.record import Op

    value = getattr(importlib.import_module(namespace), name)
    if isinstance(value, Op):
        if namespace != "runtime" and runtime.__dict__.get(name) is value:
            yield f"from runtime import {name} as {name}"
        else:
            yield from functions(name, value)
    elif inspect.isfunction(value) and value.__module__ == namespace == "runtime.library.strings":
        yield from of_texts(name, inspect.signature(value))
    elif name in places:
        module, attribute = places[name]
        yield f"from {module} import {attribute} as {name}"
    elif inspect.ismodule(value):
        yield f"import {value.__name__} as {name}"
    else:
        yield f"{name}: {type(value).__name__ if value is not None else None}"


def of_texts(name: str, found: inspect.Signature) -> Iterator[str]:
    """A function of texts: what takes them as its `input` and gives a tensor takes them in rows, too."""
    written = partial(re.sub, r"\b(Any|Sequence|Tensor|RaggedTensor|bool)\b", r"_\1")
    result = written(str(found.return_annotation))
    first, *others = found.parameters.values()
    rows = "_RaggedTensor" if first.name == "input" and result == "_Tensor" else None
    for kind, gives in [("_TensorLike" if rows else "_Any", result), *([(rows, rows)] if rows else [])]:
        parts = [f"{first.name}: {kind}"]
        for p in others:
            parts += ["*"] if p.kind is p.KEYWORD_ONLY and "*" not in parts else []
            parts.append(f"{p.name}: {written(str(p.annotation))}{'' if p.default is p.empty else ' = ...'}")
        yield from ["@_overload"] * bool(rows)
        yield f"def {name}({', '.join(parts)}) -> {gives}: ..."


def functions(name: str, op: Op) -> Iterator[str]:
    """The function of an operation: of tensors, and of what is made of tensors, if it takes that."""
    count = len([n for n in op.parameters if n not in op.attributes])
    variants = [f"def {name}({signature(op, ['_TensorLike'] * count)}) -> {result_of(op)}: ..."]
    for kind, result in composites(op):
        for place in range(count):  # the first operand of this kind: no call fits two variants
            operands = ["_TensorLike"] * place + [kind] + [f"_TensorLike | {kind}"] * (count - place - 1)
            variants.append(f"def {name}({signature(op, operands)}) -> {result}: ...")
    for variant in variants:
        if len(variants) > 1:
            yield "@_overload"
        yield variant


def composites(op: Op) -> Iterator[tuple[str, str]]:
    """For each kind of composite value that an operation takes: its class, and the result."""
    from runtime.composite import ragged_calls, ragged_gather, ragged_joins, ragged_reduce, ragged_split, sparse_calls

    assert None not in (ragged_gather, ragged_joins, ragged_reduce, ragged_split)  # they fill the table of rules
    if op.name in ragged_calls.RULES:
        yield "_RaggedTensor", "_Any"
    elif ragged_calls.is_by_element(op):
        yield "_RaggedTensor", "_RaggedTensor"
    if op.name in sparse_calls.ZERO_STAYS:
        yield "_SparseTensor", "_SparseTensor"
    elif op.name in sparse_calls._RULES:
        yield "_SparseTensor", "_Any"


def result_of(op: Op) -> str:
    """What a call with tensors gives."""
    return "_Tensor" if op.outputs == 1 else f"tuple[{', '.join(['_Tensor'] * op.outputs) or '_Tensor, ...'}]"


def signature(op: Op, operands: list[str]) -> str:
    """The parameters of a function, as the record binds them."""
    parts = []
    remaining = iter(operands)
    annotations = {p.name: p.annotation for p in inspect.signature(op.kernel).parameters.values()}
    required = inspect.Parameter.empty
    for name in op.parameters:
        if name in op.attributes:
            default = "" if op.attributes[name] is required else " = ..."
            parts.append(f"{name}: {KINDS.get(annotations[name], '_Any')}{default}")
        else:
            kind = next(remaining)
            parts.append(f"{name}: {f'_Sequence[{kind}]' if name == op.variadic else kind}")
    return ", ".join(parts if "name" in op.parameters else [*parts, "*", "name: str | None = ..."])


def main() -> None:
    """Writes all stubs."""
    for namespace in NAMESPACES:
        path_of(namespace).write_text(stub(namespace), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
