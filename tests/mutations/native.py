"""Breaks of machine code: what must give up, who holds an array, which loops of numpy's are called.

python -m tests.mutations native
"""

from .runner import Mutation

__all__ = ["OF_MACHINE_CODE"]

RULES, GIVING_UP = ("tests/runtime/native/test_rules.py",), ("tests/runtime/native/test_giving_up.py",)
PROGRAMS, SAMPLES = ("tests/runtime/native/test_programs.py",), ("tests/runtime/native/test_samples.py",)
IN_PLACE, PLACES = "runtime/native/in_place.py", "runtime/native/lowerings/places.py"

IN_MEMORY = ("tests/runtime/native/test_places_in_memory.py",)

OF_MACHINE_CODE = (
    Mutation(
        "an array whose transpose is read later is not written to in place",
        IN_PLACE,
        "            spared = spared_transposes(graph)\n",
        "            spared = {}\n",
        IN_MEMORY,
    ),
    Mutation(
        "what is computed of a transposed array lies as that",
        "runtime/native/fusion.py",
        "isinstance(operand, Memory) and operand.turned:",
        "isinstance(operand, Memory) and False:",
        IN_MEMORY,
    ),
    Mutation(
        "sums that leave 64 bits give up",
        "runtime/native/lowerings/arithmetic.py",
        '    w.fail_if(w.let(f"extractvalue {{{kind}, i1}} {pair}, 1"))\n',
        "",
        RULES,
    ),
    Mutation(
        "quotients are rounded down",
        "runtime/native/lowerings/division.py",
        '    apart = w.let(f"and i1 {nonzero}, {signs}")\n',
        '    apart = w.let(f"and i1 {nonzero}, false")\n',
        RULES,
    ),
    Mutation(
        "an index that is out of range gives up",
        PLACES,
        '    w.fail_unless(w.let(f"icmp ult i64 {text}, {dim}"))\n',
        "",
        GIVING_UP,
    ),
    Mutation(
        "an array that is read later keeps its elements",
        "runtime/native/build.py",
        "keep=id(tensor) not in self.dying or not once)",
        "keep=False)",
        PROGRAMS,
    ),
    Mutation(
        "an array that two turns hold is not written to in place",
        IN_PLACE,
        "            if len(takers) > 1 or uses[-1][0] != number or any(t is tensor for t in graph.outputs):\n",
        "            if any(t is tensor for t in graph.outputs):\n",
        PROGRAMS,
    ),
    Mutation(
        "arrays with gaps are left to the plan",
        "runtime/native/objects.py",
        "  ret i1 %plain\n",
        "  ret i1 true\n",
        GIVING_UP,
    ),
)
