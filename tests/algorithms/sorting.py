"""Programs that put a list in order, in place or in a new one."""

from __future__ import annotations

from tests.algorithms.program import program

LISTS = (([5, 2, 9, 1, 5, 6],), ([3, -1, 0, 7, 2, 2],), ([1, 2, 3, 4, 5, 6],), ([9, 8, 7, 6, 5, 4],))


@program(*LISTS)
def bubble_sort(numbers):
    n = len(numbers)
    for i in range(n):
        for j in range(n - 1 - i):
            if numbers[j] > numbers[j + 1]:
                numbers[j], numbers[j + 1] = numbers[j + 1], numbers[j]
    return numbers


@program(*LISTS)
def bubble_sort_until_done(numbers):
    swapped = True
    end = len(numbers) - 1
    while swapped:
        swapped = False
        for i in range(end):
            if numbers[i] > numbers[i + 1]:
                numbers[i], numbers[i + 1] = numbers[i + 1], numbers[i]
                swapped = True
        end -= 1
    return numbers


@program(*LISTS)
def insertion_sort(numbers):
    for i in range(1, len(numbers)):
        key = numbers[i]
        j = i - 1
        while j >= 0 and numbers[j] > key:
            numbers[j + 1] = numbers[j]
            j -= 1
        numbers[j + 1] = key
    return numbers


@program(*LISTS)
def selection_sort(numbers):
    for i in range(len(numbers)):
        least = i
        for j in range(i + 1, len(numbers)):
            if numbers[j] < numbers[least]:
                least = j
        numbers[i], numbers[least] = numbers[least], numbers[i]
    return numbers


@program(*LISTS)
def gnome_sort(numbers):
    i = 1
    while i < len(numbers):
        if i == 0 or numbers[i - 1] <= numbers[i]:
            i += 1
        else:
            numbers[i - 1], numbers[i] = numbers[i], numbers[i - 1]
            i -= 1
    return numbers


@program(*LISTS)
def shell_sort(numbers):
    gap = len(numbers) // 2
    while gap > 0:
        for i in range(gap, len(numbers)):
            value = numbers[i]
            j = i
            while j >= gap and numbers[j - gap] > value:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = value
        gap //= 2
    return numbers


@program(*LISTS)
def cocktail_sort(numbers):
    start, end = 0, len(numbers) - 1
    while start < end:
        for i in range(start, end):
            if numbers[i] > numbers[i + 1]:
                numbers[i], numbers[i + 1] = numbers[i + 1], numbers[i]
        end -= 1
        for i in range(end, start, -1):
            if numbers[i - 1] > numbers[i]:
                numbers[i - 1], numbers[i] = numbers[i], numbers[i - 1]
        start += 1
    return numbers


@program(*LISTS)
def comb_sort(numbers):
    gap, swapped = len(numbers), True
    while gap > 1 or swapped:
        gap = max(1, int(gap / 1.3))
        swapped = False
        for i in range(len(numbers) - gap):
            if numbers[i] > numbers[i + gap]:
                numbers[i], numbers[i + gap] = numbers[i + gap], numbers[i]
                swapped = True
    return numbers


@program(([3, 1, 2, 0, 5, 4],), ([5, 4, 3, 2, 1, 0],))
def cycle_sort(numbers):
    writes = 0
    for start in range(len(numbers) - 1):
        item = numbers[start]
        position = start
        for i in range(start + 1, len(numbers)):
            if numbers[i] < item:
                position += 1
        while position != start:
            item, numbers[position] = numbers[position], item
            writes += 1
            position = start
            for i in range(start + 1, len(numbers)):
                if numbers[i] < item:
                    position += 1
        numbers[start] = item
    return numbers, writes


@program(([3, 1, 2, 0, 5, 3],), ([5, 4, 3, 2, 1, 0],))
def counting_sort(numbers):
    counts = [0] * 6
    for number in numbers:
        counts[number] += 1
    result = []
    for value in range(6):
        for _ in range(counts[value]):
            result.append(value)
    return result


@program(([3, 1, 2, 0, 5, 3],), ([5, 4, 3, 2, 1, 0],))
def counting_sort_by_places(numbers):
    counts = [0] * 7
    for number in numbers:
        counts[number + 1] += 1
    for i in range(6):
        counts[i + 1] += counts[i]
    result = [0] * len(numbers)
    for number in numbers:
        result[counts[number]] = number
        counts[number] += 1
    return result


@program(*LISTS)
def merge_of_halves(numbers):
    middle = len(numbers) // 2
    left, right = sorted(numbers[:middle]), sorted(numbers[middle:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    while i < len(left):
        merged.append(left[i])
        i += 1
    while j < len(right):
        merged.append(right[j])
        j += 1
    return merged


@program(*LISTS)
def quick_sort_by_partitions(numbers):
    stack = [(0, len(numbers) - 1)]
    while stack:
        low, high = stack.pop()
        if low >= high:
            continue
        pivot, i = numbers[high], low
        for j in range(low, high):
            if numbers[j] < pivot:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
        numbers[i], numbers[high] = numbers[high], numbers[i]
        stack.append((low, i - 1))
        stack.append((i + 1, high))
    return numbers


@program(*LISTS)
def heap_sort(numbers):
    n = len(numbers)

    def sift(root, end):
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and numbers[child] < numbers[child + 1]:
                child += 1
            if numbers[root] >= numbers[child]:
                break
            numbers[root], numbers[child] = numbers[child], numbers[root]
            root = child

    for start in range(n // 2 - 1, -1, -1):
        sift(start, n)
    for end in range(n - 1, 0, -1):
        numbers[0], numbers[end] = numbers[end], numbers[0]
        sift(0, end)
    return numbers


@program(*LISTS)
def pancake_sort(numbers):
    for size in range(len(numbers), 1, -1):
        greatest = numbers[:size].index(max(numbers[:size]))
        numbers[: greatest + 1] = numbers[: greatest + 1][::-1]
        numbers[:size] = numbers[:size][::-1]
    return numbers


@program(*LISTS)
def is_sorted(numbers):
    return all(a <= b for a, b in zip(numbers, numbers[1:]))  # noqa: RUF007 - as people write it


@program(*LISTS)
def inversions(numbers):
    count = 0
    for i in range(len(numbers)):
        for j in range(i + 1, len(numbers)):
            if numbers[i] > numbers[j]:
                count += 1
    return count


@program(([2, 0, 1, 2, 1, 0],), ([0, 0, 2, 2, 1, 1],))
def dutch_flag(colors):
    low, middle, high = 0, 0, len(colors) - 1
    while middle <= high:
        if colors[middle] == 0:
            colors[low], colors[middle] = colors[middle], colors[low]
            low += 1
            middle += 1
        elif colors[middle] == 1:
            middle += 1
        else:
            colors[middle], colors[high] = colors[high], colors[middle]
            high -= 1
    return colors
