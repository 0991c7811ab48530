"""From a running function to the tree of its definition, verified to be the text that the function was made from.

The text comes from `linecache` (so notebooks, zip files and doctest work), a whole file is parsed and compiled once,
and the definition is found by the line and name that Python itself recorded; lambdas by their columns, so that two on
one line are told apart. The file may have been edited since it was imported: the code object of the text must equal the
function's, otherwise StaleSourceError. Compiling does not execute anything. Where nobody keeps the text (exec, a prompt
before Python 3.13) it may still be what was typed last, and the code of functions without branches tells what they do
(`autograph.straight`).

Example:
    definition = find_definition(fn)
    definition.node  # ast.FunctionDef or ast.Lambda, with the positions of the file
"""

from __future__ import annotations

import ast
import copy
import dis
import inspect
import linecache
import os
import re
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, Final

from autograph import logs
from autograph.code_names import codes_in, inner_codes
from autograph.errors import SourceUnavailableError, StaleSourceError, UnsupportedSyntaxError
from autograph.rules import future_flags, syntax_kind
from autograph.straight import tree_of
from autograph.syntax import deep_recursion, nodes_of, unwarned
from autograph.template import NAMESPACE

__all__ = ["Definition", "FunctionNode", "find_definition"]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Place = tuple[int, str]  # first line (of the decorators, if any) and name: what a code object knows of its definition

_KEPT_FILES = 8
_REST: Final = 8
"""So many lines of a statement may come after those that the code of a function in it is of."""


@dataclass(frozen=True, slots=True)
class Definition:
    """The tree of one function, and where it stands."""

    node: FunctionNode
    filename: str
    lines: Sequence[str] = ()
    """Those of the text that it was found in; none where the code is all that there is."""


@dataclass(frozen=True, slots=True)
class _File:
    """A parsed file: its definitions and the code objects that Python makes of it, both by place."""

    lines: list[str]
    nodes: dict[Place, list[FunctionNode]]
    codes: dict[Place, list[CodeType]]


def find_definition(function: FunctionType, generator: bool = False, any_kind: bool = False) -> Definition:
    """The definition of `function` in its source. generator: whether it may be a generator; any_kind: or async too.

    Raises SourceUnavailableError, StaleSourceError, or UnsupportedSyntaxError for other generators and async functions.
    """
    code = function.__code__
    kind = None if any_kind else syntax_kind(code)
    if kind is not None and not (generator and code.co_flags & inspect.CO_GENERATOR):
        raise UnsupportedSyntaxError(
            f"{code.co_qualname!r} ({kind})",
            code.co_filename,
            code.co_firstlineno,
            "its body does not run when it is called",
            "Call it from a function that is converted, or mark it with @autograph.do_not_convert.",
        )
    lines = lines_of(function)
    node = _find(code, lines)
    if node is None:
        linecache.checkcache(code.co_filename)  # the text in memory may be the older one
        lines = lines_of(function)
        node = _find(code, lines)
    if node is None and not _has_file(function):
        found = ((_find(code, typed), typed) for typed in _typed(code))
        node, lines = next((each for each in found if each[0] is not None), (tree_of(code), []))
        if node is None:
            raise _unavailable(code)
    if node is None:
        raise StaleSourceError(
            f"{code.co_filename}:{code.co_firstlineno}: the source of {code.co_qualname!r} is not the text that the "
            "running function was made from; the file has changed since it was imported, or an import hook rewrites "
            "it. Restart the program or reload the module (or mark the function with @autograph.do_not_convert)"
        )
    return Definition(node, code.co_filename, lines)


def lines_of(function: FunctionType) -> list[str]:
    """The lines of the file, cell or command in which a function stands; none where they are not known."""
    code = function.__code__
    filename = code.co_filename
    if filename.startswith("<frozen "):
        filename = function.__globals__.get("__file__", filename)
    if lines := linecache.getlines(filename, function.__globals__):
        return lines
    if code.co_filename == "<string>" and sys.argv[:1] == ["-c"]:
        return _command()
    try:
        return inspect.findsource(function)[0]  # newer Pythons keep what was typed, or given to -c, by function
    except (OSError, IndexError):
        return []


def _has_file(function: FunctionType) -> bool:
    """Whether there is the file that a function says it is from, if only in an archive.

    Else its name was made up for code made of text: text found under it may be that of other code of the same name, or
    of the module that the function says it belongs to.
    """
    filename = function.__code__.co_filename
    in_archive = function.__globals__.get("__file__") == filename and bool(lines_of(function))
    return os.path.exists(filename) or in_archive


def _command() -> list[str]:
    """The text that `python -c` was given, of which Python itself keeps no lines before 3.13."""
    options = iter(sys.orig_argv[1:])
    text = next((next(options, "") for option in options if re.fullmatch("-[a-zA-Z]*c", option)), "")
    return text.splitlines(keepends=True)


def _typed(code: CodeType) -> Iterator[list[str]]:
    """The statements that code of a prompt may be of, the last one first, as far as the line editor remembers."""
    editor: Any = sys.modules.get("readline")
    if code.co_filename != "<stdin>" or editor is None:
        return
    count = editor.get_current_history_length()
    history = [f"{editor.get_history_item(i + 1) or ''}\n" for i in range(count)]
    last = max(line or 0 for each in codes_in(code) for _, _, line in each.co_lines())
    word = "lambda" if code.co_name == "<lambda>" else code.co_name
    for start in range(count - last, -1, -1):
        if not history[start][0].isspace() and any(word in line for line in history[start : start + last]):
            for end in range(start + last, min(start + last + _REST, count) + 1):
                yield history[start:end]


def _unavailable(code: CodeType) -> SourceUnavailableError:
    return SourceUnavailableError(
        f"{code.co_filename}:{code.co_firstlineno}: the source of {code.co_qualname!r} cannot be found, as happens "
        "for functions made by exec or typed at a prompt; only those without branches and loops can do without "
        "it. Put the function into a file or a cell of IPython, or register its text in linecache.cache under a file "
        "name of its own before compiling it (or have it run as it is, by @autograph.do_not_convert or "
        "function(autograph=False))"
    )


def _find(code: CodeType, lines: list[str]) -> FunctionNode | None:
    """The node whose code object equals `code`; None if the text holds no such function."""
    file = _parsed(code.co_filename, future_flags(code), lines)
    if file is None:
        return None
    place = (code.co_firstlineno, code.co_name)
    node = _pick(code, file.nodes.get(place, []))
    if node is None:
        return None
    if not any(_same(code, other) for other in file.codes.get(place, [])):
        rewritten = _is_instrumented(code) or _is_converted(code)
        if not (rewritten and any(_looks_like(code, other) for other in file.codes.get(place, []))):
            return None
        logs.log(1, "%s: the code was rewritten; its source was checked by its outline only", code.co_qualname)
    return node


def _pick(code: CodeType, nodes: list[FunctionNode]) -> FunctionNode | None:
    """The node of `code` among those at its place; only lambdas can be several."""
    if len(nodes) < 2:
        return nodes[0] if nodes else None
    spans = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and column is not None and end_line is not None and end_column is not None
    ]
    spans = [(start, end) for start, end in spans if start < end]  # the prologue has empty spans
    if not spans:
        return _pick_by_content(code, nodes)
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    around = [node for node in nodes if isinstance(node, ast.Lambda) and _holds(node.body, start, end)]
    return max(around, key=lambda node: (node.lineno, node.col_offset), default=None)


def _pick_by_content(code: CodeType, nodes: list[FunctionNode]) -> FunctionNode:
    """The lambda of `code` where Python recorded no columns (told so, or on 3.12 for a lambda that is a constant)."""
    alike = [node for node in nodes if isinstance(node, ast.Lambda) and _compiles_to(node, code)] or nodes
    if len({ast.dump(node) for node in alike}) > 1:
        raise SourceUnavailableError(
            f"{code.co_filename}:{code.co_firstlineno}: several lambdas stand on this line, and Python recorded no "
            "columns to tell them apart (-X no_debug_ranges or PYTHONNODEBUGRANGES). Put each on a line of its own"
        )
    return alike[0]


def _compiles_to(node: ast.Lambda, code: CodeType) -> bool:
    """Whether the lambda, compiled by itself, gives `code`; true only of those that use no variables around them."""
    bare = copy.deepcopy(node)
    bare.args.defaults, bare.args.kw_defaults = [], [None] * len(bare.args.kwonlyargs)
    with unwarned(code.co_filename):
        compiled = compile(ast.Expression(bare), code.co_filename, "eval", future_flags(code), dont_inherit=True)
    (own,) = inner_codes(compiled)
    # The name and the flags depend on what is around it, but for those of `*args` and `**kwargs`.
    flags = (code.co_flags & ~_STARRED) | (own.co_flags & _STARRED)
    return own.replace(co_qualname=code.co_qualname, co_flags=flags) == code


_STARRED: Final = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def _holds(node: ast.expr, start: tuple[int, int], end: tuple[int, int]) -> bool:
    last = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset) <= start and end <= last


def _same(code: CodeType, other: CodeType) -> bool:
    if code.co_name == "<lambda>" and list(code.co_positions()) != list(other.co_positions()):
        return False
    return code == other or _differs_by_imports_only(code, other)


def _differs_by_imports_only(code: CodeType, other: CodeType) -> bool:
    """Whether it is the same code, once compiled where a module is known to be one: `math.sqrt` is no method there.

    A generator inside of a converted function is compiled without the import statements around it.
    """
    parts = ("co_name", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_firstlineno")
    if any(getattr(code, part) != getattr(other, part) for part in parts):
        return False
    return list(_instructions(code)) == list(_instructions(other)) and _same_constants(code, other)


def _same_constants(code: CodeType, other: CodeType) -> bool:
    pairs = list(zip(code.co_consts, other.co_consts, strict=False))
    inner = [isinstance(a, CodeType) and isinstance(b, CodeType) for a, b in pairs]
    same = [_same(a, b) if codes else (type(a), a) == (type(b), b) for (a, b), codes in zip(pairs, inner, strict=True)]
    return len(code.co_consts) == len(other.co_consts) and all(same)


def _instructions(code: CodeType) -> Iterator[tuple[str, object]]:
    """What the code does, without the places that it jumps to and without what tells a method from a function."""
    for instruction in dis.get_instructions(code):
        name = "LOAD_ATTR" if instruction.opname == "LOAD_METHOD" else instruction.opname
        if name not in ("NOP", "PUSH_NULL", "CACHE", "EXTENDED_ARG"):
            jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
            value = None if jumps or isinstance(instruction.argval, CodeType) else instruction.argval
            yield name, value


def _is_instrumented(code: CodeType) -> bool:
    """Whether pytest has rewritten the assert statements of the function, or of a function inside it."""
    return any(
        name.startswith(("@py_", "@pytest_")) for each in codes_in(code) for name in each.co_names + each.co_varnames
    )


def _is_converted(code: CodeType) -> bool:
    """Whether it is generated code, or a generator inside of some, in which inner functions are converted."""
    operators = NAMESPACE.cell_contents
    return any(constant is operators for each in codes_in(code) for constant in each.co_consts)


def _looks_like(code: CodeType, other: CodeType) -> bool:
    """The check for rewritten code: same name, first line (both known), arguments and free variables."""
    return _outline(code) == _outline(other)


def _outline(code: CodeType) -> tuple[object, ...]:
    flags = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    count = code.co_argcount + code.co_kwonlyargcount + bin(flags).count("1")
    return (
        code.co_qualname,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        flags,
        code.co_varnames[:count],
        code.co_freevars,
    )


_files: OrderedDict[tuple[str, int], _File] = OrderedDict()
_files_lock = threading.Lock()


def _parsed(filename: str, flags: int, lines: list[str]) -> _File | None:
    """The file in parsed form, from memory if its text is the same; None if it is no longer Python at all."""
    key = (filename, flags)
    with _files_lock:
        file = _files.get(key)
        if file is not None:
            _files.move_to_end(key)
    if file is not None and (file.lines is lines or file.lines == lines):
        return file
    file = _parse(filename, flags, lines)
    if file is not None:
        with _files_lock:
            _files[key] = file
            _files.move_to_end(key)
            while len(_files) > _KEPT_FILES:
                _files.popitem(last=False)
    return file


def _parse(filename: str, flags: int, lines: list[str]) -> _File | None:
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # cells of a notebook may hold it
    try:
        with deep_recursion(), unwarned(filename):
            text = "".join(lines)
            tree = compile(text, filename, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
            module = compile(text, filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes: dict[Place, list[FunctionNode]] = {}
    for node in nodes_of(tree):
        if isinstance(node, ast.Lambda):
            nodes.setdefault((node.lineno, "<lambda>"), []).append(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first_line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            nodes.setdefault((first_line, node.name), []).append(node)
    codes: dict[Place, list[CodeType]] = {}
    for code in codes_in(module):
        codes.setdefault((code.co_firstlineno, code.co_name), []).append(code)
    return _File(lines, nodes, codes)
