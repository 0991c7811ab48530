"""Breaks of machine code: what must give up, who holds an array, which loops of numpy's are called.

python -m tests.mutations native
"""

from .runner import Mutation

__all__ = ["OF_MACHINE_CODE"]

RULES, GIVING_UP = ("tests/runtime/native/test_rules.py",), ("tests/runtime/native/test_giving_up.py",)
PROGRAMS, SAMPLES = ("tests/runtime/native/test_programs.py",), ("tests/runtime/native/test_samples.py",)
IN_PLACE, PLACES = "runtime/native/in_place.py", "runtime/native/lowerings/places.py"

WHILES, STEADY = "runtime/native/lowerings/whiles.py", ("tests/runtime/native/test_steady.py",)
VERSIONS = ("tests/runtime/test_versions.py",)
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
        '    w.fail_unless(w.let(f"icmp ult i64 {text}, {dim}"), build.handler(OutOfRangeError))\n',
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
    Mutation(
        "what drifts is tested when signals are looked at",
        WHILES,
        "        for i in self.drifting:\n            self._is_near(_loaded(w, self.slots[i].names[0]))\n",
        "",
        STEADY,
    ),
    Mutation(
        "what drifts begins below 2^62",
        WHILES,
        "                self._is_near(held.text)\n",
        "                pass\n",
        STEADY,
    ),
    Mutation(
        "what a branch finds out of an index holds in it alone",
        "runtime/native/lowerings/control.py",
        "    return dataclasses.replace(value) if isinstance(value, Number) else dataclasses",
        "    return value if isinstance(value, Number) else dataclasses",
        STEADY,
    ),
    Mutation(
        "a branch gives up only where it is taken",
        "runtime/native/lowerings/control.py",
        '    exactly = f"select i1 {test}, i1 {then}, i1 {other}"\n',
        '    exactly = f"or i1 {then}, {other}"\n',
        STEADY,
    ),
    Mutation(
        "all turns of a loop are in its strips",
        WHILES,
        '        return most - least <= range_of(strip.step)[0] << strip.reach\n',
        "        return True\n",
        STEADY,
    ),
    Mutation(
        "flags that begin the same and change in two ways are two",
        "runtime/passes/twins.py",
        "    return a.op is constant_node or (depth > 0 < len(a.inputs)",
        "    return True or (depth > 0 < len(a.inputs)",
        VERSIONS,
    ),
    Mutation(
        "an element that is written back is dropped only where another write says that it is out of range",
        "runtime/passes/versions.py",
        "    return any(_is_beside(operation, other) for other in operation.graph.operations if other.op is setitem)\n",
        "    return True\n",
        VERSIONS,
    ),
    Mutation(
        "what is inserted before a list is put at its begin",
        "runtime/native/lowerings/list_parts.py",
        '(("slt", "0"), ("sgt", length))',
        '(("sgt", length),)',
        ("tests/runtime/native/test_list_parts.py",),
    ),
)
