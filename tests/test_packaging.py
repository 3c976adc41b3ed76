"""The files about the package agree: versions of the program and of Python, authors, scripts."""

import os
import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import yaml

from spider_solver import __version__

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def supported_pythons(classifiers: list[str]) -> list[str]:
    """The Python versions that classifiers list, such as 3.11."""
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", c) for c in classifiers)
    return [match[1] for match in found if match]


def citation() -> dict[str, Any]:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert isinstance(found, dict)
    return found


def test_the_citation_has_the_keys_that_its_format_requires():
    assert citation().keys() >= {"cff-version", "message", "title", "authors"}
    assert citation()["cff-version"] == "1.2.0"


def test_the_citation_is_of_this_version():
    assert citation()["version"] == __version__
    assert citation()["title"] == PROJECT["name"]
    assert citation()["license"] == PROJECT["license"]
    assert citation()["authors"] == PROJECT["authors"]


def test_the_oldest_python_is_the_required_one():
    assert PROJECT["requires-python"] == f">={supported_pythons(PROJECT['classifiers'])[0]}"


def test_numba_supports_each_python_that_is_listed():
    of_numba = supported_pythons(metadata("numba").get_all("Classifier") or [])
    assert set(supported_pythons(PROJECT["classifiers"])) <= set(of_numba)


def test_the_checks_run_on_each_python_that_is_listed():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    matrix = workflow["jobs"]["checks"]["strategy"]["matrix"]
    assert matrix["python"] == supported_pythons(PROJECT["classifiers"])


def test_the_scripts_are_executable_and_described():
    scripts = [path for path in (ROOT / ".ci").iterdir() if path.is_file()]
    assert {path.name for path in scripts} == {"run", "package", "oldest"}
    page = (ROOT / "CONTRIBUTING.md").read_text()
    for path in scripts:
        assert os.access(path, os.X_OK)
        assert f"| `.ci/{path.name}` |" in page


def test_the_changelog_has_a_heading_for_the_next_version():
    headings = re.findall(r"^## \[(.*?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
