"""What mypy and pyright say of small programs, beside what the programs themselves say that they say.

    reveal_type(x + 1)
    # by mypy: note: Revealed type is "runtime.tensor.tensor.Tensor"
    # by pyright: information: Type of "x + 1" is "Tensor"

A message stands below the line that it is about. Of messages over several lines it is the first; mypy's notes are left
out where they only list the variants of an overloaded function, or where a name is defined.

    $ python -m tests.typing            # compares; mypy, and pyright where it is installed, also over the packages
    $ python -m tests.typing --write    # writes the messages into the programs, to be read before they are committed
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"

COMMENT: Final = re.compile(r"^ *# by (mypy|pyright): (.*)$")
MESSAGE: Final = re.compile(r"^(?P<path>.*?\.py):(?P<line>\d+): (?P<text>(?:error|note): .*)$")


class Message(NamedTuple):
    """What a checker says of a line, which is counted without the comments that quote checkers."""

    program: str
    line: int
    text: str


def program_files() -> list[Path]:
    """The programs, in the order of their names."""
    return sorted(PROGRAMS.glob("*.py"))


def is_installed(checker: str) -> bool:
    """Whether a checker can be run by this Python."""
    return importlib.util.find_spec(checker) is not None


def by_mypy() -> Iterable[tuple[str, int, str]]:
    """Program, line and text of each message of `mypy --strict`."""
    options = ["--strict", "--no-error-summary", "--hide-error-context", "--no-pretty", "--no-color-output"]
    done = run(["mypy", *options, str(PROGRAMS.relative_to(ROOT))])
    assert done.returncode in (0, 1), done.stdout + done.stderr
    for line in done.stdout.splitlines():
        found = MESSAGE.match(line)
        assert found is not None, done.stdout
        if found["text"].startswith(("error: ", "note: Revealed")):
            yield Path(found["path"]).name, int(found["line"]), found["text"]


def by_pyright() -> Iterable[tuple[str, int, str]]:
    """The same of pyright."""
    done = run(["pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(PROGRAMS)])
    told: dict[str, Any] = json.loads(done.stdout)
    for message in told["generalDiagnostics"]:
        line, text = message["range"]["start"]["line"] + 1, message["message"].splitlines()[0].strip()
        yield Path(message["file"]).name, line, f"{message['severity']}: {text}"


CHECKERS: Final[dict[str, Callable[[], Iterable[tuple[str, int, str]]]]] = {"mypy": by_mypy, "pyright": by_pyright}


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """A module of this Python as a command, in the project's folder."""
    return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600)


def of_the_package() -> str:
    """What pyright finds in both packages, whose own settings are in pyproject.toml; the empty text for nothing."""
    done = run(["pyright", "--pythonpath", sys.executable])
    return "" if done.returncode == 0 else done.stdout + done.stderr


def said(checker: str) -> list[Message]:
    """What a checker says of the programs."""
    numbers = {path.name: own_numbers(path.read_text(encoding="utf-8")) for path in program_files()}
    return sorted(Message(program, numbers[program][line], text) for program, line, text in CHECKERS[checker]())


def written(checker: str) -> list[Message]:
    """What the programs say that it says."""
    found = []
    for path in program_files():
        text = path.read_text(encoding="utf-8")
        numbers = own_numbers(text)
        for number, line in enumerate(text.splitlines(), 1):
            comment = COMMENT.match(line)
            if comment is not None and comment[1] == checker:
                found.append(Message(path.name, numbers[number], comment[2]))
    return sorted(found)


def own_numbers(text: str) -> dict[int, int]:
    """For each line of a program its number without the comments; for a comment that of the line above."""
    numbers, count = {}, 0
    for number, line in enumerate(text.splitlines(), 1):
        count += COMMENT.match(line) is None
        numbers[number] = count
    return numbers


def write() -> None:
    """Puts what the installed checkers say into the programs, and keeps what others are quoted with."""
    checkers = [checker for checker in CHECKERS if is_installed(checker)]
    messages = {checker: said(checker) if checker in checkers else written(checker) for checker in CHECKERS}
    for path in program_files():
        own = [line for line in path.read_text(encoding="utf-8").splitlines() if COMMENT.match(line) is None]
        lines = []
        for number, line in enumerate(own, 1):
            indent = " " * (len(line) - len(line.lstrip()))
            lines.append(line)
            for checker, known in messages.items():
                here = [message.text for message in known if message[:2] == (path.name, number)]
                lines += [f"{indent}# by {checker}: {text}" for text in here]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Answers 1 where a checker says anything else than the programs quote."""
    if arguments == ["--write"]:
        write()
        return 0
    different = 0
    for checker in filter(is_installed, CHECKERS):
        now, before = said(checker), written(checker)
        for sign, messages in (("+", set(now) - set(before)), ("-", set(before) - set(now))):
            for program, line, text in sorted(messages):
                print(f"{sign} {checker}: {program}: own line {line}: {text}")
        different += now != before
        print(f"{checker}: {len(now)} messages of {len(program_files())} programs")
    if is_installed("pyright"):
        found = of_the_package()
        print(found or "pyright: nothing in the packages")
        different += bool(found)
    return int(bool(different))
