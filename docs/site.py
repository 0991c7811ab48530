"""Hooks of mkdocs.yml: the README, its neighbours and the samples as pages of the site, and links to them.

Example:
    $ mkdocs build --strict
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = {
    "README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.md",
}  # fmt: skip
LINK: Final = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)]*)?\))")


def on_files(files: Any, config: Any) -> Any:
    """Adds what lies outside of docs/."""
    from mkdocs.structure.files import File

    for name, page in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        content = _with_links(text, "") if name.endswith(".md") else f"```text\n{text}```\n"
        files.append(File.generated(config, page, content=content))
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    heads = [path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for path in decisions]
    listed = "".join(f"- [{head}]({path.name})\n" for head, path in zip(heads, decisions, strict=True))
    files.append(File.generated(config, "decisions/index.md", content=f"# Decisions\n\n{listed}"))
    samples = sorted((ROOT / "samples").glob("*.py"))
    listed = "".join(f"- [{path.stem}]({path.stem}.md)\n" for path in samples)
    files.append(File.generated(config, "samples/index.md", content=f"# Samples\n\n{listed}"))
    for path in samples:
        code = path.read_text(encoding="utf-8")
        text = f"# {path.name}\n\n```python\n{code}```\n"
        files.append(File.generated(config, f"samples/{path.stem}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Pages of docs/ link to files of the repository."""
    source = page.file.src_uri
    if source in PAGES.values() or source.startswith("samples/"):
        return markdown
    return _with_links(markdown, "docs/" + posixpath.dirname(source))


def _with_links(text: str, folder: str) -> str:
    """Links that are relative to a folder of the repository, as links of the site."""

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[2]))
        page = _page_of(target)
        if page is None:
            return found[0]
        inside = folder.removeprefix("docs").strip("/")
        return f"{found[1]}{posixpath.relpath(page, inside or '.')}{found[3]}"

    return LINK.sub(link, text)


def _page_of(target: str) -> str | None:
    """The page of the site for a file of the repository; None for what is no part of it."""
    if target in PAGES:
        return PAGES[target]
    if target in ("samples", "docs/decisions"):
        return target.removeprefix("docs/") + "/index.md"
    if target.startswith("samples/"):
        return target.replace(".py", ".md")
    return target.removeprefix("docs/") if target.startswith("docs/") else None
