"""The decorators of autograph keep the types of what they decorate."""
import autograph

@autograph.convert()
def grown(x: int) -> int:
    return x + 1 if x > 0 else x

@autograph.convert(recursive=True)
def shrunk(x: int, by: int = 1) -> int:
    return x - by

@autograph.do_not_convert
def plain(x: int) -> str:
    return str(x)

@autograph.do_not_convert()
def plainer(x: int) -> str:
    return str(x)

@autograph.convert
# by mypy: error: Argument 1 to "convert" has incompatible type "Callable[[int], int]"; expected "bool"  [arg-type]
# by pyright: error: Argument of type "(x: int) -> int" cannot be assigned to parameter "recursive" of type "bool" in function "convert"
def without_parentheses(x: int) -> int:
    return x

reveal_type(grown)
# by mypy: note: Revealed type is "def (x: int) -> int"
# by pyright: information: Type of "grown" is "(x: int) -> int"
reveal_type(grown(1))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "grown(1)" is "int"
reveal_type(shrunk(1, by=2))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "shrunk(1, by=2)" is "int"
reveal_type(plain(1))
# by mypy: note: Revealed type is "str"
# by pyright: information: Type of "plain(1)" is "str"
reveal_type(plainer(1))
# by mypy: note: Revealed type is "str"
# by pyright: information: Type of "plainer(1)" is "str"
grown("one")
# by mypy: error: Argument 1 to "grown" has incompatible type "str"; expected "int"  [arg-type]
# by pyright: error: Argument of type "Literal['one']" cannot be assigned to parameter "x" of type "int" in function "grown"
