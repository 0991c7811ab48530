"""Tensors as keys of dicts, and as members of sets, that the caller has: the same objects hold what Python's would."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError, StagingTypeError

from .programs_with_keys_in_attributes import MADE_ANEW
from .programs_with_memos import PROGRAMS

NUMBERS = (5, 3, 7, 1, 5, 2, 5)


def plain(value: Any) -> Any:
    """The value with Python's in the place of tensors; dicts and sets in their order, with their classes."""
    if isinstance(value, tf.Tensor):
        array: Any = value.numpy()
        return array.decode() if isinstance(array, bytes) else array.item()
    if isinstance(value, dict):
        order = getattr(value, "default_factory", None)
        return type(value), order, [(key, plain(held)) for key, held in value.items()]
    if isinstance(value, list | tuple | set):
        return type(value), [plain(held) for held in value]
    return value


def history(call: Callable[[Any], Any], kept: Callable[[], Any]) -> list[Any]:
    return [(plain(call(n)), repr(plain(kept()))) for n in NUMBERS]


def staged(function: Any) -> tuple[Any, Callable[[Any], Any]]:
    made = tf.function(function)
    return made, lambda n: made(tf.constant(n))


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_as_in_plain_python_in_one_trace(make: Any) -> None:
    expected = history(*make())
    function, kept = make()
    before = kept()
    made, call = staged(function)
    assert history(call, kept) == expected
    assert kept() is before or before == {}
    assert made.experimental_get_tracing_count() == 1


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
@pytest.mark.parametrize("make", MADE_ANEW, ids=lambda make: make.__name__)
def test_as_in_plain_python(make: Any) -> None:
    expected = history(*make())
    function, kept = make()
    assert history(staged(function)[1], kept) == expected


def test_what_the_caller_changes_is_seen() -> None:
    store: Any = SimpleNamespace(k={})

    @tf.function
    def f(n: Any) -> Any:
        store.k[n] = store.k.get(n, 0) + 1
        return len(store.k)

    known = store.k
    assert int(f(tf.constant(4))) == 1
    known[9] = 3
    del known[4]
    assert int(f(tf.constant(9))) == 1
    assert known is store.k and plain(known)[2] == [(9, 4)]
    store.k = {1: 1}
    assert int(f(tf.constant(9))) == 2
    assert list(known) == [9] and list(store.k) == [1, 9]


def test_values_of_another_kind_take_another_trace() -> None:
    store: Any = SimpleNamespace(k={1: 1})

    @tf.function
    def f(n: Any) -> None:
        store.k[n] = n

    f(tf.constant(9))
    store.k[4] = 2.5
    with pytest.raises(StagingError, match=r"keys or members of the dict 'store.k' .*: what is in it must be"):
        f(tf.constant(9))
    assert list(store.k) == [1, 9, 4]
    store.k.clear()
    f(tf.constant(3.0))
    assert plain(store.k)[2] == [(3.0, 3.0)]


def test_nothing_is_left_by_a_run_that_raises() -> None:
    store = SimpleNamespace(k={1: 1}, seen={1})

    @tf.function
    def f(n: Any) -> Any:
        store.k[n] = n
        store.seen.add(n)
        if n == 7:
            raise ValueError("seven")
        return n

    f(tf.constant(5))
    with pytest.raises(ValueError, match="seven"):
        f(tf.constant(7))
    assert list(store.k) == [1, 5] and store.seen == {1, 5}


def test_keys_and_values_that_are_equal_stay_the_objects_that_they_are() -> None:
    key, value, text = 10**6, 10**9, "a text"
    store = SimpleNamespace(k={key: value}, texts={text: tf.constant(1)}, seen={key})
    one = store.texts[text]

    @tf.function
    def f(n: Any, word: Any) -> None:
        store.k[n] = n
        store.texts[word] = n
        store.seen.add(n)

    f(tf.constant(key + 1), tf.constant("another"))
    assert next(iter(store.k)) is key and store.k[key] is value
    assert next(iter(store.texts)) is text and store.texts[text] is one
    assert next(iter(store.seen)) in (key, key + 1) and len(store.seen) == 2


def test_words_are_counted_over_several_calls() -> None:
    store = SimpleNamespace(k={})

    @tf.function
    def count(words: Any) -> Any:
        for word in words:
            store.k[word] = store.k.get(word, 0) + 1
        return len(store.k)

    expected: dict[str, int] = {}
    for text in ("a b a", "c", "b b b d a"):
        count(tf.constant(text.split()))
        for word in text.split():
            expected[word] = expected.get(word, 0) + 1
    assert [(key, int(n)) for key, n in store.k.items()] == [*expected.items()]
    assert count.experimental_get_tracing_count() <= 3  # for the shapes of the words


def put(n: Any, k: Any) -> None:
    k[n] = n


def halves(n: Any, k: Any) -> None:
    k[n] = n / 2


def lists(n: Any, k: Any) -> None:
    k[n] = [n]


def grouped(n: Any, k: Any) -> None:
    k[n % 2].append(n)


@pytest.mark.parametrize(("kept", "change", "words"), [
    ({"a": 1, 2: 3}, put, "numbers of one kind, texts"),
    ({1: 2**40}, put, "numbers of one kind, texts"),
    ({1: 2}, halves, "numbers of one kind, texts"),
    ({1: True}, put, "numbers of one kind, texts"),
    ({1.5: 2}, put, r"is of kind int .*, and others are of kind float"),
    ({True: 2}, put, "is of kind int .*, and others are of kind bool"),
    ({}, lists, "has another name or is in another place"),
    (defaultdict(list), grouped, "numbers of one kind, texts"),
    (OrderedDict({"x": 1}), put, "is of kind int .*, and others are of kind string"),
], ids=lambda part: getattr(part, "__name__", "of"))  # fmt: skip
def test_refused(kept: Any, change: Any, words: str) -> None:
    store, before = SimpleNamespace(k=kept), repr(kept)

    @tf.function
    def f(n: Any) -> None:
        change(n, store.k)

    with pytest.raises((StagingError, StagingTypeError), match=words):
        f(tf.constant(5))
    assert repr(store.k) == before and store.k is kept
