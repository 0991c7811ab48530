"""`SparseList`: what it holds is what a dict of positions would hold, whatever is done to it; old values stay."""

from __future__ import annotations

import operator
import random

from runtime.ops.kernels.sparse_list import SparseList


def test_random_changes_against_a_dict():
    numbers = random.Random(3)
    known = [(SparseList(), {})]
    for _ in range(3000):
        made, model = numbers.choice(known[-20:])
        high = numbers.choice((3, 40, 2000, 70_000))
        kind = numbers.random()
        if kind < 0.5:
            place, value = numbers.randrange(high), numbers.random()
            made = made.add(place, value, operator.add)
            model = {**model, place: model[place] + value if place in model else value}
        elif kind < 0.6:
            place, value = numbers.randrange(high), numbers.random()
            made, model = made.add(place, value), {**model, place: value}
        elif kind < 0.8:
            start = numbers.randrange(high)
            stop = start + numbers.randrange(high)
            made = made.without(start, stop)
            model = {k: v for k, v in model.items() if not start <= k < stop}
        else:
            other, second = numbers.choice(known[-20:])
            made = made.sum(other, operator.add)
            model = {k: model[k] + second[k] if k in model and k in second else model.get(k, second.get(k))
                     for k in {*model, *second}}  # fmt: skip
        known.append((made, model))
    for made, model in known:
        assert dict(made.items()) == model and [k for k, _ in made.items()] == sorted(model)
    made, model = known[-1]
    assert all(made.get(k) == model.get(k) for k in (*model, 0, 31, 32, 1023, 1024, 10**6, -1))


def test_a_sum_looks_only_at_what_both_have():
    calls = []

    def total(a, b):
        calls.append((a, b))
        return a + b

    many = SparseList.of(((i, 1) for i in range(10_000)), total)
    once = many.sum(SparseList().add(5000, 2), total)
    assert calls == [(1, 2)] and once.get(5000) == 3 and many.get(5000) == 1
