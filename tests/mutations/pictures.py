"""Breaks in what is drawn: graphs in notebooks, texts for other programs, source beside converted code.

python -m tests.mutations runtime/pictures
"""

from .runner import Mutation

__all__ = ["OF_PICTURES"]

LAYOUT, READING, SVG = "runtime/pictures/layout.py", "runtime/pictures/reading.py", "runtime/pictures/svg.py"
SVG_TESTS = ("tests/runtime/pictures/test_svg.py",)
TEXT_TESTS = ("tests/runtime/pictures/test_texts.py",)
NOTEBOOK_TESTS = ("tests/runtime/pictures/test_notebook.py",)
SHOW_TESTS = ("tests/autograph/test_show.py",)

OF_PICTURES = (
    Mutation(
        "neighbours in a layer keep their distance",
        LAYOUT,
        "        while blocks and blocks[-1][0] > mean:\n",
        "        while False:\n",
        SVG_TESTS,
    ),
    Mutation(
        "a layer is as high as its highest box",
        LAYOUT,
        "        bottom += heights[-1] + DROP\n",
        "        bottom += DROP\n",
        SVG_TESTS,
    ),
    Mutation(
        "a box comes after all that it takes from",
        LAYOUT,
        "            layer[end] = max(layer[end], layer[box] + 1)\n",
        "            layer[end] = layer[box] + 1\n",
        SVG_TESTS,
    ),
    Mutation("names are escaped", "autograph/page.py", "_escape(plain(str(text)), quote=True)", "str(text)", SVG_TESTS),
    Mutation(
        "what is no character of XML is left out",
        "autograph/page.py",
        'return _NO_TEXT.sub("\\ufffd", text)',
        "return text",
        SVG_TESTS,
    ),
    Mutation(
        "effects are joined in their order",
        READING,
        "            self.last_effect = box\n",
        "            pass\n",
        SVG_TESTS,
    ),
    Mutation(
        "the hot way is the one that takes the longest",
        READING,
        "        if best[start] + seconds[end] > best[end]:\n",
        "        if best[start] + seconds[end] < best[end]:\n",
        SVG_TESTS,
    ),
    Mutation(
        "what is inside of a box makes it larger",
        SVG,
        "    if parts:\n",
        "    if False:\n",
        SVG_TESTS,
    ),
    Mutation(
        "quotes in texts of Graphviz are escaped",
        "runtime/pictures/dot.py",
        """.replace('"', '\\\\"')""",
        "",
        TEXT_TESTS,
    ),
    Mutation(
        "each graph inside of an operation is written",
        "runtime/pictures/nodes.py",
        "            waiting += _written(current, found)[::-1]\n",
        "            _written(current, found)\n",
        TEXT_TESTS,
    ),
    Mutation(
        "branches and loops are opened below the picture",
        "runtime/pictures/notebook.py",
        "                pieces += [\"<div>\", (inner, name), \"</div>\"]\n",
        "                pass\n",
        NOTEBOOK_TESTS,
    ),
    Mutation(
        "the line that a statement comes from stands beside it",
        "autograph/comparison.py",
        "            found.setdefault(new.lineno, old.lineno)\n",
        "            found.setdefault(new.lineno, old.lineno + 1)\n",
        SHOW_TESTS,
    ),
)
