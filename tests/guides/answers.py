"""What programs answer, as text that is kept: dtypes and elements, lists and dicts, names of errors.

    answer(program, runtime)             # ["float32", [1.0, 2.0]], or {"raises": "ValueError"}
    agree(found, recorded)               # up to rounding
"""

from __future__ import annotations

import builtins
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.peers.plain import plain

__all__ = ["agree", "answer", "read", "write"]

FOLDER: Final = Path(__file__).parent / "answers"


def answer(program: Callable[[Any], Any], module: Any) -> Any:
    """What a program gives with a module, in a form that JSON has."""
    try:
        return _kept(plain(program(module)))
    except Exception as error:
        return {"raises": type(error).__name__, "also": [c.__name__ for c in type(error).__mro__[1:-1]]}


def _kept(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if isinstance(value, dict):
        return {str(name): _kept(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_kept(part) for part in value]
    if isinstance(value, float):
        return float(f"{value:.7g}")
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def agree(found: Any, wanted: Any) -> bool:
    """Whether an answer is the recorded one, up to rounding; an error is one that the recorded class catches, too."""
    if isinstance(wanted, dict) and "raises" in wanted:
        if not isinstance(found, dict) or "raises" not in found:
            return False
        classes = {found["raises"], *found["also"]}
        return any(name in classes for name in (wanted["raises"], *_caught_by(wanted["also"])))
    if isinstance(wanted, dict) and isinstance(found, dict):
        return found.keys() == wanted.keys() and all(agree(found[name], part) for name, part in wanted.items())
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(agree, found, wanted))
    if isinstance(wanted, float) and isinstance(found, float):
        return math.isclose(found, wanted, rel_tol=2e-5, abs_tol=2e-6) or (found != found and wanted != wanted)
    return type(found) is type(wanted) and bool(found == wanted)


def _caught_by(names: list[str]) -> list[str]:
    """Python's own classes above an error, but those of all errors."""
    return [name for name in names if hasattr(builtins, name) and name not in ("Exception", "BaseException")]


def read(guide: str) -> dict[str, Any]:
    """The recorded answers of a guide, by the program's name."""
    found: dict[str, Any] = json.loads((FOLDER / f"{guide}.json").read_text(encoding="utf-8"))
    return found


def write(guide: str, answers: dict[str, Any]) -> None:
    """Records answers: one line for each program."""
    lines = (f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in answers.items())
    (FOLDER / f"{guide}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
