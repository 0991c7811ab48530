"""No file reaches itself through what it imports, also by imports inside of functions.

A part that belongs above gives itself to the part below, at the end of its file, in the place of being imported by it.
Rooms in which circles are left are listed: the list may only become shorter.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.test_project import PACKAGES, module_name, python_files, source_of

LEFT = {
    "autograph.operators", "runtime.composite", "runtime.library.data", "runtime.graph", "runtime.tensor",
}  # fmt: skip
"""The rooms with files that reach themselves."""


def imports() -> dict[str, set[str]]:
    """Which modules of the packages each of them imports; what only type checkers import counts, too."""
    files = {module_name(path): path for path in python_files(*PACKAGES)}
    return {module: set(_imported(path, files)) - {module} for module, path in files.items()}


def _imported(path: Path, files: dict[str, Path]) -> Iterator[str]:
    checked_only = _lines_for_type_checkers(path)
    names = [(line, name) for line, name in source_of(path).imports if line not in checked_only]
    longest = {name for _, name in names if name in files}
    for _, name in names:
        parent = name.rpartition(".")[0]
        if name in files:
            inner = any(other.startswith(name + ".") for other in longest)
            if not inner or files[name].name != "__init__.py":
                yield name
        elif parent in files and files[parent].name != "__init__.py":
            yield parent


def _lines_for_type_checkers(path: Path) -> set[int]:
    """The lines below `if TYPE_CHECKING:`."""
    found: set[int] = set()
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("if TYPE_CHECKING"):
            inside = True
        elif line and not line.startswith((" ", "#")):
            inside = False
        if inside:
            found.add(number)
    return found


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The sets of modules that reach each other. Source: R. Tarjan, Depth-first search and linear graph algorithms."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []
    for root in graph:
        work = [] if root in index else [(root, iter(sorted(graph[root])))]
        if work:
            index[root] = low[root] = len(index)
            stack.append(root)
        while work:
            module, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in stack:
                    low[module] = min(low[module], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[module])
                if low[module] == index[module]:
                    at = stack.index(module)
                    if len(stack) - at > 1:
                        found.append(set(stack[at:]))
                    del stack[at:]
    return found


def test_no_file_reaches_itself() -> None:
    found = circles(imports())
    rooms = {_room(module) for circle in found for module in circle}
    assert rooms <= LEFT, f"circles of imports: {[sorted(c) for c in found if not {_room(m) for m in c} <= LEFT]}"
    assert rooms == LEFT, f"rooms without circles by now: {LEFT - rooms}"


def _room(module: str) -> str:
    return ".".join(module.split(".")[: 3 if module.startswith("runtime.library.") else 2])


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(graph) == [{"b", "c"}]
