"""Arguments that are True or False: what stands for one is taken, anything else is a TypeError that names it.

Every public function and class with a parameter that is annotated as a bool, and every record's switch, is tried.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.ops.records.families import load_all
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from runtime.tensor.switches import switches

ROOMS = {
    "": tf, "math": tf.math, "linalg": tf.linalg, "nn": tf.nn, "random": tf.random, "strings": tf.strings, "io": tf.io,
    "sparse": tf.sparse, "ragged": tf.ragged, "sets": tf.sets, "layers": tf.layers, "optimizers": tf.optimizers,
    "losses": tf.losses, "metrics": tf.metrics, "activations": tf.keras.activations, "GradientTape": tf.GradientTape,
}  # fmt: skip

OF_THEIR_OWN = {"function", "RaggedTensor", "VariableSpec", "FixedLenSequenceFeature", "RaggedFeature", "SparseFeature"}
"""What checks such arguments in another way, or is made by the library alone, or is a record of facts."""

WRONG: list[Any] = [
    np.array([True, False]), np.array([True]), tf.constant([True, False]), [True], "yes", 2, 0.5,
    tf.Variable([True, False]),
]  # fmt: skip


def flags_of(function: Any) -> list[str]:
    made = function.__init__ if isinstance(function, type) else function
    annotations = getattr(made, "__annotations__", {})
    return [n for n, kind in annotations.items() if kind in ("bool", "bool | None") and n != "return"]


def public() -> Iterator[Any]:
    for room, module in ROOMS.items():
        for name in dir(module):
            found = getattr(module, name)
            own = getattr(found, "__module__", None) or ""
            if name.startswith("_") or name in OF_THEIR_OWN or isinstance(found, Op) or not own.startswith("runtime"):
                continue
            if callable(found) and not inspect.ismodule(found):
                yield from (pytest.param(found, flag, id=f"{room}.{name}-{flag}") for flag in flags_of(found))


@pytest.mark.parametrize(("function", "flag"), list(public()))
def test_public_functions(function: Callable[..., Any], flag: str) -> None:
    """Nothing else of the arguments is looked at before."""
    made = function.__init__ if isinstance(function, type) else function
    assert hasattr(made, "__wrapped__"), f"{function.__qualname__} takes the flag {flag}: decorate it with @switches"
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    others = {p.name: None for p in needed if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    for value in WRONG:
        with pytest.raises(TypeError, match=rf"{flag} must be True or False; got .") as caught:
            function(**{**others, flag: value})
        assert not isinstance(caught.value, tf.errors.OpError)

    def in_a_trace(value: Any) -> Any:
        function(**{**others, flag: value})

    with pytest.raises(TypeError, match=f"{flag} must be known while the graph is built"):
        tf.function(in_a_trace, autograph=False)(tf.constant(True))


SWITCHED = [
    pytest.param(op, key, id=f"{op.name}-{key}")
    for op in sorted(load_all().values(), key=lambda op: op.name)
    for key in op.switches
    if op.samples is not None and not op.stateful
]


@pytest.mark.parametrize(("op", "key"), SWITCHED)
def test_records(op: Op, key: str) -> None:
    sample: Sample = next(iter(op.samples(sorted(op.groups[0].allowed - {tf.bfloat16}, key=lambda d: d.name)[0])))  # type: ignore[misc]
    fixed = len(op.tensors)
    tensors = [tf.constant(o) for o in sample.operands]
    arguments: list[Any] = [*tensors[:fixed], *([tensors[fixed:]] if op.variadic else [])]
    for value in WRONG[:-1]:
        with pytest.raises(TypeError, match=f"{key} must be True or False; got ."):
            op(*arguments, **{**sample.attributes, key: value})


@pytest.mark.parametrize("yes", [True, np.True_, np.array(True), 1, tf.constant(True), np.int64(1)], ids=repr)
def test_what_stands_for_true_and_false(yes: Any) -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    no = not yes if isinstance(yes, bool) else yes * 0 if not hasattr(yes, "dtype") else np.logical_not(yes)
    assert tf.matmul(x, x, adjoint_a=yes).numpy().tolist() == [[10, 14], [14, 20]]
    assert tf.matmul(x, x, False, False, no).numpy().tolist() == tf.matmul(x, x).numpy().tolist()
    assert tf.matmul(x, x, adjoint_a=None).numpy().tolist() == tf.matmul(x, x).numpy().tolist()
    assert tf.reduce_sum(x, keepdims=yes).shape == [1, 1]
    assert len(list(tf.data.Dataset.range(3).batch(2, drop_remainder=yes))) == 1
    assert len(list(tf.data.Dataset.range(3).batch(2, drop_remainder=no))) == 2
    assert tf.layers.Dense(2, use_bias=no)(x).shape == [2, 2]
    staged = tf.function(lambda x: tf.matmul(x, x, adjoint_b=yes) + tf.linalg.inv(x, adjoint=no))
    assert staged(x).numpy().tolist() == (tf.matmul(x, x, adjoint_b=True) + tf.linalg.inv(x)).numpy().tolist()


def test_steps_of_datasets() -> None:
    made = tf.data.Dataset.range(4)
    steps: list[Any] = [
        lambda v: made.batch(2, drop_remainder=v), lambda v: made.padded_batch(2, drop_remainder=v),
        lambda v: made.window(2, drop_remainder=v), lambda v: made.ragged_batch(2, drop_remainder=v),
        lambda v: made.shuffle(2, reshuffle_each_iteration=v), lambda v: made.batch(2).rebatch(2, drop_remainder=v),
    ]  # fmt: skip
    for step in steps:
        for value in WRONG:
            with pytest.raises(TypeError, match="must be True or False; got ."):
                step(value)
    rows = made.shuffle(4, seed=1, reshuffle_each_iteration=np.False_)
    assert [int(x) for x in rows] == [int(x) for x in rows]


def test_numbers_that_choose_an_axis() -> None:
    x = tf.ones([2, 2])
    for value in (np.array([0, 1]), tf.constant([0, 1]), "a"):
        for given in ({"axis": value}, {"batch_dims": value}):
            with pytest.raises(TypeError, match="gather: (axis|batch_dims) must be an integer"):
                tf.gather(x, [0], **given)


def test_the_decorator() -> None:
    class Made:
        @switches
        def __init__(self, first: int, second: bool, *, third: bool | None = None, fourth: Any = False) -> None:
            self.seen = (first, second, third, fourth)

    assert Made(2, np.True_, third=0, fourth="x").seen == (2, True, False, "x")
    assert Made(2, second=False).seen == (2, False, None, False)
    for call, name in ((lambda: Made(2, "no"), "second"), (lambda: Made(2, True, third=[1]), "third")):
        with pytest.raises(TypeError, match=f"Made: {name} must be True or False"):
            call()
    with pytest.raises(TypeError, match="second"):
        Made(2)
    assert str(inspect.signature(Made)) == str(inspect.signature(Made.__init__.__wrapped__)).replace("self, ", "")
