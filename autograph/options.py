"""What to convert and how: the options that travel from the user's call into the generated code and on to callees.

Example:
    options = ConversionOptions(recursive=True, optional_features=Feature.EQUALITY_OPERATORS)
    options.uses(Feature.EQUALITY_OPERATORS)  # True
    options.as_text()  # ag__.ConversionOptions(recursive=True, user_requested=False, ...)
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograph.selection import Rules, spell_rules

__all__ = ["STANDARD_OPTIONS", "ConversionOptions", "Feature", "feature_tuple"]


class Feature(enum.Enum):
    """Parts of the conversion that are off unless asked for.

    ALL: every feature that is available.
    AUTO_CONTROL_DEPS: effects keep their order (they always do; the name is there for programs that ask for it).
    ASSERT_STATEMENTS: `assert` over symbolic values (always converted; the name is there for programs that ask for it).
    BUILTIN_FUNCTIONS: `print` of symbolic values prints when the graph runs, not when it is traced.
    EQUALITY_OPERATORS: `==` and `!=` go through `ag__.eq` and `ag__.not_eq`.
    LISTS: `append`, `pop` and items of lists over symbolic values (always converted, likewise).
    NAME_SCOPES: operations recorded in a converted function are named after it.
    ORDER_OPERATORS: `<`, `<=`, `>` and `>=` go through `ag__.lt`, `ag__.le`, `ag__.gt` and `ag__.ge`.
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"
    ORDER_OPERATORS = "ORDER_OPERATORS"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All available features, as a tuple of their own names (without ALL)."""
        return tuple(feature for feature in cls if feature is not cls.ALL)

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """All available features except `exclude`, one feature or several."""
        excluded = _members(exclude)
        return tuple(feature for feature in cls.all() if feature not in excluded)


def feature_tuple(features: Feature | Iterable[Feature] | None) -> tuple[Feature, ...]:
    """One feature, several or None as a tuple without duplicates, in the order of the enumeration."""
    if features is None:
        return ()
    wanted = _members(features)
    return tuple(feature for feature in Feature if feature in wanted)


def _members(features: Any) -> set[Feature]:
    """One feature or several, as a set. Raises TypeError for anything else."""
    several = isinstance(features, Iterable) and not isinstance(features, str)
    found: list[Any] = list(features) if several else [features]
    strangers = [repr(item) for item in found if not isinstance(item, Feature)]
    if strangers:
        raise TypeError(f"optional features are members of autograph.Feature, found {', '.join(strangers)}")
    return set(found)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ConversionOptions:
    """How one function is converted; immutable, compared and hashed by value.

    recursive: also convert the functions that it calls. user_requested: the user named this function, so rules that
    keep library code unconverted do not hold for it. internal_convert_user_code: whether its callees are converted.
    optional_features: one Feature, several, or None for none. include, exclude: rules for callees (`selection`).
    """

    recursive: bool = False
    user_requested: bool = False
    internal_convert_user_code: bool = True
    optional_features: Feature | tuple[Feature, ...] = Feature.ALL
    include: Rules = ()
    exclude: Rules = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "include", spell_rules(self.include))
        object.__setattr__(self, "exclude", spell_rules(self.exclude))
        object.__setattr__(self, "optional_features", feature_tuple(self.optional_features))

    @property
    def features(self) -> tuple[Feature, ...]:
        """The optional features as a tuple, in the order of the enumeration."""
        chosen = self.optional_features
        return chosen if isinstance(chosen, tuple) else (chosen,)

    def uses(self, feature: Feature) -> bool:
        """Whether `feature` is on, by its own name or as part of ALL."""
        features = self.features
        return feature in features or Feature.ALL in features

    def call_options(self) -> ConversionOptions:
        """The options for the functions that a function with these options calls."""
        return ConversionOptions(
            recursive=self.recursive,
            user_requested=False,
            internal_convert_user_code=self.recursive,
            optional_features=self.features,
            include=self.include,
            exclude=self.exclude,
        )

    def as_text(self, namespace: str = "ag__") -> str:
        """The Python expression that makes these options, as generated code spells it."""
        names = [f"{namespace}.Feature.{feature.name}" for feature in self.features]
        features = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        rules = "".join(f", {k}={v!r}" for k, v in (("include", self.include), ("exclude", self.exclude)) if v)
        return (
            f"{namespace}.ConversionOptions(recursive={self.recursive}, user_requested={self.user_requested}, "
            f"optional_features={features}, internal_convert_user_code={self.internal_convert_user_code}{rules})"
        )


STANDARD_OPTIONS = ConversionOptions(recursive=True, optional_features=())
