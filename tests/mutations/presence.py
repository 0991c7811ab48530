"""Breaks of what is there in some runs only, keys, members and attributes, and of what runs leave in such places.

python -m tests.mutations objects/maybe
"""

from .runner import Mutation

__all__ = ["OF_PRESENCE"]

HERE = "tests/runtime/control_flow"
DICTS, VIEWS = "runtime/control_flow/objects/maybe_dicts.py", "runtime/control_flow/objects/maybe_views.py"
PRESENCE = (f"{HERE}/test_presence.py", f"{HERE}/test_presence_in_loops.py", f"{HERE}/test_presence_refused.py")

STATE = ("tests/runtime/function/test_state.py", "tests/runtime/function/test_state_of_traces.py")

OF_PRESENCE = (
    Mutation(
        "a key that was perhaps there is not gone through where only the run knows when it was made",
        DICTS,
        "        self.is_ordered = False  # it stands where it was, or comes last\n",
        "        pass\n",
        PRESENCE,
    ),
    Mutation(
        "what is not there is not handed over",
        VIEWS,
        "            consumer.when(flag, lambda: hand_over(consumer, whole), whole)\n",
        "            hand_over(consumer, whole)\n",
        PRESENCE,
    ),
    Mutation(
        "what a branch makes of one of several lists stays when the branch ends",
        "runtime/control_flow/lists/promotion.py",
        "    (undo if was_there(old) else written).extend(back_in_refs)",
        "    undo.extend(back_in_refs)",
        (f"{HERE}/test_refs.py",),
    ),
    Mutation(
        "a loop of Python's goes through no dict that takes another one's place",
        "runtime/control_flow/loops/items_to_come.py",
        "            if any(part is value for part in gc.get_referents(found)):\n",
        "            if False:\n",
        PRESENCE,
    ),
    Mutation(
        "a place that a run leaves nothing in has nothing",
        "runtime/function/left.py",
        "        return value if made.of(self.value.defined) else ABSENT\n",
        "        return value if made.of(self.value.defined) or True else ABSENT\n",
        STATE,
    ),
    Mutation(
        "what stood in a place is guarded though no code names it",
        "runtime/function/given_places.py",
        "            rows.append((f\"{slot.place.words!r}\", slot.place.read, found))\n",
        "            pass\n",
        STATE,
    ),
    Mutation(
        "a list that others have, too, is not read anew as the value of one place",
        "runtime/function/given_places.py",
        "len(found) <= stands and own.issuperset(map(id, found))",
        "True",
        STATE,
    ),
    Mutation(
        "an object is closed when no attribute of it is uncertain any more",
        "runtime/heap/open_objects.py",
        "    elif _is_open(owner):\n",
        "    elif False:\n",
        PRESENCE,
    ),
)
