"""From a function to another function: the skeleton of a source-to-source transformer, which clients fill in.

Example:
    class Negator(PyToPy):
        def get_transformed_name(self, node):
            return "negated_" + super().get_transformed_name(node)

        def transform_ast(self, node, ctx):
            return SwapAddAndSub(ctx).visit(node)       # a transformer.Base

    new_fn, module, source_map = Negator().transform(fn, None)

The new function has the globals, closure cells and defaults of `fn`, and the user's file and lines on its code:
nothing is written to disk, no module is left behind. What it is made of is remembered for as long as the code of `fn`
lives.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import gast

from autograph.loader import compile_function
from autograph.naming import class_of, identifiers, mangle_private
from autograph.pyct import cache, inspect_utils, loader, naming, origin_info, parser, positions, transformer
from autograph.syntax import At, deep_recursion
from autograph.template import autograph_artifact, dress

__all__ = ["Factory", "GenericTranspiler", "PyToPy", "SourceMap"]


class GenericTranspiler:
    """Turns functions into whatever `transform_ast` returns: a tree, text in another language, anything."""

    def get_transformed_name(self, node: Any) -> str:
        """The name that the result is to have; a fresh one is made of it. node: the definition or lambda."""
        if isinstance(node, gast.Lambda):
            return "lam"
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            return str(node.name)
        raise ValueError(f"only a function has a name for its result, found {type(node).__name__}")

    def transform_ast(self, node: Any, ctx: transformer.Context) -> Any:
        """Transform the tree of a function; it may be changed in place. To be written by the client."""
        raise NotImplementedError(f"{type(self).__name__} has to define transform_ast(node, ctx)")

    def transform(self, obj: Any, user_context: Any) -> Any:
        """Transform a function or method, or each function of a module. user_context: reaches clients as `ctx.user`."""
        if isinstance(obj, FunctionType | MethodType):
            return self.transform_function(obj, user_context)
        if isinstance(obj, ModuleType):
            return self.transform_module(obj, user_context)
        raise NotImplementedError(
            f"{type(self).__name__} transforms functions, methods, lambdas and modules, found {obj!r}; "
            "give the function that is meant (the `__call__` or `__init__` of an object or class)"
        )

    def transform_module(self, mod: ModuleType, user_context: Any) -> list[Any]:
        """Transform every function that a module defines; the results in the order of the definitions."""
        functions = [each for each in vars(mod).values() if isinstance(each, FunctionType)]
        own = [each for each in functions if each.__module__ == mod.__name__]
        own.sort(key=lambda function: function.__code__.co_firstlineno)
        return [self.transform_function(function, user_context) for function in own]

    def transform_function(self, fn: Any, user_context: Any) -> Any:
        """Transform one function or method: what `transform_ast` returned, and the Context that it got.

        Raises ConversionError if the source of the function cannot be found.
        """
        function = _plain(fn)
        features = inspect_utils.getfutureimports(function)
        node, source = parser.parse_entity(function, future_features=features)
        origin_info.resolve_entity(node, source, function)
        namespace = inspect_utils.getnamespace(function)
        code = function.__code__
        with deep_recursion():
            owner = class_of(code.co_qualname)
            if owner is not None:
                mangle_private(node, owner)
            namer = naming.Namer(namespace, _used_names(node))
            name = namer.new_symbol(self.get_transformed_name(node), ())
            info = transformer.EntityInfo(name, source, code.co_filename, features, namespace)
            ctx = transformer.Context(info, namer, user_context)
            node = self._erase_arg_defaults(node)
            try:
                return self.transform_ast(node, ctx), ctx
            except Exception as error:
                error.add_note(f"(while {type(self).__name__} transformed {_place(code, ctx)})")
                raise

    def _erase_arg_defaults(self, node: Any) -> Any:
        """Defaults are values by now, which the new function gets; their expressions are not transformed."""
        arguments = node.args
        arguments.defaults = [At(each).constant(None) for each in arguments.defaults]
        arguments.kw_defaults = [each and At(each).constant(None) for each in arguments.kw_defaults]
        return node


def _used_names(node: Any) -> set[str]:
    """The identifiers in a function; its own name only where it uses that itself."""
    if isinstance(node, gast.Lambda):
        return identifiers(node)
    return set().union(*(identifiers(each) for each in [node.args, *node.body, *node.decorator_list]))


def _place(code: CodeType, ctx: transformer.Context) -> str:
    origin = ctx.current_origin
    if origin is None:
        return f"{code.co_qualname!r} of {code.co_filename}:{code.co_firstlineno}"
    return f"{code.co_filename}:{origin.loc.lineno} in {code.co_qualname!r}: {origin.source_code_line.strip()}"


class PyToPy(GenericTranspiler):
    """Turns functions into functions: `transform_ast` returns the definition of the new one, or a lambda."""

    def __init__(self) -> None:
        self._cache = cache.CodeObjectCache()
        self._cache_lock = threading.RLock()

    def get_extra_locals(self) -> dict[str, Any]:
        """Variables that generated code sees besides those of the user's function: `{"ag__": my_operators}`."""
        return {}

    def get_caching_key(self, user_context: Any) -> Hashable:
        """What the result depends on besides the code of the function: equal keys share one transformation.

        The values of globals and of variables around the function are no part of it: leave decisions that depend on
        them to generated code, or add them here.
        """
        key: Hashable = user_context
        return key

    def transform_function(self, fn: Any, user_context: Any) -> Any:
        """The new function; a module that holds the generated text; and where its lines come from.

        The function of a bound method is a plain function: the first argument of a call is the object. The module is
        made for people: `inspect.getsource(module)` is the generated code. Raises ConversionError if the source cannot
        be found or the new tree does not compile, and what `transform_ast` raises.
        """
        function = _plain(fn)
        key = self.get_caching_key(user_context)
        if not self._cache.has(function, key):
            with self._cache_lock:
                if not self._cache.has(function, key):
                    factory = self._make_factory(function, user_context)
                    self._cache[function][key] = factory
        factory = self._cached_factory(function, key)
        made = factory.instantiate(
            function.__globals__, function.__closure__ or (), function.__defaults__, function.__kwdefaults__
        )
        dress(made, function)
        return made, factory.module, factory.source_map

    def _cached_factory(self, fn: Any, cache_subkey: Hashable) -> Factory:
        factory: Factory = self._cache[fn][cache_subkey]
        return factory

    def _make_factory(self, function: FunctionType, user_context: Any) -> Factory:
        node, ctx = super().transform_function(function, user_context)
        if isinstance(node, list | tuple) and len(node) == 1:
            (node,) = node
        name = ctx.info.name
        if isinstance(node, gast.Lambda):
            node = gast.Assign([gast.Name(name, gast.Store(), None, None)], node, None)
        elif isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            node.name = name
        else:
            raise TypeError(
                f"{type(self).__name__}.transform_ast is to return a function definition or a lambda for "
                f"{function.__qualname__!r}, found {type(node).__name__}"
            )
        original = function.__code__
        positions.complete(node, positions.line(original.co_firstlineno))
        extra = self.get_extra_locals()
        code = compile_function(node, [*extra, *original.co_freevars], original)
        return Factory(name, code, original.co_freevars, {k: CellType(v) for k, v in extra.items()}, node)


@dataclass(frozen=True)
class Factory:
    """A transformed function without globals and closure; function objects are built around it.

    freevars: the names of the cells of the original's closure. extra: those of the client. node: the generated tree.
    """

    name: str
    code: CodeType
    freevars: tuple[str, ...]
    extra: Mapping[str, CellType]
    node: Any

    def instantiate(
        self,
        globals_: dict[str, Any],
        closure: tuple[CellType, ...],
        defaults: tuple[Any, ...] | None = None,
        kwdefaults: dict[str, Any] | None = None,
    ) -> FunctionType:
        """A function of the generated code. closure: a cell for each of `freevars`, in their order."""
        if len(closure) != len(self.freevars):
            raise ValueError(f"the closure is to have a cell for each of {self.freevars}, found {len(closure)}")
        cells = dict(zip(self.freevars, closure, strict=True)) | dict(self.extra)
        made = FunctionType(
            self.code, globals_, self.name, defaults, tuple([cells[name] for name in self.code.co_freevars])
        )
        made.__kwdefaults__ = kwdefaults
        return autograph_artifact(made)  # its text is nowhere, so autograph runs it as it is when it meets it

    @cached_property
    def text(self) -> str:
        """The generated code, for people."""
        return parser.unparse(self.node)

    @cached_property
    def module(self) -> ModuleType:
        """A module, known to nobody, whose text is the generated code."""
        digest = hashlib.sha256(repr(self.code).encode() + self.name.encode()).hexdigest()[:12]
        module = ModuleType(f"generated_{self.name}")
        module.__file__ = f"generated_{self.name}_{digest}.py"  # linecache asks no loader for a name in <>
        module.__dict__["__loader__"] = _Text(self)
        return module

    @property
    def source_map(self) -> SourceMap:
        """From lines of the generated text to the user's."""
        return SourceMap(self)


class _Text(loader.TextLoader):
    """The text of a factory, printed when somebody looks."""

    def __init__(self, factory: Factory) -> None:
        self._factory = factory

    def get_source(self, name: str) -> str:
        return self._factory.text


class SourceMap(Mapping[origin_info.LineLocation, origin_info.OriginInfo]):
    """origin_info.create_source_map of a factory, made when somebody looks."""

    def __init__(self, factory: Factory) -> None:
        self._factory = factory

    @cached_property
    def _lines(self) -> dict[origin_info.LineLocation, origin_info.OriginInfo]:
        filename = self._factory.module.__file__ or ""
        return origin_info.create_source_map(self._factory.node, self._factory.text, filename)

    def __getitem__(self, key: origin_info.LineLocation) -> origin_info.OriginInfo:
        return self._lines[key]

    def __iter__(self) -> Iterator[origin_info.LineLocation]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def _plain(fn: Any) -> FunctionType:
    """The function of a method; of a function, itself."""
    function: Any = fn.__func__ if isinstance(fn, MethodType) else fn
    if not isinstance(function, FunctionType):
        raise TypeError(f"expected a Python function or method, found {fn!r}")
    return function
