"""Values of ExtensionTypes by themselves: they never change, are compared as wholes, are copied; and their Specs."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from typing import Any, Optional

import pytest

import runtime
from runtime.library.experimental import ExtensionType

SPEC = runtime.TensorSpec


class Masked(ExtensionType):
    values: runtime.Tensor
    mask: runtime.Tensor
    name: str = "m"

    @property
    def shape(self) -> Any:
        return self.values.shape


class Nested(ExtensionType):
    inner: Masked
    rows: runtime.RaggedTensor
    others: Mapping[str, runtime.Tensor]
    maybe: Optional[runtime.Tensor] = None
    scale: float = 1.0


def masked(*values: float, name: str = "m") -> Masked:
    return Masked(list(values), [v > 0 for v in values], name)


def nested(**changes: Any) -> Nested:
    fields = {"inner": masked(1.0, -2.0), "rows": runtime.ragged.constant([[1], [2, 3]]), "others": {"b": 1, "a": [2]}}
    return Nested(**{**fields, **changes})


def test_nothing_of_a_value_can_be_changed() -> None:
    value = nested()
    for name in ("inner", "scale", "new"):
        with pytest.raises(AttributeError, match=f"Nested never changes: '{name}' cannot be set or deleted"):
            setattr(value, name, 1)
        with pytest.raises(AttributeError, match=f"Nested never changes: '{name}'"):
            delattr(value, name)
    with pytest.raises(TypeError, match="does not support item assignment"):
        value.others["a"] = 3  # type: ignore[index]
    spec = Nested.Spec.from_value(value)
    with pytest.raises(AttributeError, match=r"Nested.Spec never changes"):
        spec.scale = 2.0
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


def test_values_are_equal_if_all_fields_are() -> None:
    same = runtime.function(lambda a, b: (a == b, a != b))
    for other, wanted in [
        (nested(), True), (nested(inner=masked(1.0, -3.0)), False), (nested(scale=2.0), False),
        (nested(rows=runtime.ragged.constant([[1, 2], [3]])), False), (nested(others={"b": 1, "a": [3]}), False),
        (nested(others={"a": [2], "b": 1}), True), (nested(others={"a": [2]}), False), (nested(maybe=1), False),
        (nested(inner=masked(1.0, -2.0, 3.0)), False), (nested(inner=masked(1.0, -2.0, name="n")), False),
        (nested(others={"b": 1.0, "a": [2]}), False),
    ]:  # fmt: skip
        assert bool(nested() == other) is wanted and bool(nested() != other) is not wanted
        found = same(nested(), other)
        assert [bool(part) for part in found] == [wanted, not wanted]
    for stranger in (3, masked(1.0, -2.0), None, runtime.constant(1)):
        assert (nested() == stranger) is False and (nested() != stranger) is True


def test_a_subclass_is_another_type() -> None:
    class More(Masked):
        count: int = 1

    value = More([1.0], [True])
    assert (value == Masked([1.0], [True])) is False
    assert (value.count, value.name, value.shape) == (1, "m", [1])
    assert repr(value).startswith("More(values=<tf.Tensor: shape=(1,)") and repr(value).endswith(", name='m', count=1)")


def test_equality_where_shapes_are_known_late() -> None:
    open_spec = Masked.Spec(SPEC(None, runtime.float32), SPEC(None, runtime.bool), "m")
    same = runtime.function(lambda a, b: a == b, input_signature=[open_spec, open_spec])
    value = masked(1.0, 2.0)
    for other, wanted in [
        (masked(1.0, 2.0), True), (masked(1.0, 3.0), False), (masked(1.0), False),
        (Masked([[1.0, 2.0]], [[True, True]]), False), (Masked(1.0, True), False), (Masked([1.0, 2.0], True), False),
    ]:  # fmt: skip
        assert bool(same(value, other)) is wanted and bool(same(other, value)) is wanted
        assert bool(value == other) is wanted


def test_equality_decides_staged_conditions() -> None:
    @runtime.function
    def steps(start: Any, end: Any) -> Any:
        count = 0
        while start != end:
            start = Masked(start.values + 1.0, start.mask)
            count += 1
        return count

    assert int(steps(Masked([1.0], [True]), Masked([4.0], [True]))) == 3


def test_copies_and_pickles() -> None:
    for copied in (copy.copy(nested()), copy.deepcopy(nested()), pickle.loads(pickle.dumps(nested()))):
        assert bool(copied == nested()) and copied.rows.to_list() == [[1], [2, 3]]
        assert bool(runtime.function(lambda v: v == nested())(copied))
    spec = Nested.Spec.from_value(nested())
    assert pickle.loads(pickle.dumps(spec)) == spec == copy.deepcopy(spec)


def test_prints(capfd: pytest.CaptureFixture[str]) -> None:
    runtime.print(masked(1.0, -2.0), summarize=-1)
    runtime.function(lambda v: runtime.print("it:", v))(nested(inner=masked(1.5)))
    first, second = capfd.readouterr().err.splitlines()
    assert first == "Masked(values=[1 -2], mask=[True False], name='m')"
    assert second == (
        "it: Nested(inner=Masked(values=[1.5], mask=[True], name='m'), rows=<tf.RaggedTensor [[1], [2, 3]]>,"
        " others={'b': 1, 'a': [2]}, maybe=None, scale=1.0)"
    )


def test_what_a_structure_of_values_is() -> None:
    value = nested()
    assert runtime.nest.flatten({"k": value}) == [value] or runtime.nest.flatten({"k": value})[0] is value
    leaves = runtime.nest.flatten(value, expand_composites=True)
    assert [leaf.numpy().tolist() for leaf in leaves] == [[1, -2], [True, False], [1, 2, 3], [0, 1, 3], [2], 1]
    doubled = runtime.nest.map_structure(lambda t: runtime.cast(t, runtime.int32) * 2, value, expand_composites=True)
    assert doubled.inner.values.numpy().tolist() == [2, -4] and doubled.others["b"].numpy() == 2
    packed = runtime.nest.pack_sequence_as(value, leaves, expand_composites=True)
    assert bool(packed == value) and packed is not value
    with pytest.raises(TypeError, match="'name' is 'm' in one and 'n' in the other. What differs must be a tensor"):
        runtime.nest.assert_same_structure(masked(1.0), masked(2.0, name="n"), expand_composites=True)
    with pytest.raises(TypeError, match="Cannot convert a Masked to a tensor"):
        runtime.add(masked(1.0), 1.0)


# -- specs -----------------------------------------------------------------------------------------------------------


def test_a_spec_has_the_fields_of_its_type() -> None:
    spec = Masked.Spec(SPEC([None], runtime.float32), mask=SPEC([2], runtime.bool), name="m")
    assert (spec.values, spec.name, spec.value_type, spec.shape) == (SPEC([None]), "m", Masked, [None])
    assert repr(spec) == f"Masked.Spec(values={SPEC([None])!r}, mask={SPEC([2], runtime.bool)!r}, name='m')"
    assert Masked.Spec.from_value(masked(1.0, 2.0)) == Masked.Spec(SPEC([2]), SPEC([2], runtime.bool), "m")
    assert hash(spec) == hash(Masked.Spec(SPEC([None]), SPEC([2], runtime.bool), "m"))
    whole = Nested.Spec.from_value(nested())
    assert whole.inner == Masked.Spec.from_value(masked(1.0, 2.0)) and whole.maybe is None
    assert whole.rows == runtime.RaggedTensorSpec([2, None], runtime.int32) and whole.others["a"].shape == [1]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Masked.Spec(SPEC([1])), r"Masked.Spec\(\): missing a required argument: 'mask'"),
        (lambda: Masked.Spec([1.0], SPEC([1]), "m"), r"Masked.Spec.values: expected a TensorSpec, found"),
        (lambda: Masked.Spec(SPEC([1]), SPEC([1]), 3), r"Masked.Spec.name: expected str"),
        (lambda: Nested.Spec(masked(1.0), None, {}, None, 1.0), r"Nested.Spec.inner: expected a spec of Masked"),
        (lambda: Masked.Spec.from_value(nested()), r"Masked.Spec.from_value: expected a Masked, found Nested"),
    ],
)
def test_wrong_specs(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_which_values_a_spec_describes() -> None:
    spec = Masked.Spec(SPEC([None]), SPEC([2], runtime.bool), "m")
    assert spec.is_compatible_with(masked(1.0, 2.0))
    assert spec.is_compatible_with(Masked.Spec.from_value(masked(1.0, 2.0)))
    for other in (masked(1.0), masked(1.0, 2.0, name="n"), Masked([1, 2], [True, True]), nested(), 3):
        assert not spec.is_compatible_with(other)


def test_specs_above_others() -> None:
    two, three = Masked.Spec.from_value(masked(1.0, 2.0)), Masked.Spec.from_value(masked(1.0, 2.0, 3.0))
    above = Masked.Spec(SPEC([None]), SPEC([None], runtime.bool), "m")
    assert two.most_specific_common_supertype([three]) == two.most_specific_compatible_type(three) == above
    assert two.is_subtype_of(above) and not above.is_subtype_of(two) and not two.is_subtype_of(SPEC([2]))
    other = Masked.Spec.from_value(masked(1.0, name="n"))
    assert two.most_specific_common_supertype([other]) is None and not other.is_subtype_of(above)
    with pytest.raises(ValueError, match="no spec describes both"):
        two.most_specific_compatible_type(other)
    whole, maybe = Nested.Spec.from_value(nested()), Nested.Spec.from_value(nested(maybe=1))
    assert whole.most_specific_common_supertype([maybe]) is None and whole.is_subtype_of(whole)


def test_a_class_may_write_its_spec() -> None:
    class Image(ExtensionType):
        pixels: runtime.Tensor
        mask: runtime.Tensor
        unit: str = "mm"

        class Spec:
            def __init__(self, shape: Any, dtype: Any = runtime.float32) -> None:
                self.pixels = SPEC(shape, dtype)
                self.mask = SPEC(shape, runtime.bool)

            @property
            def shape(self) -> Any:
                return self.pixels.shape

            def __repr__(self) -> str:
                return f"Image.Spec({self.shape})"

    class Same(Image):
        pass

    spec: Any = Image.Spec([None])
    assert repr(spec) == "Image.Spec((None,))" and repr(Same.Spec([2])) == "Image.Spec((2,))"
    assert spec == Image.Spec([None]) and spec != Same.Spec([None])
    image = Image([1.0, 2.0], [True, False])
    total = runtime.function(lambda image: runtime.reduce_sum(image.pixels), input_signature=[spec])
    assert float(total(image)) == 3.0 and Image.Spec.from_value(image) == Image.Spec([2])
    with pytest.raises(runtime.errors.SignatureError):
        total(Image([1, 2], [True, False]))
