"""Programs about texts: ciphers, numerals, counting, searching."""

from __future__ import annotations

from tests.algorithms.program import program

WORDS = ("", "a", "hello", "Hello World", "racecar", "A man a plan", "zebra XYZ!", "aabbbc")


@program(*[(word, shift) for word in ("abc", "Hello, World!", "xyz XYZ") for shift in (0, 3, -3, 13)])
def caesar_cipher(text, shift):
    result = ""
    for c in text:
        if c.isupper():
            result += chr((ord(c) - 65 + shift) % 26 + 65)
        elif c.islower():
            result += chr((ord(c) - ord("a") + shift) % 26 + ord("a"))
        else:
            result += c
    return result


@program(("attack", "lemon"), ("abc", "z"))
def vigenere(text, key):
    made = []
    for i in range(len(text)):
        shift = ord(key[i % len(key)]) - 97
        made.append(chr((ord(text[i]) - 97 + shift) % 26 + 97))
    return "".join(made)


@program(*WORDS)
def atbash(text):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return "".join(alphabet[25 - alphabet.index(c)] if c in alphabet else c for c in text.lower())


@program(1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999)
def to_roman(n):
    values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    symbols = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
    result = ""
    for i in range(13):
        result += symbols[i] * (n // values[i])
        n %= values[i]
    return result


@program("I", "IV", "IX", "MCMXCIV", "MMXXIV")
def from_roman(text):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total, i = 0, 0
    while i < len(text):
        if i + 1 < len(text) and values[text[i]] < values[text[i + 1]]:
            total += values[text[i + 1]] - values[text[i]]
            i += 2
        else:
            total += values[text[i]]
            i += 1
    return total


@program(*WORDS)
def vowels(text):
    count = 0
    for c in text.lower():
        if c in "aeiou":
            count += 1
    return count, sum(c in "aeiou" for c in text), [i for i, c in enumerate(text) if c == "a"]


@program(*WORDS)
def is_palindrome(text):
    cleaned = "".join(c for c in text.lower() if c.isalnum())
    return cleaned == cleaned[::-1]


@program(*WORDS)
def is_palindrome_by_ends(text):
    left, right = 0, len(text) - 1
    while left < right:
        if text[left] != text[right]:
            return False
        left += 1
        right -= 1
    return True


@program(("listen", "silent"), ("hello", "world"), ("Dormitory", "dirty room"))
def are_anagrams(a, b):
    return sorted(a.lower().replace(" ", "")) == sorted(b.lower().replace(" ", ""))


@program(*WORDS)
def words_turned(text):
    return " ".join(word[::-1] for word in text.split()), " ".join(text.split()[::-1]), len(text.split())


@program(*WORDS)
def run_lengths(text):
    result, i = "", 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        result += text[i] + str(j - i)
        i = j
    return result


@program(("hello world", "wor"), ("aaaa", "aa"), ("abc", "x"), ("", "a"))
def places_of_a_part(text, part):
    found = []
    for i in range(len(text) - len(part) + 1):
        if text[i : i + len(part)] == part:
            found.append(i)
    return found, text.find(part), text.count(part)


@program(("karolin", "kathrin"), ("abc", "abc"), ("10111", "10010"))
def hamming(a, b):
    return sum(x != y for x, y in zip(a, b)), sum(1 for i in range(len(a)) if a[i] != b[i])


@program("helloWorldFooBar", "a", "", "XmlHttp")
def to_snake(text):
    made = ""
    for i, c in enumerate(text):
        if c.isupper() and i > 0:
            made += "_"
        made += c.lower()
    return made


@program("12", "1010", "ff", "-7")
def to_number_by_hand(text):
    total = 0
    for c in text.lstrip("-"):
        total = total * 16 + "0123456789abcdef".index(c)
    return -total if text.startswith("-") else total


@program(*WORDS)
def length_by_cutting(text):
    count = 0
    while text:
        text = text[1:]
        count += 1
    return count


@program(*WORDS)
def without_repeats(text):
    made = ""
    for i in range(len(text)):
        if i > 0 and text[i] == text[i - 1]:
            continue
        made += text[i]
    return made


@program(*WORDS)
def letters(text):
    counts = [0] * 26
    for c in text.lower():
        if c.isalpha():
            counts[ord(c) - ord("a")] += 1
    return counts, all(count > 0 for count in counts)


@program("babad", "cbbd", "a", "forgeeksskeegfor")
def longest_palindrome(text):
    best = ""
    for i in range(len(text)):
        for j in range(i + 1, len(text) + 1):
            part = text[i:j]
            if part == part[::-1] and len(part) > len(best):
                best = part
    return best


@program("([])", "([)]", "(", "", "a(b)c]")
def brackets_match(text):
    stack = []
    for c in text:
        if c in "([":
            stack.append(c)
        elif c in ")]":
            if not stack:
                return False
            top = stack.pop()
            if (c == ")" and top != "(") or (c == "]" and top != "["):
                return False
    return len(stack) == 0


@program("to be or not to be", "a", "x x x")
def different_words(text):
    words = []
    for word in text.split():
        if word not in words:
            words.append(word)
    return words, max(words, key=len), " ".join(sorted(words)), len(words)


@program("cabbage", "xyz", "")
def scrabble_score(word):
    points = {"a": 1, "b": 3, "c": 3, "e": 1, "g": 2}
    return sum(points.get(c, 0) for c in word)


@program("the quick brown", "one")
def first_word(text):
    first, *others = text.split(" ")
    return first, len(others)


@program("101101", "0", "1111")
def ones_and_runs(bits):
    longest = max(len(run) for run in bits.split("0"))
    return bits.count("1"), longest, int(bits, 2), bits.replace("1", "x").replace("0", "1").replace("x", "0")
