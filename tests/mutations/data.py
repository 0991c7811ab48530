"""Breaks in `runtime/library/data` and `runtime/vectorize`: what moves through pipelines, when, and damaged files.

python -m tests.mutations runtime/library/data
"""

from .runner import Mutation

__all__ = ["OF_DATA"]

TESTS = "tests/runtime/library/data/"
SOURCES, STEPS, ORDER = (TESTS + "test_sources.py",), (TESTS + "test_steps.py",), (TESTS + "test_order.py",)
THREADS, FILES, GRAPHS = (TESTS + "test_threads.py",), (TESTS + "test_files.py",), (TESTS + "test_graphs.py",)
VECTORIZED = ("tests/runtime/vectorize/test_vectorized_map.py",)

OF_DATA = (
    Mutation(
        "only what nobody can tell is pulled in blocks",
        "runtime/library/data/stream.py",
        "        self._grows = node.steady\n",
        "        self._grows = True\n",
        SOURCES,
    ),
    Mutation(
        "what comes after an element that failed is kept",
        "runtime/library/data/mapping.py",
        "            if after.count > 0:\n",
        "            if False:\n",
        VECTORIZED,
    ),
    Mutation(
        "an element that failed is not the end of those before it",
        "runtime/library/data/mapping.py",
        "            if not done:\n                raise\n",
        "            raise\n",
        STEPS,
    ),
    Mutation(
        "zip asks its sources one by one where that can be seen",
        "runtime/library/data/ordering.py",
        "        n = n if self._steady else 1\n",
        "        n = n if self._steady or self._pullers else 1\n",
        SOURCES,
    ),
    Mutation(
        "what zip has taken too much comes again",
        "runtime/library/data/ordering.py",
        "        self._put_back(taken, n)\n        return",
        "        return",
        STEPS,
    ),
    Mutation(
        "each pass is shuffled anew",
        "runtime/library/data/shuffling.py",
        "next(self._passes) if self._again else 0",
        "next(self._passes) * 0 if self._again else 0",
        ORDER,
    ),
    Mutation(
        "a thread ends with its iterator",
        "runtime/library/data/threads.py",
        "    def close(self) -> None:\n        self._shared.close()\n",
        "    def close(self) -> None:\n",
        THREADS,
    ),
    Mutation(
        "a pass that is left leaves no file",
        "runtime/library/data/caching.py",
        "    def close(self) -> None:\n        self._give_up()\n",
        "    def close(self) -> None:\n",
        ORDER,
    ),
    Mutation(
        "the checksum of a record is looked at",
        "runtime/library/data/records.py",
        "wrong_head | (masked(sums) != _words(data, stops - FOOTER.size))",
        "wrong_head | (masked(sums) > 2**32)",
        FILES,
    ),
    Mutation(
        "a cache in a Function is made anew in each call",
        "runtime/library/data/handles.py",
        'DRAWING | {"Cache"}',
        "DRAWING",
        GRAPHS,
    ),
    Mutation(
        "the splits of rows that stand together count on",
        "runtime/library/data/composites.py",
        "part[1:] + begin for",
        "part[1:] for",
        (TESTS + "test_ragged.py",),
    ),
    Mutation(
        "packed data behind packed data are read",
        "runtime/library/data/files.py",
        "data = unpacker.unused_data or unpacker.unconsumed_tail",
        "data = unpacker.unconsumed_tail",
        (TESTS + "test_damaged_files.py",),
    ),
    Mutation(
        "the length of an array in a file is looked at",
        "runtime/library/data/npy_files.py",
        "            if size - start != shape[0] * row:\n",
        "            if size - start > shape[0] * row:\n",
        FILES,
    ),
    Mutation(
        "a loop that is left asks for nothing more",
        "runtime/control_flow/loops/pulling.py",
        "        return and_then(consumer.wants_more(), more)\n",
        "        wanted = consumer.extra_test\n"
        "        return more() if wanted is None else REGISTRY['logical_and'](more(), wanted())\n",
        GRAPHS,
    ),
    Mutation(
        "blocks are computed together only if that gives the same",
        "runtime/vectorize/rules.py",
        "(exact and operation.type not in EXACT)",
        "(exact and not EXACT)",
        VECTORIZED,
    ),
    Mutation(
        "elements of lower rank stand in front of the dimensions of others",
        "runtime/vectorize/rules.py",
        '        tensor = REGISTRY["expand_dims"](tensor, axis=1)\n',
        '        tensor = REGISTRY["expand_dims"](tensor, axis=-1)\n',
        VECTORIZED,
    ),
)
