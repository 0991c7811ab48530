"""Programs that look for something in a list, or tell something of it in one pass."""

from __future__ import annotations

from tests.algorithms.program import program

ORDERED = [1, 3, 4, 7, 9, 12, 20]
MIXED = ([4, -2, 7, 7, 0, 3],), ([-5, -1, -8, -3, -3, -9],)


@program((ORDERED, 7), (ORDERED, 1), (ORDERED, 20), (ORDERED, 5), (ORDERED, 99))
def binary_search(numbers, wanted):
    low, high = 0, len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == wanted:
            return middle
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@program((ORDERED, 7), (ORDERED, 0), (ORDERED, 20), (ORDERED, 5), (ORDERED, 99))
def lower_bound(numbers, wanted):
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@program((ORDERED, 7), (ORDERED, 5))
def linear_search(numbers, wanted):
    for i, number in enumerate(numbers):
        if number == wanted:
            return i
    return -1


@program((ORDERED, 9), (ORDERED, 8), (ORDERED, 20))
def jump_search(numbers, wanted):
    n = len(numbers)
    step = int(n**0.5)
    start = 0
    while numbers[min(start + step, n) - 1] < wanted:
        start += step
        if start >= n:
            return -1
    for i in range(start, min(start + step, n)):
        if numbers[i] == wanted:
            return i
    return -1


@program((ORDERED, 9), (ORDERED, 8), (ORDERED, 20))
def interpolation_search(numbers, wanted):
    low, high = 0, len(numbers) - 1
    while low <= high and numbers[low] <= wanted <= numbers[high]:
        if numbers[low] == numbers[high]:
            return low if numbers[low] == wanted else -1
        place = low + (wanted - numbers[low]) * (high - low) // (numbers[high] - numbers[low])
        if numbers[place] == wanted:
            return place
        if numbers[place] < wanted:
            low = place + 1
        else:
            high = place - 1
    return -1


@program(*MIXED)
def maximum(numbers):
    best = numbers[0]
    for number in numbers[1:]:
        if number > best:
            best = number
    return best


@program(*MIXED)
def two_greatest(numbers):
    first = second = -1000
    for number in numbers:
        if number > first:
            first, second = number, first
        elif number > second:
            second = number
    return first, second


@program(*MIXED)
def largest_sum_of_a_part(numbers):
    best = current = numbers[0]
    for number in numbers[1:]:
        current = max(number, current + number)
        best = max(best, current)
    return best


@program(([2, 7, 11, 15], 9), ([3, 2, 4, 8], 6), ([3, 2, 4, 8], 100))
def pair_with_sum(numbers, total):
    for i in range(len(numbers)):
        for j in range(i + 1, len(numbers)):
            if numbers[i] + numbers[j] == total:
                return [i, j]
    return [-1, -1]


@program(([1, 2, 4, 9, 11], 13), ([1, 2, 4, 9, 11], 8))
def pair_by_two_ends(numbers, total):
    i, j = 0, len(numbers) - 1
    while i < j:
        found = numbers[i] + numbers[j]
        if found == total:
            return True
        if found < total:
            i += 1
        else:
            j -= 1
    return False


@program(([3, 3, 4, 2, 3, 3],), ([1, 1, 2, 2, 2, 2],))
def majority(numbers):
    candidate, count = numbers[0], 0
    for number in numbers:
        if count == 0:
            candidate = number
        count += 1 if number == candidate else -1
    return candidate


@program(([7, 1, 5, 3, 6, 4],), ([7, 6, 4, 3, 1, 0],))
def best_profit(prices):
    least, profit = prices[0], 0
    for price in prices:
        least = min(least, price)
        profit = max(profit, price - least)
    return profit


@program(([0, 1, 0, 2, 1, 0, 1, 3],), ([4, 2, 0, 3, 2, 5, 0, 1],))
def trapped_water(heights):
    left, right = 0, len(heights) - 1
    highest_left = highest_right = total = 0
    while left < right:
        if heights[left] < heights[right]:
            highest_left = max(highest_left, heights[left])
            total += highest_left - heights[left]
            left += 1
        else:
            highest_right = max(highest_right, heights[right])
            total += highest_right - heights[right]
            right -= 1
    return total


@program(([1, 2, 3, 4, 5, 6], 2), ([1, 2, 3, 4, 5, 6], 5))
def rotated(numbers, k):
    n = len(numbers)
    return [numbers[(i - k) % n] for i in range(n)]


@program(([3, 0, 1, 5, 2],), ([1, 2, 3, 4, 5],))
def missing_number(numbers):
    n = len(numbers)
    return n * (n + 1) // 2 - sum(numbers)


@program(([4, 1, 2, 1, 2],), ([7, 7, 9, 3, 3],))
def single_number(numbers):
    found = 0
    for number in numbers:
        found ^= number
    return found


@program(([1, 1, 2, 3, 3, 3],), ([5, 5, 5, 5, 5, 5],))
def without_neighbours_that_repeat(numbers):
    result = [numbers[0]]
    for number in numbers:
        if number != result[-1]:
            result.append(number)
    return result


@program(([2, 4, 4, 4, 5, 5, 7, 9],), ([1, 1, 1, 1, 1, 1, 1, 2],))
def mean_and_deviation(numbers):
    mean = sum(numbers) / len(numbers)
    variance = sum((x - mean) ** 2 for x in numbers) / len(numbers)
    return mean, variance**0.5


@program(([5, 3, 1, 4, 2],), ([9, 9, 1, 1, 5],))
def median(numbers):
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]


@program(([1, 2, 3, 4, 5], 3), ([5, 1, 1, 1, 9], 2))
def moving_average(numbers, size):
    averages = []
    for i in range(len(numbers) - size + 1):
        averages.append(sum(numbers[i + j] for j in range(size)) / size)
    return averages
