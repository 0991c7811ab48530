"""Clients of the toolkit: their names, their operators, their caches; and the functions that come out.

What comes out has the globals, the closure cells, the defaults and the lines of the function that went in.
"""

from __future__ import annotations

import gc
import inspect
import operator
import sys
import traceback
import types
import weakref
from typing import Any

import gast
import pytest

import autograph
from autograph.pyct import anno, errors, loader, naming, origin_info, parser, templates, transformer, transpiler

SCALE = 10


class SwapSigns(transformer.Base):
    """a + b becomes a - b, and the reverse."""

    def visit_BinOp(self, node: Any) -> Any:
        self.generic_visit(node)
        node.op = {gast.Add: gast.Sub, gast.Sub: gast.Add}.get(type(node.op), type(node.op))()
        return node


class Swapping(transpiler.PyToPy):
    def __init__(self) -> None:
        super().__init__()
        self.transformed = 0

    def transform_ast(self, node: Any, ctx: transformer.Context) -> Any:
        self.transformed += 1
        return SwapSigns(ctx).visit(node)


def swapped(function: Any, context: Any = None) -> Any:
    return Swapping().transform(function, context)[0]


def test_globals_closure_defaults_and_signature() -> None:
    cell = 100

    def f(a: int, b: int = SCALE, *more: int, c: int = 1, **rest: Any) -> int:
        """Says what it does."""
        nonlocal cell
        cell = cell + 1
        return a + b + sum(more) + c + SCALE + cell

    new = swapped(f)
    assert new(1) == 1 - 10 - 0 - 1 - 10 - 99
    assert cell == 99
    assert f(1) == 1 + 10 + 0 + 1 + 10 + 100
    assert inspect.signature(new) == inspect.signature(f)
    assert new.__doc__ == f.__doc__ and new.__module__ == f.__module__ and new.__globals__ is f.__globals__


def test_closures_of_one_definition_share_a_transformation() -> None:
    def make(n: int) -> Any:
        return lambda x: x + n

    client = Swapping()
    functions = [client.transform(make(n), None)[0] for n in range(4)]
    assert [function(10) for function in functions] == [10, 9, 8, 7]
    assert client.transformed == 1


def test_the_caching_key_tells_transformations_apart() -> None:
    class Keyed(Swapping):
        def get_caching_key(self, user_context: Any) -> Any:
            return user_context["level"]

    def f(x: int) -> int:
        return x + 1

    client = Keyed()
    for level in (1, 2, 1):
        client.transform(f, {"level": level})
    assert client.transformed == 2
    assert client._cache.has(f, 1) and not client._cache.has(f, 3)
    again = client._cached_factory(f, 1).instantiate(f.__globals__, f.__closure__ or (), f.__defaults__)
    assert again(5) == 4


def test_what_is_known_dies_with_the_function() -> None:
    client = Swapping()
    module, _ = loader.load_source("def g(x):\n    return x + 1\n")
    new = client.transform(module.g, None)[0]
    assert new(3) == 2 and len(client._cache) == 1
    seen = weakref.ref(module.g)
    del new, module
    gc.collect()
    assert seen() is None and len(client._cache) == 0


def test_methods_and_private_names() -> None:
    class Account:
        __rate = 3

        def total(self, amount: int) -> int:
            return super().__getattribute__("__class__").__rate + self.__rate + amount

    new = swapped(Account().total)
    assert new(Account(), 5) == 3 - 3 - 5
    assert new.__qualname__.endswith("Account.total")


def test_generators_and_async_functions() -> None:
    async def work(x: int) -> int:
        return x + 1

    def numbers(n: int) -> Any:
        for i in range(n):
            yield i + n

    assert list(swapped(numbers)(3)) == [-3, -2, -1]
    with pytest.raises(StopIteration) as stop:
        swapped(work)(5).send(None)
    assert stop.value.value == 4


def test_tracebacks_show_the_users_lines() -> None:
    def f(x: int) -> float:
        y = x + 1
        return 1 / (y + 0)  # here

    with pytest.raises(ZeroDivisionError) as caught:
        swapped(f)(1)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.filename == __file__ and (frame.line or "").endswith("# here")


def test_the_module_shows_the_generated_code() -> None:
    def f(x: int) -> int:
        y = x + 1
        return y

    _, module, source_map = Swapping().transform(f, None)
    assert "    y = x - 1\n" in inspect.getsource(module)
    assert module.__name__ not in sys.modules
    line = inspect.getsource(module).splitlines().index("    y = x - 1") + 1
    origin = source_map[origin_info.LineLocation(module.__file__, line)]
    assert origin.source_code_line.strip() == "y = x + 1" and origin.loc.filename == __file__
    assert origin.function_name == "f"


def test_a_transformer_that_fails_says_where() -> None:
    class Picky(transpiler.PyToPy):
        def transform_ast(self, node: Any, ctx: transformer.Context) -> Any:
            class Refuse(transformer.Base):
                def visit_While(self, node: Any) -> Any:
                    raise ValueError("no loops")

            return Refuse(ctx).visit(node)

    def f(x: int) -> None:
        while x:
            pass

    with pytest.raises(ValueError, match="no loops") as caught:
        Picky().transform(f, None)
    (note,) = caught.value.__notes__
    assert "while x:" in note and "Picky" in note and f":{f.__code__.co_firstlineno + 1} " in note


def test_what_cannot_be_transformed_is_said() -> None:
    with pytest.raises(NotImplementedError, match="transforms functions"):
        Swapping().transform(3, None)
    with pytest.raises(NotImplementedError, match="transform_ast"):
        transpiler.PyToPy().transform(test_methods_and_private_names, None)
    with pytest.raises(errors.InaccessibleSourceCodeError):
        namespace: dict[str, Any] = {}
        exec("def f(x): return x or 1", namespace)
        swapped(namespace["f"])

    class Wrong(transpiler.PyToPy):
        def transform_ast(self, node: Any, ctx: transformer.Context) -> Any:
            return gast.Pass()

    with pytest.raises(TypeError, match="function definition or a lambda"):
        Wrong().transform(operator.__file__ and swapped, None)


def test_other_languages() -> None:
    class ToWords(transpiler.GenericTranspiler):
        def transform_ast(self, node: Any, ctx: transformer.Context) -> str:
            class Writer(transformer.CodeGenerator):
                def visit_Return(self, node: Any) -> None:
                    self.emit(f"give {parser.unparse(node.value, include_encoding_marker=False)}")

                def visit_If(self, node: Any) -> None:
                    self.emit(f"when {parser.unparse(node.test, include_encoding_marker=False)}")
                    self.generic_visit(node)

            writer = Writer(ctx)
            writer.visit(node)
            lines = [writer.source_map[line].loc.lineno for line in sorted(writer.source_map)]
            assert lines == sorted(lines) and len(lines) == writer.code_buffer.count("\n")
            return writer.code_buffer

    def f(x: int) -> int | None:
        if x > 1:
            return x
        return None

    text, ctx = ToWords().transform(f, "note")
    assert text == "when x > 1\ngive x\ngive None\n"
    assert ctx.user == "note" and ctx.info.name == "f" and ctx.info.source_file == __file__
    module = types.ModuleType(__name__)
    module.__dict__.update({"late": swapped, "early": outside, "foreign": inspect.getsource})
    assert [each[1].info.name for each in ToWords().transform_module(module, None)] == ["swapped_1", "outside_1"]


def outside(x: int) -> int:
    return x


def test_autograph_runs_what_a_client_made_as_it_is() -> None:
    def f(x: int) -> int:
        return x + 1

    made = swapped(f)

    def caller(x: int) -> int:
        return made(x) * 2 if x else 0

    assert autograph.to_graph(caller)(5) == caller(5) == 8
    with pytest.raises(autograph.ConversionError, match="generated code; convert the function that it was made from"):
        autograph.to_graph(made)


def test_extra_locals_come_before_globals() -> None:
    class Loud(Swapping):
        def get_extra_locals(self) -> dict[str, Any]:
            return {"SCALE": 1000, "cell": 7}

    cell = 1

    def f() -> int:
        return SCALE - cell

    assert Loud().transform(f, None)[0]() == 1007


def test_a_name_for_the_result_meets_no_other() -> None:
    class Plain(Swapping):
        def get_transformed_name(self, node: Any) -> str:
            return "SCALE"

    def f() -> int:
        return SCALE

    new = Plain().transform(f, None)[0]
    assert new.__name__ == "SCALE_1" and new() == 10
    namer = naming.Namer({"x_1": 0})
    assert [namer.new_symbol("x_1", ["x_2"]), namer.new_symbol("x_1"), namer.new_symbol("y", ())] == ["x_3", "x_4", "y"]


def test_templates_in_a_transformer_keep_the_place() -> None:
    class Guarded(transformer.Base):
        def visit_Return(self, node: Any) -> Any:
            return templates.replace("result = value\nif result is None:\n    fail()\nreturn result", value=node.value)

    class Guarding(transpiler.PyToPy):
        def get_extra_locals(self) -> dict[str, Any]:
            return {"fail": lambda: 1 / 0}

        def transform_ast(self, node: Any, ctx: transformer.Context) -> Any:
            return Guarded(ctx).visit(node)

    def f(x: Any) -> Any:
        return x  # the place

    new = Guarding().transform(f, None)[0]
    assert new(3) == 3
    with pytest.raises(ZeroDivisionError) as caught:
        new(None)
    lines = [frame.line for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert lines[1] == "return x  # the place"
    assert anno.keys(gast.Pass()) == frozenset()


def test_a_function_of_exec_whose_code_goes_straight_ahead() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x, y): return x - y", namespace)
    assert swapped(namespace["f"])(5, 3) == swapped(lambda x, y: x - y)(5, 3)
