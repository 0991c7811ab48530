"""A compiler of one's own, made with autograph.pyct: Python functions become programs of a machine with registers.

It is a client as others write them: a transpiler with its own name for results, its own operators under `ag__`, and
what it does not care about taken from autograph. The compiled programs are run, and held against Python's own library.

    $ python samples/pocket_compiler.py
    gcd(48, 36) = 12 after 21 instructions
"""

import math
import sys

from autograph import operators
from autograph.pyct import transpiler
from autograph.pyct.common_transformers import staging


def gcd(a, b):
    """The greatest common divisor of two numbers."""
    while b > 0:
        a, b = b, a % b
    return a


def factor(n):
    """The smallest divisor of `n` above one."""
    for d in range(2, n):
        if n % d == 0:
            return d
        if d * d > n:
            break
    return n


def collatz(n):
    """The number of steps down to one."""
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


class Register:
    """A number that the machine will hold; what is done with it is written down as an instruction."""

    def __init__(self, code, number):
        self.code = code
        self.number = number

    def __bool__(self):
        raise TypeError("the machine has not run yet, so Python cannot look into a register")


def instruction(name, swapped=False):
    def write(self, other):
        first, second = (other, self) if swapped else (self, other)
        return self.code.put(name, first, second)

    return write


NAMES = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "lt": "<", "gt": ">", "eq": "=="}
for name, sign in NAMES.items():
    setattr(Register, f"__{name}__", instruction(sign))
    setattr(Register, f"__r{name}__", instruction(sign, swapped=True))


class Code:
    """The instructions so far: (name, target register, operands); labels are places in the list."""

    def __init__(self):
        self.lines = []
        self.registers = 0

    def new(self):
        self.registers += 1
        return Register(self, self.registers - 1)

    def put(self, name, *operands):
        target = self.new()
        self.lines.append((name, target.number, operands))
        return target

    def move(self, value, target):
        self.lines.append(("move", target.number, (value,)))

    def jump(self, condition=None):
        """A jump (where the condition is 0, if there is one) to a place that `land` tells."""
        self.lines.append(None)
        return len(self.lines) - 1, condition

    def land(self, jump):
        place, condition = jump
        name, operands = ("jump", ()) if condition is None else ("jump if 0", (condition,))
        self.lines[place] = (name, len(self.lines), operands)


class Scope:
    """The frame of a function while it is compiled."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def ret(self, value, did_return):
        return value


class Operators:
    """What generated code calls as `ag__`. code: the program that is being written."""

    def __init__(self):
        self.code = None

    def __getattr__(self, name):
        return getattr(operators, name)  # for Python values, autograph's are right

    def FunctionScope(self, function_name, scope_name, options):
        return Scope()

    def converted_call(self, function, args, kwargs, scope):
        if function is range and any(isinstance(arg, Register) for arg in args):
            return args if len(args) == 2 else (0, *args)
        return function(*args, **(kwargs or {}))

    def _move(self, values, homes):
        """The state of a statement has a home of its own, which holds it wherever control comes from."""
        for value, home in zip(values, homes, strict=True):
            if value is not home and not isinstance(value, operators.Undefined | operators.UndefinedReturnValue):
                self.code.move(value, home)

    def if_stmt(self, cond, body, orelse, get_state, set_state, symbol_names, nouts):
        if not isinstance(cond, Register):
            return body() if cond else orelse()
        before = get_state()
        homes = [self.code.new() for _ in before]
        otherwise = self.code.jump(cond)
        body()
        self._move(get_state(), homes)
        end = self.code.jump()
        self.code.land(otherwise)
        set_state(before)
        orelse()
        self._move(get_state(), homes)
        self.code.land(end)
        set_state(homes)

    def while_stmt(self, test, body, get_state, set_state, symbol_names, opts):
        before = get_state()
        homes = [self.code.new() for _ in before]
        self._move(before, homes)
        start = len(self.code.lines)
        set_state(homes)
        end = self.code.jump(test())
        body()
        values = [self.code.put("copy", value) if isinstance(value, Register) else value for value in get_state()]
        self._move(values, homes)  # all at once: one may have got the old value of another
        self.code.lines.append(("jump", start, ()))
        self.code.land(end)
        set_state(homes)

    def for_stmt(self, iterated, extra_test, body, get_state, set_state, symbol_names, opts):
        start, stop = iterated
        count = self.code.put("+", start, 0)

        def test():
            more = count < stop
            return more if extra_test is None else self.and_(lambda: more, extra_test)

        def step():
            body(count)
            self.code.move(count + 1, count)

        self.while_stmt(test, step, get_state, set_state, symbol_names, opts)

    def if_exp(self, cond, if_true, if_false, text):
        result = operators.Undefined("result")

        def set_state(values):
            nonlocal result
            (result,) = values

        then, otherwise = (lambda branch=branch: set_state([branch()]) for branch in (if_true, if_false))
        self.if_stmt(cond, then, otherwise, lambda: (result,), set_state, ("result",), 1)
        return result

    def and_(self, a, b, test=False):
        return self.code.put("*", a(), b())

    def not_(self, value):
        return value == 0 if isinstance(value, Register) else not value


class PocketCompiler(transpiler.PyToPy):
    """Python functions in, programs of the machine out."""

    def __init__(self):
        super().__init__()
        self.operators = Operators()

    def get_transformed_name(self, node):
        return "compile_" + super().get_transformed_name(node)

    def get_extra_locals(self):
        return {"ag__": self.operators}

    def transform_ast(self, node, ctx):
        return staging.transform(node, ctx)

    def compile(self, function):
        writer, _, _ = self.transform(function, None)
        code = self.operators.code = Code()
        parameters = [code.new() for _ in range(function.__code__.co_argcount)]
        code.lines.append(("return", 0, (writer(*parameters),)))
        return code


BINARY = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "==": lambda a, b: int(a == b),
}


def run(code, *arguments):
    """The result of a program, and the number of instructions that it took."""
    registers = [*arguments, *[0] * code.registers]
    place = count = 0
    while True:
        name, target, operands = code.lines[place]
        values = [registers[each.number] if isinstance(each, Register) else int(each) for each in operands]
        place, count = place + 1, count + 1
        if name == "return":
            return values[0], count
        if name == "jump" or (name == "jump if 0" and values[0] == 0):
            place = target
        elif name in BINARY:
            registers[target] = BINARY[name](*values)
        elif name != "jump if 0":
            registers[target] = values[0]


def smallest_divisor(n):
    return next(d for d in range(2, n + 1) if math.gcd(d, n) == d)


def steps_to_one(n):
    return 0 if n == 1 else 1 + steps_to_one(n // 2 if n % 2 == 0 else 3 * n + 1)


def main():
    compiler = PocketCompiler()
    cases = [(gcd, math.gcd, (48, 36)), (gcd, math.gcd, (17, 0)), (gcd, math.gcd, (17, 40))]
    cases += [(factor, smallest_divisor, (n,)) for n in (2, 35, 97)]
    cases += [(collatz, steps_to_one, (n,)) for n in (1, 6, 27)]
    for function, expected, arguments in cases:
        result, count = run(compiler.compile(function), *arguments)
        call = f"{function.__name__}({', '.join(map(str, arguments))})"
        if result != expected(*arguments):
            sys.exit(f"{call}: the machine gives {result}, Python {expected(*arguments)}")
        print(f"{call} = {result} after {count} instructions")


if __name__ == "__main__":
    main()
