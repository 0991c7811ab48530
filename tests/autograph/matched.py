"""Classes for programs with match statements: their values log how they are looked at.

Example: `PROGRAM = CLASSES + "def f(n): ..."`
"""

from __future__ import annotations

CLASSES = """
class Seen:
    '''A value that logs how it is looked at.'''
    def __init__(self, name, value):
        self.name, self.value = name, value
    def __eq__(self, other):
        log(self.name, '==', other)
        return self.value == other
    __hash__ = object.__hash__
    def __repr__(self):
        return f'Seen({self.name})'

class Truth:
    '''The result of a comparison, which logs that it is asked for its truth.'''
    def __init__(self, value):
        self.value = value
    def __bool__(self):
        log('bool', self.value)
        return self.value
    def __repr__(self):
        return f'Truth({self.value})'

class Odd:
    '''Compares to something that is no bool.'''
    def __eq__(self, other):
        return Truth(other == 1)
    __hash__ = None
    def __repr__(self):
        return 'Odd()'

class Point:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y):
        self._x, self._y = x, y
    @property
    def x(self):
        log('x')
        return self._x
    @property
    def y(self):
        log('y')
        return self._y
    def __repr__(self):
        return f'Point({self._x}, {self._y})'

class Bare:
    def __repr__(self):
        return 'Bare()'

class WrongArgs:
    __match_args__ = ['x']

class NumberArgs:
    __match_args__ = (1,)

class Twice:
    __match_args__ = ('x', 'x')
    x = 1
    def __repr__(self):
        return 'Twice()'

class Meta(type):
    def __instancecheck__(cls, value):
        log('isinstance', value)
        return value == 7

class Seven(metaclass=Meta):
    pass

import collections.abc
import enum

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Row(collections.abc.Sequence):
    '''A sequence that logs what is asked of it.'''
    def __init__(self, *items):
        self.items = items
    def __len__(self):
        log('len')
        return len(self.items)
    def __getitem__(self, index):
        log('item', index)
        return self.items[index]
    def __repr__(self):
        return f'Row{self.items}'

class Liar(Row):
    '''A sequence that says another length than it has.'''
    def __len__(self):
        return 2
    def __getitem__(self, index):
        return self.items[index]

class Table(collections.abc.Mapping):
    '''A mapping that logs what is asked of it.'''
    def __init__(self, **items):
        self.items_ = items
    def __len__(self):
        log('len')
        return len(self.items_)
    def __iter__(self):
        log('iter')
        return iter(self.items_)
    def __getitem__(self, key):
        log('key', key)
        return self.items_[key]
    def __repr__(self):
        return f'Table{self.items_}'

class Names:
    @property
    def zero(self):
        log('names.zero')
        return 0
    one = 1

names = Names()
one = 1

def probe(*values):
    log(*values)
    return values[-1]
"""
