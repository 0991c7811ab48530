"""Golden conversion cases: files of input, a line `# output`, and the generated code that we expect.

Comments at the top of a case say how it is run; both are optional:

    # to_code: Kind.method, recursive=False     arguments of to_code (default: the last function of the file)
    # calls: [(3,), (-3,)]                      arguments with which original and converted must agree

What is refused has the error as its output, each line behind `# `.  After a change that is meant to show:

    python -m tests.autograph.golden --write    # write the expected texts again: read every difference
    python -m tests.autograph.golden --digest   # one line per case, equal under every PYTHONHASHSEED
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import linecache
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph

__all__ = ["MARK", "Case", "generated_text", "load_cases", "run", "write"]

MARK = "# output\n"
FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One file: its input, the expected text, and the two directives."""

    path: Path
    source: str
    expected: str
    arguments: str
    calls: str

    @property
    def name(self) -> str:
        return self.path.stem

    def namespace(self) -> dict[str, Any]:
        """Execute the input, under the name of the file, so that its source is found there."""
        linecache.cache[str(self.path)] = (len(self.source), None, self.source.splitlines(True), str(self.path))
        names: dict[str, Any] = {"__name__": f"case_{self.name}"}
        exec(compile(self.source, str(self.path), "exec", dont_inherit=True), names)
        return names

    def apply(self, function: Callable[..., Any], names: dict[str, Any]) -> Any:
        """Call `to_code` or `to_graph` as the case says."""
        return eval(f"__function({self.arguments})", names | {"__function": function})

    def entity(self, names: dict[str, Any]) -> Callable[..., Any]:
        """The function under test itself."""
        function: Callable[..., Any] = self.apply(lambda entity, **options: entity, names)
        return function


def load_cases() -> list[Case]:
    """All cases, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.py"))]


def _read(path: Path) -> Case:
    source, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    directives = dict(
        line[2:].split(": ", 1) for line in source.splitlines() if line.startswith(("# to_code: ", "# calls: "))
    )
    functions = [
        node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return Case(path, source, expected, directives.get("to_code") or functions[-1], directives.get("calls", ""))


def generated_text(case: Case) -> str:
    """What the converter gives for a case today: code, or the refusal as comments."""
    names = case.namespace()
    try:
        text = str(case.apply(autograph.to_code, names))
    except autograph.errors.UnsupportedSyntaxError as error:
        message = f"{type(error).__name__}: {error}".replace(str(case.path), case.path.name)
        return "".join(f"# {line}".rstrip() + "\n" for line in message.splitlines())
    return text if text.endswith("\n") else text + "\n"


def run(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, ...]:
    """What a call shows: its result or exception, what it printed, and its arguments afterwards."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            outcome = repr(function(*arguments))
    except Exception as error:
        outcome = f"{type(error).__name__}: {error}"
    shown = outcome, printed.getvalue(), repr(arguments)
    return tuple(re.sub(r" at 0x[0-9a-f]+", "", text) for text in shown)


def write() -> list[str]:
    """Write the expected texts again; returns the names of the cases that changed."""
    changed = []
    for case in load_cases():
        text = generated_text(case)
        if text != case.expected:
            case.path.write_text(case.source + MARK + text, encoding="utf-8")
            changed.append(case.name)
    return changed


def _digests() -> list[str]:
    return [f"{case.name} {hashlib.sha256(generated_text(case).encode()).hexdigest()}" for case in load_cases()]


if __name__ == "__main__":
    print("\n".join({"--write": write, "--digest": _digests}[sys.argv[1]]()))
