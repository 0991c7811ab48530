"""Mistakes that people make in staged code, and what each error tells them.

Every program has a comment `# here` on the line that its error must point at: in the message, in a note, or as the
last frame of the user's in the traceback. No error speaks of names that the conversion made.
"""

from __future__ import annotations

import inspect
import math
import re
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError

GENERATED = re.compile(
    r"retval_|do_return|break_|continue_|(if|else|loop|while)_(body|test|cond)|get_state|ag__|fscope|tf__"
)

x = tf.constant(3)
v = tf.constant([1.0, 2.0])


def adds_dtypes(x):
    y = tf.constant(1.5)
    return x + y  # here


def multiplies_shapes(v):
    return v * tf.ones([3])  # here


def multiplies_matrices(v):
    m = tf.reshape(v, [1, 2])
    return m @ m  # here


def branches_of_two_dtypes(x):
    if x > 1:  # here
        y = tf.constant(1)
    else:
        y = tf.constant(1.5)
    return y


def branches_of_two_structures(x):
    if x > 1:  # here
        y = (x, x)
    else:
        y = x
    return y


def none_used_as_a_number(x):
    y = None
    if x > 5:
        y = x
    return y + 1  # here


def vector_or_none_as_a_condition(v):
    y = v if v[0] > 0 else None
    if y:  # here
        return 1
    return 2


def returns_text_or_a_number(x):
    if x > 1:  # here
        return "large"
    return x


def returns_a_pair_or_a_value(x):
    if x > 1:  # here
        return x, 1
    return x


def vector_as_a_condition(v):
    while v > 1:  # here
        v = v - 1
    return v


def float_into_an_int_tensor(x):
    total = tf.constant(0)
    for _ in tf.range(x):  # here
        total = total + 0.5
    return total


def dtype_that_a_loop_changes(x):
    total = tf.constant(0)
    for i in tf.range(x):  # here
        total = tf.cast(i, tf.float32)
    return total


def structure_that_a_loop_grows(x):
    parts = ()
    for i in tf.range(x):  # here
        parts = (*parts, i)
    return parts


def append_of_two_dtypes(x):
    squares = []
    for i in tf.range(x):
        squares.append(i * i)
        squares.append(0.5 * tf.cast(i, tf.float32))  # here
    return squares


def dict_that_a_loop_grows(x):
    squares = {}
    for i in tf.range(x):
        squares[len(squares)] = i  # here
    return squares


def effect_of_a_helper(x):
    seen = set()

    def add():
        seen.add(len(seen))  # here

    for _ in tf.range(x):
        add()
    return len(seen)


def number_too_large(x):
    small = tf.cast(x, tf.int8)
    return small * 200  # here


def iterator_that_moves(x):
    items = iter([1, 2])
    if x > 1:
        x = x + next(items)  # here
    return x


def byte_of_bytes(x):
    return b"abc"[x]  # here


def key_of_a_dict(x):
    return {"a": 2}[x]  # here


def item_of_a_tensor_deleted(v):
    del v[0]  # here
    return v


def functions_of_floats(x):
    return float.hex(x)  # here


def value_while_tracing(x):
    return x.numpy()  # here


def membership(x):
    if x in iter([1, 2]):  # here
        return 1
    return 0


def formatted(x):
    return f"{x:s}"  # here


def called(x):
    return x(0)  # here


def axis_out_of_range(v):
    return tf.reduce_sum(v, axis=3)  # here


def reshaped(v):
    return tf.reshape(v, [3])  # here


def constant_index(v):
    return v[5]  # here


def text_as_index(v):
    return v["a"]  # here


def index_at_run_time(v, x):
    return v[x]  # here


def divided_by_zero(x):
    return x // (x - x)  # here


def read_before_it_is_assigned(x):
    if x > 5:
        y = 1
    return y  # here


def no_iteration(x):
    for i in tf.range(x - x):
        last = i
    return last  # here


def attribute_of_one_branch(x):
    class Box:
        pass

    box = Box()
    if x < 1:
        box.value = x
    return box.value  # here


def failed_assertion(x):
    assert x < 2, "x must be small"  # here
    return x


def raised_in_one_branch(x):
    if x > 2:
        raise ValueError("too large")  # here
    return x


def caught_by_python(x):
    pair = tf.stack([x, x])
    try:
        if x > 5:
            y = x if pair else 0  # here
        else:
            y = 0
    except ValueError:
        y = -x
    return y


def object_or_tensor(x):
    if x > 1:  # here
        f = math.sin
    else:
        f = x
    return f


def method_of_a_list(v):
    return v.index(2)  # here


def object_returned(x):  # here
    return object()


MISTAKES: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], tuple[str, ...]]] = [
    (adds_dtypes, (x,), tf.errors.DtypeMismatchError, ("int32", "float32", "runtime.cast")),
    (multiplies_shapes, (v,), tf.errors.ShapeMismatchError, ("(2,)", "(3,)")),
    (multiplies_matrices, (v,), tf.errors.ShapeMismatchError, ("(1, 2)", "inner sizes")),
    (branches_of_two_dtypes, (x,), TypeError, ("'y'", "int32", "float32", "runtime.cast")),
    (branches_of_two_structures, (x,), TypeError, ("'y'", "structure")),
    (none_used_as_a_number, (x,), TypeError, ("'NoneType' and 'int'",)),
    (vector_or_none_as_a_condition, (v,), ValueError, ("condition of if", "(2,)", "use `is not None`")),
    (returns_text_or_a_number, (x,), TypeError, ("function returns", "string", "int32")),
    (returns_a_pair_or_a_value, (x,), TypeError, ("function returns", "structure")),
    (vector_as_a_condition, (v,), ValueError, ("condition of while", "(2,)", "reduce_any")),
    (float_into_an_int_tensor, (x,), TypeError, ("'total'", "int32", "float64", "runtime.cast")),
    (dtype_that_a_loop_changes, (x,), TypeError, ("'total'", "int32", "float32", "runtime.cast")),
    (structure_that_a_loop_grows, (x,), TypeError, ("'parts'", "structure")),
    (append_of_two_dtypes, (x,), TypeError, ("list", "int32", "float32", "runtime.cast")),
    (dict_that_a_loop_grows, (x,), StagingError, ("a key of the dict 'squares' is a tensor", "list")),
    (effect_of_a_helper, (x,), StagingError, ("'seen'", "set", "list")),
    (number_too_large, (x,), ValueError, ("200", "int8", "-128 to 127", "runtime.cast")),
    (iterator_that_moves, (x,), StagingError, ("'items'", "iterator", "branch")),
    (byte_of_bytes, (x,), TypeError, ("x:0", "index a list")),
    (key_of_a_dict, (x,), KeyError, ("x:0", "no key of this dict")),
    (item_of_a_tensor_deleted, (v,), TypeError, ("deleted", "runtime.concat")),
    (functions_of_floats, (x,), TypeError, ("float.hex()", "no operation does", "f-string")),
    (value_while_tracing, (x,), AttributeError, ("numpy", "return it")),
    (membership, (x,), TypeError, ("`in`", "iterator", "list(...)")),
    (formatted, (x,), ValueError, ("'s'", "int")),
    (called, (x,), TypeError, ("not callable",)),
    (axis_out_of_range, (v,), tf.errors.ShapeMismatchError, ("axis 3", "rank 1")),
    (reshaped, (v,), tf.errors.ShapeMismatchError, ("2 elements", "[3]")),
    (constant_index, (v,), tf.errors.OutOfRangeError, ("5", "(2,)")),
    (text_as_index, (v,), TypeError, ("'a'", "integer", "slice")),
    (index_at_run_time, (v, x), tf.errors.OutOfRangeError, ("3", "(2,)")),
    (divided_by_zero, (x,), tf.errors.InvalidArgumentError, ("division by zero",)),
    (read_before_it_is_assigned, (x,), UnboundLocalError, ("'y'",)),
    (no_iteration, (x,), UnboundLocalError, ("'last'",)),
    (attribute_of_one_branch, (x,), AttributeError, ("'Box' object has no attribute 'value'",)),
    (failed_assertion, (x,), AssertionError, ("x must be small",)),
    (raised_in_one_branch, (x,), ValueError, ("too large",)),
    (caught_by_python, (x,), StagingError, ("condition 'pair'", "runtime.reduce_any or runtime.reduce_all")),
    (object_or_tensor, (x,), TypeError, ("'f'", "tensor in the else branch", "same object")),
    (method_of_a_list, (v,), AttributeError, ("'index'", "list(x)")),
    (object_returned, (x,), TypeError, ("object_returned", "tensors")),
]


def marked_line(function: Callable[..., Any]) -> int:
    lines, start = inspect.getsourcelines(function)
    (line,) = [start + i for i, text in enumerate(lines) if text.rstrip().endswith("# here")]
    return line


@pytest.mark.parametrize(("program", "arguments", "kind", "words"), MISTAKES, ids=[m[0].__name__ for m in MISTAKES])
def test_the_error_names_the_line_the_variable_the_cause_and_the_remedy(
    program: Callable[..., Any], arguments: tuple[Any, ...], kind: type[Exception], words: tuple[str, ...]
) -> None:
    with pytest.raises(kind) as caught:
        tf.function(program)(*arguments)
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    for word in words:
        assert word in text
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if f.filename == __file__]
    places = {f"{__file__}:{frames[-1].lineno}", *re.findall(rf"{re.escape(__file__)}:\d+", text)}
    assert f"{__file__}:{marked_line(program)}" in places
    assert not GENERATED.search(text), text
    assert "SymbolicTensor" not in text or program is called, "Python itself names the class of what it cannot call"
