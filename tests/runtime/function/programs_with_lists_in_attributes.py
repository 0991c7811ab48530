"""Classes whose methods make lists and deques in their attributes longer and shorter, as a tensor decides."""

from __future__ import annotations

import collections
import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["ONE_TRACE", "PROGRAMS"]

PROGRAMS: list[type] = []
ONE_TRACE: list[type] = []
"""Those that only append."""


def program(kind: type) -> type:
    PROGRAMS.append(kind)
    return kind


def appends(kind: type) -> type:
    ONE_TRACE.append(kind)
    return program(kind)


@dataclass
class Event:
    time: Any
    size: Any


class Logs:
    def __init__(self) -> None:
        self.log: Any = []
        self.other: Any = []
        self.numbers: Any = [5.0, 6.0, 7.0]
        self.queue = collections.deque([1.0, 2.0])
        self.latest = collections.deque(maxlen=2)
        self.rows: Any = [[1.0], [2.0]]
        self.table: Any = {"a": [], "b": [1.0]}
        self.weights = np.zeros(2)
        self.first = self.rows[0]


@appends
class Append(Logs):
    def step(self, x):
        if x > 0:
            self.log.append(x)
        return x


@appends
class AppendToEither(Logs):
    def step(self, x):
        if x > 0:
            self.log.append(x)
        else:
            self.other.append((-x, 1))
        return x


@appends
class AppendInLoop(Logs):
    def step(self, x):
        i = 0
        while i < x:
            self.log.append(x * i)
            i += 1
        return x


@appends
class AppendInTry(Logs):
    def step(self, x):
        try:
            self.log.append(x)
            if x < 0:
                raise ValueError("negative")
            self.log.append(x + 1)
        except ValueError:
            self.log.append(0.0 * x)
        return x


@appends
class AppendTexts(Logs):
    def step(self, x):
        self.other.append("step") if x > 2 else self.other.append("stay")
        return x


@appends
class AppendNumbers(Logs):
    def step(self, x):
        if x > 0:
            self.log.append(1)
        return x


@appends
class AppendObjects(Logs):
    def step(self, x):
        if x > 0:
            self.log.append(Event(x, [x, x + 1]))
        return x


@appends
class AppendToLatest(Logs):
    def step(self, x):
        if x > 0:
            self.latest.append(x)
        return x


@appends
class AppendCopies(Logs):
    def step(self, x):
        self.weights = self.weights + 1
        if x > 0:
            self.log.append(self.weights.copy())
        return x


@appends
class AppendRows(Logs):
    def step(self, x):
        if x > 0:
            self.rows.append([x, x])
        return x


@program
class MeanOfLog(Logs):
    def step(self, x):
        if x > 0:
            self.log.append(x)
        total = 0.0 * x
        for v in self.log:
            total += v
        return total


@program
class AppendByAlias(Logs):
    def __init__(self) -> None:
        super().__init__()
        self.alias = self.log

    def step(self, x):
        if x > 0:
            self.alias.append(x)
        return x + len(self.log)


@program
class AppendByVariable(Logs):
    def step(self, x):
        log = self.log
        if x > 0:
            log.append(x)
        return x


@program
class AppendToRow(Logs):
    def step(self, x):
        if x > 0:
            self.rows[0].append(x)
        else:
            self.rows[1].append(x)
        return x


@program
class AppendToChosenRow(Logs):
    def step(self, x):
        k = 0 if x > 2 else 1
        self.rows[k].append(x)
        return x


@program
class AppendToValue(Logs):
    def step(self, x):
        if x > 0:
            self.table["a"].append(x)
        return x


@program
class Pop(Logs):
    def step(self, x):
        if x < 0:
            return self.numbers.pop() + x
        return x


@program
class Queue(Logs):
    def step(self, x):
        self.queue.append(x)
        total = 0.0 * x
        while self.queue and self.queue[0] < x:
            total += self.queue.popleft()
        return total


@program
class Bounded(Logs):
    def step(self, x):
        if x > 0:
            self.log.append(x)
            if len(self.log) > 2:
                del self.log[0]
        return x


@program
class Undo(Logs):
    def step(self, x):
        if x > 0:
            self.numbers.append(x)
            self.other.clear()
        elif self.numbers:
            self.other.append(self.numbers.pop())
        return x + len(self.numbers)


@program
class InsertInOrder(Logs):
    def step(self, x):
        i = 0
        while i < len(self.numbers) and self.numbers[i] < x:
            i += 1
        self.numbers.insert(i, x)
        return x * i


@program
class Begin(Logs):
    def step(self, x):
        if x < 0:
            self.log = []
        else:
            self.log.append(x)
        return x


@program
class Clear(Logs):
    def step(self, x):
        if x < 0:
            self.log.clear()
        else:
            self.log.append(x)
        return x


@program
class Filter(Logs):
    def step(self, x):
        self.log = [v for v in self.log if v != x]
        self.log = [*self.log, x]
        return x


@program
class BeginTable(Logs):
    def step(self, x):
        if x < 0:
            self.table = {"c": x}
        else:
            self.table["d"] = x
        return x


@program
class Heap(Logs):
    def step(self, x):
        if x > 0:
            heapq.heappush(self.log, x)
        elif self.log:
            return heapq.heappop(self.log)
        return x


@program
class HeapOfPairs(Logs):
    def step(self, x):
        heapq.heappush(self.log, (x, x * 2))
        if len(self.log) > 3:
            return heapq.heappop(self.log)[1]
        return x


@program
class HeapOfPairsOnOneWay(Logs):
    def step(self, x):
        if x > 0:
            heapq.heappush(self.log, (x, x * 2))
        elif self.log:
            return heapq.heappop(self.log)[1]
        return x


@program
class ComputedOfItsArrays:
    def __init__(self) -> None:
        self.weights = np.array([1.0, 2.0])
        self.rows: Any = [np.array([5.0, 6.0])]

    def step(self, x):
        if x > 0:
            self.rows.append(self.weights * 2)
        return x
