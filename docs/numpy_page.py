"""Makes docs/numpy.md from the tables of runtime.tensor.numpy_calls, so that the page cannot drift from the code.

Example:
    $ python docs/numpy_page.py    # writes docs/numpy.md; a test compares the page with what this would write
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "numpy.md"
CODE = ROOT / "runtime" / "tensor" / "numpy_calls"

GONE: Final = {"row_stack"}
"""What some versions of numpy 2 have left out."""

HEAD: Final = """\
# NumPy

<!-- Made by docs/numpy_page.py from the tables in runtime/tensor/numpy_calls: change those, then run it again. -->

In a function under `@runtime.function` numpy's functions record operations: on ndarrays with NumPy's own dtypes and
views, on tensors with NumPy's dtypes. Of {total} functions that take arrays of numbers {here} are here, {share} %. The
tests compare each of them with NumPy, with tensors and with arrays, eagerly and in graphs, also where only the run
knows the sizes; each has the gradient of the operations that it is made of.

The same functions are in the module `runtime.numpy` (also `runtime.experimental.numpy`), with `linalg`, `fft` and
`random`: they take tensors, arrays, lists and numbers, and give tensors with NumPy's dtypes.
`runtime.numpy.experimental_enable_numpy_behavior(prefer_float32=False, dtype_conversion_mode="legacy")` gives operands
of two dtypes a common one in all operators and operations: by NumPy's promotion ("legacy"), in a lattice in which
integers take the dtype of a float beside them ("all"), or only where that loses and widens nothing ("safe").

SciPy's special functions on tensors and arrays (`scipy.special.erf`, `gammaln`, `digamma`, `expit`, `logit`, `xlogy`,
`entr`, `logsumexp`, `softmax`, ...) are the operations that are here, with SciPy's dtypes; SciPy is not imported for
that. So is its linear algebra, with SciPy's arguments: see below. `np.r_[...]` and `np.c_[...]` put arrays together as
numpy does.

What differs from NumPy, since a graph has one dtype for each result:

- `np.linalg.eig`, `np.linalg.eigvals`, `np.roots` and `np.poly` of a matrix are complex in any case; NumPy leaves the
  imaginary parts out where all are 0.
- `np.partition` and `np.argpartition` put all elements in order.
- `np.empty` and `np.empty_like` hold zeros.
- `//`, `%`, `np.divmod` and `np.fmod` of integers by 0 raise ZeroDivisionError, where NumPy warns and gives 0.
- The text of `x.dtype` is that of the dtype of a tensor; `x.dtype.name`, `.kind`, `.char` and `.str` are NumPy's.
- What a graph chooses from an integer and a float of Python's is a float64.
- `math.exp`, `math.cbrt` and their like on numbers of a graph are NumPy's functions: the last digit may be another one.
- `np.power.reduce` and `np.arctan2.reduce` go from the first element to the last, as `accumulate` does; some versions
  of NumPy give something else for contiguous vectors.

"""

METHODS: Final = """\
## Methods of ufuncs

- `reduce`: of every ufunc of two operands whose result has their dtype, with `axis`, `dtype`, `keepdims`, `initial` and
  `where`. What may begin anywhere (maximum, hypot, gcd, ...) takes a number of steps that grows with the logarithm of
  the size; the others (subtract, divide, ...) are a loop.
- `accumulate`: the same.
- `reduceat`: of add, multiply, maximum and minimum.
- `outer`: of all.
- `at`: of all, on arrays; tensors never change.
- `out=` takes an array, also one of the caller's; `where=` needs it. A tensor is no place to write to.

"""


def numpy_page() -> str:
    """The text of the whole page."""
    from runtime.tensor.numpy_calls.refused import OUTSIDE, REFUSED
    from runtime.tensor.numpy_calls.scipy_linear import FUNCTIONS as LINEAR

    here = {name for name, status in statuses().items() if status == "here"}
    counted = [*here, *(name for name, status in statuses().items() if status == "refused")]
    share = int(100 * len(here) / len(counted))
    parts = [HEAD.format(total=len(counted), here=len(here), share=share)]
    for title, place in (("np", ""), ("np.linalg", "linalg."), ("np.fft", "fft.")):
        names = sorted(n.removeprefix(place) for n in here if n.startswith(place) and ("." in n) == bool(place))
        parts.append(f"## {title}\n\n{wrapped(names)}\n\n")
    parts += [f"## scipy.linalg\n\n{wrapped(sorted(LINEAR))}\n\n", METHODS, "## What is not here, and what to take\n\n"]
    parts += [f"- `np.{name}`: {REFUSED[name]}\n" for name in sorted(REFUSED)]
    parts.append("\nFiles, texts and dates:\n\n")
    parts += [f"- {', '.join(f'`np.{n}`' for n in names)}: {why}\n" for why, names in grouped(OUTSIDE)]
    parts.append("\n## Arguments that are refused\n\nIn the words of the errors, by the file of the functions:\n\n")
    parts += refusals()
    return "".join(parts)


def statuses() -> dict[str, str]:
    """Of each public function of numpy what becomes of it: here, refused, outside, of Python; or unknown."""
    import numpy as np

    from runtime.ndarrays.views import VIEWS
    from runtime.ndarrays.writes import WRITES
    from runtime.tensor.numpy_calls.refused import OF_PYTHON, OUTSIDE, REFUSED
    from runtime.tensor.numpy_calls.table import FUNCTIONS
    from runtime.tensor.numpy_calls.ufuncs import UFUNCS

    found = {}
    for module, place in ((np, ""), (np.linalg, "linalg."), (np.fft, "fft.")):
        for name in module.__all__:
            function: Any = getattr(module, name, None)
            if callable(function) and not isinstance(function, type) and name not in GONE:
                is_here = any(function in table for table in (FUNCTIONS, UFUNCS, VIEWS, WRITES))
                others = (("refused", REFUSED), ("outside", OUTSIDE), ("Python", OF_PYTHON))
                status = next((word for word, names in others if place + name in names), "unknown")
                found[place + name] = "here" if is_here else status
    return found | dict.fromkeys(("poly1d", "vectorize"), "refused")


def wrapped(names: list[str]) -> str:
    """Names in lines of at most 120 characters."""
    lines, line = [], ""
    for name in names:
        word = f"`{name}`"
        if len(line) + len(word) > 116:
            lines.append(line.rstrip())
            line = ""
        line += f"{word}, "
    return "\n".join([*lines, line.rstrip(", ")])


def grouped(table: Any) -> Iterator[tuple[str, list[str]]]:
    """What is said of several functions, and of which."""
    for why in dict.fromkeys(table.values()):
        yield why, sorted(name for name, other in table.items() if other == why)


def refusals() -> Iterator[str]:
    """What the functions refuse, as their code says it."""
    for path in sorted(CODE.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        words = [text_of(node.args[0]) for node in ast.walk(tree)
                 if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "NotCovered" and node.args]
        if words and path.stem not in ("operands", "table"):
            yield f"- {path.stem}: {'; '.join(dict.fromkeys(words))}\n"


def text_of(node: ast.expr) -> str:
    """A text in code, with ... for what is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "..."


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(numpy_page(), encoding="utf-8")
