"""The printed module: only the lines of converted functions change, and the result is the converted tree."""

import ast
import tracemalloc

import pytest

from autograph import pipeline, syntax
from autograph.cli.splicing import module_text
from autograph.options import ConversionOptions

OPTIONS = ConversionOptions(recursive=True, user_requested=True, optional_features=())
IMPORT = "import autograph.operators as ag__"

LAYOUTS = {
    "comments": (
        "#!/usr/bin/env python\n# licence\n\n# about f\ndef f(x):\n    # inner\n    return x  # gone\n# after\nA = 1\n"
    ),
    "docstring": ('"""Text.\n\nMore."""\nfrom __future__ import annotations\nimport os\n\n\ndef f(x):\n    return x\n'),
    "tabs": "class K:\n\t# head\n\tdef f(self):\n\t\t'''a\n\tb'''\n\t\treturn 1\n\tB = 2  # kept\n",
    "two spaces": "if 1:\n  def f(x): return x\n\n  y   =  3\n",
    "decorators": (
        "import functools\n\n\n@functools.wraps(\n    print,\n)\n# between\n"
        "@functools.cache\ndef f(x): return x\ny = f\n"
    ),
    "strings": 'class K:\n    def f(self):\n        return """a\n  b""" + f"""{1}\nc"""\n    x = """\n  y"""\n',
    "redefined": "def f(x):\n    return 1\n\nB = 1\n\ndef f(x):\n    return 2\n",
    "nested blocks": (
        "try:\n    def f(x):\n        return x\nexcept E:\n    def f(x):\n"
        "        return -x\nfinally:\n    done = 1 # !\n"
    ),
    "no newline at the end": "A  = 1\ndef f(x):\n    return x",
    "form feed": "A = 1\n\x0c\ndef f(x):\n    return x\n",
    "line separators in text": "# a\u2028b\x0bc\nA = 'x\u2028y'\ndef f(x):\n    return 'p\u2028q'\nB  = 2\n",
    "match": "match 1:\n    case 1:\n        def f(x):\n            return x\n    case _:  # other\n        pass\n",
}


def printed(text: str) -> tuple[str, str]:
    """The text for people, and the converted tree printed as it is."""
    tree = syntax.parse_module(text, "file.py")
    conversion = pipeline.convert_module(tree, options=OPTIONS, filename="file.py")
    assert conversion.changed
    return module_text(conversion.tree, text, "file.py"), syntax.unparse(conversion.tree)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_text_is_the_converted_tree(name):
    spliced, plain = printed(LAYOUTS[name])
    assert ast.dump(ast.parse(spliced)) == ast.dump(ast.parse(plain))
    assert spliced.rstrip("\n") != plain.rstrip("\n"), "the layout of the file was lost"
    assert spliced.count(IMPORT) == 1


def test_a_long_file_is_compared_in_pieces_and_keeps_its_layout():
    layouts = [text.replace("from __future__ import annotations\n", "") + "\n" for text in LAYOUTS.values()]
    lines = [f"A{number}   = {number}  # kept\n" for number in range(3000)]
    text = "".join(part for index in range(0, 3000, 100) for part in ("".join(lines[index : index + 100]), *layouts))
    spliced, plain = printed(text)
    assert ast.dump(ast.parse(spliced)) == ast.dump(ast.parse(plain))
    assert all(line in spliced for line in lines) and spliced.count(IMPORT) == 1


def test_a_large_file_takes_memory_for_its_functions_and_not_for_its_text():
    text = "".join(f"def f{n}(x):\n    if x > {n}:\n        x = x - 1\n    return x\n\n\n" for n in range(100))
    conversion = pipeline.convert_module(syntax.parse_module(text, "file.py"), options=OPTIONS, filename="file.py")
    whole = module_text(conversion.tree, text, "file.py")
    tracemalloc.start()
    try:
        assert module_text(conversion.tree, text, "file.py") == whole
        needed = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        tree = ast.parse(whole)
        of_the_tree = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert len(tree.body) == 101 and needed < of_the_tree


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("comments", "#!/usr/bin/env python\n# licence\n\nimport autograph.operators as ag__\n\n\n# about f\n@ag__"),
        ("comments", "\n# after\nA = 1\n"),
        ("docstring", f'More."""\nfrom __future__ import annotations\n\n{IMPORT}\nimport os\n\n\n@ag__'),
        ("tabs", 'class K:\n\t# head\n\t@ag__.autograph_artifact(inner=())\n\tdef f(self):\n\t    """a\n\tb"""\n'),
        ("tabs", "\n\tB = 2  # kept\n"),
        ("two spaces", "\n\n  y   =  3\n"),
        ("strings", '\n    x = """\n  y"""\n'),
        ("redefined", "\n\nB = 1\n\n"),
        ("nested blocks", "\nfinally:\n    done = 1 # !\n"),
        ("no newline at the end", "A  = 1\n@ag__"),
        ("form feed", "A = 1\n\x0c\n@ag__"),
        ("line separators in text", "# a\u2028b\x0bc\n"),
        ("match", "    case _:  # other\n"),
    ],
)
def test_lines_outside_of_converted_functions_are_kept(name, kept):
    assert kept in printed(LAYOUTS[name])[0]


@pytest.mark.parametrize(
    "text", ['"""Doc."""; A = 1\ndef f(x): return x\n', "from __future__ import division; A = 1\ndef f(x): return x\n"]
)
def test_a_layout_without_a_place_for_the_import_is_printed_anew(text):
    spliced, plain = printed(text)
    assert spliced == plain.rstrip("\n") + "\n"


def test_a_module_that_uses_the_name_of_the_operators_gets_another():
    spliced, _ = printed("ag__ = 1\ndef f(x):\n    return ag__\n")
    assert spliced.splitlines()[0].startswith("import autograph.operators as ag")
    assert IMPORT + "\n" not in spliced
    assert "ag__ = 1\n" in spliced


def test_deep_and_long_modules():
    text = "def f(x):\n    return " + " + ".join(["x"] * 2_000) + "\n" + "def g(x):\n    return x\n" * 40
    spliced, _ = printed(text)
    assert spliced.count("autograph_artifact") == 41
