"""The list of faults that mutants.py puts in."""

from __future__ import annotations

import ast
from pathlib import Path

import mutants
import pytest
from click.testing import CliRunner
from faults import FAULTS, Fault

PROJECT = Path(__file__).parent.parent


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.module}: {fault.new[:40]}")
def test_a_fault_can_be_put_in(fault):
    text = (PROJECT / fault.path).read_text(encoding="utf-8")
    changed = mutants.with_fault(fault, text)
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text))
    for name in fault.tests.split():
        assert (PROJECT / "tests" / f"test_{name}.py").exists()


def test_no_fault_is_listed_twice():
    assert len(set(FAULTS)) == len(FAULTS) >= 60


def test_survivors_are_reported_and_an_ended_run_goes_on(tmp_path, monkeypatch):
    detected = Fault("words", "if number == 1 else", "if number == 2 else", "words")
    survivor = Fault("words", "def counted(", "def counted(  ", "words")
    results = tmp_path / "mutants.jsonl"
    for faults in ([detected], [detected, survivor]):
        monkeypatch.setattr(mutants, "FAULTS", faults)
        result = CliRunner().invoke(mutants.cli, ["--results", str(results)])
    lines = results.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert result.exit_code == 1
    assert "survived: spider_solver/words.py: 'def counted('" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("2 faults, 1 survived, 0 detected by")


def test_an_old_text_that_does_not_occur_once_is_an_error():
    fault = Fault("words", "no such text", "", "words")
    with pytest.raises(mutants.click.ClickException, match="must occur exactly once"):
        mutants.with_fault(fault, "")
