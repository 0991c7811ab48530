"""`locals`, `vars`, `dir`, `eval` and `exec` without namespaces: they see the user's variables and nothing else.

    eval(text)    --->    ag__.call_with_locals(eval, (text,), None, fscope, ag__.locals_of(fscope, {'x': x, 'y': y}))

The converter writes out which variables the user's function has there. What `exec` assigns, and what is put into
`locals()`, changes no variable, as in Python: up to 3.12 it stays in the one dict that `locals()` gives for a call,
from 3.13 on each call of `locals()` gives a dict of its own. In a graph a variable may be defined on some paths only:
reading it is an error at run time on the other paths, and to ask which variables there are is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from autograph.errors import StagingError
from autograph.operators.call import converted_call, run_foreign
from autograph.operators.callers import compile_for_user
from autograph.operators.scope import FunctionScope
from autograph.operators.variables import Undefined, ld

__all__ = ["call_with_locals", "locals_of"]

Names = dict[str, Any]


def locals_of(scope: FunctionScope, names: Names) -> Names:
    """What `locals()` gives in the function of `scope`: the variables that have a value."""
    if sys.version_info >= (3, 13):
        return _defined(names)
    shown = scope.shown_locals
    if shown is None:
        shown = scope.shown_locals = {}
    for name, value in names.items():
        if type(value) is Undefined:
            shown.pop(name, None)
        else:
            shown[name] = value
    return _defined(shown) if _any_is_doubtful(shown) else shown


class _Doubtful(Names):
    """Variables of which some are defined on some paths only: a read says if that was wrong. Which ones there are
    nobody can tell."""

    def __getitem__(self, name: str) -> Any:
        return ld(super().__getitem__(name), name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) and not self._refuses(name)

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            return default
        return self[name]

    def __len__(self) -> int:
        return super().__len__() + self._refuses()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> Any:
        return self._refuses() or super().keys()

    def values(self) -> Any:
        return self._refuses() or super().values()

    def items(self) -> Any:
        return self._refuses() or super().items()

    def copy(self) -> Any:
        return self._refuses() or super().copy()

    def _refuses(self, *names: object) -> bool:
        """False where none of the names, or of all, is a doubtful one."""
        held = dict.items(self)
        for name, value in held:
            if (not names or name in names) and _is_doubtful(value):
                raise StagingError(
                    f"the variables of the function are looked at as a dict, and whether {name!r} has a value depends"
                    f" on a tensor. Give it one before the statement that assigns it ({name} = None), and ask for that"
                )
        return False


def _any_is_doubtful(names: Names) -> bool:
    return any(map(_is_doubtful, dict.values(names)))


def _is_doubtful(value: Any) -> bool:
    return getattr(type(value), "__ag_maybe_undefined__", False) is True


def _defined(names: Names) -> Names:
    kind = _Doubtful if _any_is_doubtful(names) else dict
    return kind({name: value for name, value in dict.items(names) if type(value) is not Undefined})


def call_with_locals(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: Names | None, scope: FunctionScope, names: Names
) -> Any:
    """`f(*args, **kwargs)`; if `f` is one of Python's readers of frames, it reads `names`."""
    reader = _READERS.get(id(f))
    if reader is None:
        return converted_call(f, args, kwargs, scope)
    shown = names if names is scope.shown_locals else _defined(names)
    return reader(f, args, kwargs or {}, shown, sys._getframe(1).f_globals)


def _read(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Names, names: Names, globals_: Names) -> Any:
    if args or kwargs:
        return function(*args, **kwargs)
    return sorted(names) if function is dir else names


def _run(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Names, names: Names, globals_: Names) -> Any:
    """eval or exec: a namespace that is missing or None is that of the caller."""
    if not args:
        return function(*args, **kwargs)  # raises TypeError
    given = dict(kwargs)
    spaces = list(args[1:]) + [None] * (3 - len(args))
    if sys.version_info >= (3, 13):
        for place, keyword in enumerate(("globals", "locals")):
            if keyword in given and len(args) < place + 2:
                spaces[place] = given.pop(keyword)
    if spaces[0] is None:
        spaces[:2] = [globals_, names if spaces[1] is None else spaces[1]]
    elif spaces[1] is None:
        del spaces[1]
    if all(isinstance(space, dict | None) for space in (*spaces, *given.values())):
        return compile_for_user(function, (args[0], *spaces), given)
    return run_foreign(compile_for_user, function, (args[0], *spaces), given)


_READERS = {id(f): _read for f in (locals, vars, dir)} | {id(f): _run for f in (eval, exec)}
