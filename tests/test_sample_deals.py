"""The sample files in deals/ contain what deals/README.md says."""

from __future__ import annotations

from pathlib import Path

import pytest
from play import sensible_position, with_unknown

from spider_solver.deal import Deal, RowRule
from spider_solver.formats import read_deal, read_game
from spider_solver.numbering import deal_from_number
from spider_solver.verify import verify_game

FOLDER = Path(__file__).parent.parent / "deals"


def played(file: str) -> Deal:
    """Return the position at the end of a recorded game, under the standard rule."""
    game = read_game((FOLDER / file).read_text(encoding="utf-8"))
    return verify_game(game).position.to_deal().with_rules(RowRule.STANDARD)


SAMPLES: dict[str, Deal] = {
    "native_1.txt": deal_from_number("native:1"),
    "native_7_one_suit.txt": deal_from_number("native:7", 1),
    "native_7_two_suit.txt": deal_from_number("native:7", 2),
    "native_42_two_suit.json": deal_from_number("native:42", 2),
    "four_unknown.txt": with_unknown(
        deal_from_number("native:1"), [(2, 0), (2, 1), (4, 0), (4, 1)], "four_unknown.txt"
    ),
    "middle_two_suit.txt": sensible_position(4, 60, 2).to_deal(),
    "middle_four_suit.txt": sensible_position(3, 40, 4).to_deal(),
    "end_two_suit.txt": sensible_position(134, 130, 2).to_deal(),
    "kpat_18_one_suit.xml": played("kpat_18_one_suit.xml"),
    "won_two_suit.txt": deal_from_number("native:213", 2),
    "won_four_suit.txt": deal_from_number("native:1"),
    "second_thoughts.txt": deal_from_number("native:213", 2),
}


@pytest.mark.parametrize("file", SAMPLES)
def test_a_sample_contains_its_deal(file: str) -> None:
    assert read_deal((FOLDER / file).read_text(encoding="utf-8"), file) == SAMPLES[file]


def test_each_sample_is_tested_and_in_the_readme() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()} - {"README.md"}
    assert files == set(SAMPLES)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for file, deal in SAMPLES.items():
        (line,) = (line for line in readme.splitlines() if line.startswith(f"| `{file}`"))
        assert line.endswith(f"| {deal.suits} | {len(deal.stock) // 10} |")
        assert deal.name in line


@pytest.mark.parametrize("file", ["won_two_suit.txt", "won_four_suit.txt"])
def test_a_won_game_is_won(file: str) -> None:
    game = read_game((FOLDER / file).read_text(encoding="utf-8"))
    assert verify_game(game).verdict == "won"


def test_the_two_suit_game_is_the_sensible_play_of_its_deal() -> None:
    game = read_game((FOLDER / "won_two_suit.txt").read_text(encoding="utf-8"))
    played = [outcome.action for outcome in sensible_position(213, 300, 2).history]
    assert [entry.action for entry in game.entries] == played


def test_the_four_suit_game_is_what_solve_1_finds() -> None:
    game = read_game((FOLDER / "won_four_suit.txt").read_text(encoding="utf-8"))
    found = verify_game(game)
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")  # its examples are run
    assert f"\nwon: {found.moves} moves and {found.rows} rows, score {found.score}, " in readme


def test_the_game_in_the_documentation_is_the_sample() -> None:
    text = (FOLDER / "second_thoughts.txt").read_text(encoding="utf-8")
    page = FOLDER.parent / "docs" / "recorded-games.md"
    assert f"```\n{text}```" in page.read_text(encoding="utf-8")
    assert verify_game(read_game(text)).verdict == "unfinished"
