"""Random pipelines of datasets, written once and built with any module that has `data.Dataset` under these names.

    text, build = pipeline(7)
    build(tensorflow)           # the pipeline as a dataset of TensorFlow
    build(runtime)              # the same steps here

Which steps can follow is decided by the `element_spec` so far, which must therefore be the same in both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["SOURCES", "STEPS", "pipeline", "shape_of"]

Step = Callable[[Any, Any, int, int], Any]


def steps_of(*functions: Any) -> dict[str, Step]:
    return {name: function for name, function in functions}


def _halves(m: Any, d: Any, k: int, j: int) -> Any:
    def halve(x: Any) -> Any:
        if x % 2 == 0:
            x = x // 2
        else:
            x = x + k
        return x

    return d.map(halve)


def _collatz(m: Any, d: Any, k: int, j: int) -> Any:
    def steps(x: Any) -> Any:
        count = m.constant(0, m.int64)
        while x > 1 and count < 10:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count += 1
        return count

    return d.map(steps)


def _sums(m: Any, d: Any, k: int, j: int) -> Any:
    return d.scan(m.constant(k, m.int64), lambda total, x: (total + x, (total, x)))


def _looping(m: Any, d: Any, k: int, j: int) -> Any:
    def some(x: Any) -> Any:
        total = m.constant(0, m.int64)
        for i in m.range(x % 5):
            if i == k:
                break
            total += i * x
        return total

    return d.map(some)


def _total(m: Any, d: Any, k: int, j: int) -> Any:
    total = d.reduce(m.constant(k, m.int64), lambda s, x: s + x)
    return m.data.Dataset.from_tensors(total)


ANY: Final[dict[str, Step]] = {
    "take": lambda m, d, k, j: d.take(5 * k - 4),
    "take all": lambda m, d, k, j: d.take(-1).take(40),
    "skip": lambda m, d, k, j: d.skip(k),
    "skip all": lambda m, d, k, j: d.skip(-1) if k == 4 else d.skip(j),
    "repeat": lambda m, d, k, j: d.take(6).repeat(k),
    "repeat without end": lambda m, d, k, j: d.repeat().take(3 * k),
    "shard": lambda m, d, k, j: d.shard(k + 1, min(j, k)),
    "prefetch": lambda m, d, k, j: d.prefetch(k),
    "cache": lambda m, d, k, j: d.cache(),
    "shuffle one": lambda m, d, k, j: d.shuffle(1),
    "concatenate": lambda m, d, k, j: d.concatenate(d.take(k)),
    "enumerate": lambda m, d, k, j: d.enumerate(k),
    "batch": lambda m, d, k, j: d.batch(k),
    "batch whole": lambda m, d, k, j: d.batch(k + 1, drop_remainder=True),
    "zip": lambda m, d, k, j: m.data.Dataset.zip((d, d.skip(j))),
    "zip dict": lambda m, d, k, j: m.data.Dataset.zip({"b": d, "a": m.data.Dataset.range(k, 40, 3)}),
    "pairs": lambda m, d, k, j: d.map(lambda *x: (x[0], x[-1])),
    "apply": lambda m, d, k, j: d.apply(lambda e: e.skip(1).take(9)),
    "identity flat_map": lambda m, d, k, j: d.flat_map(lambda *x: m.data.Dataset.from_tensors(x).repeat(j)),
    "interleave the same": lambda m, d, k, j: d.interleave(
        lambda *x: m.data.Dataset.from_tensors(x).repeat(k), cycle_length=j, block_length=k),
    "groups by number": lambda m, d, k, j: d.enumerate().group_by_window(
        lambda i, *x: i % k, lambda key, group: group.skip(j - 1), window_size=j + 1),
    "chosen": lambda m, d, k, j: m.data.Dataset.choose_from_datasets(
        [d, d.skip(k)], m.data.Dataset.range(20).map(lambda i: i * i % (j + 2) % 2), stop_on_empty_dataset=j == 2),
    "sampled": lambda m, d, k, j: m.data.Dataset.sample_from_datasets([d, d], [0.0, 1.0]),
    "window": lambda m, d, k, j: d.window(k + 1, j),
    "window of strides": lambda m, d, k, j: d.window(k, None if j > 2 else j, 2, drop_remainder=k > 2),
}  # fmt: skip
"""For elements of any kind but datasets."""

NUMBERS: Final[dict[str, Step]] = {
    "map": lambda m, d, k, j: d.map(lambda x: x * 3 - k),
    "map in parallel": lambda m, d, k, j: d.map(lambda x: x + k, num_parallel_calls=j),
    "map to floats": lambda m, d, k, j: d.map(lambda x: m.sqrt(m.cast(m.abs(x), m.float32))).map(
        lambda x: m.cast(x * 2, m.int64)),
    "to a tuple": lambda m, d, k, j: d.map(lambda x: (x, x * x)),
    "to a dict": lambda m, d, k, j: d.map(lambda x: {"one": x, "more": [x, x + k]}),
    "to rows": lambda m, d, k, j: d.map(lambda x: m.fill([x % 3 + 1], x)),
    "to vectors": lambda m, d, k, j: d.map(lambda x: m.stack([x, x + k, x * j])),
    "to bools": lambda m, d, k, j: d.map(lambda x: (x > k, x)).filter(lambda a, b: a).map(lambda a, b: b),
    "to texts": lambda m, d, k, j: d.map(lambda x: (m.strings.as_string(x), x)),
    "if": _halves,
    "while": _collatz,
    "for and break": _looping,
    "filter": lambda m, d, k, j: d.filter(lambda x: x % (k + 1) != 0),
    "take_while": lambda m, d, k, j: d.take_while(lambda x: x < 10 * k),
    "scan": _sums,
    "unique": lambda m, d, k, j: d.map(lambda x: x % (k + 3)).unique(),
    "ignore_errors": lambda m, d, k, j: d.map(
        lambda x: m.gather(m.constant([5, 3, 8], m.int64), x)).ignore_errors(),
    "groups": lambda m, d, k, j: d.group_by_window(
        lambda x: x % j, lambda key, group: group.batch(k).map(lambda x: x + key), window_size=k + 1),
    "reduce": _total,
    "flat_map": lambda m, d, k, j: d.flat_map(lambda x: m.data.Dataset.range(x % 3)),
    "interleave": lambda m, d, k, j: d.interleave(
        lambda x: m.data.Dataset.range(x % 4).map(lambda y: y + 10 * x), cycle_length=k, block_length=j),
    "interleave in parallel": lambda m, d, k, j: d.interleave(
        lambda x: m.data.Dataset.range(x % 4), cycle_length=k, block_length=j, num_parallel_calls=m.data.AUTOTUNE),
    "map of what was captured": lambda m, d, k, j: (
        lambda table: d.map(lambda x: m.gather(table, m.abs(x) % 4)))(m.constant([5, 3, 8, k], m.int64)),
    "weights": lambda m, d, k, j: m.data.Dataset.zip((d, m.data.Dataset.range(k, 30))).map(lambda a, b: a * b),
}  # fmt: skip
"""For single integers."""

ROWS: Final[dict[str, Step]] = {
    "unbatch": lambda m, d, k, j: d.unbatch(),
    "padded_batch": lambda m, d, k, j: d.padded_batch(k),
    "sums of rows": lambda m, d, k, j: d.map(lambda x: m.reduce_sum(x)),
    "slices": lambda m, d, k, j: d.map(lambda x: x[: j]),
    "slices as datasets": lambda m, d, k, j: d.flat_map(m.data.Dataset.from_tensor_slices),
    "filter by size": lambda m, d, k, j: d.filter(lambda x: m.size(x) > j - 1),
    "filled": lambda m, d, k, j: d.padded_batch(k, padded_shapes=[j + 4], padding_values=m.constant(-1, m.int64)),
    "padded whole": lambda m, d, k, j: d.padded_batch(k, padded_shapes=[None], drop_remainder=True),
    "rebatch": lambda m, d, k, j: d.rebatch(j + 1),
    "buckets": lambda m, d, k, j: d.bucket_by_sequence_length(lambda x: m.size(x), [j, j + 2], [k, 2, 1]),
    "buckets to the boundary": lambda m, d, k, j: d.bucket_by_sequence_length(
        lambda x: m.size(x), [k, k + j], [j, 2, 1], pad_to_bucket_boundary=True,
        padding_values=m.constant(-1, m.int64)),
    "buckets without padding": lambda m, d, k, j: d.map(lambda x: x[:2]).bucket_by_sequence_length(
        lambda x: m.size(x), [1, 2], [k, j, 2], no_padding=True, drop_remainder=j == 1),
}  # fmt: skip
"""For vectors of integers."""

PAIRS: Final[dict[str, Step]] = {
    "first": lambda m, d, k, j: d.map(lambda a, b: a),
    "second": lambda m, d, k, j: d.map(lambda a, b: b),
    "swapped": lambda m, d, k, j: d.map(lambda a, b: (b, a)),
    "named": lambda m, d, k, j: d.map(lambda a, b: {"z": a, "y": (b,)}),
}
"""For tuples of two."""

WINDOWS: Final[dict[str, Step]] = {
    "windows flat": lambda m, d, k, j: d.flat_map(lambda w: w),
    "windows in batches": lambda m, d, k, j: d.flat_map(lambda w: w.batch(j)),
    "windows between": lambda m, d, k, j: d.interleave(lambda w: w, cycle_length=k),
    "windows first": lambda m, d, k, j: d.flat_map(lambda w: w.take(1)),
}
"""For elements that are datasets."""

MATRICES: Final[dict[str, Step]] = {
    "rows of it": lambda m, d, k, j: d.unbatch(),
    "transposed": lambda m, d, k, j: d.map(lambda x: m.transpose(x)),
    "its sums": lambda m, d, k, j: d.map(lambda x: m.reduce_sum(x, axis=-1)),
}
"""For tensors of rank 2."""

DICTS: Final[dict[str, Step]] = {
    "items": lambda m, d, k, j: d.map(lambda row: tuple(row[name] for name in sorted(row))),
    "with another": lambda m, d, k, j: d.map(lambda row: {**row, "last": m.constant(k, m.int64)}),
}

STEPS: Final = {**ANY, **NUMBERS, **ROWS, **PAIRS, **WINDOWS, **MATRICES, **DICTS}

SOURCES: Final[dict[str, Callable[[Any, int], Any]]] = {
    "range": lambda m, n: m.data.Dataset.range(n),
    "range with steps": lambda m, n: m.data.Dataset.range(n, -n, -3),
    "slices": lambda m, n: m.data.Dataset.from_tensor_slices(np.arange(n, dtype=np.int64) * 7 % 11),
    "rows": lambda m, n: m.data.Dataset.from_tensor_slices(np.arange(3 * n, dtype=np.int64).reshape(n, 3)),
    "pairs": lambda m, n: m.data.Dataset.from_tensor_slices(
        (np.arange(n, dtype=np.int64), np.arange(2 * n, dtype=np.int64).reshape(n, 2))),
    "dicts": lambda m, n: m.data.Dataset.from_tensor_slices({"b": list(range(n)), "a": [i / 2 for i in range(n)]}),
    "generator": lambda m, n: m.data.Dataset.from_generator(
        lambda: (i * i % 7 for i in range(n)), output_signature=m.TensorSpec([], m.int64)),
    "generator of rows": lambda m, n: m.data.Dataset.from_generator(
        lambda: (list(range(i % 4)) for i in range(n)), output_signature=m.TensorSpec([None], m.int64)),
    "tensors": lambda m, n: m.data.Dataset.from_tensors(np.arange(n, dtype=np.int64)),
}  # fmt: skip


def shape_of(spec: Any) -> Any:
    """The structure of an element as plain Python: dtype and dims of its tensors."""
    if isinstance(spec, dict):
        return {name: shape_of(part) for name, part in spec.items()}
    if isinstance(spec, tuple):
        return tuple(map(shape_of, spec))
    if hasattr(spec, "element_spec"):
        return ["dataset of", shape_of(spec.element_spec)]
    dims = spec.shape.rank
    return spec.dtype.name, None if dims is None else tuple(spec.shape.as_list())


def choices(spec: Any) -> dict[str, Step]:
    """The steps that take elements like this."""
    if isinstance(spec, list):
        return WINDOWS
    kind: dict[str, Step] = {}
    if isinstance(spec, dict):
        kind = DICTS
    elif isinstance(spec[0], str):
        kinds = {0: NUMBERS, 1: ROWS, 2: MATRICES}
        kind = kinds.get(len(spec[1]), {}) if spec[0] == "int64" and spec[1] is not None else {}
    elif len(spec) == 2:
        kind = PAIRS
    free = {n: s for n, s in ANY.items() if n != "pairs" or (isinstance(spec, tuple) and not isinstance(spec[0], str))}
    return {**free, **kind, **kind} if not any(map(_nested, _parts(spec))) else kind


def _parts(spec: Any) -> list[Any]:
    if isinstance(spec, dict):
        return list(spec.values())
    return [] if isinstance(spec[0], str) else list(spec)


def _nested(spec: Any) -> bool:
    return isinstance(spec, list) or any(map(_nested, _parts(spec)))


def pipeline(seed: int, judge: Any) -> tuple[str, Callable[[Any], Any]]:
    """What the steps are, and what builds them. judge: the module that decides which steps can follow."""
    numbers = random.Random(seed)
    source, n = numbers.choice(sorted(SOURCES)), numbers.randrange(14)
    made: list[tuple[str, int, int]] = []
    dataset = SOURCES[source](judge, n)
    for _ in range(numbers.randrange(2, 8)):
        possible = choices(shape_of(dataset.element_spec))
        if not possible:
            break
        kind = {k: s for k, s in possible.items() if k not in ANY}
        names = sorted(kind if kind and numbers.random() < 0.6 else possible)
        step = (numbers.choice(names), numbers.randrange(1, 5), numbers.randrange(1, 4))
        made.append(step)
        try:
            dataset = STEPS[step[0]](judge, dataset, *step[1:])
        except Exception:  # both must refuse it
            break

    def build(module: Any) -> Any:
        built = SOURCES[source](module, n)
        for name, k, j in made:
            built = STEPS[name](module, built, k, j)
        return built

    return f"{seed}: {source} {n}, {made}", build
