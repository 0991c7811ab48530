"""The one place that runs the conversion: scopes, refusals, jumps, analyses, then all converters in one walk.

Example:
    tree = parse_module("def f(x):\n    return x if x > 0 else -x\n", "f.py")
    print(unparse(convert_function(tree.body[0], options=ConversionOptions(), filename="f.py", qualname="f")))

`convert_function` serves a live function: one tree in, `tf__<name>` out. `convert_module` serves the command line: the
functions of a file are converted in place and keep their names, decorators and defaults.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from autograph.analysis.reader import read_units
from autograph.analysis.scopes import find_scopes, mark_of
from autograph.analysis.state import find_state
from autograph.converters import TABLES
from autograph.converters.call import SPELLED_BUILTINS
from autograph.converters.function import convert_body, convert_top_lambda
from autograph.converters.generator import feeding_statements, make_pushing
from autograph.converters.jumps import lower_jumps
from autograph.converters.refusals import check
from autograph.converters.rewriter import Analyses, Rewriter
from autograph.errors import ConversionError, UnsupportedSyntaxError
from autograph.naming import Namer, bound_among, class_of, defined_in, identifiers, mangle_private, put_back
from autograph.options import ConversionOptions
from autograph.syntax import At, deep_recursion, paused_collection

__all__ = ["SPELLED_BUILTINS", "ModuleConversion", "Note", "convert_function", "convert_generator", "convert_module"]

_AG = "ag__"
# Decorators by which a function in a file says that it is not to be converted: why, and what to do about it.
_MARKS = {
    "do_not_convert": ("it is marked with do_not_convert", "Take the mark away to convert it."),
    "autograph_artifact": ("it is converted already", "Convert the file that it was made from."),
}


@dataclass(frozen=True)
class Note:
    """Why a function of a module stays as it is. is_mistake: something in it must be mended to convert it."""

    lineno: int
    qualname: str
    text: str
    is_mistake: bool


@dataclass(frozen=True)
class ModuleConversion:
    """A converted module: its tree, the qualified names of the functions that changed, and what did not."""

    tree: Any
    changed: tuple[str, ...]
    notes: tuple[Note, ...]


def convert_function(
    node: Any,
    *,
    options: ConversionOptions,
    filename: str,
    qualname: str,
    reserved: Collection[str] = (),
    text_annotations: bool = False,
) -> Any:
    """Rewrite one function or lambda; the tree is used up. Raises UnsupportedSyntaxError.

    qualname: tells the class, for private names. reserved: names bound around the function: fresh names avoid them, and
    they hide builtins (SPELLED_BUILTINS). text_annotations: whether the file has `from __future__ import annotations`.
    The result is a FunctionDef `tf__<name>`, or the assignment `tf__lam = lambda ...`. It knows the operators as
    `ag__`, or by another name if the function uses that one.
    """
    with deep_recursion(), paused_collection():
        written = mangle_private(node, class_of(qualname), text_annotations)
        namer = Namer({*reserved, *identifiers(node)})
        rewriter = _analysed(node, options, filename, namer, namer.fresh(_AG), reserved, text_annotations)
        put_back(written, only_definitions=True)
        rewriter.keeps_asserts = __debug__
        if isinstance(node, gast.Lambda):
            return convert_top_lambda(rewriter, node, namer.fresh("tf__lam"))
        convert_body(rewriter, node, options)
        node.name = namer.fresh(f"tf__{node.name}")
        node.decorator_list, node.type_params = [], []
        return node


def convert_generator(
    node: Any,
    *,
    options: ConversionOptions,
    filename: str,
    qualname: str,
    stoppable: bool | None,
    reserved: Collection[str] = (),
    text_annotations: bool = False,
) -> Any:
    """As `convert_function`, for a generator that a loop runs (converters/generator.py); its consumer comes first."""
    with deep_recursion(), paused_collection():
        written = mangle_private(node, class_of(qualname), text_annotations)
        namer = Namer({*reserved, *identifiers(node)})
        consumer = make_pushing(node, namer, filename, stoppable)
        rewriter = _analysed(node, options, filename, namer, namer.fresh(_AG), reserved, text_annotations)
        put_back(written, only_definitions=True)
        rewriter.consumer, rewriter.feeding = consumer, feeding_statements(node, consumer)
        convert_body(rewriter, node, options)
        node.name = namer.fresh(f"tf__{node.name}")
        node.decorator_list, node.type_params = [], []
        return node


def _analysed(
    node: Any,
    options: ConversionOptions,
    filename: str,
    namer: Namer,
    ag: str,
    around: Collection[str],
    text_annotations: bool,
) -> Rewriter:
    """Check and lower a function, analyse it, and make the rewriter that knows the results."""
    scopes = find_scopes(node, frozenset(around) - SPELLED_BUILTINS)
    scopes.text_annotations = text_annotations
    check(node, scopes, filename)
    jumps = lower_jumps(node, scopes, namer, ag)
    units = read_units(node, scopes, jumps)
    facts = find_state(units.values())
    fscope = namer.fresh("lscope") if isinstance(node, gast.Lambda) else ""
    return Rewriter(TABLES, Analyses(scopes, jumps, units, facts), namer, options, ag, fscope, around)


def convert_module(
    tree: Any, *, options: ConversionOptions, filename: str, selected: Collection[str] | None = None
) -> ModuleConversion:
    """Convert the functions of a module in place, all of them or those with the qualified names in `selected`.

    Functions that cannot be converted stay as they are, with a note; a selected one raises UnsupportedSyntaxError.
    Raises ConversionError for a selected name that the module does not define.
    """
    with deep_recursion(), paused_collection():
        names = identifiers(tree)
        around = bound_among(tree, SPELLED_BUILTINS)
        ag = Namer(names).fresh(_AG)
        text_annotations = any(_is_future(node, "annotations") for node in tree.body)
        found = list(_functions(tree.body, ""))
        _check_selected(selected, [qualname for qualname, _ in found], filename)
        changed, notes = [], []
        for qualname, node in found:
            if selected is not None and qualname not in selected:
                continue
            written = mangle_private(node, class_of(qualname), text_annotations)
            try:
                _check_marks(node, filename)
                namer = Namer({*names, ag, *(identifiers(node) if written else ())})
                known = around if class_of(qualname) is None else {*around, "__class__"}
                rewriter = _analysed(node, options, filename, namer, ag, known, text_annotations)
            except UnsupportedSyntaxError as error:
                put_back(written)
                if selected is not None:
                    raise
                text = f"{error.construct} stays Python: {error.reason}. {error.remedy}"
                notes.append(Note(error.lineno, qualname, text, mark_of(node) is None and _is_plain(node)))
                continue
            put_back(written, only_definitions=True)
            inner = [At(node).constant(name) for name in defined_in(node)]
            convert_body(rewriter, node, options)
            at = At(node)
            mark = at.operator(ag, "autograph_artifact", keywords=[at.keyword("inner", at.tuple(inner))])
            node.decorator_list.append(mark)
            changed.append(qualname)
        if changed:
            _import_operators(tree, ag)
        return ModuleConversion(tree, tuple(changed), tuple(notes))


def _functions(statements: list[Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """The functions of a module and of its classes, with their qualified names; not those inside of functions."""
    for node in statements:
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, gast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        else:
            for field in ("body", "handlers", "orelse", "finalbody", "cases"):
                yield from _functions(getattr(node, field, []), prefix)


def _is_plain(node: Any) -> bool:
    """Whether a call of a function runs its body, which of generators and async functions it does not."""
    return not isinstance(node, gast.AsyncFunctionDef) and not find_scopes(node).table[node].yields


def _check_selected(selected: Collection[str] | None, existing: list[str], filename: str) -> None:
    unknown = sorted(set(selected or ()) - set(existing))
    if unknown:
        there = ", ".join(existing) or "none"
        raise ConversionError(f"{filename}: there is no function {', '.join(unknown)}; the functions here are: {there}")


def _check_marks(node: Any, filename: str) -> None:
    """Refuse a function whose decorators say that it is to stay as it is."""
    mark = mark_of(node)
    if mark is not None:
        raise UnsupportedSyntaxError(f"the function {node.name!r}", filename, node.lineno, *_MARKS[mark])


def _import_operators(tree: Any, ag: str) -> None:
    """Put `import autograph.operators as ag__` after the docstring and the `__future__` imports."""
    place = 0
    for node in tree.body:
        constant = node.value if isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant) else None
        is_docstring = place == 0 and constant is not None and isinstance(constant.value, str)
        if not is_docstring and not _is_future(node):
            break
        place += 1
    at = At(tree.body[min(place, len(tree.body) - 1)])
    alias = at.put(gast.alias("autograph.operators", ag))
    tree.body.insert(place, at.put(gast.Import([alias])))


def _is_future(node: Any, feature: str | None = None) -> bool:
    """Whether a statement is `from __future__ import ...`, of a certain feature if one is given."""
    is_import = isinstance(node, gast.ImportFrom) and node.module == "__future__"
    return is_import and (feature is None or any(alias.name == feature for alias in node.names))
