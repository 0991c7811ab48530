"""The documents are true: their Python blocks run and print what stands below them, their links lead somewhere.

A block fenced as `python` is run as a program of its own. If the line `<!-- output -->` follows, then the next block is
what it must print, to the letter.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs import overview_picture
from docs.errors_page import PAGE, errors_page

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^(?P<output><!-- output -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)#\s]+)[^)]*\)")


@dataclass(frozen=True)
class Example:
    """One program of a document and what it prints, or None where the document does not say."""

    place: str
    program: str
    output: str | None


def examples() -> list[Example]:
    found: list[Example] = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for fence in FENCE.finditer(text):
            line = text.count("\n", 0, fence.start()) + 1
            place = f"{page.relative_to(ROOT).as_posix()}:{line}"
            if fence["output"]:
                previous = found.pop()
                found.append(Example(previous.place, previous.program, fence["text"]))
            elif fence["language"] == "python":
                found.append(Example(place, fence["text"], None))
    return found


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[Path], tuple[int, str, str]]]:
    """Runs a program in a process of its own, forked from one that has imported what all of them import."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}  # threads do not fork
    command = [sys.executable, "-W", "error", "-m", "tests.fork_server"]
    with subprocess.Popen(
        command, cwd=ROOT, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None and server.stdout is not None

        def run_program(program: Path) -> tuple[int, str, str]:
            print(program, file=server.stdin, flush=True)
            code = int(server.stdout.readline())
            return code, *(program.with_name(program.name + end).read_text("utf-8") for end in (".out", ".err"))

        yield run_program
        server.stdin.close()


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.place)
def test_an_example_prints_what_the_document_says(
    example: Example, tmp_path: Path, run: Callable[[Path], tuple[int, str, str]]
) -> None:
    program = tmp_path / "example.py"
    program.write_text(example.program, encoding="utf-8")
    code, written, errors = run(program)
    assert code == 0, f"{example.place}: {errors}"
    if example.output is not None:
        assert written.replace(str(program), program.name) == example.output


def test_the_picture_of_the_readme_is_up_to_date() -> None:
    assert overview_picture.PICTURE.read_text(encoding="utf-8") == overview_picture.picture(), (
        "run: python docs/overview_picture.py"
    )
    words = "".join(ElementTree.parse(overview_picture.PICTURE).getroot().itertext())
    assert "ag__.while_stmt(" in words


def test_the_toy_of_the_page_runs(tmp_path: Path) -> None:
    """Its pieces, one after the other, are one program; the last block is what that prints."""
    page = (ROOT / "docs" / "how_it_works.md").read_text(encoding="utf-8")
    blocks = [(fence["language"], fence["text"]) for fence in FENCE.finditer(page)]
    program = tmp_path / "toy.py"
    program.write_text("".join(text for language, text in blocks if language == "py"), encoding="utf-8")
    assert program.read_text(encoding="utf-8").count("\n") < 170
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    assert [text for language, text in blocks if language == "text"] == [done.stdout]


def test_the_readme_is_short() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 120


def test_the_site_has_each_page() -> None:
    listed = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not page.startswith("decisions/")} <= listed


def test_the_readme_has_exactly_two_commands() -> None:
    """`.ci/run` runs them as they stand there: each is one line after its marker."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^<!-- command: (\w+) -->\n```sh\n([^\n]+)\n```$", readme, re.MULTILINE)
    assert [name for name, _ in commands] == ["main", "tests"]
    assert readme.count("```sh") == 2
    for _, command in commands:
        assert command.startswith("python3 -m venv .venv && ")
        assert "pytest" in commands[1][1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [match["target"] for match in LINK.finditer(prose)]
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not missing


def test_the_page_of_rooms_names_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    halves = dict(zip(("autograph", "runtime"), page.partition("| `runtime/` |")[::2], strict=True))
    for package, half in halves.items():
        rooms = {path.stem for path in (ROOT / package).glob("*.py")}
        rooms |= {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
        missing = {room for room in rooms - {"__init__"} if f"`{room}`" not in half}
        assert not missing, f"docs/architecture.md does not say what {package}/{missing} is"


def test_the_page_of_errors_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == errors_page(), "run: python docs/errors_page.py"


def test_every_public_error_has_an_example_and_a_repair() -> None:
    for section in re.split(r"^### ", errors_page(), flags=re.MULTILINE)[1:]:
        name = section.partition("\n")[0]
        assert "```py\n" in section, f"{name} has no failing example in its docstring"
        assert re.search(r"^Repair", section, re.MULTILINE), f"{name} has no line 'Repair: ...' in its docstring"
