"""Makes docs/ops.md and docs/ops/ from the records of runtime.ops, so that the pages cannot drift from the code.

Example:
    $ python docs/ops_page.py    # writes the pages; a test compares them with what this would write
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runtime.dtypes import DType
    from runtime.ops.records.record import Op
    from runtime.ops.records.samples import Sample

ROOT = Path(__file__).resolve().parent.parent
MADE_BY = "<!-- Made by docs/ops_page.py from the records in runtime/ops: change those, then run it again. -->"
HEAD = f"""\
# Operations

{MADE_BY}

Every operation has one record: its kernel, what shapes and dtypes it takes and gives, its gradient, samples and errors.
The tests run each record on all its dtypes, eagerly and in graphs, against a second computation, and its gradient
against differences. An operation is called by a public name; those without one are what public functions are made of.

Operands are tensors, arguments after `*` are given by name, and those with a value are Python values that are fixed in
a graph. The dtypes are those that the operands take; operands in one group have one dtype. "numbers" are reals and
complex numbers, "reals" floats and integers, "floats" float16, bfloat16, float32 and float64. Integers have no gradient
in any case. Of bfloat16 the kernels compute in float32, and each result is rounded once.

Names are those in `runtime`; what is listed as "inside" is what public functions and graphs are made of.
"""
COMPOSED: Final = "Functions made of several operations"
PLACES: Final = ("", "math", "linalg", "nn", "random", "strings", "bitwise", "io", "signal")
"""The namespaces whose names are looked for; the first one that has an operation gives it its name."""

MADE: Final = tuple(f"runtime.library.{room}" for room in (
    "arrays", "clipping", "matrices", "nn", "places", "random", "signal", "strings", "tallies",
))  # fmt: skip
"""The rooms of functions that call operations."""


def pages() -> dict[str, str]:
    """The texts of the pages by their names in docs/: the list of all operations, and a page for each topic."""
    from runtime.ops.records.families import load_all

    topics: dict[str, dict[str, list[Op]]] = {}
    for op in sorted(load_all().values(), key=lambda op: (op.__module__, op.name)):
        if op.__module__.startswith("runtime.ops."):
            topics.setdefault(op.__module__.split(".")[2], {}).setdefault(op.__module__, []).append(op)
    names = public_names()
    made, listed = {}, [HEAD]
    for topic, families in sorted(topics.items()):
        head = title(f"runtime.ops.{topic}")
        made[f"ops/{topic}.md"] = page(topic_parts(head, families, names))
        listed += [f"## [{head}](ops/{topic}.md)\n", *links(topic, families, names)]
    made["ops/functions.md"] = page([f"# {COMPOSED}\n", f"{MADE_BY}\n", *composed()])
    listed += [f"## [{COMPOSED}](ops/functions.md)\n", "What else the namespaces have, such as `math.xlogy`."]
    return {"ops.md": page(listed), **made}


def links(topic: str, families: dict[str, list[Op]], names: dict[int, list[str]]) -> Iterator[str]:
    """The operations of a topic: those that have a public name by it, then what public functions are made of."""
    ours = [op for ops in families.values() for op in ops]
    called = {op: label.removeprefix("runtime.") for op in ours if (label := listed_as(op, names))}
    for head, labels in (("", called), ("Inside: ", {op: op.name for op in ours if op not in called})):
        texts = [f"[{label}](ops/{topic}.md#{op.name})" for op, label in sorted(labels.items(), key=lambda one: one[1])]
        if texts:
            yield f"{head}{' · '.join(texts)}\n"


def listed_as(op: Op, names: dict[int, list[str]]) -> str | None:
    """The public name of the record, or of the function around it; None for what is called by no name."""
    if id(op) in names:
        return names[id(op)][0]
    for place in PLACES:
        module = importlib.import_module(f"runtime.{place}" if place else "runtime")
        for name in (op.name, op.name.removeprefix(f"{place.rstrip('s')}_")):
            if name in module.__all__:
                return public(place, name)
    return None


def page(parts: list[str]) -> str:
    return "\n".join(parts).rstrip("\n") + "\n"


def topic_parts(head: str, families: dict[str, list[Op]], names: dict[int, list[str]]) -> list[str]:
    """A page: what each operation takes, gives and does, family by family."""
    parts = [f"# {head}\n", f"{MADE_BY}\n", "[All operations](../ops.md), and how to read what stands here.\n"]
    for module, ops in families.items():
        parts += [f"## {title(module)}\n", *(entry(op, names.get(id(op), [])) for op in ops)]
    return parts


def public_names() -> dict[int, list[str]]:
    """The public names of each record, by its id."""
    found: dict[int, list[str]] = {}
    for place in PLACES:
        module = importlib.import_module(f"runtime.{place}" if place else "runtime")
        for name in module.__all__:
            found.setdefault(id(getattr(module, name)), []).append(public(place, name))
    return found


def composed() -> Iterator[str]:
    """What is public in the namespaces of operations and no record: what is called, and what it does."""
    for place in PLACES:
        module = importlib.import_module(f"runtime.{place}" if place else "runtime")
        for name in sorted(module.__all__):
            found = getattr(module, name)
            if inspect.isfunction(found) and found.__module__.startswith(MADE):
                text = " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())
                yield f"- `{public(place, name)}({', '.join(parameters(found))})`: {text}"


def public(place: str, name: str) -> str:
    return f"runtime.{place}.{name}" if place else f"runtime.{name}"


def parameters(function: Any) -> Iterator[str]:
    """The parameters of a function as one writes them, but for `name`, which all have."""
    for p in inspect.signature(function).parameters.values():
        if p.name != "name":
            star = "*" if p.kind is p.VAR_POSITIONAL else ""
            yield f"{star}{p.name}" + ("" if p.default is p.empty else f"={shown_value(p.default)}")


def title(module: str) -> str:
    """The first sentence of the module's docstring, which says what the family is."""
    text = inspect.getdoc(importlib.import_module(module)) or ""
    return re.split(r"[.:](?:\s|$)", text.splitlines()[0], maxsplit=1)[0]


def entry(op: Op, names: list[str]) -> str:
    """The part of the page for one operation."""
    call = names[0] if names else op.name
    text = " ".join((inspect.getdoc(op) or "").split())
    lines = [f"### {op.name}\n", f"`{call}{signature(op)}`\n", f"{text}\n"]
    if len(names) > 1:
        lines.append(f"- also {', '.join(f'`{n}`' for n in names[1:])}")
    lines += [f"- dtypes: {dtypes(op)}", f"- gradient: {gradient(op)}"]
    shown = example(op, call)
    return "\n".join([*lines, *([f"- {shown}"] if shown else []), ""])


def signature(op: Op) -> str:
    """The parameters as one writes them; a variadic one is a list."""
    from runtime.ops.records.record import REQUIRED

    needed = [n for n, default in op.attributes.items() if default is REQUIRED]
    given = [f"{n}={shown_value(v)}" for n, v in op.attributes.items() if v is not REQUIRED]
    variadic = [op.variadic] if op.variadic else []
    return f"({', '.join([*op.tensors, *variadic, *(['*', *needed] if needed else []), *given])})"


def shown_value(value: Any) -> str:
    """A Python value as in a program."""
    from runtime.dtypes import DType
    from runtime.shapes import TensorShape

    if isinstance(value, DType):
        return f"runtime.{value.name}"
    if isinstance(value, TensorShape):
        return "None" if value.dims is None else str(list(value.dims))
    if inspect.isfunction(value):
        return value.__name__
    return "[...]" if hasattr(value, "dtype") else repr(value)


def dtypes(op: Op) -> str:
    """What each group of operands takes."""
    groups = [f"{', '.join(f'`{n}`' for n in group.names)}: {words(group.allowed)}" for group in op.groups]
    return "; ".join(groups) or "it has no operands"


def words(allowed: frozenset[DType]) -> str:
    """A set of dtypes in words."""
    from runtime import dtypes as d

    sets = {
        "any": d.ANY, "any, also handles": d.EVERY, "numbers": d.NUMERIC, "numbers, bool": d.NUMERIC | d.BOOLS,
        "numbers, strings": d.NUMERIC | d.STRINGS, "reals": d.REALS, "reals, bool": d.REALS | d.BOOLS,
        "floats": d.FLOATS, "floats but bfloat16": d.FLOATS - {d.bfloat16}, "floats, complex": d.FLOATS | d.COMPLEX,
        "integers": d.INTEGERS, "integers, bool": d.INTEGERS | d.BOOLS, "any, handles": d.ANY | d.VARIANTS,
    }  # fmt: skip
    return next((name for name, members in sets.items() if members == allowed), None) or ", ".join(
        dtype.name for dtype in d.ALL if dtype in allowed
    ) or "handles"  # fmt: skip


def gradient(op: Op) -> str:
    """Whether it has one, or why not."""
    from runtime.dtypes import COMPLEX, FLOATS

    if op.no_gradient is not None:
        return f"none: {op.no_gradient}"
    if op.rule is not None:
        return "yes"
    return "none" if any(group.allowed & (FLOATS | COMPLEX) for group in op.groups) else "none: no operand has one"


def example(op: Op, call: str) -> str | None:
    """A call of one of the samples and its result; None where none is short."""
    for sample in short_samples(op):
        count = len(op.tensors)
        shown = [literal(o) for o in sample.operands]
        arguments = [*shown[:count], *([f"[{', '.join(shown[count:])}]"] if op.variadic else [])]
        arguments += [f"{n}={shown_value(v)}" for n, v in sample.attributes.items()]
        text = f"`{call}({', '.join(arguments)})` is `{outcome(op, sample)}`"
        if len(text) < 200 and "`" not in text[1:].replace("` is `", "")[:-1]:
            return text
    return None


def short_samples(op: Op) -> Iterator[Sample]:
    """Samples of few elements, rounded so that they are short to read; those with more than scalars first."""
    import numpy as np

    from runtime.dtypes import bfloat16
    from runtime.ops.records.samples import Sample

    if op.samples is None or op.stateful or not op.groups:
        return
    allowed = {d.name: d for d in op.groups[0].allowed}
    name = next((n for n in ("float32", "int32", "bool", "string", "float64", "int64", "uint8") if n in allowed), None)
    samples = op.samples(allowed[name]) if name else ()
    found = [s for s in samples if not any(v is bfloat16 for v in s.attributes.values())]
    for least in (2, 1):
        for sample in found:
            arrays = [np.asarray(o) for o in sample.operands]
            sizes = [a.size for a in arrays if a.ndim] or [1]
            if least <= min(sizes) <= max(sizes) <= 6 and all(a.ndim < 3 for a in arrays):
                yield Sample(tuple(rounded(a) for a in arrays), sample.attributes)


def rounded(array: Any) -> Any:
    """Floats with one digit after the point."""
    return array.round(1) if array.dtype.kind in "fc" else array


def literal(value: Any) -> str:
    """An operand as nested lists."""
    import numpy as np

    array = np.asarray(value)
    return short(array.tolist() if array.dtype.kind != "f" else np.asarray(array, np.float64).round(1).tolist())


def short(value: Any) -> str:
    """Nested lists of numbers with at most four digits, of bytes as text."""
    if isinstance(value, list | tuple):
        inner = ", ".join(short(v) for v in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, float):
        text = f"{value + 0.0:.4g}"
        return text if "." in text or "e" in text or "n" in text else f"{text}.0"
    if isinstance(value, complex):
        return f"{value.real + 0.0:.4g}{value.imag + 0.0:+.4g}j"
    return repr(value)


def outcome(op: Op, sample: Sample) -> str:
    """What the call returns, as lists."""
    import numpy as np

    count = len(op.tensors)
    arguments = [*sample.operands[:count], *([list(sample.operands[count:])] if op.variadic else [])]
    result = op(*arguments, **sample.attributes)
    parts = result if isinstance(result, tuple) else (result,)
    lists = [np.asarray(p).tolist() for p in parts]
    return short(tuple(lists) if isinstance(result, tuple) else lists[0])


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    (ROOT / "docs" / "ops").mkdir(exist_ok=True)
    for name, text in pages().items():
        (ROOT / "docs" / name).write_text(text, encoding="utf-8")
