"""Breaks in `runtime/vectorize` and `runtime/autodiff`: rows that differ, handlers, and what a trace was told.

python -m tests.mutations runtime/vectorize
"""

from .runner import Mutation

__all__ = ["OF_ROWS"]

DIFFERING, SITES = "runtime/vectorize/differing.py", "runtime/autodiff/body_sites.py"
ROWS = ("tests/runtime/vectorize/test_control_flow.py",)
RECORDS = ("tests/runtime/vectorize/test_records.py",)
HANDLERS = ("tests/runtime/autodiff/test_handlers.py",)
SURROUNDINGS = ("tests/runtime/function/test_trace_surroundings.py",)
SHARDED = ("tests/runtime/test_sharded.py", "tests/runtime/test_sharded_training.py")

OF_ROWS = (
    Mutation(
        "a branch that may raise does not run for no rows",
        DIFFERING,
        "    if not any(may_raise(o) or o.subgraphs for o in branch.operations):\n        return run()\n",
        "    return run()\n",
        ROWS,
    ),
    Mutation(
        "only what cannot make a gradient nan is computed for rows that it is not for",
        DIFFERING,
        "    return operation.op.facts.tame or operation.op in (constant_node, placeholder)\n",
        "    return True\n",
        ROWS,
    ),
    Mutation(
        "rows that are in a loop when its iterations run out have the values of the last one",
        DIFFERING,
        '    if operation.attributes["maximum_iterations"] is not None:  # some may be in the loop still\n',
        "    if False:\n",
        ROWS,
    ),
    Mutation(
        "filters of groups keep their channels beside each other",
        "runtime/vectorize/placed.py",
        '    last = ops["transpose"](gradient, perm=(*range(1, rank + 1), 0))\n',
        '    last = ops["transpose"](gradient, perm=(*range(1, rank), 0, rank))\n',
        RECORDS,
    ),
    Mutation(
        "what may be another value is not computed again",
        SITES,
        "        return not any(o.acts or o.op in UNSURE or _keeps_tensors(o.op) for o in every)\n",
        "        return True\n",
        HANDLERS,
    ),
    Mutation(
        "what is computed again remembers nothing for the handler",
        SITES,
        "            copies[id(handle)] = graph.add(memo_new, (), {}).outputs[0]\n",
        "            pass\n",
        HANDLERS,
    ),
    Mutation(
        "a trace holds for the strategy that it was told of",
        "runtime/distribute/strategies.py",
        "    if place.trace is not trace_around():\n",
        "    if False:\n",
        SURROUNDINGS,
    ),
    Mutation(
        "sums over shards are taken by neighbours",
        "runtime/distribute/shards.py",
        "zip(level[::2], level[1::2], strict=False)]",
        "zip(level[: len(level) // 2], level[len(level) // 2 :], strict=False)]",
        SHARDED,
    ),
    Mutation(
        "shards never write to the Variables of the program",
        "runtime/exits/dask/sent.py",
        "    if operation.op in WRITES:\n",
        "    if False:\n",
        SHARDED,
    ),
)  # fmt: skip
