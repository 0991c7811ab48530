"""Sorting in place, bits, whole numbers, runs and words in codes."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(9)
NUMBERS = RNG.integers(0, 50, size=9)
REALS = RNG.normal(size=8)
DNA = np.frombuffer(b"GATTACAGATTACA", dtype=np.uint8)


@program((NUMBERS,), (REALS,))
def bubble_sort(a):
    n = len(a)
    while True:
        swapped = False
        for i in range(1, n):
            if a[i - 1] > a[i]:
                a[i - 1], a[i] = a[i], a[i - 1]
                swapped = True
        n -= 1
        if not swapped:
            return a


@program((NUMBERS,), (REALS,))
def insertion_sort(a):
    moves = 0
    for i in range(1, a.size):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
            moves += 1
        a[j + 1] = key
    return moves


@program((NUMBERS,), (REALS.astype(np.float32),))
def merge_sort(a):
    n = len(a)
    src, dst = a.copy(), np.empty_like(a)
    width = 1
    while width < n:
        for lo in range(0, n, 2 * width):
            mid, hi = min(lo + width, n), min(lo + 2 * width, n)
            i, j = lo, mid
            for k in range(lo, hi):
                if i < mid and (j >= hi or src[i] <= src[j]):
                    dst[k] = src[i]
                    i += 1
                else:
                    dst[k] = src[j]
                    j += 1
        src, dst = dst, src
        width *= 2
    return src


@program((NUMBERS,), (REALS,))
def quick_sort(a):
    stack = np.zeros((len(a) + 1, 2), dtype=int)
    stack[0] = 0, len(a) - 1
    top = 0
    while top >= 0:
        lo, hi = stack[top]
        top -= 1
        if lo >= hi:
            continue
        pivot = a[hi]
        i = lo
        for j in range(lo, hi):
            if a[j] < pivot:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[hi] = a[hi], a[i]
        stack[top + 1] = lo, i - 1
        stack[top + 2] = i + 1, hi
        top += 2
    return a


@program((NUMBERS,), (REALS,))
def heap_sort(a):
    def sift_down(start, end):
        root = start
        while 2 * root + 1 <= end:
            child = 2 * root + 1
            if child + 1 <= end and a[child] < a[child + 1]:
                child += 1
            if a[root] >= a[child]:
                return
            a[root], a[child] = a[child], a[root]
            root = child

    n = len(a)
    for start in range(n // 2 - 1, -1, -1):
        sift_down(start, n - 1)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift_down(0, end - 1)


@program((NUMBERS, 50))
def counting_sort(a, k):
    counts = np.zeros(k, dtype=int)
    for v in a:
        counts[v] += 1
    pos = np.cumsum(counts) - counts
    out = np.empty_like(a)
    for v in a:
        out[pos[v]] = v
        pos[v] += 1
    return out, counts.nonzero()[0]


@program((np.frombuffer(b"123456789", dtype=np.uint8),), (DNA,))
def crc32(data):
    table = np.zeros(256, dtype=np.uint32)
    for i in range(256):
        c = i
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table[i] = c
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ np.uint32(0xFFFFFFFF)


@program((0b1001, 15), (0b0110, 7))
def lfsr(state, n):
    bits = np.zeros(n, dtype=np.uint8)
    for i in range(n):
        bits[i] = state & 1
        new = (state ^ (state >> 1)) & 1
        state = (state >> 1) | (new << 3)
    return bits, state


@program((np.array([123456789], dtype=np.uint32), 6))
def xorshift(state, n):
    out = np.empty(n, dtype=np.uint32)
    x = state[0]
    for i in range(n):
        x ^= x << np.uint32(13)
        x ^= x >> np.uint32(17)
        x ^= x << np.uint32(5)
        out[i] = x
    state[0] = x
    return out, out / 2**32


@program((np.array([1, 1, 1, 2, 2, 3, 1, 1]),), (np.array([5]),))
def run_lengths(a):
    values, lengths = [a[0]], [1]
    for x in a[1:]:
        if x == values[-1]:
            lengths[-1] += 1
        else:
            values.append(x)
            lengths.append(1)
    return np.array(values), np.array(lengths)


@program((np.array([1, 1, 1, 2, 2, 3, 1, 1]),))
def run_lengths_by_differences(a):
    edges = np.flatnonzero(np.diff(a)) + 1
    starts = np.concatenate(([0], edges))
    lengths = np.diff(np.append(starts, len(a)))
    assert np.repeat(a[starts], lengths).tolist() == list(a)
    return a[starts], lengths


@program((60,), (2,))
def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return np.flatnonzero(is_prime)


@program((np.array([10, 255, 7]), 2, 8), (np.array([10, 255, 7]), 16, 3))
def digits_in_base(numbers, base, width):
    out = np.zeros((len(numbers), width), dtype=np.int8)
    rest = numbers.copy()
    for k in range(width - 1, -1, -1):
        out[:, k] = rest % base
        rest //= base
    back = out.astype(int) @ base ** np.arange(width)[::-1]
    return out, back


@program((240, 46), (17, 5))
def extended_gcd(a, b):
    m = np.eye(2, dtype=int)
    while b != 0:
        q = a // b
        a, b = b, a - q * b
        m = np.array([[0, 1], [1, -q]]) @ m
    return a, m[0]


@program((DNA, 2))
def count_words(dna, k):
    codes = np.searchsorted(np.array([65, 67, 71, 84]), dna)
    counts = np.zeros(4**k, dtype=int)
    h = 0
    for i, c in enumerate(codes):
        h = (h * 4 + c) % 4**k
        if i >= k - 1:
            counts[h] += 1
    gc = np.isin(dna, [67, 71]).mean()
    return counts, gc, dna[::-1].copy()


@program((DNA, np.frombuffer(b"TTA", dtype=np.uint8)), (DNA, np.frombuffer(b"XYZ", dtype=np.uint8)))
def find_pattern(text, pattern):
    n, m = len(text), len(pattern)
    failure = np.zeros(m, dtype=int)
    k = 0
    for i in range(1, m):
        while k > 0 and pattern[k] != pattern[i]:
            k = failure[k - 1]
        if pattern[k] == pattern[i]:
            k += 1
        failure[i] = k
    hits = np.zeros(n, dtype=bool)
    k = 0
    for i in range(n):
        while k > 0 and pattern[k] != text[i]:
            k = failure[k - 1]
        if pattern[k] == text[i]:
            k += 1
        if k == m:
            hits[i - m + 1] = True
            k = failure[k - 1]
    return np.flatnonzero(hits)


@program((np.array([1, 3, 5, 7, 9, 11]), 7), (np.array([1.0, 3.0, 5.0]), 4.0))
def binary_search(a, x):
    lo, hi = 0, len(a) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if a[mid] == x:
            return mid
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


@program((np.array([3, 1, 4, 1, 5, 9, 2, 6]), np.array([[0, 3], [2, 6], [5, 5]])))
def prefix_sums(a, queries):
    p = np.zeros(len(a) + 1, dtype=a.dtype)
    for i in range(len(a)):
        p[i + 1] = p[i] + a[i]
    return np.array([p[hi + 1] - p[lo] for lo, hi in queries])


@program((4,))
def magic_and_gray(n):
    gray = np.arange(2**n) ^ (np.arange(2**n) >> 1)
    bits = (gray[:, None] >> np.arange(n)[::-1]) & 1
    changes = np.abs(np.diff(bits, axis=0)).sum(axis=1)
    return gray, bits, changes.max()


@program((6,), (5,))
def queens(n):
    """All ways to place queens, with a stack in an array."""
    cols = np.zeros(n, dtype=int)
    row = count = 0
    while row >= 0:
        if cols[row] >= n:
            cols[row] = 0
            row -= 1
            if row >= 0:
                cols[row] += 1
            continue
        ok = True
        for r in range(row):
            if cols[r] == cols[row] or abs(cols[r] - cols[row]) == row - r:
                ok = False
                break
        if ok and row == n - 1:
            count += 1
            cols[row] += 1
        elif ok:
            row += 1
        else:
            cols[row] += 1
    return count
