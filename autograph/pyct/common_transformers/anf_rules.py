"""Which expressions get a statement of their own: rules on the edges of a tree, the first that fits decides.

Example:
    # Only what is given to a call, and only if it is a call itself.
    [(ASTEdgePattern(gast.Call, "args", gast.Call), REPLACE), (ANY, LEAVE)]
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import gast

__all__ = ["ANY", "DEFAULT", "LEAVE", "REPLACE", "ASTEdgePattern", "Config", "decides_to_replace"]


class _Word(enum.Enum):
    ANY = "anything"
    REPLACE = "give it a statement of its own"
    LEAVE = "leave it where it is"

    def __repr__(self) -> str:
        return self.name


ANY: Final = _Word.ANY
REPLACE: Final = _Word.REPLACE
LEAVE: Final = _Word.LEAVE


class ASTEdgePattern(NamedTuple):
    """An edge of a tree: the class of the node above, the name of the field, the class of the node below; or ANY."""

    parent: Any
    field: Any
    child: Any

    def matches(self, parent: Any, field: str, child: Any) -> bool:
        """Whether the edge from `parent` by `field` to `child` is one of these."""
        return (
            (self.parent is ANY or isinstance(parent, self.parent))
            and self.field in (ANY, field)
            and (self.child is ANY or isinstance(child, self.child))
        )


Rule = _Word | Callable[[Any, str, Any], bool]
Config = Sequence[tuple[Any, Rule]]

DEFAULT: Final[Config] = (
    (ASTEdgePattern(ANY, ANY, (gast.Name, gast.Constant)), LEAVE),
    (ANY, REPLACE),
)


def decides_to_replace(config: Config, parent: Any, field: str, child: Any) -> bool:
    """What the first fitting rule says; without one, the expression stays."""
    for pattern, rule in config:
        if pattern is ANY or pattern.matches(parent, field, child):
            if isinstance(rule, _Word):
                return rule is REPLACE
            return rule(parent, field, child)
    return False
