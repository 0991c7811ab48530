"""Lists, dicts, sets and tuples."""

from __future__ import annotations

from collections import Counter, defaultdict, deque

__all__ = ["PROGRAMS"]


def unique(n):
    seen, result = set(), []
    for i in range(n):
        value = i * i % 997
        if value not in seen:
            seen.add(value)
            result.append(value)
    return result


def two_sum(n):
    items, places = [i * 37 % 1009 for i in range(n)], {}
    pairs = []
    for i, item in enumerate(items):
        wanted = 1000 - item
        if wanted in places:
            pairs.append((places[wanted], i))
        places[item] = i
    return pairs


def group_by(n):
    groups = defaultdict(list)
    for i in range(n):
        groups[i * i % 17].append(i)
    return {key: len(values) for key, values in groups.items()}


def invert(n):
    table = {f"k{i}": i % 53 for i in range(n)}
    inverted = {}
    for key, value in table.items():
        inverted.setdefault(value, set()).add(key)
    return sorted(len(keys) for keys in inverted.values())


def moving_average(n):
    window, total, averages = deque(), 0, []
    for i in range(n):
        value = i * 31 % 101
        window.append(value)
        total += value
        if len(window) > 10:
            total -= window.popleft()
        averages.append(total / len(window))
    return averages[-1]


def balanced(n):
    text, pairs = "([{}])" * n, {")": "(", "]": "[", "}": "{"}
    stack = []
    for char in text:
        if char in "([{":
            stack.append(char)
        elif not stack or stack.pop() != pairs[char]:
            return False
    return not stack


def reverse_polish(n):
    stack = []
    for token in ["3", "4", "+", "2", "*", "7", "-"] * n:
        if token in ("+", "-", "*"):
            b, a = stack.pop(), stack.pop()
            if token == "+":
                stack.append(a + b)
            elif token == "-":
                stack.append(a - b)
            else:
                stack.append(a * b)
        else:
            stack.append(int(token))
    return len(stack)


def least_recently_used(n):
    cache, hits = {}, 0
    for i in range(n):
        key = i * i % 61
        if key in cache:
            hits += 1
            value = cache.pop(key)
        else:
            value = key * 2
            if len(cache) >= 20:
                del cache[next(iter(cache))]
        cache[key] = value
    return hits


def intervals(n):
    spans = sorted((i * 71 % 1000, i * 71 % 1000 + i % 9) for i in range(n))
    merged = [spans[0]]
    for start, end in spans[1:]:
        last_start, last_end = merged[-1]
        if start <= last_end:
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged


def most_common(n):
    counts = Counter(i * i % 23 for i in range(n))
    best = None
    for key, count in counts.items():
        if best is None or count > counts[best] or (count == counts[best] and key < best):
            best = key
    return best, counts[best]


def josephus(n):
    people, place = list(range(n)), 0
    while len(people) > 1:
        place = (place + 2) % len(people)
        people.pop(place)
    return people[0]


def merge_dicts(n):
    total = {}
    for i in range(n):
        for key, value in {"a": i, "b": i % 7, f"c{i % 5}": 1}.items():
            total[key] = total.get(key, 0) + value
    return total


PROGRAMS = {
    unique: 25_000,
    two_sum: 15_000,
    group_by: 25_000,
    invert: 12_000,
    moving_average: 12_000,
    balanced: 3_000,
    reverse_polish: 2_000,
    least_recently_used: 15_000,
    intervals: 6_000,
    most_common: 30_000,
    josephus: 8_000,
    merge_dicts: 5_000,
}
