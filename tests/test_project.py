"""Rules that hold for the whole tree: layering, sizes, independence of autograph, contents of the wheel.

A rule of the design that nothing checks is soon broken. Each test here names the file (and line) that breaks its rule.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import autograph

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("autograph", "runtime")
CODE = (*PACKAGES, "tests", "samples", "benchmarks", "docs")
LONGEST_FILE = 350
LONGEST_FUNCTION = 50

# From the top to the bottom: a room may import rooms of its own line and of the lines below it.
LAYERS = {
    "autograph": (
        ("__main__",),
        ("cli",),
        ("",),
        ("debugger", "experimental", "explain", "internal", "report", "show"),
        ("api", "directives"),
        ("operators",),  # above the converter, because a call in converted code converts what it calls
        ("pyct",),  # for writers of transformers; only the package's own top loads it, when it is asked for
        ("conversion",),
        ("pipeline",),
        ("converters",),
        ("analysis",),
        ("loader", "as_written", "trails"),
        ("source",),
        ("straight",),
        ("naming",),
        ("comparison",),
        ("syntax",),
        ("template", "rules"),
        ("cache", "code_names", "coloring", "contexts", "depth", "logs", "page", "tables"),
        ("line_tables",),
        ("options",),
        ("selection",),
        ("errors",),
    ),
    "runtime": (
        ("__main__",),
        ("",),
        ("__internal__", "late"),
        ("distribute", "library.export", "library.test"),
        ("exits",),
        ("library.keras",),
        ("saved_model",),
        ("library.train",),
        ("library.io",),
        ("checkpoint",),
        ("library.layers", "library.metrics", "library.optimizers", "library.summary"),
        ("library.losses",),
        ("library.alignment", "library.type_specs"),
        ("library.data",),
        ("library.image",),
        ("library.math",),
        ("library.linalg",),
        (
            "library.about", "library.arrays", "library.bitwise", "library.clipping", "library.debugging",
            "library.experimental", "library.matrices", "library.nest", "library.nn", "library.numpy", "library.places",
            "library.printing", "library.profiler", "library.progress_bar", "library.python_functions",
            "library.ragged", "library.random", "library.sets", "library.signal", "library.sparse", "library.strings",
            "library.tallies", "library.types",
        ),
        ("library.vectorized",),
        ("library",),
        ("function",),
        ("autodiff",),
        ("vectorize",),
        ("control_flow",),
        ("heap",),
        ("composite", "ndarrays", "state"),
        ("backends",),
        ("native",),
        ("engine",),
        ("passes",),
        ("graph",),
        ("tensor",),
        ("ops",),
        ("config", "context", "marker", "promotion", "restarts", "structure_parts", "structures"),
        ("backend_names",),
        ("dtypes", "shapes"),
        ("array_errors",),
        ("as_python", "errors", "extras", "higher", "names", "pictures"),
    ),
}


@dataclass(frozen=True, slots=True)
class Source:
    """What these rules ask of a file. Trees are not kept: those of all files are millions of objects."""

    imports: tuple[tuple[int, str], ...]
    """Line and full dotted name of everything that it imports, at its top or inside a function."""
    functions: tuple[tuple[str, int, int], ...]
    """Name, first line and number of lines of each function."""
    is_empty: bool
    has_docstring: bool


def statements_of(tree: ast.Module) -> list[ast.AST]:
    """All statements, and what holds some: expressions, which hold none, are left out to save time."""
    found: list[ast.AST] = [tree]
    for node in found:  # it grows
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            found += getattr(node, field, ())
    return found


@cache
def source_of(path: Path) -> Source:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    imports: list[tuple[int, str]] = []
    functions: list[tuple[str, int, int]] = []
    for node in statements_of(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += ((node.lineno, name) for name in imported_names(path, node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            functions.append((node.name, node.lineno, node.end_lineno - node.lineno + 1))
    return Source(tuple(imports), tuple(functions), not tree.body, bool(ast.get_docstring(tree)))


def python_files(*folders: str) -> list[Path]:
    """Every Python file of the folders but the conversion cases, which are input and not code of ours."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "cases" not in path.relative_to(ROOT).parts]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(path: Path, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = module_name(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    base = node.module or ""
    if node.level:
        start = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*start, base] if base else start)
    yield base
    yield from (f"{base}.{alias.name}" for alias in node.names)


def layer_of(dotted: str) -> int | None:
    """The line (0 is the top) of the room in which a module lives; None for a name that is no room of ours."""
    package, *steps = dotted.split(".")
    for room in (".".join(steps[:2]), "".join(steps[:1])):
        for number, rooms in enumerate(LAYERS.get(package, ())):
            if room in rooms:
                return number
    return None


def broken_layers(package: str) -> list[str]:
    found = []
    for path in python_files(package):
        own = layer_of(module_name(path))
        for line, target in source_of(path).imports:
            # `from autograph import errors` names the package and the room: the room is what counts.
            other = layer_of(target) if "." in target else None
            if target.startswith(f"{package}.") and own is not None and other is not None and other < own:
                found.append(f"{path.relative_to(ROOT)}:{line}: imports {target}, which is a higher room")
    return found


def test_every_module_lives_in_a_room() -> None:
    homeless = [str(p.relative_to(ROOT)) for p in python_files(*PACKAGES) if layer_of(module_name(p)) is None]
    assert not homeless, f"not in LAYERS of this test: {homeless}"


def test_a_lower_room_never_imports_a_higher_one() -> None:
    broken = [line for package in PACKAGES for line in broken_layers(package)]
    assert not broken, "\n".join(broken)


def test_autograph_names_neither_runtime_nor_numpy() -> None:
    broken = [
        f"{path.relative_to(ROOT)}:{line}: imports {target}"
        for path in python_files("autograph")
        for line, target in source_of(path).imports
        if target.partition(".")[0] in ("runtime", "numpy")
    ]
    assert not broken, "\n".join(broken)


def test_importing_autograph_loads_neither_runtime_nor_numpy() -> None:
    program = (
        "import sys, autograph, autograph.operators, autograph.cli\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'numpy', 'runtime'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_files_are_short() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*CODE)}
    long = [f"{path.relative_to(ROOT)}: {n} lines" for path, n in lengths.items() if n > LONGEST_FILE]
    assert not long, "\n".join(long)


def test_functions_are_short() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{line}: {name} has {length} lines"
        for path in python_files(*CODE)
        for name, line, length in source_of(path).functions
        if length > LONGEST_FUNCTION
    ]
    assert not long, "\n".join(long)


def test_every_module_says_what_it_is() -> None:
    found = {path: source_of(path) for path in python_files(*CODE)}
    silent = [str(p.relative_to(ROOT)) for p, source in found.items() if not (source.is_empty or source.has_docstring)]
    assert not silent, f"without a module docstring: {silent}"


def test_no_file_names_a_place_on_one_machine() -> None:
    places = re.compile("|".join(re.escape("/" + name + "/") for name in ("root", "work", "home", "Users", "opt")))
    suffixes = {".py", ".md", ".toml", ".txt", ".cfg", ".ini", ".yml", ".yaml", ""}
    files = [path for path in ROOT.iterdir() if path.is_file()]
    files += [path for folder in (*CODE, ".ci") for path in (ROOT / folder).glob("**/*") if path.is_file()]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in files
        if path.suffix in suffixes and not {"environments", "__pycache__"} & set(path.parts)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if places.search(line)
    ]
    assert not found, "\n".join(found)


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert autograph.__version__ == project["version"]


def test_the_wheel_holds_the_two_packages_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    # Tests, and some of their folders, are copied too, to show that they stay out of the wheel.
    for name in (*PACKAGES, "tests/guides", "tests/tools"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "tests" / "__init__.py", source / "tests")
    # What pip does, without its copies of the source.
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True, text=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 2_700_000
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"autograph", "runtime", "autograph_runtime-0.1.0.dist-info"}
    assert {"autograph/py.typed", "runtime/py.typed"} <= names
    expected = {p.relative_to(ROOT).as_posix() for p in python_files(*PACKAGES)}
    assert expected <= names


def test_each_decision_has_a_number_of_its_own() -> None:
    numbers = Counter(path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert [number for number, count in numbers.items() if count > 1] == []
