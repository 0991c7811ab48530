"""A client as others write them: autograph's conversion, a name of its own for results, operators of its own."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import autograph
from autograph import operators
from autograph.pyct import transformer, transpiler
from autograph.pyct.common_transformers import staging


class Traced:
    """Operators of a client: a few of their own, the others autograph's."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(operators, name)

    def if_stmt(self, cond: Any, body: Any, orelse: Any, get: Any, put: Any, names: Any, nouts: int) -> None:
        self.seen.append(f"if {cond} for {', '.join(names[:nouts])}")
        (body if cond else orelse)()

    def while_stmt(self, test: Any, body: Any, get_state: Any, set_state: Any, names: Any, opts: Any) -> None:
        rounds = 0
        while test():
            body()
            rounds += 1
        self.seen.append(f"{rounds} rounds for {', '.join(sorted(names))}")


class Client(transpiler.PyToPy):
    def __init__(self) -> None:
        super().__init__()
        self.operators = Traced()

    def get_transformed_name(self, node: Any) -> str:
        return "client__" + super().get_transformed_name(node)

    def get_extra_locals(self) -> dict[str, Any]:
        return {"ag__": self.operators}

    def transform_ast(self, node: Any, ctx: transformer.Context) -> Any:
        return staging.transform(node, ctx)


def test_a_client_with_its_own_operators() -> None:
    def f(n: int) -> int:
        total = 0
        while n > 0:
            if n % 2:
                total = total + n
            n = n - 1
        return total

    client = Client()
    new, module, _ = client.transform(f, None)
    assert new.__name__ == "client__f"
    assert new(3) == f(3) == 4
    assert client.operators.seen == ["if 1 for total", "if 0 for total", "if 1 for total", "3 rounds for n, total"]
    assert "ag__.while_stmt(" in inspect.getsource(module)
    double = client.transform(lambda x: 2 * x if x else 1, None)[0]
    assert (double(4), double(0)) == (8, 1)
    assert autograph.to_graph(f)(3) == 4 and len(client.operators.seen) == 4  # autograph's own operators are others


def test_a_client_meets_the_name_of_its_operators() -> None:
    def f(ag__: int) -> int:
        return ag__

    with pytest.raises(autograph.ConversionError, match=r"test_clients\.py:\d+: the name 'ag__'"):
        Client().transform(f, None)
