"""Classes with methods, properties and operators."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROGRAMS"]


class Node:
    def __init__(self, key, following=None):
        self.key = key
        self.following = following


class LinkedList:
    def __init__(self):
        self.head = None
        self.size = 0

    def push(self, key):
        self.head = Node(key, self.head)
        self.size += 1

    def reverse(self):
        before, node = None, self.head
        while node is not None:
            node.following, before, node = before, node, node.following
        self.head = before

    def keys(self):
        found, node = [], self.head
        while node is not None:
            found.append(node.key)
            node = node.following
        return found


def linked_list(n):
    items = LinkedList()
    for i in range(n):
        items.push(i)
    items.reverse()
    return sum(items.keys())


class Leaf:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


class SearchTree:
    def __init__(self):
        self.root = None

    def insert(self, key):
        if self.root is None:
            self.root = Leaf(key)
            return
        node = self.root
        while True:
            if key == node.key:
                return
            if key < node.key:
                if node.left is None:
                    node.left = Leaf(key)
                    return
                node = node.left
            else:
                if node.right is None:
                    node.right = Leaf(key)
                    return
                node = node.right

    def depth(self, node):
        if node is None:
            return 0
        return 1 + max(self.depth(node.left), self.depth(node.right))


def search_tree(n):
    tree = SearchTree()
    for i in range(n):
        tree.insert(i * 7919 % 10007)
    return tree.depth(tree.root)


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def squared(self):
        return self.x * self.x + self.y * self.y


def vectors(n):
    position, velocity = Vector(0.0, 0.0), Vector(1.0, 0.5)
    for _ in range(n):
        position = position + velocity.scaled(0.01)
        if position.squared() > 100:
            velocity = velocity.scaled(-1)
    return round(position.x, 6)


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("nothing to deposit")
        self.balance += amount
        self.history.append(("in", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount
        self.history.append(("out", amount))


def bank(n):
    accounts, refused = [Account(f"a{i}", 100) for i in range(10)], 0
    for i in range(n):
        source, target = accounts[i % 10], accounts[i * 7 % 10]
        try:
            source.withdraw(i % 60)
            target.deposit(i % 60)
        except ValueError:
            refused += 1
    return refused, sum(account.balance for account in accounts)


class Shape:
    def area(self):
        raise NotImplementedError

    def describe(self):
        return f"{type(self).__name__} {self.area():.2f}"


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3.14159 * self.radius**2


def shapes(n):
    total, longest = 0.0, ""
    for i in range(n):
        shape = Square(i) if i % 2 else Circle(i)
        total += shape.area()
        text = shape.describe()
        if len(text) > len(longest):
            longest = text
    return round(total, 3), longest


class Life:
    def __init__(self, alive):
        self.alive = set(alive)

    def neighbours(self, x, y):
        count = 0
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx or dy) and (x + dx, y + dy) in self.alive:
                    count += 1
        return count

    def step(self, size):
        following = set()
        for x in range(size):
            for y in range(size):
                count = self.neighbours(x, y)
                if count == 3 or (count == 2 and (x, y) in self.alive):
                    following.add((x, y))
        self.alive = following


def game_of_life(n):
    life = Life({(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)})
    for _ in range(n):
        life.step(12)
    return sorted(life.alive)


class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        if not self._items:
            raise IndexError("empty")
        return self._items.pop()

    @property
    def size(self):
        return len(self._items)


def stack(n):
    items, popped = Stack(), 0
    for i in range(n):
        items.push(i)
        if items.size > 5:
            popped += items.pop()
    return popped


@dataclass
class Particle:
    x: float
    v: float

    def advance(self, dt):
        self.x += self.v * dt
        if self.x < 0 or self.x > 1:
            self.v = -self.v


def particles(n):
    found = [Particle(i / 20, 0.1 + i / 50) for i in range(20)]
    for _ in range(n):
        for particle in found:
            particle.advance(0.1)
    return round(sum(particle.x for particle in found), 6)


class Machine:
    def __init__(self, program):
        self.program = program
        self.registers = {"a": 0, "b": 0}

    def run(self, limit):
        place = steps = 0
        while 0 <= place < len(self.program) and steps < limit:
            operation, *arguments = self.program[place]
            steps += 1
            if operation == "set":
                self.registers[arguments[0]] = arguments[1]
            elif operation == "add":
                self.registers[arguments[0]] += arguments[1]
            elif operation == "jump" and self.registers[arguments[0]] < arguments[1]:
                place += arguments[2]
                continue
            place += 1
        return steps


def virtual_machine(n):
    program = [("set", "a", 0), ("add", "a", 1), ("add", "b", 2), ("jump", "a", n, -2)]
    return Machine(program).run(100_000)


PROGRAMS = {
    linked_list: 6_000,
    search_tree: 700,
    vectors: 4_000,
    bank: 4_000,
    shapes: 2_500,
    game_of_life: 8,
    stack: 10_000,
    particles: 600,
    virtual_machine: 4_000,
}
