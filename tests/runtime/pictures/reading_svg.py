"""What a picture of SVG shows, read back from its text: boxes, arrows, lines of text."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

NAMESPACE = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Shown:
    """A box: its kind, its lines of text, and where it is."""

    kind: str
    lines: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "Shown") -> bool:
        inside = self.left <= other.left and other.right <= self.right
        return inside and self.top <= other.top and other.bottom <= self.bottom

    def meets(self, other: "Shown") -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not beside and self.top < other.bottom and other.top < self.bottom


def boxes(text: str) -> list[Shown]:
    """The boxes of operations, inputs and results. Raises ParseError for what is no XML."""
    root = ElementTree.fromstring(text)
    return [_shown(group) for group in root.iter(f"{NAMESPACE}g") if "part" not in group.get("class", "").split()]


def _shown(group: ElementTree.Element) -> Shown:
    rect = group.find(f"{NAMESPACE}rect")
    assert rect is not None
    left, top, width, height = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
    lines = tuple(line.text or "" for line in group.findall(f"{NAMESPACE}text"))
    return Shown(group.get("class", ""), lines, left, top, left + width, top + height)


def arrows(text: str) -> list[tuple[str, tuple[float, float], tuple[float, float]]]:
    """The class of each arrow, where it begins and where it ends."""
    found = []
    for path in ElementTree.fromstring(text).iter(f"{NAMESPACE}path"):
        kind = path.get("class", "")
        if not kind.endswith("tip"):
            shape = path.get("d", "")
            begin = re.match(r"M([\d.-]+) ([\d.-]+)", shape)
            assert begin is not None
            found.append((kind, (float(begin[1]), float(begin[2])), _end(shape)))
    return found


def _end(shape: str) -> tuple[float, float]:
    """The last point of a path: of commands M and C the last pair, V keeps the position across."""
    x = y = 0.0
    for command, numbers in re.findall(r"([MCV])([^MCV]*)", shape):
        values = [float(number) for number in numbers.split()]
        x, y = (x, values[0]) if command == "V" else (values[-2], values[-1])
    return x, y


def at_bottom(shown: list[Shown], point: tuple[float, float]) -> list[int]:
    """The boxes at whose lower side a point lies."""
    return [n for n, b in enumerate(shown) if b.left <= point[0] <= b.right and abs(b.bottom - point[1]) < 0.2]


def at_top(shown: list[Shown], point: tuple[float, float]) -> list[int]:
    """The boxes at whose upper side a point lies."""
    return [n for n, b in enumerate(shown) if b.left <= point[0] <= b.right and abs(b.top - point[1]) < 0.2]


def outline(text: str) -> str:
    """The structure of a picture: the text of its boxes in order, and which lead to which; no positions."""
    shown = boxes(text)
    lines = [f"{number} {box.kind}: {' | '.join(box.lines)}" for number, box in enumerate(shown)]
    for kind, begin, end in arrows(text):
        lines.append(f"{at_bottom(shown, begin)[-1]} -> {at_top(shown, end)[-1]} {kind}")
    return "\n".join(lines) + "\n"
