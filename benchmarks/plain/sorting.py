"""Sorting and searching in lists."""

from __future__ import annotations

__all__ = ["PROGRAMS"]


def numbers(n):
    values, x = [], 12345
    for _ in range(n):
        x = (1103515245 * x + 12345) % 2**31
        values.append(x % 1000)
    return values


def bubble_sort(n):
    items = numbers(n)
    for end in range(len(items) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
    return items


def insertion_sort(n):
    items = numbers(n)
    for i in range(1, len(items)):
        value, j = items[i], i - 1
        while j >= 0 and items[j] > value:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = value
    return items


def selection_sort(n):
    items = numbers(n)
    for i in range(len(items)):
        least = i
        for j in range(i + 1, len(items)):
            if items[j] < items[least]:
                least = j
        items[i], items[least] = items[least], items[i]
    return items


def merge(left, right):
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def merge_sorted(items):
    if len(items) <= 1:
        return items
    middle = len(items) // 2
    return merge(merge_sorted(items[:middle]), merge_sorted(items[middle:]))


def merge_sort(n):
    return merge_sorted(numbers(n))


def quick_sorted(items):
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    less = [x for x in items if x < pivot]
    same = [x for x in items if x == pivot]
    more = [x for x in items if x > pivot]
    return quick_sorted(less) + same + quick_sorted(more)


def quick_sort(n):
    return quick_sorted(numbers(n))


def partition(items, low, high):
    pivot = items[high]
    i = low
    for j in range(low, high):
        if items[j] < pivot:
            items[i], items[j] = items[j], items[i]
            i += 1
    items[i], items[high] = items[high], items[i]
    return i


def quick_sort_between(items, low, high):
    if low < high:
        middle = partition(items, low, high)
        quick_sort_between(items, low, middle - 1)
        quick_sort_between(items, middle + 1, high)


def quick_sort_in_place(n):
    items = numbers(n)
    quick_sort_between(items, 0, len(items) - 1)
    return items


def sift_down(items, root, end):
    while True:
        child = 2 * root + 1
        if child >= end:
            return
        if child + 1 < end and items[child] < items[child + 1]:
            child += 1
        if items[root] >= items[child]:
            return
        items[root], items[child] = items[child], items[root]
        root = child


def heap_sort(n):
    items = numbers(n)
    for root in range(len(items) // 2 - 1, -1, -1):
        sift_down(items, root, len(items))
    for end in range(len(items) - 1, 0, -1):
        items[0], items[end] = items[end], items[0]
        sift_down(items, 0, end)
    return items


def shell_sort(n):
    items = numbers(n)
    gap = len(items) // 2
    while gap > 0:
        for i in range(gap, len(items)):
            value, j = items[i], i
            while j >= gap and items[j - gap] > value:
                items[j] = items[j - gap]
                j -= gap
            items[j] = value
        gap //= 2
    return items


def counting_sort(n):
    items = numbers(n)
    counts = [0] * (max(items) + 1)
    for item in items:
        counts[item] += 1
    result = []
    for value, count in enumerate(counts):
        result.extend([value] * count)
    return result


def radix_sort(n):
    items, place = numbers(n), 1
    while max(items) // place > 0:
        buckets = [[] for _ in range(10)]
        for item in items:
            buckets[item // place % 10].append(item)
        items = [item for bucket in buckets for item in bucket]
        place *= 10
    return items


def binary_search(items, wanted):
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def many_searches(n):
    items = sorted(set(numbers(n)))
    return sum(binary_search(items, wanted) for wanted in range(n))


def sort_by_keys(n):
    people = [{"name": f"n{x % 37}", "age": x % 90} for x in numbers(n)]
    people.sort(key=lambda person: (person["age"], person["name"]))
    return [person["name"] for person in sorted(people, key=lambda person: -person["age"])]


PROGRAMS = {
    bubble_sort: 160,
    insertion_sort: 220,
    selection_sort: 250,
    merge_sort: 1_500,
    quick_sort: 3_000,
    quick_sort_in_place: 2_000,
    heap_sort: 900,
    shell_sort: 1_200,
    counting_sort: 12_000,
    radix_sort: 6_000,
    many_searches: 2_500,
    sort_by_keys: 4_000,
}
