"""Annotations: what analyses and transformers know of a node, kept beside the tree and never in its fields.

Each node has a table of its own, outside of its fields: printing, comparing, iterating over and compiling a tree show
nothing of it. The table dies with its node, also where an annotation leads back to the node; a copy of a node starts
without any (docs/decisions/0013-pyct-on-side-tables.md).

Example:
    setanno(node, "cost", 3)
    getanno(node, "cost")           # 3
    hasanno(copy.deepcopy(node), "cost")   # False
"""

from __future__ import annotations

import enum
import weakref
from collections.abc import Hashable, Mapping
from typing import Any, Final

from autograph.syntax import children

__all__ = ["Basic", "NoValue", "Static", "copyanno", "delanno", "dup", "getanno", "hasanno", "keys", "setanno"]

_TABLE: Final = "___pyct_anno"


class NoValue(enum.Enum):
    """Keys of annotations; the values only say what they are."""

    def __repr__(self) -> str:
        return self.name


class Basic(NoValue):
    """What is known of a node by itself."""

    QN = "the qualified name of a variable, attribute or element, a qual_names.QN"
    SKIP_PROCESSING = "transformer.Base leaves the node as it is, with everything in it"
    INDENT_BLOCK_REMAINDER = "statements that go into a block from here on, see transformer.Base.visit_block"
    ORIGIN = "where in the user's source the node comes from, an origin_info.OriginInfo"
    DIRECTIVES = "what the user has said of the statement, by the function that was called to say it"
    EXTRA_LOOP_TEST = "a test that has to hold for another round of a `for`"


class Static(NoValue):
    """What the analyses in static_analysis/ find."""

    IS_PARAM = "the name is a parameter of the function"
    SCOPE = "names that a statement or expression reads and changes, an activity.Scope"
    ARGS_SCOPE = "the same of the parameters of a function, or of the arguments of a call"
    COND_SCOPE = "the same of the test of a statement"
    BODY_SCOPE = "the same of the body of a statement"
    ORELSE_SCOPE = "the same of the `else` of a statement"
    DEFINITIONS = "of a name: the definitions that may have given it its value"
    ORIG_DEFINITIONS = "DEFINITIONS before a transformation, for transformers that keep them"
    DEFINED_FNS_IN = "functions that may exist when a statement starts"
    DEFINED_VARS_IN = "variables that may have a value when a statement starts"
    LIVE_VARS_OUT = "variables whose value may be read after a statement"
    LIVE_VARS_IN = "variables whose value may be read from the start of a statement on"
    TYPES = "for clients that infer types"
    CLOSURE_TYPES = "for clients that infer types"
    VALUE = "for clients that resolve names to objects"


class _Table(dict[Hashable, Any]):
    """The annotations of one node. Copying a node copies what it holds: the table says whose it is."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any = None) -> None:
        self.owner = None if owner is None else weakref.ref(owner)

    def __reduce_ex__(self, protocol: Any) -> tuple[type, tuple[()]]:
        return _Table, ()


_FAIL: Final = object()


def _table(node: Any, field_name: str) -> _Table | None:
    table = node.__dict__.get(field_name)
    return table if table is not None and table.owner is not None and table.owner() is node else None


def keys(node: Any, field_name: str = _TABLE) -> frozenset[Hashable]:
    """The keys of all annotations of a node. field_name: the table, for clients with a table of their own."""
    return frozenset(_table(node, field_name) or ())


def getanno(node: Any, key: Hashable, default: Any = _FAIL, field_name: str = _TABLE) -> Any:
    """The annotation, or `default`. Raises KeyError if there is none and no default is given."""
    table = _table(node, field_name)
    if table is not None and key in table:
        return table[key]
    if default is _FAIL:
        place = f" at line {node.lineno}" if "lineno" in node.__dict__ else ""
        what = f"the {type(node).__name__} node{place}"
        raise KeyError(f"{what} has no annotation {key!r}: run the analysis that sets it")
    return default


def hasanno(node: Any, key: Hashable, field_name: str = _TABLE) -> bool:
    """Whether a node has the annotation."""
    table = _table(node, field_name)
    return table is not None and key in table


def setanno(node: Any, key: Hashable, value: Any, field_name: str = _TABLE) -> None:
    """Annotate a node; an earlier annotation with the same key is gone."""
    table = _table(node, field_name)
    if table is None:
        node.__dict__[field_name] = table = _Table(node)
    table[key] = value


def delanno(node: Any, key: Hashable, field_name: str = _TABLE) -> None:
    """Take an annotation away. Raises KeyError if there is none."""
    getanno(node, key, field_name=field_name)
    del node.__dict__[field_name][key]


def copyanno(from_node: Any, to_node: Any, key: Hashable, field_name: str = _TABLE) -> None:
    """Give `to_node` the annotation of `from_node`, if it has it."""
    if hasanno(from_node, key, field_name):
        setanno(to_node, key, getanno(from_node, key, field_name=field_name), field_name)


def dup(node: Any, copy_map: Mapping[Hashable, Hashable], field_name: str = _TABLE) -> None:
    """In a whole tree, copy annotations from the keys of `copy_map` to the keys that they map to."""
    pending = [node]
    while pending:
        current = pending.pop()
        for source, target in copy_map.items():
            if hasanno(current, source, field_name):
                setanno(current, target, getanno(current, source, field_name=field_name), field_name)
        pending += children(current)
