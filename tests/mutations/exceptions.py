"""Breaks in what becomes of exceptions, managers and generators in staged code.

python -m tests.mutations control_flow operators/pulled
"""

from .runner import Mutation

__all__ = ["OF_EXCEPTIONS"]

RAISED, GUARDED = "runtime/control_flow/tries/raised.py", "runtime/control_flow/tries/statement.py"
CATCHING, UNGUARDED = "runtime/control_flow/tries/catching.py", "runtime/control_flow/tries/unguarded.py"
CLEANUPS, PULLED = "runtime/control_flow/tries/cleanups.py", "autograph/operators/pulled.py"
CLASS, WITH = "autograph/operators/raised_class.py", "autograph/operators/with_statement.py"

HERE = "tests/runtime/control_flow"
REFUSAL_TESTS = (f"{HERE}/test_refusals_in_try.py",)
PULLED_TESTS = (f"{HERE}/test_pulled_generators.py", f"{HERE}/test_pulled_items.py")
CLASS_TESTS = (f"{HERE}/test_unknown_classes.py",)
PROGRAM_TESTS = (f"{HERE}/test_programs_with_exceptions.py", f"{HERE}/test_classes_of_caught_exceptions.py")
MANAGER_TESTS = (f"{HERE}/test_staged_with_refused.py",)
REGIONS, PLACES_TESTS = "runtime/control_flow/tries/regions.py", (f"{HERE}/test_places_behind_managers.py",)
TAKEN_IN, TAKEN_IN_TESTS = "runtime/control_flow/lists/taken_in.py", (f"{HERE}/test_lists_taken_in.py",)

OF_EXCEPTIONS = (
    Mutation(
        "a handler sees what objects hold where the exception comes",
        REGIONS,
        "        return found if self.places is None else found | self.places.note()\n",
        "        return found\n",
        (f"{HERE}/test_programs_with_exceptions.py",),
    ),
    Mutation(
        "a handler sees what a manager leaves of the objects that it changes",
        GUARDED,
        "            passed.settle(passing.world)\n",
        "",
        PLACES_TESTS,
    ),
    Mutation(
        "a list that takes in one that grows is longer under all its names",
        TAKEN_IN,
        "        return grown_in_place(items).__iadd__(taken)\n",
        "        return TensorList(items).__iadd__(taken)\n",
        TAKEN_IN_TESTS,
    ),
    Mutation(
        "the next iteration does not change what this one has put into a list",
        "runtime/control_flow/loops/statement.py",
        "        self.held = carried.check_held(held, results, changes)\n",
        "",
        (f"{HERE}/test_rows_in_growing_lists.py",),
    ),
    Mutation(
        "a row is not changed in place beside a copy of it",
        "runtime/control_flow/lists/rows.py",
        '    if places.keys() >= {"changed", "copied"}:\n',
        "    if False:\n",
        (f"{HERE}/test_rows.py",),
    ),
    Mutation(
        "what staging refuses is no error of the program",
        RAISED,
        '    return not all("RAISES_AS_PYTHON" in module for module in modules if _stages(module))\n',
        "    return False\n",
        REFUSAL_TESTS,
    ),
    Mutation(
        "a handler does not take what staging refuses",
        GUARDED,
        "            else:\n                raise error\n",
        "",
        REFUSAL_TESTS,
    ),
    Mutation(
        "a jump out of a cleanup does not drop what staging refuses",
        CLEANUPS,
        "    if not region.risks and not is_refusal(error):\n",
        "    if not region.risks:\n",
        REFUSAL_TESTS,
    ),
    Mutation(
        "a handler takes no exception of a class above its own",
        CATCHING,
        "    return matches(kind, wanted) if risk.is_exact else may_match(kind, wanted)\n",
        "    return may_match(kind, wanted)\n",
        PROGRAM_TESTS,
    ),
    Mutation(
        "a handler around a manager that does nothing in the graph is kept",
        GUARDED,
        "        if caught and passing is None:\n            for around in region.around():\n"
        "                around.forget(sure)\n",
        "        for around in region.around():\n            around.forget(sure)\n"
        "        if caught and passing is None:\n",
        PROGRAM_TESTS,
    ),
    Mutation(
        "a generator that is closed where a loop ends is minded",
        PULLED,
        '        at = handler(offset) if name == "YIELD_VALUE" else None\n',
        "        at = None\n",
        PULLED_TESTS,
    ),
    Mutation(
        "generators in zip and its like are minded",
        PULLED,
        "        elif kind in TAKING or kind in _SEQUENCES:\n",
        "        elif kind is GeneratorType:\n",
        PULLED_TESTS,
    ),
    Mutation(
        "what items do behind a break is refused",
        UNGUARDED,
        "        if operation.op is not placeholder and (operation.stateful or may_raise(operation)):\n",
        "        if False:\n",
        PULLED_TESTS,
    ),
    Mutation(
        "handlers of a generator that Python runs miss nothing",
        PULLED,
        "    if tracer is None or not _tries(code):\n",
        "    if True:\n",
        PULLED_TESTS,
    ),
    Mutation(
        "the class that only a run knows is not compared",
        CLASS,
        "    if type(other) is UnknownClass or (isinstance(other, type) and issubclass(other, BaseException)):\n",
        "    if False:\n",
        CLASS_TESTS,
    ),
    Mutation(
        "what managers of libraries record when they are left is not lost",
        WITH,
        "            self.effect = self.tracer.effect_since(mark)\n",
        "            self.effect = None\n",
        MANAGER_TESTS,
    ),
)
