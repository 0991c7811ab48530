"""Texts with holes, which a random generator fills: `{V}[{I}] = {S}` becomes `a[n % 4] = x * 0.5`.

    Filler(Random(1), {"S": ("x", "{S} * 0.5")}, ends="S").fill("y = {S}")      # "y = x * 0.5 * 0.5"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

__all__ = ["Filler"]

HOLE = re.compile(r"\{([A-Z])\}|\{\{|\}\}")


class Filler:
    """Fills holes. forms: the texts for each letter; ends: the letters whose first forms have no holes of their own."""

    def __init__(self, rng: Random, forms: Mapping[str, Sequence[str]], ends: str) -> None:
        self.rng = rng
        self.forms = forms
        self.ends = ends

    def fill(self, form: str, depth: int = 2) -> str:
        """The form with a text for each hole; `{{` is a brace."""

        def text(hole: re.Match[str]) -> str:
            if hole[1] is None:
                return hole[0][0]
            forms = self.forms[hole[1]]
            if depth <= 0 and hole[1] in self.ends:
                forms = forms[:1]
            return self.fill(self.rng.choice(forms), depth - 1)

        return HOLE.sub(text, form)
