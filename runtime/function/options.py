"""The options of `runtime.function`, under their present and their older spellings.

Options.of(reduce_retracing=True)                # the same as experimental_relax_shapes=True
Options.of(jit_compil=True)                      # TypeError: did you mean 'jit_compile'?
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from autograph.options import Feature, feature_tuple
from runtime.backend_names import check_name

__all__ = ["OLDER_SPELLINGS", "Options"]

OLDER_SPELLINGS: Final = {"experimental_relax_shapes": "reduce_retracing", "experimental_compile": "jit_compile"}

SWITCHES: Final = {"autograph": (True, False), "reduce_retracing": (True, False), "jit_compile": (True, False, None)}
"""What an option that is on or off may be."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a Function was made with, checked."""

    name: str | None = None
    input_signature: Any = None
    autograph: bool = True
    jit_compile: bool | None = None
    backend: str | None = None
    reduce_retracing: bool = False
    experimental_autograph_options: tuple[Feature, ...] = ()

    @classmethod
    def of(cls, **given: Any) -> Options:
        """The options that a user gave. Raises TypeError for unknown ones, naming the nearest, and for wrong values."""
        known = [field.name for field in dataclasses.fields(cls)]
        for option in given:
            if option not in known and option not in OLDER_SPELLINGS:
                close = difflib.get_close_matches(option, [*known, *OLDER_SPELLINGS], n=1)
                hint = f"; did you mean {close[0]!r}?" if close else f"; options are {', '.join(known)}"
                raise TypeError(f"runtime.function has no option {option!r}{hint}")
        present = _in_present_spelling(given)
        try:
            features = feature_tuple(present.get("experimental_autograph_options"))
        except TypeError as error:
            raise TypeError(f"runtime.function, experimental_autograph_options: {error}") from None
        made = cls(**{**present, "experimental_autograph_options": features})
        made._check()
        return made

    @property
    def engine(self) -> str | None:
        """The name of the engine that runs the Function; None: the one that holds where none is named."""
        if self.backend is not None or self.jit_compile is None:
            return self.backend
        return "native" if self.jit_compile else "numpy"

    def _check(self) -> None:
        if self.backend is not None:
            check_name(self.backend)
            if self.jit_compile is not None:
                raise TypeError("runtime.function takes 'backend' or 'jit_compile', which is another way to say it")
        for option, allowed in SWITCHES.items():
            value = getattr(self, option)
            if not any(value is one for one in allowed):
                shown = " or ".join(map(repr, allowed[:2]))
                raise TypeError(f"runtime.function takes {shown} for {option!r}; got {value!r}")
        if self.jit_compile:
            check_name("native", "jit_compile=True")
        if not isinstance(self.name, str | None):
            raise TypeError(f"runtime.function takes a text for 'name'; got {self.name!r}")


def _in_present_spelling(given: Mapping[str, Any]) -> dict[str, Any]:
    """None for an older spelling means that it was not given."""
    options = {option: value for option, value in given.items() if option not in OLDER_SPELLINGS}
    for older, present in OLDER_SPELLINGS.items():
        value = given.get(older)
        if value is None:
            continue
        if options.get(present) and not value:
            raise TypeError(
                f"runtime.function was given {present}={options[present]!r} and {older}={value!r}, which are two"
                f" spellings of one option; give {present!r} alone"
            )
        options[present] = value
    return options
