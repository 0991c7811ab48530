"""Pictures of graphs: valid XML, boxes that do not overlap, arrows that end at boxes, whatever the graph."""

from pathlib import Path

import pytest

from runtime.pictures.layout import layout
from tests.runtime.pictures.programs import HOSTILE, chain, hostile, nest, steps_trace
from tests.runtime.pictures.reading_svg import arrows, at_bottom, at_top, boxes, outline
from tests.runtime.random_graphs import random_case

GOLDEN = Path(__file__).with_name("steps.txt")


def check_geometry(text: str) -> None:
    shown = boxes(text)
    for number, one in enumerate(shown):
        for other in shown[number + 1 :]:
            assert not one.meets(other) or one.holds(other) or other.holds(one), (one, other)
    for _, begin, end in arrows(text):
        assert at_bottom(shown, begin) and at_top(shown, end)


@pytest.mark.parametrize("seed", range(8))
def test_boxes_do_not_overlap_and_arrows_end_at_boxes(seed):
    check_geometry(random_case(seed).graph.to_svg())


def test_a_branch_is_drawn_inside_of_its_loop():
    text = steps_trace().graph.to_svg()
    check_geometry(text)
    loop, branch = (next(box for box in boxes(text) if box.lines[0].startswith(kind)) for kind in ("while", "cond"))
    assert loop.kind == branch.kind == "nest"
    assert loop.holds(branch) and not branch.holds(loop)


def test_the_structure_is_that_of_the_golden_file():
    """`python -m tests.runtime.pictures.test_svg` writes it anew."""
    assert outline(steps_trace().graph.to_svg()) == GOLDEN.read_text(encoding="utf-8")


def test_each_input_operation_and_result_is_a_box_and_small_constants_are_written_in_others():
    graph = chain(7)
    assert len(boxes(graph.to_svg())) == 1 + 7 + 1
    titles = [box.lines[0] for box in boxes(steps_trace().graph.to_svg())]
    assert "multiply(·, 2.0)" in titles and not any(title.startswith("constant") for title in titles)


def test_the_line_of_the_program_stands_in_the_box():
    texts = [" ".join(box.lines[-1].split()) for box in boxes(steps_trace().graph.to_svg())]
    assert any(text.endswith("n = n // 2") and text.split()[0].isdecimal() for text in texts)


def test_effects_are_joined_in_their_order():
    order = [kind for kind, _, _ in arrows(steps_trace().graph.to_svg()) if kind == "order"]
    assert order == ["order"]


def test_names_are_text_and_never_markup():
    text = hostile().to_svg()
    titles = {box.lines[0] for box in boxes(text)}
    assert {"<script>alert(1)</script>", "`x`", "}"} <= titles
    kept = titles & {name.replace(" ", "_") for name in HOSTILE}
    assert len(kept) == len(HOSTILE) - 1  # all but that with what is no character of XML
    assert "<script" not in text


def test_a_picture_loads_nothing_and_has_colours_for_light_and_dark():
    text = steps_trace().graph.to_svg()
    assert text.replace("http://www.w3.org/2000/svg", "").count("http") == 0
    assert "url(" not in text and "@import" not in text and "<script" not in text
    assert "prefers-color-scheme:dark" in text and "currentColor" in text


def test_a_graph_of_many_operations_is_drawn_by_lines():
    (box,) = boxes(chain(400).to_svg())[1:]
    assert box.kind == "group" and "400 sin" in box.lines[1]


def test_a_deep_nest_needs_no_recursion():
    check_geometry(nest(40).to_svg())


def test_what_takes_long_is_coloured_and_so_is_the_way_through_it():
    graph = chain(3)
    first, second, third = [operation for operation in graph.operations if operation.type == "sin"]
    text = graph.to_svg({first: 0.001, second: 0.6, third: 0.3})
    kinds = [box.kind for box in boxes(text)]
    assert kinds == ["input", "op", "op h5", "op h4", "output"]
    assert [kind for kind, _, _ in arrows(text)] == ["value", "hot", "hot", "value"]
    assert "600 ms 67%" in boxes(text)[2].lines[1]
    assert " h" not in "".join(box.kind for box in boxes(graph.to_svg()))


def test_the_time_of_a_loop_is_that_of_its_body():
    trace = steps_trace()
    inner = next(o for o in trace.graph.operations if o.type == "while").attributes["body_graph"].operations
    text = trace.graph.to_svg({next(o for o in inner if o.type == "floormod"): 2.0})
    assert next(box for box in boxes(text) if box.lines[0].startswith("while")).kind == "nest h5"


def test_layers_are_those_of_the_longest_path_and_straight_where_they_can_be():
    places = layout([(40, 20)] * 4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    tops = [y for _, y in places.corners]
    assert tops == sorted(set(tops))
    assert places.corners[2][0] == pytest.approx(places.corners[3][0], abs=2)
    tops = [y for _, y in layout([(40, 20)] * 5, [(0, 1), (1, 2), (2, 4), (3, 4)]).corners]
    assert tops[4] > tops[2] == tops[3] > tops[1] > tops[0]  # a box comes below all that lead to it, and near them
    assert layout([], []).corners == []


if __name__ == "__main__":
    GOLDEN.write_text(outline(steps_trace().graph.to_svg()), encoding="utf-8")
