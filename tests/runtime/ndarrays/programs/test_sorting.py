"""Sorting, searching and sets in arrays, element by element and in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def bubble_sort(a: Any) -> Any:
    swaps = 0
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swaps += 1
    return swaps


def bubble_sort_with_a_flag(a: Any) -> None:
    swapped = True
    while swapped:
        swapped = False
        for j in range(len(a) - 1):
            if a[j] > a[j + 1]:
                a[[j, j + 1]] = a[[j + 1, j]]
                swapped = True


def insertion_sort(a: Any) -> None:
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key


def selection_sort(a: Any) -> None:
    for i in range(len(a)):
        k = i + np.argmin(a[i:])
        a[i], a[k] = a[k], a[i]


def sift_down(a: Any, start: Any, end: Any) -> None:
    root = start
    while 2 * root + 1 <= end:
        child = 2 * root + 1
        if child + 1 <= end and a[child] < a[child + 1]:
            child += 1
        if a[root] < a[child]:
            a[root], a[child] = a[child], a[root]
            root = child
        else:
            return


def heap_sort(a: Any) -> None:
    n = len(a)
    for start in range(n // 2 - 1, -1, -1):
        sift_down(a, start, n - 1)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift_down(a, 0, end - 1)


def shell_sort(a: Any) -> None:
    gap = len(a) // 2
    while gap > 0:
        for i in range(gap, len(a)):
            item = a[i]
            j = i
            while j >= gap and a[j - gap] > item:
                a[j] = a[j - gap]
                j -= gap
            a[j] = item
        gap //= 2


def quick_sort(a: Any, stack: Any) -> None:
    """With a stack of its own, in an array."""
    stack[0], stack[1] = 0, len(a) - 1
    top = 2
    while top > 0:
        top -= 2
        low, high = stack[top], stack[top + 1]
        if low >= high:
            continue
        pivot = a[high]
        i = low - 1
        for j in range(low, high):
            if a[j] <= pivot:
                i += 1
                a[i], a[j] = a[j], a[i]
        a[i + 1], a[high] = a[high], a[i + 1]
        stack[top], stack[top + 1] = low, i
        stack[top + 2], stack[top + 3] = i + 2, high
        top += 4


def counting_sort(a: Any, limit: int) -> None:
    counts = np.zeros(limit, np.int64)
    for item in a:
        counts[item] += 1
    place = 0
    for value in range(limit):
        for _ in range(counts[value]):
            a[place] = value
            place += 1


def merge(a: Any, middle: Any, scratch: Any) -> None:
    i, j, k = 0, middle, 0
    while i < middle and j < len(a):
        if a[i] <= a[j]:
            scratch[k] = a[i]
            i += 1
        else:
            scratch[k] = a[j]
            j += 1
        k += 1
    while i < middle:
        scratch[k] = a[i]
        i, k = i + 1, k + 1
    while j < len(a):
        scratch[k] = a[j]
        j, k = j + 1, k + 1
    a[:] = scratch[: len(a)]


def merge_sort(a: Any) -> None:
    scratch = np.empty_like(a)
    width = 1
    while width < len(a):
        for start in range(0, len(a), 2 * width):
            merge(a[start : start + 2 * width], min(width, len(a) - start), scratch)
        width *= 2


def circle_sort(a: Any, low: int, high: int) -> Any:
    if low == high:
        return 0
    i, j, swaps = low, high, 0
    while i < j:
        if a[i] > a[j]:
            a[i], a[j] = a[j], a[i]
            swaps += 1
        i, j = i + 1, j - 1
    middle = (low + high) // 2
    swaps += circle_sort(a, low, middle)
    return swaps + circle_sort(a, middle + 1, high)


def partition(a: Any, pivot: float) -> Any:
    i, j = 0, len(a) - 1
    while True:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i >= j:
            return j
        a[i], a[j] = a[j], a[i]
        i += 1
        j -= 1


def sieve(flags: Any) -> Any:
    n = len(flags)
    flags[:2] = False
    p = 2
    while p * p < n:
        if flags[p]:
            flags[p * p :: p] = False
        p += 1
    return np.flatnonzero(flags)


def sieve_by_loops(n: int) -> Any:
    flags = np.ones(20, bool)
    flags[0] = flags[1] = False
    for p in range(2, n):
        if flags[p]:
            k = p * p
            while k < 20:
                flags[k] = False
                k += p
    return flags.sum()


def root_of(parent: Any, i: Any) -> Any:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def union_find(parent: Any, size: Any, pairs: Any) -> Any:
    groups = len(parent)
    for i, j in pairs:
        first, second = root_of(parent, i), root_of(parent, j)
        if first != second:
            if size[first] < size[second]:
                first, second = second, first
            parent[second] = first
            size[first] += size[second]
            groups -= 1
    return groups


def reverse(a: Any) -> None:
    i, j = 0, len(a) - 1
    while i < j:
        a[i], a[j] = a[j], a[i]
        i += 1
        j -= 1


def next_permutation(a: Any) -> Any:
    i = len(a) - 2
    while i >= 0 and a[i] >= a[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = len(a) - 1
    while a[j] <= a[i]:
        j -= 1
    a[i], a[j] = a[j], a[i]
    a[i + 1 :] = a[i + 1 :][::-1].copy()
    return True


NUMBERS = np.array([5.0, 2.0, 9.0, 1.0, 5.5, 0.5])

PROGRAMS = [
    (bubble_sort, (NUMBERS[:4],)),
    (bubble_sort_with_a_flag, (NUMBERS,)),
    (insertion_sort, (NUMBERS,)),
    (selection_sort, (NUMBERS,)),
    (heap_sort, (NUMBERS,)),
    (shell_sort, (NUMBERS,)),
    (quick_sort, (NUMBERS, np.zeros(24, np.int64))),
    (counting_sort, (np.array([3, 1, 0, 3, 2]), 4)),
    (merge, (np.array([1.0, 4.0, 6.0, 2.0, 5.0]), 3, np.zeros(5))),
    (merge_sort, (NUMBERS,)),
    (circle_sort, (NUMBERS[:4], 0, 3)),
    (partition, (NUMBERS, 5.0)),
    (sieve, (np.ones(30, bool),)),
    (sieve_by_loops, (5,)),
    (union_find, (np.arange(5), np.ones(5, np.int64), np.array([[0, 1], [3, 4], [1, 0], [4, 1]]))),
    (reverse, (NUMBERS,)),
    (next_permutation, (np.array([1, 3, 5, 4, 2]),)),
    (next_permutation, (np.array([3, 2, 1]),)),
]
PLAIN = (circle_sort,)  # its sizes decide how deep it calls itself


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_as_numpy(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments, numbers="plain" if function in PLAIN else "both")
