"""What notebooks show of graphs, traces, tensors, datasets and modules: HTML that needs nothing from elsewhere."""

import re
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import runtime as tf
from tests.runtime.pictures.programs import chain, hostile, nest, steps_trace
from tests.runtime.pictures.reading_svg import boxes


def tree(html: str) -> ElementTree.Element:
    """The elements of what is shown. Our HTML is XML, too, but for `open`, which has no value."""
    return ElementTree.fromstring(html.replace("<details open>", "<details>"))


def text_of(html: str) -> str:
    return " ".join(" ".join(tree(html).itertext()).split())


class Layer(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.zeros([3, 4]), name="ker<n>el")


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Layer(), Layer()]
        self.count = tf.Variable(0, trainable=False, name="count")


def pipeline():
    pairs = tf.data.Dataset.zip((tf.data.Dataset.range(6).map(lambda i: i * 2), tf.data.Dataset.range(6)))
    return pairs.filter(lambda a, b: a > b).batch(2)


SHOWN = {
    "graph": lambda: steps_trace().graph, "trace": steps_trace, "hostile": hostile, "deep": lambda: nest(30),
    "large": lambda: chain(400), "scalar": lambda: tf.constant(2.5), "matrix": lambda: tf.ones([30, 30]),
    "texts": lambda: tf.constant(["a<b>", "\x00"]), "empty": lambda: tf.zeros([0, 3]),
    "bools": lambda: tf.constant([True]), "symbolic": lambda: steps_trace().graph.outputs[0],
    "dataset": pipeline, "module": Model,
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_everything_is_valid_and_loads_nothing(name):
    html = SHOWN[name]()._repr_html_()
    tree(html)
    rest = html.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"http|<script|@import|url\(|\bon\w+=|src=", rest)
    assert "prefers-color-scheme:dark" in html and 'data-jp-theme-light="false"' in html


def test_branches_and_loops_are_opened_below_the_picture():
    html = steps_trace().graph._repr_html_()
    (loop,) = [d for d in tree(html).findall("details") if (d.find("summary").text or "").startswith("while")]
    (branch,) = [d for d in loop.iter("details") if d is not loop]
    assert branch.find("summary").text.startswith("cond · line ")
    assert branch.find("summary").find("code").text == "if n % 2 == 0:"
    assert {b.text for b in loop.iter("b")} == {"cond", "body", "then", "else"}


def test_the_program_stands_beside_the_picture():
    listing = next(t for t in tree(steps_trace().graph._repr_html_()).iter("table") if t.get("class") == "lines")
    rows = [["".join(cell.itertext()) for cell in row] for row in listing]
    assert ["n = n // 2" in row[2] for row in rows].count(True) == 1
    numbers = [int(row[0]) for row in rows if row[0]]
    assert numbers == sorted(set(numbers))
    assert all(re.fullmatch(r"|⋮|1 op|\d+ ops", row[1]) for row in rows)


def test_a_large_graph_is_summed_up():
    html = chain(400)._repr_html_()
    assert "402 operations" not in text_of(html) and "401 operations" in text_of(html)
    assert "<details>" in html and "<details open>" not in html
    assert html.count("<rect") < 10


def test_a_graph_without_lines_or_results_is_shown():
    assert "nothing in it" in tf.Graph("empty")._repr_html_()


def test_a_trace_has_its_signature_above_it():
    assert tree(steps_trace()._repr_html_()).find("div/b").text == "steps(n, x)"
    assert len(boxes(steps_trace()._repr_svg_())) == len(boxes(steps_trace().graph._repr_svg_()))


def test_values_are_a_table_without_the_middle_of_long_ones():
    html = tf.reshape(tf.range(900), [30, 30])._repr_html_()
    cells = [cell.text for cell in tree(html).iter("td")]
    assert cells[0] == "0" and cells[-1] == "899" and "…" in cells and len(cells) == 11 * 11
    assert "from 0 to 899" in text_of(html)


def test_matrices_of_a_larger_array_are_opened_one_by_one():
    html = tf.reshape(tf.range(2 * 3 * 2 * 2), [2, 3, 2, 2])._repr_html_()
    found = {d.find("summary/code").text: [cell.text for cell in d.iter("td")] for d in tree(html).iter("details")}
    assert found["[1, 0]"] == ["12", "13", "14", "15"] and len(found) == 4
    assert "and 2 more matrices" in text_of(html)


def test_a_dataset_is_its_steps():
    shown = [(box.lines[0], box.lines[1]) for box in boxes(pipeline()._repr_svg_())]
    assert [title for title, _ in shown] == ["Range", "Map", "Range", "Zip", "Filter", "Batch"]
    assert shown[-1][1] == "int64[?], int64[?]"
    assert boxes(tf.data.Dataset.range(6).batch(4)._repr_svg_())[-1].lines[-1] == "2 elements"


def test_a_dataset_of_many_steps_is_drawn_from_its_end():
    dataset = tf.data.Dataset.range(3)
    for number in range(300):
        dataset = dataset.skip(number)
    assert 100 <= len(boxes(dataset._repr_svg_())) <= 130


def test_a_dataset_that_a_graph_makes_tells_what_it_has():
    seen = []

    @tf.function
    def f(n):
        seen.append(tf.data.Dataset.range(n)._repr_html_())
        return n

    f(tf.constant(3, tf.int64))
    assert "element_spec" in text_of(seen[0])


def test_a_module_lists_its_variables_and_those_in_it():
    root = tree(Model()._repr_html_())
    assert "Model 'model'" in "".join(root.itertext()) and "25 numbers" in "".join(root.itertext())
    assert [d.find("summary").text for d in root.iter("details")] == ["Layer 'layer'"] * 2
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    assert rows == [["count:0", "int32[]", "not trained"], *[["ker<n>el:0", "float32[3,4]", ""]] * 2]


def test_a_run_tells_what_each_operation_takes():
    @tf.function
    def f(n):
        y = n
        for _ in range(n):
            y = tf.py_function(wait, [y], tf.int32)
        return y + 1

    def wait(y):
        time.sleep(0.01)
        return y

    trace = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    times = trace.operation_times(tf.constant(3))
    slow = max(times, key=times.get)
    assert slow.type != "while" and times[slow] >= 0.03
    assert "of the time" in trace.graph.to_html(times) and "of the time" not in trace.graph.to_html()


def test_times_are_of_a_run_with_its_effects():
    count = tf.Variable(1.0)

    @tf.function
    def f(x):
        count.assign_add(x)
        return count * 2.0

    times = f.get_concrete_function(tf.TensorSpec([], tf.float32)).operation_times(tf.constant(2.0))
    assert count.numpy() == np.float32(3.0) and all(seconds >= 0 for seconds in times.values()) and times
