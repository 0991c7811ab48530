"""Programs over texts, ragged and sparse tensors, sets, loops, tapes and control flow: the same with TensorFlow."""

from __future__ import annotations

import pytest
import tensorflow as tf

import runtime
from tests.peers import programs_of_control_flow, programs_of_graphs, programs_of_types, programs_of_values
from tests.peers.plain import agree, run

PROGRAMS = {
    **programs_of_values.PROGRAMS, **programs_of_graphs.PROGRAMS, **programs_of_control_flow.PROGRAMS,
    **{f"types: {name}": program for name, program in programs_of_types.PROGRAMS.items()},
}  # fmt: skip

NO_BASICS = "not among the basics of sparse and ragged tensors; there is an error"

DIFFERENCES = {
    **dict.fromkeys((
        "texts: ngrams", "sparse: split", "sparse: fill_empty_rows", "sparse: reset_shape",
        "sparse: maximum", "sparse: minimum", "sparse: softmax", "sparse: segment_sum", "sparse: segment_mean",
        "sparse: bincount", "sparse: to_indicator", "sparse: embedding",
    ), NO_BASICS),
    **dict.fromkeys(("ragged: item out of a row", "ragged: column outside"),
                    "OutOfRangeError, which is an IndexError as Python's is"),
    "loops: case of two": "TensorFlow takes no notice of exclusive=True in eager code",
    "flow: asserted": "TensorFlow's assert does not take a tensor beside a text",
    "flow: dtypes of branches": "a literal takes the dtype of the other branch",
    "flow: early return": "TensorFlow stages no return in a loop over a range of tensors",
    "flow: python effects": "what branches append to a list is one value, with a warning if the list is outside",
    "flow: shapes of loops": "the shape is widened",
    "flow: undefined in a branch": "an error when it is read, as in Python; TensorFlow wants it in all branches",
    **dict.fromkeys(("flow: collatz", "flow: nested"), "a number of Python's that counts has 64 bits, as there"),
    "tapes: edges of pow": "the slope of x**0 at 0 is 0; TensorFlow's is nan",
    "tapes: edges of cumprod": "TensorFlow's slopes are wrong beside a zero",
}  # fmt: skip
"""Programs that give something else, and why."""

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_gives_the_same_with_tensorflow(name: str) -> None:
    found, wanted = run(PROGRAMS[name], runtime), run(PROGRAMS[name], tf)
    if name in DIFFERENCES:
        assert not agree(found, wanted), "there is no difference any more: take it from the list"
    else:
        assert agree(found, wanted), (found, wanted)


