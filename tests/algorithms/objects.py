"""Classes with state, as people write them: `test_objects.py` calls their methods again and again, as Functions.

What is called of each stands in `CALLS`: rows of a method's name and its arguments, numbers in the place of which the
Function gets tensors.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

__all__ = ["CALLS"]


class Kalman:
    """A filter whose arrays are bound anew in each step."""

    def __init__(self) -> None:
        self.transition, self.observed = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
        self.noise = np.eye(2) * 0.01
        self.x, self.p = np.zeros(2), np.eye(2)
        self.innovations: deque[Any] = deque(maxlen=3)

    def predict(self) -> None:
        self.x = self.transition @ self.x
        self.p = self.transition @ self.p @ self.transition.T + self.noise

    def step(self, z: Any) -> Any:
        self.predict()
        error = z - self.observed @ self.x
        spread = self.observed @ self.p @ self.observed.T + 0.3
        gain = self.p @ self.observed.T / spread[0, 0]
        self.x = self.x + gain @ error
        self.p = (np.eye(2) - gain @ self.observed) @ self.p
        self.innovations.append(error[0])
        return self.x.copy(), np.trace(self.p)


class Key:
    def __init__(self, key: Any) -> None:
        self.key, self.left, self.right, self.height = key, None, None, 1


class Tree:
    """A balanced tree: each call leaves new nodes, old ones, or one of both, as the keys decide."""

    def __init__(self) -> None:
        self.root: Any = None

    def height(self, node: Any) -> Any:
        return 0 if node is None else node.height

    def measure(self, node: Any) -> Any:
        node.height = 1 + max(self.height(node.left), self.height(node.right))
        return self.height(node.left) - self.height(node.right)

    def inserted(self, node: Any, key: Any) -> Any:
        if node is None:
            return Key(key)
        if key < node.key:
            node.left = self.inserted(node.left, key)
        else:
            node.right = self.inserted(node.right, key)
        balance = self.measure(node)
        if balance > 1:
            other = node.left
            node.left, other.right = other.right, node
        elif balance < -1:
            other = node.right
            node.right, other.left = other.left, node
        else:
            return node
        self.measure(node)
        self.measure(other)
        return other

    def insert(self, key: Any) -> Any:
        self.root = self.inserted(self.root, key)
        return self.root.height


class Arm:
    def __init__(self) -> None:
        self.pulls, self.value = np.zeros(1, int), np.zeros(1)


class Bandit:
    """Arrays of whole numbers and of others, and arrays of the one object that a number chooses."""

    def __init__(self) -> None:
        self.values, self.counts = np.zeros(3), np.ones(3, int)
        self.arms = [Arm(), Arm()]
        self.best = self.arms[0]

    def chances(self, k: Any) -> Any:
        return self.values[k] / self.counts[k] + np.sqrt(self.counts[k])

    def pull(self, k: Any, reward: Any) -> Any:
        arm = self.arms[k]
        arm.pulls += 1
        arm.value += reward
        self.counts[k] += 1
        self.values[k] += reward
        if arm.value[0] > self.best.value[0]:
            self.best = arm
        return self.chances(k), self.best.pulls[0]


class Grid:
    """A container of the user's, whose dict gets and loses keys."""

    def __init__(self) -> None:
        self.cells: dict[Any, Any] = {}

    def __getitem__(self, place: Any) -> Any:
        return self.cells.get(place, 0.0)

    def __setitem__(self, place: Any, value: Any) -> None:
        if value == 0.0:
            self.cells.pop(place, None)
        else:
            self.cells[place] = value

    def __contains__(self, place: Any) -> Any:
        return place in self.cells

    def __iter__(self) -> Any:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)


class Field:
    def __init__(self) -> None:
        self.grid = Grid()

    def put(self, value: Any) -> Any:
        self.grid[0, 1] += value
        if (0, 1) in self.grid:
            self.grid[0, 0] = value
        return len(self.grid), sum(self.grid[place] for place in self.grid) + 0.0


class Wave:
    """Buffers that take turns, and a view of one of them."""

    def __init__(self) -> None:
        self.before, self.now, self.after = np.zeros(6), np.zeros(6), np.zeros(6)
        self.now[2] = 1.0
        self.middle = self.now[2:4]

    def step(self, c: Any) -> Any:
        now = self.now
        self.after[1:-1] = 2 * now[1:-1] - self.before[1:-1] + c * (now[2:] - 2 * now[1:-1] + now[:-2])
        self.before, self.now, self.after = self.now, self.after, self.before
        return self.now.sum(), self.middle.sum()


class Heap:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def push(self, x: Any) -> Any:
        items = self.items
        items.append(x)
        i = len(items) - 1
        while i > 0 and items[(i - 1) // 2] > items[i]:
            items[i], items[(i - 1) // 2] = items[(i - 1) // 2], items[i]
            i = (i - 1) // 2
        return items[0]

    def pop(self, factor: Any) -> Any:
        items = self.items
        top, last = items[0], items.pop()
        if items:
            items[0] = last
            i = 0
            while 2 * i + 1 < len(items):
                child = 2 * i + 1
                if child + 1 < len(items) and items[child + 1] < items[child]:
                    child += 1
                if items[i] <= items[child]:
                    break
                items[i], items[child] = items[child], items[i]
                i = child
        return top * factor


class Roads:
    """A graph that gets edges between the searches."""

    def __init__(self) -> None:
        self.edges: dict[str, dict[str, Any]] = {}

    def add(self, a: str, b: str, length: Any) -> Any:
        self.edges.setdefault(a, {})[b] = length
        self.edges.setdefault(b, {})[a] = length
        return sum(len(ends) for ends in self.edges.values())

    def distances(self, start: str, scale: Any) -> Any:
        found = {place: np.inf for place in self.edges}
        found[start] = 0.0
        todo = set(self.edges)
        while todo:
            place = min(sorted(todo), key=lambda name: found[name])
            todo.discard(place)
            for other, length in self.edges[place].items():
                found[other] = min(found[other], found[place] + length * scale)
        return [found[place] for place in sorted(found)]


class Candidate:
    def __init__(self, x: Any, parent: Any) -> None:
        self.x, self.parent, self.score = x, parent, -((x - 2.0) ** 2)


class Search:
    """New objects that are kept in two places, one of them as a tensor decides, and lead to older ones."""

    def __init__(self) -> None:
        self.best: Any = None
        self.all: list[Any] = []

    def propose(self, x: Any) -> Any:
        candidate = Candidate(x, self.best)
        if self.best is None or candidate.score > self.best.score:
            self.best = candidate
        self.all.append(candidate)
        return self.best.x


class Value:
    def __init__(self, value: Any) -> None:
        self.value, self.peer = value, self


class Pair:
    """Two objects that lead to each other, and change their names."""

    def __init__(self) -> None:
        self.first, self.second = Value(1.0), Value(2.0)
        self.first.peer, self.second.peer = self.second, self.first
        self.same = self.first

    def go(self, x: Any) -> Any:
        if x > self.first.value:
            self.first, self.second = self.second, self.first
        self.first.value += x
        self.first.peer.value -= 1.0
        return self.same.value


class Dense:
    def __init__(self, seed: int, inputs: int, outputs: int) -> None:
        self.weights = np.random.default_rng(seed).normal(size=(inputs, outputs))
        self.slope = np.zeros_like(self.weights)


class Network:
    """Parameters under two names each, changed by the one and read by the other."""

    def __init__(self) -> None:
        self.layers = [Dense(1, 2, 3), Dense(2, 3, 1)]
        self.parameters = [layer.weights for layer in self.layers]
        self.slopes = [layer.slope for layer in self.layers]
        self.moments: dict[int, Any] = {}

    def fit(self, a: Any, b: Any) -> Any:
        x = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]) * a
        h = np.tanh(x @ self.layers[0].weights)
        error = h @ self.layers[1].weights - b
        self.layers[1].slope += h.T @ error
        self.layers[0].slope += x.T @ ((error @ self.layers[1].weights.T) * (1 - h**2))
        for i, (parameter, slope) in enumerate(zip(self.parameters, self.slopes, strict=True)):
            if i not in self.moments:
                self.moments[i] = np.zeros_like(parameter)
            self.moments[i] = 0.9 * self.moments[i] + slope
            parameter -= 0.05 * self.moments[i]
            slope[:] = 0
        return (error**2).sum()


NUMBERS = (1.0, 0.5, 3.0, -1.0, 2.0)

CALLS: dict[type, list[tuple[Any, ...]]] = {
    Kalman: [("step", x) for x in NUMBERS],
    Tree: [("insert", k) for k in (2, 1, 3)],
    Bandit: [("pull", *row) for row in ((0, 1.0), (1, 2.5), (0, 0.5), (0, 2.0), (1, -1.0))],
    Field: [("put", x) for x in (1.0, -1.0, 2.0, 0.0, 3.0)],
    Wave: [("step", x / 4) for x in NUMBERS],
    Heap: [*[("push", x) for x in NUMBERS], ("pop", 1.0), ("pop", 2.0), ("push", 0.25), ("pop", 2.0)],
    Roads: [
        ("add", "a", "b", 1.0), ("add", "b", "c", 2.0), ("distances", "a", 1.0), ("add", "a", "c", 2.5),
        ("distances", "a", 2.0), ("distances", "c", 1.0),
    ],
    Search: [("propose", x) for x in NUMBERS],
    Pair: [("go", x) for x in (0.5, 3.0, 4.0, 1.0)],
    Network: [("fit", x, y) for x, y in ((1.0, 0.5), (0.5, 1.0), (1.0, -1.0))],
}  # fmt: skip
"""The classes, and the calls of their methods, one after another."""
