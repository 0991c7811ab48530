"""ExtensionTypes as elements of datasets and, if they are Batchable, row by row: map_fn, slices, batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime
from runtime.library.data import Dataset
from runtime.library.experimental import BatchableExtensionType, ExtensionType

SPEC = runtime.TensorSpec


class Single(ExtensionType):
    values: runtime.Tensor
    name: str = "s"


class Pair(BatchableExtensionType):
    x: runtime.Tensor
    y: runtime.Tensor
    unit: str = "m"


class Tree(BatchableExtensionType):
    rows: runtime.RaggedTensor
    pair: Pair


def pairs() -> Pair:
    return Pair([1, 2, 3], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def tree() -> Tree:
    return Tree(runtime.ragged.constant([[1, 2], [], [3]]), pairs())


def shown(value: Any) -> Any:
    leaves = runtime.nest.flatten(value, expand_composites=True)
    return [leaf.numpy().tolist() for leaf in leaves]


def both(function: Any, *args: Any) -> Any:
    eager, staged = function(*args), runtime.function(function)(*args)
    assert shown(eager) == shown(staged)
    return staged


# -- functions of rows -----------------------------------------------------------------------------------------------


def test_map_fn_takes_rows_of_values_and_makes_values_of_rows() -> None:
    total = both(lambda p: runtime.map_fn(lambda one: runtime.reduce_sum(one.y), p, runtime.float32), pairs())
    assert total.numpy().tolist() == [3, 7, 11]
    same = both(lambda p: runtime.map_fn(lambda one: Pair(one.x * 2, one.y, one.unit), p), pairs())
    assert type(same) is Pair and shown(same) == [[2, 4, 6], [[1, 2], [3, 4], [5, 6]]] and same.unit == "m"
    signature = Pair.Spec(SPEC([], runtime.int32), SPEC([2]), "m")
    made = both(
        lambda x: runtime.map_fn(
            lambda one: Pair(one, runtime.cast([one, one], runtime.float32)), x, fn_output_signature=signature
        ),
        runtime.constant([1, 2]),
    )
    assert shown(made) == [[1, 2], [[1, 1], [2, 2]]]
    sums = [lambda one: runtime.reduce_sum(one.rows) + one.pair.x]
    deep = both(lambda t: runtime.map_fn(sums[0], t, runtime.int32), tree())
    assert deep.numpy().tolist() == [4, 2, 6]


def test_folds_and_vectorized_map() -> None:
    total = both(lambda p: runtime.foldl(lambda sum, one: Single(sum.values + one.y), p, Single([0.0, 0.0])), pairs())
    assert type(total) is Single and total.values.numpy().tolist() == [9, 12]
    running = both(lambda p: runtime.scan(lambda sum, one: Pair(sum.x + one.x, sum.y + one.y), p), pairs())
    assert shown(running) == [[1, 3, 6], [[1, 2], [4, 6], [9, 12]]]
    swapped = both(lambda p: runtime.vectorized_map(lambda one: Pair(one.y, one.x), p), pairs())
    assert shown(swapped) == [[[1, 2], [3, 4], [5, 6]], [1, 2, 3]]


def test_values_that_are_not_batchable_have_no_rows() -> None:
    single = Single([1.0, 2.0])
    calls = [
        lambda: runtime.map_fn(lambda one: one.values, single),
        lambda: runtime.map_fn(Single, [1.0, 2.0], fn_output_signature=Single.Spec(SPEC([]), "s")),
        lambda: runtime.vectorized_map(lambda one: one.values, single),
        lambda: Dataset.from_tensor_slices(single),
        lambda: Dataset.from_tensors({"a": single}).batch(2),
        lambda: Dataset.from_tensors(single).padded_batch(2),
        lambda: Dataset.from_tensors(single).unbatch(),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="several values of Single are not known to make one, with rows; derive"):
            call()
    for step, call in {
        "window": lambda: Dataset.from_tensors(pairs()).window(2),
        "as_numpy_iterator": lambda: next(Dataset.from_tensors(pairs()).as_numpy_iterator()),
    }.items():
        with pytest.raises(TypeError, match=f"{step}: Pair is no type for this step"):
            call()


# -- datasets --------------------------------------------------------------------------------------------------------


def test_values_are_elements() -> None:
    data = Dataset.from_tensors((Single([1.0, 2.0], "t"), 3)).repeat(2)
    assert data.element_spec == (Single.Spec(SPEC([2]), "t"), SPEC([], runtime.int32))
    for single, number in data:
        assert type(single) is Single and single.name == "t" and shown(single) == [[1, 2]] and int(number) == 3
    mapped = data.map(lambda single, n: Single(single.values * runtime.cast(n, runtime.float32), "u"))
    assert [(shown(one), one.name) for one in mapped] == [([[3, 6]], "u")] * 2
    assert mapped.element_spec == Single.Spec(SPEC([2]), "u")


def test_steps_with_values() -> None:
    data = Dataset.range(5).map(lambda i: Pair(i, i * i))
    odd = data.filter(lambda p: p.x % 2 == 1)
    assert [shown(p) for p in odd] == [[1, 1], [3, 9]]
    total = data.reduce(Pair(np.int64(0), np.int64(0)), lambda s, p: Pair(s.x + p.x, s.y + p.y))
    assert shown(total) == [10, 30]
    assert [shown(pair) for pair in Dataset.zip((odd, odd))] == [[1, 1, 1, 1], [3, 9, 3, 9]]
    joined = Dataset.from_tensors(Single([1.0])).concatenate(Dataset.from_tensors(Single([1.0, 2.0])))
    assert joined.element_spec == Single.Spec(SPEC([None]), "s") and [shown(s) for s in joined] == [[[1]], [[1, 2]]]
    with pytest.raises(TypeError, match="elements of different types"):
        joined.concatenate(Dataset.from_tensors(Single([1.0], "other")))
    made = Dataset.from_generator(lambda: iter([Single([1.0])]), output_signature=Single.Spec(SPEC([None]), "s"))
    assert [shown(s) for s in made] == [[[1]]]
    assert sorted(shown(p)[0] for p in data.shuffle(5, seed=1).cache().prefetch(1)) == [0, 1, 2, 3, 4]
    twice = data.take(2).flat_map(lambda p: Dataset.from_tensors(p).repeat(2))
    assert [shown(p) for p in twice] == [[0, 0]] * 2 + [[1, 1]] * 2


def test_loops_over_datasets_of_values() -> None:
    @runtime.function
    def total(data: Any) -> Any:
        sum = Pair(runtime.constant(0, runtime.int64), runtime.constant(0, runtime.int64))
        for p in data:
            if p.x == 3:
                break
            sum = Pair(sum.x + p.x, sum.y + p.y)
        return sum

    assert shown(total(Dataset.range(9).map(lambda i: Pair(i, i * i)))) == [3, 5]

    @runtime.function
    def first(iterator: Any) -> Any:
        return next(iterator)

    assert shown(first(iter(Dataset.from_tensors(pairs())))) == shown(pairs())


def test_slices_and_batches_of_batchable_values() -> None:
    data = Dataset.from_tensor_slices(tree())
    assert [shown(one) for one in data] == [
        [[1, 2], 1, [1, 2]], [[], 2, [3, 4]], [[3], 3, [5, 6]],
    ]  # fmt: skip
    batches = list(data.batch(2))
    assert [type(batch) for batch in batches] == [Tree, Tree] and type(batches[0].pair) is Pair
    assert batches[0].rows.to_list() == [[1, 2], []] and batches[1].rows.to_list() == [[3]]
    assert shown(batches[0].pair) == [[1, 2], [[1, 2], [3, 4]]]
    assert bool(next(iter(data.batch(3))) == tree())
    again = data.batch(3).unbatch()
    assert [shown(one) for one in again] == [shown(one) for one in data] and again.element_spec == data.element_spec
    with pytest.raises(ValueError, match="a scalar has no rows"):
        Dataset.from_tensor_slices(Pair(1, [1]))
    lengths = Dataset.range(1, 4).map(lambda i: Pair(i, runtime.fill([i], i)))
    assert shown(next(iter(lengths.padded_batch(3)))) == [[1, 2, 3], [[1, 0, 0], [2, 2, 0], [3, 3, 3]]]


class Shaped(BatchableExtensionType):
    values: runtime.Tensor
    shape: runtime.TensorShape
    others: tuple[runtime.TensorShape, ...] = ()


def shaped(values: Any) -> Shaped:
    tensor = runtime.convert_to_tensor(values)
    return Shaped(tensor, tensor.shape, (tensor.shape,))


def test_shapes_among_the_fields_are_those_of_the_rows_or_of_all() -> None:
    def spec(*dims: int) -> Any:
        shape = runtime.TensorShape(dims)
        return Shaped.Spec(SPEC(dims, runtime.float64), shape, (shape,))

    whole = shaped(np.zeros((3, 4)))
    rows = Dataset.from_tensor_slices(whole)
    assert rows.element_spec == spec(4)
    assert [one.shape for one in rows] == [[4]] * 3
    batches = rows.batch(2)
    assert batches.element_spec.shape.as_list() == [None, 4] and [b.values.shape[0] for b in batches] == [2, 1]
    assert rows.batch(3, drop_remainder=True).element_spec == spec(3, 4)
    assert batches.unbatch().element_spec == rows.element_spec
    assert rows.padded_batch(3, drop_remainder=True).element_spec.others == (runtime.TensorShape([3, 4]),)
    nested = Dataset.from_tensor_slices({"a": (whole, [1, 2, 3])})
    assert nested.element_spec["a"][0].shape == [4]


@pytest.mark.parametrize("mapped", [runtime.map_fn, runtime.vectorized_map])
def test_functions_of_rows_see_the_shapes_of_rows(mapped: Any) -> None:
    seen = []

    def negated(one: Shaped) -> Shaped:
        seen.append(one.shape)
        return shaped(-one.values)

    made = both(lambda s: mapped(negated, s), shaped(np.ones((3, 4))))
    assert made.shape == [3, 4] and made.others == (runtime.TensorShape([3, 4]),)
    assert all(shape == [4] for shape in seen)
