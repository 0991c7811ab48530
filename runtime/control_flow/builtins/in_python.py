"""Functions of the standard library, in C or beyond what can be staged, as Python's code: converted where it is called.

    statistics.mode(t)      # a Counter of the graph, and its most common key

What they raise is what the library raises. Generators take no item before it is wanted.
"""

from __future__ import annotations

import collections
import statistics
from typing import Any, Final

__all__ = [
    "capwords", "compress", "count_in", "count_of", "delete_places", "dropwhile", "element_in", "filterfalse",
    "groupby", "index_of", "islice",
    "islice_counted", "item_in", "key_in", "key_of_view_in", "mapping_get", "mode", "multimode",
    "quantiles", "set_places", "takewhile",
]  # fmt: skip

IS_PYTHON: Final = True  # see runtime.control_flow.tries.raised


def takewhile(predicate: Any, iterable: Any) -> Any:
    for item in iterable:
        if not predicate(item):
            break
        yield item


def dropwhile(predicate: Any, iterable: Any) -> Any:
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def filterfalse(predicate: Any, iterable: Any) -> Any:
    for item in iterable:
        if predicate is None:
            if not item:
                yield item
        elif not predicate(item):
            yield item


def compress(data: Any, selectors: Any) -> Any:
    for item, is_selected in zip(data, selectors):  # noqa: B905 - to the end of the shorter one, as Python's
        if is_selected:
            yield item


def islice(iterable: Any, start: Any, stop: Any, step: Any) -> Any:
    for place, item in enumerate(iterable, 1):
        if place > start and (stop is None or place <= stop) and (place - 1 - start) % step == 0:
            yield item
        if stop is not None and place >= stop:
            break


def islice_counted(iterable: Any, start: Any, stop: Any, step: Any) -> Any:
    for place, item in zip(range(stop), iterable):  # noqa: B905 - which takes no item beyond the last
        if place >= start and (place - start) % step == 0:
            yield item


def groupby(iterable: Any, key: Any = None) -> Any:
    names: list[Any] = []
    groups: list[Any] = []
    for item in iterable:
        name = item if key is None else key(item)
        if not names or names[-1] != name:
            names.append(name)
            groups.append([])
        groups[-1].append(item)
    return zip(names, groups, strict=True)


def mode(data: Any) -> Any:
    most_common = collections.Counter(data).most_common(1)
    if not most_common:
        raise statistics.StatisticsError("no mode for empty data")
    return most_common[0][0]


def multimode(data: Any) -> Any:
    counts = collections.Counter(data)
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def count_of(a: Any, b: Any) -> Any:
    count = 0
    for item in a:
        if item == b:
            count += 1
    return count


def index_of(a: Any, b: Any) -> Any:
    for place, item in enumerate(a):
        if item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


def quantiles(data: Any, *, n: Any = 4, method: str = "exclusive") -> Any:
    if n < 1:
        raise statistics.StatisticsError("n must be at least 1")
    ordered = sorted(data)
    size = len(ordered)
    if size < 2:
        raise statistics.StatisticsError("must have at least two data points")
    if method == "inclusive":
        cuts = [divmod(i * (size - 1), n) for i in range(1, n)]
        return [(ordered[j] * (n - delta) + ordered[j + 1] * delta) / n for j, delta in cuts]
    if method != "exclusive":
        raise ValueError(f"Unknown method: {method!r}")
    cuts = [(i * (size + 1), min(max(i * (size + 1) // n, 1), size - 1)) for i in range(1, n)]
    return [(ordered[j - 1] * (n - (i - j * n)) + ordered[j] * (i - j * n)) / n for i, j in cuts]


def capwords(s: Any, sep: Any = None) -> Any:
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])


def set_places(items: Any, places: Any, elements: Any) -> None:
    if len(elements) != len(places):
        raise ValueError(
            f"attempt to assign sequence of size {len(elements)} to extended slice of size {len(places)}"
        )
    for place, element in zip(places, elements, strict=True):
        items[place] = element


def delete_places(items: Any, places: Any) -> None:
    kept = [True] * len(items)
    for place in places:
        kept[place] = False
    items[:] = [item for item, is_kept in zip(items, kept, strict=True) if is_kept]


def mapping_get(mapping: Any, key: Any, default: Any = None) -> Any:
    try:
        found = mapping[key]
    except KeyError:
        found = default
    return found


def key_in(mapping: Any, key: Any) -> Any:
    try:
        mapping[key]
    except KeyError:
        return False
    return True


def key_of_view_in(keys: Any, key: Any) -> Any:
    return key in keys._mapping


def item_in(items: Any, item: Any) -> Any:
    key, value = item
    try:
        found = items._mapping[key]
    except KeyError:
        return False
    return found is value or found == value


def element_in(sequence: Any, value: Any) -> Any:
    return value in list(sequence)


def count_in(sequence: Any, value: Any) -> Any:
    return list(sequence).count(value)
