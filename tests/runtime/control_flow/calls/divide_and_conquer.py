"""Divide and conquer, memos and mutual recursion."""

from __future__ import annotations

import numpy as np

__all__ = ["PROGRAMS"]


def hanoi(n):
    moves = []

    def go(k, a, b, c):
        if k > 0:
            go(k - 1, a, c, b)
            moves.append(a * 10 + b)
            go(k - 1, c, b, a)

    go(n, 1, 2, 3)
    return moves


def hanoi_with_an_argument(n):
    moves = []

    def go(k, a, b, c, moves):
        if k > 0:
            go(k - 1, a, c, b, moves)
            moves.append(a * 10 + b)
            go(k - 1, c, b, a, moves)

    go(n, 1, 2, 3, moves)
    return moves


def fibonacci_with_memo(n):
    memo = {}

    def f(k):
        if k < 2:
            return k
        if k in memo:
            return memo[k]
        memo[k] = f(k - 1) + f(k - 2)
        return memo[k]

    return f(n)


def fibonacci_from_memo(n):
    memo = {0: 0, 1: 1}

    def f(k):
        if k not in memo:
            memo[k] = f(k - 1) + f(k - 2)
        return memo[k]

    return (f(n), len(memo))


def collatz_with_cache(n):
    cache = {}

    def steps(k):
        if k == 1:
            return 0
        if k in cache:
            return cache[k]
        cache[k] = 1 + (steps(k // 2) if k % 2 == 0 else steps(3 * k + 1))
        return cache[k]

    return (steps(n + 1), sorted(cache))


def ms(xs):
    if len(xs) < 2:
        return xs
    m = len(xs) // 2
    a, b = (ms(xs[:m]), ms(xs[m:]))
    out = []
    while a and b:
        out.append(a.pop(0) if a[0] <= b[0] else b.pop(0))
    return out + a + b


def sorted_and_given(n):
    xs = []
    for i in range(n + 2):
        xs.append(i * 7 % 5)
    ys = ms(xs)
    return (ys, xs)


def merge_sort(n):
    xs = []
    for i in range(n + 2):
        xs.append(i * 7 % 5)
    return ms(xs)


def qs(xs):
    if len(xs) <= 1:
        return xs
    p = xs[0]
    l = qs([x for x in xs[1:] if x < p])
    l.append(p)
    l.extend(qs([x for x in xs[1:] if x >= p]))
    return l


def quicksort(n):
    xs = []
    for i in range(n + 2):
        xs.append(i * 7 % 5)
    return qs(xs)


class Node:
    def __init__(s, v, l=None, r=None):
        s.v = v
        s.l = l
        s.r = r


def search_tree(n):
    root = Node(5, Node(2), Node(8, Node(7), None))

    def find(node, x):
        if node is None:
            return -1
        if x == node.v:
            return node.v * 10
        return find(node.l, x) if x < node.v else find(node.r, x)

    return find(root, n)


def sum_of_a_tree(n):
    root = Node(5, Node(2), Node(8, Node(7), None))
    tot = [0]

    def walk(node):
        if node is None:
            return
        walk(node.l)
        if node.v > n:
            tot[0] += node.v
        walk(node.r)

    walk(root)
    return tot[0]


def even_and_odd(n):
    log = []

    def even(k):
        log.append(1)
        return True if k == 0 else odd(k - 1)

    def odd(k):
        log.append(2)
        return False if k == 0 else even(k - 1)

    return (even(n), log)


def even_and_odd_with_an_argument(n):

    def even(k, log):
        log.append(1)
        return True if k == 0 else odd(k - 1, log)

    def odd(k, log):
        log.append(2)
        return False if k == 0 else even(k - 1, log)

    log = []
    return (even(n, log), log)


def swap(a, i, j):
    if i < j:
        a[i], a[j] = (a[j], a[i])
        swap(a, i + 1, j - 1)


def reverse_a_part(n):
    a = np.arange(6)
    swap(a, 0, n % 5)
    return a


PROGRAMS = [
    hanoi,
    hanoi_with_an_argument,
    fibonacci_with_memo,
    fibonacci_from_memo,
    collatz_with_cache,
    sorted_and_given,
    merge_sort,
    quicksort,
    search_tree,
    sum_of_a_tree,
    even_and_odd,
    even_and_odd_with_an_argument,
    reverse_a_part,
]
