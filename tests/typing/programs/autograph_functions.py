"""`to_graph`, `to_code` and `converted`."""
import autograph

def larger(x: int, y: int) -> int:
    return x if x > y else y

class Best:
    @autograph.convert()
    def of(self, x: int) -> int:
        return x

    @classmethod
    @autograph.convert()
    def made(cls, x: int) -> "Best":
        return cls()

staged = autograph.to_graph(larger)
reveal_type(staged)
# by mypy: note: Revealed type is "def (x: int, y: int) -> int"
# by pyright: information: Type of "staged" is "(x: int, y: int) -> int"
reveal_type(staged(1, 2))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "staged(1, 2)" is "int"
reveal_type(autograph.to_code(larger))
# by mypy: note: Revealed type is "str"
# by pyright: information: Type of "autograph.to_code(larger)" is "str"
reveal_type(autograph.converted(larger)(1, 2))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "autograph.converted(larger)(1, 2)" is "int"
reveal_type(Best().of(1))
# by mypy: note: Revealed type is "int"
# by pyright: information: Type of "Best().of(1)" is "int"
reveal_type(Best.made(1))
# by mypy: note: Revealed type is "tests.typing.programs.autograph_functions.Best"
# by pyright: information: Type of "Best.made(1)" is "Best"
staged(1)
# by mypy: error: Too few arguments  [call-arg]
# by pyright: error: Argument missing for parameter "y"
autograph.to_graph(larger, recursiv=True)
# by mypy: error: Unexpected keyword argument "recursiv" for "to_graph"; did you mean "recursive"?  [call-arg]
# by pyright: error: No parameter named "recursiv"
autograph.to_grph(larger)
# by mypy: error: Module has no attribute "to_grph"; maybe "to_graph"?  [attr-defined]
# by pyright: error: "to_grph" is not a known attribute of module "autograph"
