"""Names for generated symbols that meet neither the globals of a function nor the names that it uses.

Example:
    namer = Namer({"tf__f": 1})
    namer.new_symbol("tf__f", ())                   # 'tf__f_1'
    namer.new_symbol("body", {QN("body")})          # 'body_1'; `reserved_locals` may be QNs, such as scope.referenced
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable

from autograph.pyct.qual_names import QN

__all__ = ["Namer"]


class Namer:
    """Hands out names. global_namespace: what the function sees by name; generated_names: those handed out."""

    def __init__(self, global_namespace: Container[str], taken: Iterable[str] = ()) -> None:
        """taken: further names that are in use, wherever: the identifiers of the function."""
        self.global_namespace = global_namespace
        self.generated_names: set[str] = set()
        self._taken = frozenset(taken)
        self._next: dict[str, int] = {}

    def new_symbol(self, name_root: str, reserved_locals: Collection[QN | str] = ()) -> str:
        """`name_root` if it is free, else `name_root_1`, `name_root_2`, ...; handed out once."""
        used: set[str] = set()
        for name in reserved_locals:
            used.update({name} if isinstance(name, str) else {str(part) for part in name.support_set})
        root, number = name_root, self._next.get(name_root, 0)
        if name_root.rpartition("_")[2].isdigit() and "_" in name_root.strip("_"):
            root, _, last = name_root.rpartition("_")
            number = max(number, int(last))
        new = name_root
        while new in used or new in self.global_namespace or new in self.generated_names or new in self._taken:
            number += 1
            new = f"{root}_{number}"
        self._next[name_root] = number
        self.generated_names.add(new)
        return new
