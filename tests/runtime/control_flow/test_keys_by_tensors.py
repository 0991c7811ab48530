"""Values of dicts whose key a tensor is equal to: set where the key is; new keys where the values are numbers."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def counted_in_a_dict(n):
    counts = {k: 0 for k in range(3)}
    for x in [n, n + 1, 4, 5]:
        counts[x % 3] += 1
    return counts


def set_in_a_dict(n):
    d = {0: 5, 1: 6, 2: 7, 3: 8}
    if n > 1:
        d[n % 4] = n
    for i in range(n):
        d[i % 4] += i
    return d


def texts_as_keys(n):
    d = {"even": 0, "odd": 0}
    for i in range(n):
        d["even" if i % 2 == 0 else "odd"] += i
    return d


def new_row(n):
    d = {0: [1, 2], 1: [3, 4]}
    d[n % 2] = [n, n]
    board = [[0, 1], [2, 3]]
    board[n % 2 - 1] = [n, 5]
    return d, board


def field_of_a_chosen_record(n):
    players = [{"name": "a", "score": 0}, {"name": "b", "score": 0}]
    turn = 0
    for roll in (n, 3, n + 1):
        players[turn]["score"] += roll
        if roll % 2 == 0:
            turn = 1 - turn
    if n > 3:
        players[turn]["score"] = -1
    return [player["score"] for player in players]


@pytest.mark.parametrize(
    "program", [field_of_a_chosen_record, counted_in_a_dict, set_in_a_dict, texts_as_keys, new_row]
)
def test_the_value_of_a_key_that_a_tensor_is_equal_to_is_set(program):
    assert_same(program, 0, 1, 2, 5, 8)


def new_keys(n):
    d = {0: 1}
    d[n] = 5
    return d


def test_a_dict_gets_new_keys_while_the_graph_runs():
    assert_same(new_keys, 0, 1, 7)


def test_a_dict_of_lists_gets_no_new_keys_while_the_graph_runs():
    @tf.function
    def program(n):
        d = {0: [1, 2]}
        d[n] = [n, n]
        return d

    assert int(program(tf.constant(7) * 0)[0][1]) == 0
    with pytest.raises(KeyError, match="a dict gets no new keys while the graph runs: .* there is no key 1"):
        program(tf.constant(1))


def values_or_others(n):
    prices, names = {0: 10, 2: 20}, {"1": "one"}
    total = 0
    for i in range(n):
        total += prices.get(i, -1)
        total += {"1": 100}.get(str(i), 0)
    return total, prices.get(n, total), names.get(str(n), "none"), {}.get(n, 3), prices.get(n) is None, prices.get(2)


def test_get_looks_up_what_a_tensor_is_equal_to():
    assert_same(values_or_others, 0, 1, 2, 5)
