"""Files that are damaged or made to do harm: each is one error, FileFormatError, and nothing of it is run."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.checkpoint.container import read_container, write_container
from runtime.errors import FileFormatError
from tests.runtime.comparing import plain
from tests.runtime.saving.models import FILE, Model, file_of


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("original")
    model = Model()
    model.step(tf.constant([1.0, 1.0, 1.0]))
    tf.saved_model.save(model, directory)
    return directory


Change = Callable[[Any], Any]


def changed(original: Path, directory: Path, change: Change) -> Path:
    """A model with another description, which is a valid container all the same. `change` returns the new one, or
    None where it has changed the one that it was given."""
    container = read_container(file_of(original))
    arrays = container.arrays()
    model = json.loads(arrays["model"].tobytes())
    found = change(model)
    text = json.dumps(model if found is None else found) if not isinstance(found, str) else found
    arrays["model"] = np.frombuffer(text.encode(), np.uint8)
    write_container(file_of(directory), arrays, container.metadata)
    return directory


def refused(directory: Path, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        tf.saved_model.load(directory)


def test_bytes_that_are_changed_anywhere_are_noticed(original: Path, tmp_path: Path) -> None:
    data = bytearray(Path(file_of(original)).read_bytes())
    places = random.Random(1)
    for _ in range(300):
        place, was = (i := places.randrange(len(data))), data[i]
        data[place] ^= 1 << places.randrange(8)
        Path(file_of(tmp_path)).write_bytes(data)
        with pytest.raises(FileFormatError, match="saved_model.safetensors"):
            tf.saved_model.load(tmp_path)
        data[place] = was


def test_a_file_that_is_cut_off_is_noticed(original: Path, tmp_path: Path) -> None:
    data = Path(file_of(original)).read_bytes()
    for length in [*range(0, 60), *range(60, len(data), 97), len(data) - 1]:
        Path(file_of(tmp_path)).write_bytes(data[:length])
        refused(tmp_path, FILE)
    Path(file_of(tmp_path)).write_bytes(data + b"\0")
    refused(tmp_path, FILE)


JUNK = [None, True, -1, 0, 1, 2**40, "", "x", "__class__", "a\x00b", [], {}, [[]], {"tensor": 0}, {"object": 0},
        {"list": [{"object": 1}]}, {"named": ["A", ["x"], [1]]}, {"float": "nan:zz"}, {"int": "f" * 1000},
        {"dict": [[[], 1]]}]  # fmt: skip


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Each place of a JSON value: the container and the key."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        keys = list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        found += [(inner, key) for key in keys]
        waiting += [inner[key] for key in keys]
    return found


def test_descriptions_that_are_changed_anywhere_are_refused_or_harmless(original: Path, tmp_path: Path) -> None:
    dice = random.Random(2)
    outcomes = {"refused": 0, "loaded": 0}

    def change(model: Any) -> None:
        inner, key = dice.choice(places_in(model))
        if dice.random() < 0.25:
            del inner[key]
        else:
            inner[key] = dice.choice(JUNK)

    for _ in range(100):
        changed(original, tmp_path, change)
        try:
            loaded = tf.saved_model.load(tmp_path)
        except FileFormatError:
            outcomes["refused"] += 1
        else:
            outcomes["loaded"] += 1
            assert isinstance(loaded, tf.Module | list | dict | tf.Tensor | tf.Variable) or callable(loaded)
    assert outcomes["refused"] > 50


def test_texts_of_graphs_that_are_changed_anywhere_are_refused_or_run(original: Path, tmp_path: Path) -> None:
    dice = random.Random(3)
    words = ["", "0", "-1", "99999999999", "nan", "None", '"x"', "int64", "resource", "variant", "shape[2]", "(1,)",
             "[*]", "py_function", "while", "cond", "%w", "@then"]  # fmt: skip
    refused_count = 0

    def change(model: Any) -> None:
        graph = dice.choice(model["graphs"])
        parts = graph["text"].split(" ")
        i = dice.randrange(len(parts))
        parts[i] = dice.choice([*words, dice.choice(parts)])
        graph["text"] = " ".join(parts)

    for _ in range(100):
        changed(original, tmp_path, change)
        try:
            loaded = tf.saved_model.load(tmp_path)
        except FileFormatError:
            refused_count += 1
            continue
        try:
            loaded.step(tf.constant([1.0, 1.0, 1.0]))
        except (tf.errors.OpError, ValueError, TypeError, ArithmeticError, AssertionError, NameError, RuntimeError):
            pass  # a graph of another program: its errors are those of operations
    assert refused_count > 30


def with_graph(text: str, operations: int | None = None) -> Change:
    """A model whose one function has this graph of no inputs, with so many operations."""
    count = text.count(" = ") if operations is None else operations

    def change(model: Any) -> Any:
        signature = {"name": "f", "parameters": [], "specs": None}
        trace = {"name": "f", "signature": 0, "arguments": [], "result": {"tensor": 0}, "variables": [],
                 "diverges": False, "graph": 0}  # fmt: skip
        graph = {"distinct_handles": True, "recompute": [], "text": text, "exceptions": [],
                 "places": {"lines": [], "of": [None] * count}}  # fmt: skip
        root = {"kind": "module", "class": "A", "name": "a", "by_name": True, "freezes": False,
                "attributes": [["f", {"object": 1}]]}  # fmt: skip
        function = {"kind": "function", "name": "f", "signature": 0, "traces": [0]}
        return {"objects": [root, function], "traces": [trace], "signatures": [signature], "graphs": [graph],
                "served": []}  # fmt: skip

    return change


MARK = "canary.txt"


ATTACKS = {
    "name of a graph": r'graph "f(): pass\nCODE\ndef g"() -> (%a) { %a = ONE }',
    "name on one line": 'graph "f;CODE"() -> (%a) { %a = ONE }',
    "name of an operation": r'graph f() -> (%"a\nCODE") { %"a\nCODE" = ONE }',
    "name in a comment": 'graph f() -> (%"CODE") { %"CODE" = ONE }',
    "attribute": 'graph f() -> (%b) { %a = PAIR %b = reduce_sum(%a) {axis="0)+CODE+(0", keepdims=False} : float32[] }',
    "index": 'graph f() -> (%b) { %a = PAIR %b = getitem(%a) {spec=("CODE",)} : float32[] }',
    "name of a function": """
        graph f() -> (%b) { %b = call() {function="g();CODE", dtypes=(int32,), shapes=(shape[],), stateful=False}
        : int32[] } function "g();CODE"() -> (%a) { %a = ONE }""",
    "py_function": """
        graph f() -> (%a) { %a = py_function() {function=python("os", "system"), dtypes=(int32,), shapes=(shape[],),
        stateful=True} : int32[] }""",
    "name of an exception": """
        graph f() -> (%a) { %a = ONE %c = constant() {value=array bool[] [False]} : bool[]
        %b = check(%c) {message="CODE", exception="__import__", summarize=3} }""",
    "class of an exception": """
        graph f() -> (%a) { %a = ONE
        %b = raise() {error=error(class("pathlib", "Path.touch"), ("MARK",), (), None, None, False)} }""",
    "stream": 'graph f() -> (%a) { %a = ONE %b = print() {parts=("CODE",), summarize=3, stream="file://MARK"} }',
    "operation on files": """
        graph f() -> (%b) { %a = constant() {value=array string[] [b"MARK"]} : string[] %w = write_file(%a, %a)
        %b = identity(%a) : string[] }""",
}
"""Graphs with text that would leave a mark if any of it were run."""

WORDS = {
    "CODE": f"__import__('pathlib').Path('{MARK}').touch()",
    "MARK": MARK,
    "ONE": "constant() {value=array int32[] [1]} : int32[]",
    "PAIR": "constant() {value=array float32[2] [1, 2]} : float32[2]",
}


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
def test_no_text_of_a_graph_becomes_code(
    text: str, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for word, meant in WORDS.items():
        text = text.replace(word, meant)
    changed(original, tmp_path, with_graph(text))
    try:
        loaded = tf.saved_model.load(tmp_path)
        loaded.f()
        loaded.f.get_concrete_function().plan.source
    except (FileFormatError, tf.errors.OpError, RuntimeError):
        pass
    assert os.listdir(tmp_path) == [FILE]


def test_a_graph_written_by_hand_is_loaded(original: Path, tmp_path: Path) -> None:
    text = 'graph "a name; (odd)"() -> (%"my b") { %"my b" = constant() {value=array int32[] [7]} : int32[] }'
    changed(original, tmp_path, with_graph(text))
    assert plain(tf.saved_model.load(tmp_path).f()) == 7


def nested(depth: int, width: int) -> str:
    """Graphs in graphs: each stands `2 * width` times in the one around it."""

    def graph(name: str, inner: str | None) -> str:
        lines = [f"graph {name}() -> (%a) {{", "  %a = constant() {value=array int32[] [1]} : int32[]",
                 "  %p = constant() {value=array bool[] [True]} : bool[]"]  # fmt: skip
        for i in range(width if inner else 0):
            lines.append(f"  %c{i} = cond(%p) {{then_graph=@{inner}, else_graph=@{inner}}} : int32[]")
        return "\n".join([*lines, "}"])

    names = ["f", *(f"g{i}" for i in range(depth))]
    return "\n".join(map(graph, names, [*names[1:], None]))


def with_rule(rule: str) -> Change:
    """A model with a custom gradient of this rule."""
    return with_graph(
        "graph f() -> (%y) { %x = constant() {value=array float32[] [1]} : float32[]"
        f" %y = custom_gradient(%x, %x) {{count=1, rule={rule}}} : float32[] }}",
        operations=2,
    )


RULE = "graph g(%u: float32[]) -> (%u) {}"

RULE_IN_RULE = f"""graph g(%u: float32[]) -> (%p) {{
    %p = custom_gradient(%u, %u) {{count=1, rule=rule({json.dumps(RULE)}, (True,))}} : float32[] }}"""

PYTHON_RULE = """graph g(%u: float32[]) -> (%p) {
    %p = py_function(%u) {function=python("os", "system"), dtypes=(float32,), shapes=(shape[],), stateful=True}
    : float32[] }"""


CHANGES: list[tuple[str, str, Change]] = [
    ("no JSON", "is not JSON", lambda model: "{" * 10),
    ("too deep", "brackets are open", lambda model: "[" * 300 + "]" * 300),
    ("a key twice", "stands there twice", lambda model: '{"objects": [], "objects": []}'),
    ("a long integer", "does not fit 64 bits", lambda model: '{"objects": [' + "9" * 5000 + "]}"),
    ("another root", "no list 'objects'", lambda model: [1]),
    ("no objects", "has no objects", lambda model: dict.fromkeys(model, ())),
    ("an unknown kind", "unknown kind 'pickle'", lambda model: model["objects"][0].update(kind="pickle")),
    ("an unknown operation", "no operation 'system_", lambda model: model["graphs"][0].update(
        text=model["graphs"][0]["text"].replace("= ", "= system_", 1))),
    ("a name of Python's own", "no name of an attribute", lambda model: model["objects"][0]["attributes"].append(
        ["__class__", 1])),
    ("a missing array", "lacks the array 'arrays/99'", lambda model: model["objects"].append(
        {"kind": "variable", "name": "n", "dtype": "int32", "shape": [], "trainable": True, "array": "arrays/99"})),
    ("a missing tensor", "cannot be read: 'arrays/99'", lambda model: model["objects"].append(
        {"kind": "tensor", "array": "arrays/99"})),
    ("another dtype", "its value is float32", lambda model: next(
        n for n in model["objects"] if n.get("name") == "w:0").update(dtype="float64")),
    ("another shape", "its value is float32", lambda model: next(
        n for n in model["objects"] if n.get("name") == "w:0").update(shape=[4])),
    ("fields that are code", "no named tuple", lambda model: model["objects"][0]["attributes"].append(
        ["p", {"named": ["A", ["x=__import__('os')"], [1]]}])),
    ("a parameter that is code", "cannot be read", lambda model: model["signatures"][0]["parameters"].append(
        ["x=print()", 1])),
    ("a control character", "control characters", with_graph(
        'graph f() -> (%"a\\u001b[2J") { %"a\\u001b[2J" = constant() {value=array int32[] [1]} : int32[] }')),
    ("graphs within graphs, many times", "operations, of 1000000 at the most", with_graph(nested(60, 2))),
    ("graphs within graphs, too deep", "nested more than 200 deep", with_graph(nested(300, 1))),
    ("an array that is not there", "no array 'constants/9'", with_graph(
        'graph f() -> (%a) { %a = constant() {value=array int8[9999999999] @"constants/9"} : int8[9999999999] }')),
    ("a huge array", "fill", with_graph(
        'graph f() -> (%a) { %a = constant() {value=array int8[99999999999] raw"AAAA"} : int8[99999999999] }')),
    ("a rule that is none", "has a rule that is none", with_rule('rule("graph g")')),
    ("a rule that is no graph", "expected", with_rule('rule("graph g(", (True,))')),
    ("a rule with Python code", "calls Python code", with_rule(f"rule({json.dumps(PYTHON_RULE)}, (True,))")),
    ("a rule in a rule", "has a rule itself", with_rule(f"rule({json.dumps(RULE_IN_RULE)}, (True,))")),
    ("an exception of no class", "which is no class", lambda model: model["graphs"][0].update(
        exceptions=[["m", "E", [["os", "system"]]]])),
    ("an exception of itself", "which is no class", lambda model: model["graphs"][0].update(
        exceptions=[["m", "E", [["m", "E"]]]])),
    ("exceptions that do not go together", "cannot be read", lambda model: model["graphs"][0].update(
        exceptions=[["m", "E", [["builtins", "OSError"], ["builtins", "ImportError"]]]])),
    ("an exception that is a text", "cannot be read", lambda model: model["graphs"][0].update(exceptions="abc")),
    ("a line of no program", "no line of a program", lambda model: model["graphs"][0]["places"]["lines"].append(
        ["a.py", -1, "f", None])),
    ("a caller of itself", "cannot be", lambda model: model["graphs"][0]["places"]["lines"].append(
        ["a.py", 1, "f", 10**6])),
]  # fmt: skip


@pytest.mark.parametrize(("words", "change"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_description_that_is_wrong_says_what(words: str, change: Change, original: Path, tmp_path: Path) -> None:
    refused(changed(original, tmp_path, change), words)


def test_another_version_or_another_kind_of_file(original: Path, tmp_path: Path) -> None:
    container = read_container(file_of(original))
    for metadata in ({"format": container.metadata["format"], "version": "99"}, {}):
        write_container(file_of(tmp_path), container.arrays(), metadata)
        refused(tmp_path, "no saved model that this version can read")
    (tmp_path / FILE).write_bytes(b"PK\x03\x04 this is no model")
    refused(tmp_path, "saved_model.safetensors")


def test_a_directory_without_a_model(tmp_path: Path) -> None:
    for missing in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(tf.errors.NotFoundError, match="no such file or directory"):
            tf.saved_model.load(missing)
        assert not tf.saved_model.contains_saved_model(missing)
    shutil.rmtree(tmp_path)
