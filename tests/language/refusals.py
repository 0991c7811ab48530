"""Rows of the language table: what is refused when the function is traced, and what to write instead."""

from __future__ import annotations

import functools
import hashlib
import io
import random
import sys
from typing import Any

import autograph
import runtime as tf
from autograph.errors import StagingError, StagingTypeError, StagingValueError, UnsupportedSyntaxError
from runtime.errors import DtypeMismatchError, TruthOfTensorError
from tests.language.construct import refused

CONDITIONS = "Conditions"
LOOPS = "Loops"
EXPRESSIONS = "Expressions"
VARIABLES = "Variables and types"
OBJECTS = "Containers and objects"
DEFINITIONS = "Functions and classes"


@refused(CONDITIONS, "several booleans as a condition", "Say which: `all(...)` or `any(...)`.", [1, 2],
         error=StagingValueError, words="condition of if statement expected to be a `tf.bool` scalar, got")
def truth_of_a_vector(v):
    if v > 1:
        return 1
    return 2


@refused(CONDITIONS, "the value of `and`, `or` between a boolean and a number",
         "Write the comparison. Where only the truth is asked, as by `if`, any operand will do.", 3,
         error=StagingTypeError,
         words="the left operand of `and` is a tensor of dtype int32 and the right operand is a tensor of dtype bool")
def number_and(x):
    return x and x > 2


@refused(CONDITIONS, "results of two structures", "Return one structure on every path.", 3, error=StagingTypeError,
         words="the value that the function returns must have the same nested structure in the main and else branches")
def list_or_tuple(x):
    if x > 2:
        return [x]
    return (x,)


@refused(LOOPS, "options of a loop in another place", "Make `set_loop_options` the first statement of the body.", 3,
         error=UnsupportedSyntaxError, words="'set_loop_options' in this place cannot be converted")
def options(x):
    for _ in range(x):
        x = x + 1
        autograph.experimental.set_loop_options(maximum_iterations=3)
    return x


@refused(LOOPS, "a shape that was declared otherwise", "Declare the shape that the body makes.", 3,
         error=StagingValueError, words="'x' has shape (2, 2) after one iteration, which does not conform with the")
def other_shape(n):
    x = tf.ones([1, 2])
    for _ in range(n):
        autograph.experimental.set_loop_options(shape_invariants=[(x, [1, 2])])
        x = tf.concat([x, x], 0)
    return x


@refused(LOOPS, "a dtype that a loop changes", "Start with a value of the dtype that the body makes.", 3,
         error=StagingTypeError,
         words="'total' has dtype int32 before the loop, but dtype float32 after one iteration; use runtime.cast")
def widened(n):
    total = tf.constant(0)
    for i in range(n):
        total = tf.cast(i, tf.float32)
    return total


@refused(LOOPS, "a structure that a loop changes", "Append to a list, which may grow.", 3, error=StagingTypeError,
         words="'pair' does not have the same nested structure after one iteration.")
def grown(n):
    pair = (n, n)
    for _ in range(n):
        pair = (n, n, n)
    return pair


@refused(LOOPS, "new objects in each iteration", "Make the function before the loop.", 3, error=StagingTypeError,
         words="'f' is a new Python object of type function after each iteration; only tensors, numbers, strings, None "
         "and structures of them can change in a loop over tensors, and functions that are made before it")
def renewed(n):
    f = abs
    for i in range(n):
        f = lambda x: x + i
    return f(n)


@refused(EXPRESSIONS, "two dtypes in one operation", "`runtime.cast` one of them; Python numbers adapt by themselves.",
         3, error=DtypeMismatchError,
         words="add: x is int32 but y is float32: nothing is cast silently; use runtime.cast(x, 'float32')")
def mixed(x):
    return x + tf.constant(1.5)


@refused(EXPRESSIONS, "Python's bytes indexed by a tensor", "Index a list of numbers, or a text.", 1, error=TypeError,
         words="a byte of Python's bytes cannot be chosen by a tensor")
def byte(x):
    return b"abc"[x]


@refused(VARIABLES, "dtypes that differ between branches", "`runtime.cast` one of them.", 3, error=StagingTypeError,
         words="'y' has dtype int32 in the main branch, but dtype float32 in the else branch; use runtime.cast(y,"
               " 'float32') in the main branch")
def two_dtypes(x):
    if x > 0:
        y = x
    else:
        y = tf.cast(x, tf.float32)
    return y


@refused(VARIABLES, "structures that differ between branches", "Give both branches one structure.", 3,
         error=StagingTypeError, words="'y' must have the same nested structure in the main and else branches:")
def two_structures(x):
    if x > 0:
        y = (x, x)
    else:
        y = [x, x]
    return y


@refused(VARIABLES, "objects that differ between branches", "Choose between numbers, or between functions to call.", 3,
         error=StagingTypeError, words="'box' is a Python object that differs between the branches (object in the main "
         "branch, Exception in the else branch)")
def two_objects(x):
    box = Exception()
    if x > 0:
        box = object()
    return box


@refused(OBJECTS, "an iterator that one branch moves", "Take the item before the branch.", 3, error=StagingError,
         words="the iterator of the variable 'items' is changed inside a branch of an `if`, which depends on a tensor")
def moved(x):
    items: Any = iter([1, 2])
    if x > 1:
        x = x + next(items)
    return x


@refused(OBJECTS, "an attribute that one branch makes", "Give it a value in the constructor.", 3,
         error=StagingValueError, words="'f.extra' must also be initialized in the else branch")
def new_attribute(x):
    def f() -> None: ...

    if x > 0:
        f.extra = x
    return x


@refused(OBJECTS, "a call of an object in C that no table knows",
         "Before or after the statement, or in `runtime.py_function`: nobody can see what it changes.", 3,
         error=StagingError, words="'digest' is used by its method 'update' inside a branch of an `if`")
def opaque_object(x):
    digest = hashlib.sha256()
    if x > 0:
        digest.update(b"positive")
    return x


@refused(OBJECTS, "a file that one branch writes", "Write it outside of the statement; `runtime.print` prints when the "
         "graph runs.", 3, error=StagingError, words="text buffer of the variable 'text' is changed inside a branch")
def written_in_a_branch(x):
    text = io.StringIO()
    if x > 0:
        text.write("positive")
    return x


@refused(OBJECTS, "what changes the process: settings, files by name, the environment",
         "Outside of the statement, or in `runtime.py_function`.", 3,
         error=StagingError, words="sys.setrecursionlimit changes something of the whole process inside a branch")
def process_in_a_branch(x):
    if x > 0:
        sys.setrecursionlimit(5000)
    return x


class Bag(set):  # type: ignore[type-arg]
    """A set of a class of the user's own."""


@refused(OBJECTS, "a set of a class of yours that one branch changes", "A set of Python's own.", 3, error=StagingError,
         words="the set of the variable 'seen' is changed inside a branch of an `if`, which depends on a tensor",
         uses=(Bag,))
def set_in_a_branch(x):
    seen = Bag([1])
    if x > 0:
        seen.add(2)
    return len(seen)


@refused(OBJECTS, "`del` of an element of a tensor", "Take slices: `runtime.concat([v[:1], v[2:]], 0)`.", [1, 2],
         error=TypeError,
         words="The elements of a tensor cannot be deleted; build a new one, with slices and runtime.concat")
def deleted_element(v):
    del v[0]
    return v


@refused(DEFINITIONS, "async functions", "Decorate the plain functions that it awaits or calls.", 3,
         error=UnsupportedSyntaxError,
         words="'fetched' (an async function) cannot be converted: its body does not run when it is called.")
async def fetched(x):
    return x


@refused(DEFINITIONS, "control flow on tensors in the body of a class", "Compute the value before the class.", 3,
         error=StagingError, words="an `if`, `while` or ternary in the body of a class cannot be staged: it depends on")
def class_body(x):
    class Box:
        if x > 0:
            size = 1

    return Box.size


@refused(DEFINITIONS, "control flow on tensors in a function that is not converted",
         "Let the function be converted, or use operations.", 3, error=TruthOfTensorError,
         words="A symbolic tensor was used as a Python `bool`:")
def unconverted(x):
    @autograph.do_not_convert
    def plain(v):
        return 1 if v > 0 else 2

    return plain(x)


@refused(OBJECTS, "a change of a list in a list that has another name", "A copy: `rows[:]`, `best = rows[i][:]`.", 3,
         error=StagingError, words="is changed in place")
def changed_beside_a_copy(n):
    rows = []
    for i in range(n):
        rows.append([j for j in range(i)])
    longest = rows[0]
    for i in range(n):
        if len(rows[i]) > len(longest):
            longest = rows[i]
    rows[-1].append(n)
    return longest


@refused(OBJECTS, "a tuple whose length depends on the run", "A list: `[*items, i]`.", 3, error=StagingTypeError,
         words="must have the same nested structure")
def growing_tuple(n):
    items = (0,)
    for i in range(n):
        if i > 1:
            items = (*items, i)
    return items


@refused(OBJECTS, "None in a list that grows", "A number that stands for it, or a list of flags.", 3,
         error=StagingTypeError, words="got None. Keep a number that stands for None (-1, nan)")
def collected_nothing(n):
    items = []
    for _ in range(n):
        items.append(None)
    return len(items)


@refused(OBJECTS, "a row that is changed after it was appended", "Append it when it is finished.", 3,
         error=StagingError, words="is an element of a list that grows in the graph, where its values are kept")
def appended_too_early(n):
    rows = []
    for i in range(n):
        row = [i, 0]
        rows.append(row)
        row[1] = i
    return rows


@refused(OBJECTS, "a random number generator that moves", "The operations of `runtime.random`.", 3, error=StagingError,
         words="is changed inside the body of a loop, which depends on a tensor")
def drawn(n):
    generator = random.Random(1)
    total = 0.0
    for _ in range(n):
        total += generator.random()
    return total


@refused(DEFINITIONS, "a ternary on tensors in a lambda with variables of its own", "Write the function with `def`.", 3,
         error=StagingError, words="a ternary in a lambda that assigns to a variable with `:=` cannot be staged")
def lambda_with_variables(x):
    return (lambda v: doubled if (doubled := v * 2) > 4 else v)(x)


@refused(DEFINITIONS, "control flow on tensors in the text of `eval` and `exec`", "Write it in the function.", 3,
         error=TruthOfTensorError, words="A symbolic tensor was used as a Python `bool`:")
def evaluated_text(x):
    return eval("1 if x > 0 else 2")


@refused(LOOPS, "options of a loop under another name", "Call it by its own name, first in the loop.", 3,
         error=StagingError, words="set_loop_options has no effect here, under another name or not in a loop")
def renamed_options(x):
    options = autograph.set_loop_options
    for _ in range(x):
        options(maximum_iterations=3)
        x = x + 1
    return x


@refused(DEFINITIONS, "`functools.lru_cache` around effects, in a staged statement", "Call it before the statement.", 3,
         error=StagingError, words="'opened' keeps its results (functools.lru_cache) and is called")
def filled_in_a_branch(x):
    calls = [0]

    @functools.lru_cache
    def opened(name):
        calls[0] += 1
        return name

    if x > 0:
        opened("a")
    return calls[0]


@refused(OBJECTS, "a change of a list that a loop may have replaced by a new one, and that has another name",
         "Give the loop a copy, `items = list(first)`, which has no other name.", 3,
         error=StagingError, words="a list or dict was replaced by another one in a branch, loop or `try`")
def replaced_list(x):
    first = items = [1]
    for i in range(x):
        items = items + [i]
    items.append(5)
    return first
