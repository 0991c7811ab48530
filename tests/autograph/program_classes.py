"""Classes whose methods the behaviour tests convert: a plain module, so that pytest does not rewrite their code.

Example: `to_graph(Child().area)` in test_behaviour.py.
"""

from __future__ import annotations


class Parent:
    base = 10

    def area(self, x):
        if x > 0:
            return x + self.base
        return self.base

    @classmethod
    def build(cls, x):
        if x > 0:
            made = cls()
            made.base = x
            return made
        return cls()

    @staticmethod
    def double(x):
        return x * 2 if x > 0 else 0

    @property
    def size(self):
        if self.base > 5:
            return "large"
        return "small"

    @size.setter
    def size(self, value):
        if value == "large":
            self.base = 100
        else:
            self.base = 1


class Child(Parent):
    def area(self, x):
        while x < 5:
            x += 1
            if x == 4:
                return super().area(x) * 2
        return super(Child, self).area(x)

    def through_nested(self, x):
        def inner():
            if x:
                return super(Child, self).area(x), __class__.__name__
            return None

        return inner()


class Private:
    __shared = 3

    def __init__(self):
        self.__value = 1

    def __bump(self, __by):
        if __by > 0:
            self.__value += __by
        return self.__value

    def run(self, items):
        __total = 0
        for __item in items:
            if __item > self.__shared:
                __total += self.__bump(__item)
        return __total, self.__value, sorted(vars(self))


class Callable_:
    def __call__(self, x):
        if x > 0:
            return x
        return 0


def makes_class(flag):
    class Local(Parent):
        """Doc of Local."""

        base = 3
        if flag:
            base = 4
        for extra in (1, 2):
            base += extra
        pairs = [(i, j) for i in range(2) for j in range(i)]

        def area(self, x):
            if x > 1:
                return super().area(x)
            return __class__.base

    return Local
