"""`autograph --html FILE`: a page with the file and its converted module side by side."""

import re
import xml.etree.ElementTree as ElementTree

from tests.autograph.cli.test_output import PROGRAM


def test_html_is_a_page_with_the_file_and_the_printed_module(run, write, tmp_path):
    name = write("model<1>.py", PROGRAM)
    page = run("--html", name)
    assert page.code == 0 and page.out.startswith("<!DOCTYPE html>") and page.out.endswith("</html>\n")
    assert not re.search(r"http|<script|@import|url\(|src=", page.out) and "model&lt;1&gt;.py" in page.out
    table = page.out[page.out.index("<table") : page.out.index("</table>") + len("</table>")]
    rows = [["".join(cell.itertext()) for cell in row] for row in ElementTree.fromstring(table).find("tbody")]
    assert [row[1] for row in rows if row[0].isdecimal()] == PROGRAM.rstrip("\n").split("\n")
    assert [row[3] for row in rows if row[2]] == run(name).out.rstrip("\n").split("\n")
    beside = {row[1].strip(): row[3].strip() for row in rows if row[1].strip()}
    assert beside["n //= 2"] == "n //= 2" and beside["LIMIT = 1_000  # so must this"] == "LIMIT = 1_000  # so must this"
    assert beside["else:"] == "def else_body():" and beside["@staticmethod"] == "@staticmethod"


def test_html_of_several_files_goes_to_a_folder(run, write, tmp_path):
    first, second = write("a.py", PROGRAM), write("b.py", "x = 1\n")
    assert run("--html", first, second, "-o", "pages").code == 0
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["a.html", "b.html"]
    assert run("--html", first, second, "-o", "pages", "--check").code == 0
    (tmp_path / "pages" / "a.html").write_text("old", encoding="utf-8")
    assert run("--html", first, second, "-o", "pages", "--check").code == 1
