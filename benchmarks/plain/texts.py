"""Strings: counting, searching, parsing, encoding."""

from __future__ import annotations

__all__ = ["PROGRAMS"]

WORDS = [
    "the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "while", "a", "small", "cat", "watches",
    "from", "the", "old", "wall",
]  # fmt: skip


def text_of(n):
    return " ".join(WORDS[i * i % len(WORDS)] for i in range(n))


def word_frequencies(n):
    counts = {}
    for word in text_of(n).split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def palindromes(n):
    found = []
    for number in range(n):
        text = str(number)
        i, j = 0, len(text) - 1
        while i < j and text[i] == text[j]:
            i += 1
            j -= 1
        if i >= j:
            found.append(number)
    return found


def caesar(n):
    text, result = text_of(n), []
    for char in text:
        if char.isalpha():
            result.append(chr((ord(char) - ord("a") + 3) % 26 + ord("a")))
        else:
            result.append(char)
    return "".join(result)


def run_lengths(n):
    text = "aaabbbbcd" * n
    parts, i = [], 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        parts.append(f"{text[i]}{j - i}")
        i = j
    return "".join(parts)


def tokens_of(text):
    tokens, i = [], 0
    while i < len(text):
        char = text[i]
        if char.isspace():
            i += 1
        elif char.isdigit():
            start = i
            while i < len(text) and text[i].isdigit():
                i += 1
            tokens.append(("number", int(text[start:i])))
        elif char in "+-*/()":
            tokens.append(("sign", char))
            i += 1
        else:
            raise ValueError(f"unexpected {char!r}")
    return tokens


def tokenizer(n):
    return len(tokens_of("12 + 34 * (5 - 678) / 9 " * n))


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.position = 0

    def peek(self):
        if self.position < len(self.tokens):
            return self.tokens[self.position]
        return ("end", None)

    def take(self):
        token = self.peek()
        self.position += 1
        return token

    def expression(self):
        value = self.term()
        while self.peek() in (("sign", "+"), ("sign", "-")):
            _, sign = self.take()
            right = self.term()
            value = value + right if sign == "+" else value - right
        return value

    def term(self):
        value = self.factor()
        while self.peek() == ("sign", "*"):
            self.take()
            value = value * self.factor() % 1_000_003
        return value

    def factor(self):
        kind, value = self.take()
        if kind == "number":
            return value
        if value == "(":
            inner = self.expression()
            self.take()
            return inner
        raise ValueError(f"unexpected {value!r}")


def expression_parser(n):
    return Parser(tokens_of(" + ".join(["12 * (34 - 5) * 2 - (7 + 8)"] * n))).expression()


def anagrams(n):
    groups = {}
    for i in range(n):
        word = WORDS[i % len(WORDS)] + WORDS[i * 7 % len(WORDS)]
        groups.setdefault("".join(sorted(word)), []).append(word)
    return max(len(group) for group in groups.values())


def substring_search(n):
    text, pattern, found = text_of(n), "the lazy", []
    for i in range(len(text) - len(pattern) + 1):
        for j in range(len(pattern)):
            if text[i + j] != pattern[j]:
                break
        else:
            found.append(i)
    return found


def prefix_function(n):
    text = "abacabadabacaba" * n
    borders = [0] * len(text)
    for i in range(1, len(text)):
        k = borders[i - 1]
        while k > 0 and text[i] != text[k]:
            k = borders[k - 1]
        if text[i] == text[k]:
            k += 1
        borders[i] = k
    return sum(borders)


def roman_numerals(n):
    table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
             (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]  # fmt: skip
    longest = ""
    for number in range(1, n):
        rest, text = number, ""
        for value, sign in table:
            while rest >= value:
                text += sign
                rest -= value
        if len(text) > len(longest):
            longest = text
    return longest


def csv_table(n):
    lines = ["name,age,city"] + [f"n{i},{i % 90},c{i % 7}" for i in range(n)]
    header = lines[0].split(",")
    ages = {}
    for line in lines[1:]:
        row = dict(zip(header, line.split(","), strict=True))
        ages.setdefault(row["city"], []).append(int(row["age"]))
    return {city: sum(values) / len(values) for city, values in ages.items()}


def camel_to_snake(n):
    total = 0
    for i in range(n):
        name = "someLongVariableName" + "ABC"[i % 3]
        out = ""
        for char in name:
            if char.isupper():
                out += "_" + char.lower()
            else:
                out += char
        total += len(out)
    return total


PROGRAMS = {
    word_frequencies: 20_000,
    palindromes: 12_000,
    caesar: 4_000,
    run_lengths: 2_000,
    tokenizer: 700,
    expression_parser: 300,
    anagrams: 5_000,
    substring_search: 5_000,
    prefix_function: 1_500,
    roman_numerals: 2_500,
    csv_table: 5_000,
    camel_to_snake: 1_200,
}
