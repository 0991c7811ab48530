"""Breaks in what makes numbers and texts of a run Python's: their text, `math`, characters, bools that count.

python -m tests.mutations runtime/ops/elementwise/number_calls.py runtime/control_flow/builtins/characters.py
"""

from .runner import Mutation

__all__ = ["OF_NUMBERS_AND_TEXTS"]

HERE = "tests/runtime/control_flow"
TEXT_TESTS = (f"{HERE}/test_texts.py",)
MATH_TESTS = (f"{HERE}/test_math_functions.py",)
NUMBER_TESTS = (f"{HERE}/test_numbers.py",)
RANGE_TESTS = (f"{HERE}/test_handlers_and_refusals.py",)

OF_NUMBERS_AND_TEXTS = (
    Mutation(
        "the text of a number is Python's",
        "runtime/ops/text/strings.py",
        '        return str_of(self._array) if self._array.ndim else format_of(self._array, "")\n',
        "        return str_of(self._array)\n",
        TEXT_TESTS,
    ),
    Mutation(
        "a domain error of math is raised",
        "runtime/ops/elementwise/number_calls.py",
        "    if np.isnan(result).any() and not any(np.isnan(x).any() for x in given):\n",
        "    if False:\n",
        MATH_TESTS,
    ),
    Mutation(
        "nan that is given is no domain error",
        "runtime/ops/elementwise/number_calls.py",
        " and not any(np.isnan(x).any() for x in given):\n",
        ":\n",
        MATH_TESTS,
    ),
    Mutation(
        "an integer that leaves int64 is an error",
        "runtime/ops/elementwise/number_calls.py",
        "    if not -(2**63) <= result < 2**63:\n",
        "    if not -(2**70) <= result < 2**70:\n",
        MATH_TESTS,
    ),
    Mutation(
        "what math makes of integers adapts to the tensors beside it",
        "runtime/control_flow/builtins/number_items.py",
        "    if adapts and isinstance(number, SymbolicTensor):\n",
        "    if False:\n",
        MATH_TESTS,
    ),
    Mutation(
        "a position in a text gives a character",
        "runtime/control_flow/builtins/characters.py",
        '        return call("item", text, key)\n',
        "        return NotImplemented\n",
        TEXT_TESTS,
    ),
    Mutation(
        "bools of the graph count in sums and products",
        "runtime/tensor/tensor.py",
        "        if (numbers := counted(operands)) is not None:\n",
        "        if (numbers := None) is not None:\n",
        NUMBER_TESTS,
    ),
    Mutation(
        "no handler of the program takes an integer that Python would go on with",
        "runtime/errors.py",
        "IntegerRangeError.__ag_caught_as__ = (IntegerRangeError,)",
        "IntegerRangeError.__ag_caught_as__ = IntegerRangeError.__mro__",
        RANGE_TESTS,
    ),
    Mutation(
        "a literal that does not fit is no error of the program",
        "runtime/tensor/group_dtypes.py",
        "of_the_trace(named) if is_of_the_trace(error) else named",
        "named",
        RANGE_TESTS,
    ),
)
