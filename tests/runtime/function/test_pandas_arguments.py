"""Series and DataFrames as arguments: classes with as much of pandas as is asked, in the place of it."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import runtime


def sum_of(a):
    return np.sum(a) * 2.5


def write(a, x):
    a[0] = x
    return a[0]


class Index(list):
    """The labels of a Series. start, step: of those that count."""

    def __init__(self, labels):
        super().__init__(labels)
        if list(labels) == list(range(len(labels))):
            self.start, self.step = 0, 1


class Series:
    """As much of pandas as is asked."""

    name = "s"

    def __init__(self, elements, labels=None):
        self.elements = np.asarray(elements)
        self.index = Index(range(len(elements)) if labels is None else labels)

    dtype = property(lambda self: self.elements.dtype)

    def to_numpy(self):
        return self.elements

    def __array__(self, dtype=None, copy=None):
        return self.elements


class DataFrame:
    """As much of pandas as is asked."""

    def __init__(self, columns):
        self.columns = list(columns)
        self.elements = [np.asarray(c) for c in columns.values()]
        self.dtypes = [c.dtype for c in self.elements]

    def to_numpy(self):
        return np.stack(self.elements, axis=1)

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy()


class Labels:
    """An index as an argument."""

    name = None

    def __init__(self, elements):
        self.elements = np.asarray(elements)

    dtype = property(lambda self: self.elements.dtype)

    def to_numpy(self):
        return self.elements

    __array__ = Series.__array__


@pytest.fixture(autouse=True)
def pandas(monkeypatch):
    module = types.ModuleType("pandas")
    module.Series, module.DataFrame, module.Index = Series, DataFrame, Labels
    monkeypatch.setitem(sys.modules, "pandas", module)


def total(a):
    x = 0.0
    for v in a:
        x += v
    return x


@pytest.mark.parametrize(
    ("f", "on_values"),
    [
        (sum_of, sum_of), (lambda s: s * 2 + 1, None), (lambda s: s + s, None), (lambda s: s[0] + s[2], None),
        (lambda s: np.asarray(s).std(), np.std), (lambda s: s.values.std(), np.std), (total, None),
        (lambda s: s.to_numpy()[1:], lambda a: a[1:]), (lambda s: s + np.ones(3), None),
        (lambda s: s.shape[0] * len(s), None),
    ],
)  # fmt: skip
def test_a_series_is_an_array_of_its_values(f, on_values):
    values = np.array([1.0, 2.0, 4.0])
    got = runtime.function(f)(Series(values))
    np.testing.assert_array_equal(got, (on_values or f)(values))


@pytest.mark.parametrize(
    "f",
    [
        lambda s: s.std(), lambda s: s.mean(), lambda s: s.fillna(0), lambda s: s[-1], lambda s: s["a"],
        lambda s: s[1:], lambda s: s.T, lambda s: 1 in s,
    ],
)  # fmt: skip
def test_what_pandas_does_in_its_own_way_is_refused(f):
    with pytest.raises(TypeError, match=r"'s', a Series.*np.asarray\(s\)"):
        runtime.function(f)(Series([1.0, 2.0]))


def test_labels_are_no_places():
    labelled = Series([1.0, 2.0], [1, 0])
    assert runtime.function(total)(labelled).numpy() == 3
    with pytest.raises(TypeError, match="the index 0 of 's', a Series with labels"):
        runtime.function(lambda s: s[0])(labelled)
    for add in (lambda a, b: a + b, np.add, lambda a, b: np.add(a, b)):
        with pytest.raises(TypeError, match="'a' and 'b' are of pandas"):
            runtime.function(lambda a, b, add=add: add(a, b))(labelled, Series([1.0, 2.0]))


def test_a_data_frame_is_an_array_of_its_columns():
    frame = DataFrame({"a": [1, 2], "b": [1.0, 2.5]})
    assert runtime.function(lambda d: (np.sum(d, axis=0), d @ np.ones(2)))(frame)[0].numpy().tolist() == [3.0, 3.5]
    for f in (lambda d: d["a"], lambda d: d.a, total, lambda d: d[0]):
        with pytest.raises(TypeError, match="a DataFrame"):
            runtime.function(f)(frame)


def test_columns_that_are_no_numbers_are_named():
    with pytest.raises(TypeError, match="the column 'b' of 'a' has elements of <U1"):
        runtime.function(sum_of)(DataFrame({"a": [1], "b": ["x"]}))
    with pytest.raises(TypeError, match="the column 'c' of 'a' has elements of datetime64"):
        runtime.function(sum_of)(DataFrame({"a": [1], "c": np.array(["2020"], "M8[D]")}))
    with pytest.raises(TypeError, match="the column 'k' of 'a' is of bools"):
        runtime.function(sum_of)(DataFrame({"a": [1], "k": [True]}))


def test_pandas_is_never_written_to():
    s = Series([1.0, 2.0])
    with pytest.raises(ValueError, match=r"'a', a \w+ Series, is read only in a graph.*a = np.array\(a\)"):
        runtime.function(write)(s, 7)
    assert s.elements.tolist() == [1.0, 2.0]


def test_an_index_is_an_array_of_its_values():
    @runtime.function
    def f(index):
        return index * 2 + index[1], np.sum(index)

    doubled, total = f(Labels([1, 2, 4]))
    np.testing.assert_array_equal(doubled, [4, 6, 10])
    assert total == 7
    with pytest.raises(TypeError, match="the Index 'index' has elements of <U1"):
        f(Labels(["a", "b"]))
