"""From trees and text to modules that run. No file is written, and nothing is left in `sys.modules`.

`linecache` knows the text for as long as the module lives: tracebacks, debuggers and `inspect.getsource` show it.
Functions that stand for a user's function are better made by transpiler.PyToPy: they keep the user's own lines.

Example:
    module, source, source_map = load_ast(parser.parse("def f(x):\\n    return x + 1"))
    module.f(2)   # 3
"""

from __future__ import annotations

import itertools
import linecache
import weakref
from types import ModuleType
from typing import Any

from autograph.pyct import origin_info, parser

__all__ = ["TextLoader", "load_ast", "load_source"]

_numbers = itertools.count(1)


class TextLoader:
    """What tells `linecache` and `inspect` the text of a module that has no file."""

    def __init__(self, source: str) -> None:
        self.source = source

    def get_source(self, name: str) -> str:
        """The text of the module."""
        return self.source


def load_source(source: str, delete_on_exit: bool = True) -> tuple[ModuleType, str]:
    """Run a text as a module; the module, and the name under which its text is known.

    delete_on_exit: accepted, and not needed, as nothing is written.
    """
    filename = f"<generated module {next(_numbers)}>"
    module = ModuleType(filename.strip("<>").replace(" ", "_"))
    module.__file__ = filename
    module.__dict__["__loader__"] = TextLoader(source)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    weakref.finalize(module, linecache.cache.pop, filename, None).atexit = False
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)
    return module, filename


def load_ast(
    nodes: Any, indentation: str = "    ", include_source_map: bool = False, delete_on_exit: bool = True
) -> tuple[ModuleType, str, dict[origin_info.LineLocation, origin_info.OriginInfo] | None]:
    """Run trees as a module; the module, its text, and which lines come from where (None unless it is asked for).

    nodes: a statement, or a list of them. indentation, delete_on_exit: accepted; the text is indented by four spaces,
    and nothing is written.
    """
    source = parser.unparse(nodes)
    module, filename = load_source(source)
    source_map = origin_info.create_source_map(nodes, source, filename) if include_source_map else None
    return module, source, source_map
