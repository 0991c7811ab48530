"""`show`: source and converted code side by side, statement beside statement, in notebooks, as text and as a file."""

import ast
import re
import xml.etree.ElementTree as ElementTree

import pytest

import autograph
from autograph import comparison
from autograph.coloring import pieces


def collatz(n):
    """Counts the steps
    to 1."""
    steps = 0

    # until it is 1
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        if steps > 100:
            print(f"too many: {n!r} <b>",
                  "&amp;")  # fmt: skip
            break
        steps += 1
    return steps


def rows_of(fn):
    return autograph.show(fn).rows


def test_both_texts_are_there_whole_and_in_order():
    rows = rows_of(collatz)
    first = collatz.__code__.co_firstlineno
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().split("\n")
    shown = [row for row in rows if row.line]
    assert [row.line for row in shown] == list(range(first, first + len(shown)))
    assert [row.text for row in shown] == lines[first - 1 : first - 1 + len(shown)]
    assert shown[-1].text == "    return steps"
    converted = [row for row in rows if row.new_line]
    assert [row.new_line for row in converted] == list(range(1, len(converted) + 1))
    assert "\n".join(row.new_text for row in converted) + "\n" == autograph.to_code(collatz)


@pytest.mark.parametrize(
    ("statement", "converted"),
    [
        ("steps = 0", "steps = 0"), ("n = n // 2", "n = n // 2"), ("n = 3 * n + 1", "n = 3 * n + 1"),
        ("else:", "def else_body():"), ("steps += 1", "steps += 1"), ("break", "break_ = True"),
        ('"""Counts the steps', '"""Counts the steps'), ('to 1."""', 'to 1."""'),
        ("def collatz(n):", "def tf__collatz(n):"),
    ],
)  # fmt: skip
def test_a_statement_stands_beside_what_it_became(statement, converted):
    (row,) = [row for row in rows_of(collatz) if row.text.strip() == statement]
    assert row.new_text.strip() == converted


def test_what_is_generated_refers_to_its_statement():
    rows = rows_of(collatz)
    loop = next(row.line for row in rows if row.text.strip().startswith("while"))
    origins = {row.new_text.strip().partition("(")[0]: row.origin for row in rows}
    assert origins["ag__.while_stmt"] == origins["def loop_test"] == loop
    assert all(row.origin for row in rows if row.new_text.strip())


def test_comments_stand_alone():
    (row,) = [row for row in rows_of(collatz) if "until it is 1" in row.text]
    assert row.new_text == ""


@pytest.mark.parametrize("fn", [collatz, lambda x: x + 1 if x else 2, lambda: "<script>&"])
def test_it_is_valid_and_loads_nothing(fn):
    html = autograph.show(fn)._repr_html_()
    ElementTree.fromstring(html)
    assert not re.search(r"http|<script|@import|url\(|\bon\w+=|src=", html)
    assert "prefers-color-scheme:dark" in html and "max-width:640px" in html


def test_text_is_escaped_and_coloured():
    html = autograph.show(collatz)._repr_html_()
    root = ElementTree.fromstring(html)
    texts = ["".join(cell.itertext()) for cell in root.iter("td")]
    assert '            print(f"too many: {n!r} <b>",' in texts and "&amp;amp;" in html
    kinds = {(span.get("class"), span.text) for span in root.iter("span")}
    assert {("key", "while"), ("own", "ag__"), ("note", "# until it is 1"), ("text", '"&amp;"')} <= kinds


def test_it_is_text_at_a_prompt_and_a_page_in_a_file(tmp_path):
    shown = autograph.show(collatz)
    assert str(shown) == repr(shown)
    assert re.search(r"\d+  +n = n // 2 +\|  +n = n // 2\n", str(shown))
    shown.save(tmp_path / "step.html")
    page = (tmp_path / "step.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "color-scheme:light dark" in page and "<title>collatz</title>" in page
    assert page.count("<style>") == 2 and "charset" in page


def test_a_method_and_code_without_text_are_shown():
    class K:
        def step(self, x):
            return x if x else -x

    assert any("if_exp" in row.new_text for row in rows_of(K().step))
    f = eval("lambda x: x + 1")
    assert [row.text for row in rows_of(f) if row.line] == ["lambda x: x + 1"]


def test_what_cannot_be_converted_is_refused():
    with pytest.raises(autograph.ConversionError):
        autograph.show(len)


@pytest.mark.parametrize(
    "text", ["x = 1  # one", 'f"{a!r} {{b}}"', '"""a\nb"""\n', "", "x = (", "def f():\n\tpass", "\f\n", "f'{x:{y}}'"]
)
def test_coloured_pieces_are_the_text(text):
    assert "\n".join("".join(piece for _, piece in line) for line in pieces(text)) == text


def test_two_statements_of_one_line_stand_in_one_row():
    lines = ["a = 1; b = 2"]
    rows = comparison.aligned(lines, 1, "a = 1\nb = 2\n", ast.parse(lines[0]))
    assert [(row.line, row.new_line, row.origin) for row in rows] == [(1, 1, 1), (0, 2, 1)]
