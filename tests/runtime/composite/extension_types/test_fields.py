"""The fields of ExtensionTypes: what annotations allow, what becomes of the arguments, and what errors say."""

from __future__ import annotations

import abc
import inspect
import typing
from collections.abc import Mapping
from typing import Any, ClassVar, Optional, Tuple, Union

import numpy as np
import pytest

import runtime
from runtime.library.experimental import ExtensionType


class Masked(ExtensionType):
    values: runtime.Tensor
    mask: runtime.TensorSpec([None], runtime.bool)  # type: ignore[valid-type]
    fill: float = 0.0


class Everything(ExtensionType):
    count: int
    ratio: float
    flag: bool
    name: str
    raw: bytes
    sizes: Tuple[int, ...]
    pair: tuple[str, runtime.Tensor]
    by_name: Mapping[str, runtime.Tensor]
    maybe: Optional[runtime.Tensor]
    either: Union[int, runtime.Tensor]
    shape: runtime.TensorShape
    dtype: runtime.DType
    rows: runtime.RaggedTensor
    cells: runtime.SparseTensor
    inner: Masked
    nothing: None = None


class Chain(ExtensionType):
    value: runtime.Tensor
    rest: Optional[Chain] = None


def everything(**changes: Any) -> Everything:
    fields: dict[str, Any] = {
        "count": 3, "ratio": 0.5, "flag": True, "name": "x", "raw": b"y", "sizes": [1, 2], "pair": ["a", [1.0, 2.0]],
        "by_name": {"b": 1, "a": [2]}, "maybe": None, "either": 4, "shape": runtime.TensorShape([None, 2]),
        "dtype": runtime.int32, "rows": runtime.ragged.constant([[1], []]), "cells": runtime.sparse.eye(2),
        "inner": Masked([1, 2], [True, False]),
    }  # fmt: skip
    return Everything(**{**fields, **changes})


def test_what_is_given_becomes_what_the_annotation_says() -> None:
    made = everything()
    assert (made.count, made.ratio, made.flag, made.name, made.raw, made.nothing) == (3, 0.5, True, "x", b"y", None)
    assert made.sizes == (1, 2) and made.pair[0] == "a" and made.pair[1].numpy().tolist() == [1.0, 2.0]
    assert {key: value.numpy().tolist() for key, value in made.by_name.items()} == {"b": 1, "a": [2]}
    assert made.maybe is None and made.either == 4
    assert everything(maybe=1.5).maybe.numpy() == 1.5 and everything(either=1.5).either.numpy() == 1.5
    assert made.inner.values.numpy().tolist() == [1, 2] and made.inner.mask.dtype is runtime.bool
    assert made.shape == runtime.TensorShape([None, 2]) and made.dtype is runtime.int32


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("count", 1.5, "Everything.count: expected int, found a value of type float: 1.5"),
        ("count", runtime.constant(3), "Everything.count: expected int, found a tensor of shape .* and dtype int32"),
        ("ratio", 1, "Everything.ratio: expected float, found a value of type int: 1"),
        ("flag", 1, "Everything.flag: expected bool"),
        ("name", b"x", "Everything.name: expected str"),
        ("sizes", [1, "a"], r"Everything.sizes\[1\]: expected int, found a value of type str: 'a'"),
        ("sizes", 3, r"Everything.sizes: expected a tuple of \(int, \.\.\.\)"),
        ("pair", ["a"], r"Everything.pair: expected a tuple of \(str, a tensor\), found 1 items"),
        ("pair", ["a", object()], r"Everything.pair\[1\]: expected a tensor, found"),
        ("by_name", {1: 2}, "Everything.by_name: the key 1: expected str"),
        ("by_name", [1], "Everything.by_name: expected a mapping from str to a tensor"),
        ("by_name", {"a": None}, r"Everything.by_name\['a'\]: expected a tensor, found None"),
        ("maybe", object(), "Everything.maybe: expected a tensor or None"),
        ("either", object(), "Everything.either: expected int or a tensor"),
        ("rows", [[1], []], "Everything.rows: expected RaggedTensor"),
        ("inner", Chain(1), "Everything.inner: expected Masked"),
        ("nothing", 0, "Everything.nothing: expected None"),
        ("dtype", "int32", "Everything.dtype: expected DType"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_the_field(field: str, value: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        everything(**{field: value})


def test_a_spec_says_dtype_and_shape() -> None:
    assert Masked([1.0], np.array([True])).mask.dtype is runtime.bool
    with pytest.raises(TypeError, match=r"Masked.mask: expected a tensor of shape \(None,\) and dtype bool"):
        Masked([1.0], 3)
    with pytest.raises(TypeError, match=r"Masked.mask: .*found a tensor of shape \(1, 1\) and dtype bool"):
        Masked([1.0], [[True]])

    class OfSpecs(ExtensionType):
        rows: runtime.RaggedTensorSpec([None, None], runtime.int32)  # type: ignore[valid-type]
        inner: Masked.Spec(runtime.TensorSpec([2]), runtime.TensorSpec([None], runtime.bool), 0.0)  # type: ignore[valid-type]

    rows, inner = runtime.ragged.constant([[1], []]), Masked([1.0, 2.0], [True])
    assert OfSpecs(rows, inner).rows is rows
    with pytest.raises(TypeError, match=r"OfSpecs.rows: expected what RaggedTensorSpec"):
        OfSpecs(runtime.cast(rows, runtime.int64), inner)
    with pytest.raises(TypeError, match=r"OfSpecs.inner: expected what Masked.Spec"):
        OfSpecs(rows, Masked([1.0], [True]))


def test_constructors_take_fields_by_position_and_by_name() -> None:
    assert Masked([1.0], [True], 2.0).fill == Masked(mask=[True], fill=2.0, values=[1.0]).fill == 2.0
    assert Masked([1.0], [True]).fill == 0.0
    for call, words in {
        (lambda: Masked([1.0])): r"Masked\(\): missing a required argument: 'mask'",
        (lambda: Masked([1.0], [True], 1.0, 2)): r"Masked\(\): too many positional arguments",
        (lambda: Masked([1.0], [True], form=2)): r"Masked\(\): got an unexpected keyword argument 'form'",
    }.items():
        with pytest.raises(TypeError, match=words):
            call()
    assert list(inspect.signature(Masked).parameters) == ["values", "mask", "fill"]
    assert list(inspect.signature(Masked.Spec).parameters) == ["values", "mask", "fill"]


def test_what_follows_a_default_is_given_by_name() -> None:
    class Late(ExtensionType):
        size: int = 3
        value: runtime.Tensor

    assert Late(value=[1]).size == 3 and Late(4, value=[1]).size == 4
    assert inspect.signature(Late).parameters["value"].kind is inspect.Parameter.KEYWORD_ONLY
    with pytest.raises(TypeError, match="too many positional"):
        Late(4, [1])


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (list, "say Tuple"), (typing.List[int], "say Tuple"), (tuple, "say what it holds"), (dict, "say Mapping"),
        (typing.Dict[str, int], "say Mapping"), (Mapping, "say what it holds"), (Any, "is no type for a field"),
        (object, "is no type for a field"), (complex, "is no type for a field"), (runtime.Variable, "Variable does"),
        (np.ndarray, "is no type"), (Tuple[typing.List[int], ...], "say Tuple"), (3, "is no type for a field"),
        (Mapping[runtime.DType, int], "the keys of a mapping"), (typing.Literal["a"], "is no type for a field"),
    ],
)  # fmt: skip
def test_annotations_that_no_field_can_have(annotation: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"(?s)Wrong.x: .*{words}"):
        type("Wrong", (ExtensionType,), {"__annotations__": {"x": annotation}})


@pytest.mark.parametrize("name", ["Spec", "_nest_parts", "_extension_x", "__x__"])
def test_names_with_a_meaning_are_no_fields(name: str) -> None:
    with pytest.raises(TypeError, match=f"Wrong: no field may be called '{name}'"):
        type("Wrong", (ExtensionType,), {"__annotations__": {name: int}})


def test_wrong_defaults_are_refused_where_the_class_is_written() -> None:
    with pytest.raises(TypeError, match=r"the default of Wrong.x: expected int, found a value of type str: 'three'"):

        class Wrong(ExtensionType):
            x: int = "three"  # type: ignore[assignment]


def test_variables_of_a_class_are_no_fields() -> None:
    class Counted(ExtensionType):
        kinds: ClassVar[int] = 7
        x: runtime.Tensor

    assert list(inspect.signature(Counted).parameters) == ["x"] and Counted(1).kinds == 7


def test_a_type_may_hold_values_of_its_own_kind() -> None:
    chain = Chain(1, Chain(2, Chain(3)))
    assert chain.rest is not None and chain.rest.rest is not None and chain.rest.rest.rest is None
    total = runtime.function(lambda c: c.value + c.rest.value + c.rest.rest.value)
    assert int(total(chain)) == 6


def test_names_that_are_never_defined_are_told_of_when_the_type_is_used() -> None:
    class Lost(ExtensionType):
        x: Nowhere  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(TypeError, match="Lost: an annotation names what is not defined: name 'Nowhere'"):
        Lost(1)


class Branch(ExtensionType):
    left: Optional[Leaf] = None


class Forked(Branch):
    right: Optional[Leaf] = None


class Leaf(ExtensionType):
    value: runtime.Tensor


def test_a_class_may_be_derived_before_what_its_base_names_is_defined() -> None:
    forked = Forked(Leaf(1), right=Leaf(2))
    assert [int(leaf) for leaf in runtime.nest.flatten(forked, expand_composites=True)] == [1, 2]
    assert list(inspect.signature(Forked).parameters) == ["left", "right"]


def test_generic_classes_and_abstract_ones() -> None:
    T = typing.TypeVar("T")

    class Shown(ExtensionType, abc.ABC):
        x: runtime.Tensor

        @abc.abstractmethod
        def shown(self) -> str: ...

    class Box(Shown, typing.Generic[T]):
        def shown(self) -> str:
            return f"box of {int(self.x)}"

    assert Box[int](3).shown() == "box of 3" and list(inspect.signature(Box).parameters) == ["x"]
    with pytest.raises(TypeError, match="abstract"):
        Shown(3)  # type: ignore[abstract]


def test_constructors_of_the_class_itself() -> None:
    class Pair(ExtensionType):
        x: runtime.Tensor
        y: runtime.Tensor
        scale: int = 2

        def __init__(self, both: Any) -> None:
            self.x = both
            self.y = runtime.reduce_sum(self.x)

    class Triple(Pair):
        z: runtime.Tensor

        def __init__(self, both: Any, z: Any) -> None:
            super().__init__(both)
            self.z = z

    class Same(Pair):
        pass

    made = Triple([1, 2], 4)
    assert [made.x.numpy().tolist(), int(made.y), made.scale, int(made.z)] == [[1, 2], 3, 2, 4]
    assert int(Same([1, 2]).y) == 3 and list(inspect.signature(Same).parameters) == ["both"]

    class Forgetful(Pair):
        def __init__(self) -> None:
            self.x = 1

    with pytest.raises(ValueError, match="Forgetful: the constructor sets no value for 'y'"):
        Forgetful()

    class Strange(Pair):
        def __init__(self) -> None:
            self.w = 1  # type: ignore[misc]

    with pytest.raises(AttributeError, match="Strange has no field 'w': its fields are x, y, scale"):
        Strange()


def test_validation_comes_last_and_is_staged_in_functions() -> None:
    class Positive(ExtensionType):
        x: runtime.Tensor

        def __validate__(self) -> None:
            assert isinstance(self.x, runtime.Tensor)
            if runtime.reduce_any(self.x < 0):
                raise ValueError("negative")

    assert int(Positive(3).x) == 3
    with pytest.raises(ValueError, match="negative"):
        Positive(-3)
    staged = runtime.function(lambda x: Positive(x).x)
    assert int(staged(runtime.constant(3))) == 3
    with pytest.raises(ValueError, match="negative"):
        staged(runtime.constant(-3))


def test_the_base_class_has_no_values() -> None:
    for base in (ExtensionType, runtime.experimental.BatchableExtensionType):
        with pytest.raises(TypeError, match="has no values of its own: derive a class from it"):
            base()
