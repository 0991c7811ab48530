"""The recipe for conda says what pyproject.toml says."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")


def listed(name: str) -> set[str]:
    """The items below a key of the recipe, without blanks."""
    items = re.search(rf"^ +{name}:\n((?: +- .*\n)+)", RECIPE, re.MULTILINE)
    assert items is not None
    return {re.sub(r"[ \"]", "", line.strip().removeprefix("- ")) for line in items[1].splitlines()}


def test_the_recipe_has_the_name_the_version_and_the_licence() -> None:
    for key in ("name", "version", "license"):
        assert re.search(rf'^  {key}: "?{re.escape(PROJECT[key])}"?$', RECIPE, re.MULTILINE), key
    assert PROJECT["description"] in RECIPE


def test_the_recipe_needs_what_the_project_needs() -> None:
    assert listed("run") == {f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]}
    assert listed("entry_points") == {f"{name}={target}" for name, target in PROJECT["scripts"].items()}
