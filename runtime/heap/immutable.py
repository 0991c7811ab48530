"""Classes of libraries whose objects never change, as far as a program can see, or whose changes are nobody's concern.

    is_immutable(datetime.date)       True
    is_immutable(pathlib.PosixPath)   True: it keeps texts that it has made, but is the same path
"""

from __future__ import annotations

from typing import Any, Final

from autograph.cache import kept_by_identity

__all__ = ["is_immutable"]

_NAMES: Final = frozenset(
    {
        "_decimal.Decimal", "_pydecimal.Decimal", "_struct.Struct", "ast.AST",
        "ctypes.CDLL", "datetime.date", "datetime.time", "datetime.timedelta", "datetime.tzinfo", "decimal.Decimal",
        "enum.Enum", "fractions.Fraction", "functools._lru_cache_wrapper", "functools.singledispatchmethod",
        "inspect.Parameter", "inspect.Signature", "ipaddress._IPAddressBase", "logging.Filterer", "logging.Manager",
        "pathlib.PurePath", "pathlib._local.PurePath", "re.Match", "re.Pattern", "string.Template", "struct.Struct",
        "threading.Thread", "types.CodeType", "types.FrameType", "types.GenericAlias", "types.TracebackType",
        "types.UnionType", "typing.TypeVar", "typing._Final", "uuid.UUID", "weakref.finalize", "zoneinfo.ZoneInfo",
        "numpy.dtype", "numpy.generic", "numpy._ArrayFunctionDispatcher", "numpy.ufunc", "numpy.vectorize",
        "builtins.code", "builtins.frame",
        "builtins.traceback", "builtins.getset_descriptor", "builtins.member_descriptor",
        "builtins.method_descriptor", "builtins.wrapper_descriptor", "builtins.classmethod_descriptor",
        "_abc._abc_data", "_collections._tuplegetter", "collections._tuplegetter", "operator.attrgetter",
        "operator.itemgetter", "operator.methodcaller",
    }
)  # fmt: skip
"""By module and name; classes below them count as well, unless they are the user's."""


@kept_by_identity
def is_immutable(kind: Any) -> bool:
    """Whether a class is one of those, or below one."""
    return any(f"{base.__module__}.{base.__qualname__}" in _NAMES for base in kind.__mro__)
