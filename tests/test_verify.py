"""Replaying recorded games: the verdict, the counts and the illegal action."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import (
    endgame,
    game_text,
    one_move_from_won,
    random_actions,
    random_record,
    run,
    sensible_position,
)

from spider_solver.deal import Deal, RowRule
from spider_solver.errors import DealError
from spider_solver.formats import decode_text, read_game, write_deal, write_game
from spider_solver.game import ROW, START_SCORE, Action, Move, Position
from spider_solver.notation import Revision
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game
from spider_solver.replay import Replay
from spider_solver.verify import GameVerdict, verify_game, verify_solution

END = one_move_from_won()


def test_a_winning_move() -> None:
    report = verify_solution(END, [Move(1, 0, 1)])
    assert report.verdict == "won"
    assert report.verdict is GameVerdict.WON
    assert (report.entry_count, report.moves, report.rows, report.score) == (1, 1, 0, 599)
    assert report.completed == (0,) * 8
    assert report.position.won
    assert report.illegal_number is None
    assert (report.illegal_text, report.reason) == ("", "")


@pytest.mark.parametrize(("suits", "seed"), [(1, 7), (1, 39), (2, 213), (2, 275)])
def test_a_whole_won_game(suits: int, seed: int) -> None:
    played = sensible_position(seed, 300, suits)
    deal = deal_from_number(str(seed), suits)
    actions = [outcome.action for outcome in played.history]
    for format in ("text", "json"):
        report = verify_game(read_game(game_text(deal, actions, format=format)))
        assert report.verdict == "won"
        assert (report.moves, report.rows) == (played.moves, 5)
        assert report.score == played.score
        assert report.position.history == played.history
    assert verify_solution(deal, actions[:-1]).verdict == "unfinished"
    assert verify_solution(deal_from_number(str(seed + 1), suits), actions).verdict == "illegal"


def test_unfinished_games() -> None:
    report = verify_solution(deal_from_number("1"), [])
    assert report.verdict == "unfinished"
    assert (report.entry_count, report.score, report.completed) == (0, START_SCORE, ())
    assert verify_solution(deal_from_number("1"), [ROW] * 5).rows == 5


def test_an_illegal_move_ends_the_replay_and_is_reported() -> None:
    report = verify_solution(END, [Move(1, 5, 1), Move(5, 0, 2), Move(5, 0, 1)])
    assert report.verdict == "illegal"
    assert (report.illegal_number, report.illegal_text) == (2, "6-1x2")
    assert report.illegal_line is None
    assert report.reason == "column 6 has 1 card, not 2"
    assert (report.entry_count, report.moves) == (1, 1)
    assert report.position.columns[5] == run(1, 1)


def test_a_move_from_an_empty_column() -> None:
    report = verify_solution(END, [Move(7, 0, 1)])
    assert (report.verdict, report.illegal_number) == ("illegal", 1)
    assert report.reason == "column 8 is empty"


def test_actions_after_the_win_are_illegal() -> None:
    for extra in (Move(0, 1, 1), ROW):
        report = verify_solution(END, [Move(1, 0, 1), extra])
        assert (report.verdict, report.illegal_number) == ("illegal", 2)
        assert report.reason == "the game is already won"
        assert len(report.completed) == 8


def test_a_row_over_an_empty_column_depends_on_the_rules() -> None:
    deal, actions = random_actions(235, 120, 1, RowRule.RELAXED)
    assert verify_solution(deal, actions).verdict == "unfinished"
    report = verify_solution(deal.with_rules(RowRule.STANDARD), actions)
    assert (report.verdict, report.illegal_number, report.illegal_text) == ("illegal", 104, "row")
    empty = report.position.columns.index([]) + 1
    assert report.reason.startswith(f"a row cannot be dealt while column {empty} is empty")


def test_the_line_of_an_illegal_action_is_reported() -> None:
    text = game_text(END, []) + "2-6x1\n# a comment\n6-2x1 2-1x7\n"
    report = verify_game(read_game(text))
    assert (report.illegal_number, report.illegal_text) == (3, "2-1x7")
    assert report.illegal_line == len(text.splitlines())


def test_a_move_without_its_count() -> None:
    assert verify_game(read_game(game_text(END, []) + "2-1")).verdict == "won"
    report = verify_game(read_game(game_text(END, []) + "2-3"))
    assert report.verdict == "illegal"
    assert report.reason == (
        "column 3 is empty, so the count cannot be left out: write 2-3x1, or the right number"
    )
    report = verify_game(read_game(game_text(END, []) + "1-2"))
    assert report.reason.startswith("two of spades cannot go onto ace of spades in column 2")


def test_a_deal_that_is_already_won() -> None:
    assert verify_solution(endgame([]), []).verdict == "won"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 100), st.sampled_from((1, 2, 4)))
def test_legal_play_is_never_illegal(seed: int, actions: int, suits: int) -> None:
    deal, played = random_actions(seed, actions, suits)
    position = Position(deal)
    for action in played:
        position.push(action)
    report = verify_solution(deal, played)
    assert report.verdict == ("won" if position.won else "unfinished")
    assert report.entry_count == len(played) == report.moves + report.rows
    assert (report.moves, report.rows) == (position.moves, position.rows)


# The reference implementation of the counts. It shares no code with replay.py: it keeps a list
# of whole boards, and undo removes the last one.


@dataclass(frozen=True)
class Board:
    """A board and the counts up to it."""

    columns: list[list[tuple[int, int, bool]]]  # of (rank, suit, face up)
    stock: list[int]
    runs: int = 0
    moves: int = 0
    rows: int = 0
    score: int = 500

    def after(self, action: Action) -> Board:
        columns, stock, runs = [list(column) for column in self.columns], self.stock, self.runs
        if action == ROW:
            for column, card in zip(columns, stock[:10], strict=True):
                column.append((card % 16, card // 16, True))
            stock = stock[10:]
        else:
            for moved in range(action.count):
                target = columns[action.target]
                target.insert(len(target) - moved, columns[action.source].pop())
        for column in columns:
            suit = column[-1][1] if column else None
            if column[-13:] == [(rank, suit, True) for rank in range(13, 0, -1)]:
                del column[-13:]
                runs += 1
            if column:
                column[-1] = (*column[-1][:2], True)
        dealt = int(action == ROW)
        score = max(self.score - 1, 0) + 100 * (runs - self.runs)
        return Board(columns, stock, runs, self.moves + 1 - dealt, self.rows + dealt, score)


def reference_counts(deal: Deal, entries: list[Action | Revision]) -> tuple[int, ...]:
    """Moves, rows, runs, score, made, undos, restarts, abandoned and gross score.

    Then the moves and the score if an undo is itself a move.
    """
    first = Board(
        [
            [(card % 16, card // 16, height >= down) for height, card in enumerate(column)]
            for column, down in zip(deal.columns, deal.face_down, strict=True)
        ],
        list(deal.stock),
        len(deal.completed),
    )
    boards, gross, started, abandoned = [first], 500, False, 0
    paid, paid_moves = 500, 0
    for entry in entries:
        before = boards[-1]
        if entry is Revision.UNDO:
            boards.pop()
            gross = max(gross - 100 * (before.runs - boards[-1].runs), 0)
            paid = max(paid - 1 - 100 * (before.runs - boards[-1].runs), 0)
            paid_moves += 1
        elif entry is Revision.RESTART:
            abandoned += started and before.runs < 8
            boards, gross, started = [first], 500, False
            paid, paid_moves = 500, 0
        else:
            boards.append(before.after(entry))
            gross = max(gross - 1, 0) + 100 * (boards[-1].runs - before.runs)
            paid = max(paid - 1, 0) + 100 * (boards[-1].runs - before.runs)
            paid_moves += 1
            started = True
    last, undos = boards[-1], entries.count(Revision.UNDO)
    restarts = entries.count(Revision.RESTART)
    made = len(entries) - undos - restarts
    counts = (last.moves, last.rows, last.runs, last.score)
    return (*counts, made, undos, restarts, abandoned, gross, paid_moves, paid)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(0, 120),
    st.sampled_from((1, 1, 2, 4)),
    st.sampled_from(RowRule),
    st.integers(0, 160),
    st.sampled_from(("text", "json")),
)
def test_the_counts_are_those_of_the_reference(
    seed: int, entries: int, suits: int, rules: RowRule, played: int, format: str
) -> None:
    deal, actions = random_record(seed, entries, suits, rules, played)
    text = write_game(recorded_game(deal, actions), format)
    report = verify_game(read_game(text))
    assert report.legal, report.reason
    assert report.entry_count == len(actions)
    counts = report.counts
    assert (
        *(report.moves, report.rows, len(report.completed), report.score, counts.made),
        *(counts.undos, counts.restarts, counts.abandoned, counts.gross_score),
        *(counts.moves_if_undo_costs, counts.score_if_undo_costs),
    ) == reference_counts(deal, actions)


def test_random_games_complete_runs_and_take_them_back() -> None:
    """Otherwise the comparison with the reference would not cover completed runs."""
    undone = completed = 0
    for seed in range(12):
        deal, actions = random_record(seed, 120, 1, played=140)
        for played in Replay(recorded_game(deal, actions)).play_rest():
            completed += len(played.completed)
            undone += sum(len(outcome.completed) for outcome in played.undone)
    assert completed > 10
    assert undone > 3


def test_the_scores_without_refunds_do_not_fall_below_zero() -> None:
    entries = "4-5x1 5-4x1 " * 250  # the score is zero
    for more, score, gross_score, score_if_undo_costs in (
        ("", 0, 0, 0),
        ("undo", 1, 0, 0),
        ("1-2x1", 100, 100, 100),  # completes a run
        ("1-2x1 4-5x1 undo", 100, 99, 98),
        ("1-2x1 4-5x1 undo undo", 0, 0, 0),  # 99 less 100
        ("1-2x1 4-5x1 undo undo 1-2x1", 100, 100, 100),
    ):
        report = verify_game(read_game(f"{TWO_RUNS}actions: {entries}{more}"))
        assert report.legal, report.reason
        counts = report.counts
        assert (report.score, counts.gross_score) == (score, gross_score)
        assert counts.score_if_undo_costs == score_if_undo_costs


# The reasons why actions are illegal

TWO_RUNS = """
suits: 1
1: AS
2: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
3: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
4: AS
5: -
6: -
7: -
8: -
9: -
10: -
completed: S S S S S S
"""
MIXED = """
suits: 2
1: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S | 2S
2: AH | KH QH JH TH 9H 8H 7H 6H 5H 4H 3H
3: AS 2H
4: -
5: -
6: -
7: -
8: -
9: -
10: -
completed: S S S H H H
"""
ROW_TO_COME = (
    "suits: 1\n1: KS QS JS\n"
    + "".join(f"{column}: -\n" for column in range(2, 11))
    + "row: TS 9S 8S 7S 6S 5S 4S 3S 2S AS\ncompleted: S S S S S S S\n"
)
# A deal, the actions of which the last is illegal, and the start of the reason.
REASONS = {
    "an empty column": (MIXED, "5-1x1", "column 5 is empty"),
    "a face-down card": (MIXED, "1-5x2", "2 cards of column 1 reach into its face-down cards"),
    "suits mixed": (MIXED, "1-2x1 2-5x2", "2S on 3H in column 2 mixes suits"),
    "not descending": (MIXED, "3-5x2", "2H on AS in column 3 is not descending by one"),
    "not one higher": (MIXED, "1-3x1", "two of spades cannot go onto two of hearts in column 3"),
    "too many cards": (MIXED, "3-5x3", "column 3 has 2 cards, not 3"),
    "an empty column below a row": (ROW_TO_COME, "row", "a row cannot be dealt while column 2 is"),
    "no stock": (MIXED, "row", "the stock has no row left"),
    "undo at the start": (MIXED, "undo", "nothing to undo"),
    "a move after the win": (write_deal(END, "text"), "2-1x1 1-2x1", "the game is already won"),
    "the same column": (MIXED, "3-3x1", "column 3 is both the source and the target"),
    "no cards": (MIXED, "3-4x0", "0 cards cannot be moved"),
}


@pytest.mark.parametrize("kind", REASONS)
def test_each_kind_of_illegal_action_has_its_own_reason(kind: str) -> None:
    deal, actions, reason = REASONS[kind]
    report = verify_game(read_game(f"{deal}actions: {actions}\n"))
    assert report.verdict == "illegal"
    assert report.illegal_number == len(actions.split())
    assert report.reason.startswith(reason)
    others = [other for name, (*_, other) in REASONS.items() if name != kind]
    assert not any(report.reason.startswith(other) for other in others)


def test_there_is_nothing_to_undo_after_a_restart_or_after_the_last_undo() -> None:
    for entries in ("3-4x1 restart undo", "3-4x1 undo undo"):
        report = verify_game(read_game(f"{MIXED}actions: {entries}"))
        assert (report.illegal_number, report.legal) == (3, False)
        assert report.reason.startswith("nothing to undo")


def test_undo_and_restart_after_the_win_are_legal() -> None:
    won = [Move(1, 0, 1)]
    assert verify_game(recorded_game(END, [*won, Revision.UNDO])).verdict == "unfinished"
    report = verify_game(recorded_game(END, [*won, Revision.RESTART, *won]))
    assert (report.verdict, report.counts.abandoned) == ("won", 0)


def test_the_last_time_is_reported() -> None:
    game = game_text(END, []) + "2-3x1@5 3-2x1@7.5 2-3x1"
    assert verify_game(read_game(game)).time == 7.5
    assert verify_solution(END, []).time is None


# Large files, line ends and encodings

BACK_AND_FORTH = game_text(END, []) + "2-3x1 3-2x1\n" * 50_000


def test_a_game_of_a_hundred_thousand_actions() -> None:
    report = verify_game(read_game(BACK_AND_FORTH))
    assert (report.verdict, report.moves, report.score) == ("unfinished", 100_000, 0)
    restarted = game_text(END, []) + "2-3x1 restart\n" * 10_000
    assert verify_game(read_game(restarted)).counts.abandoned == 10_000


def test_a_file_of_ten_megabytes() -> None:
    comments = ("# " + "x" * 98 + "\n") * 100_000
    text = game_text(END, []) + comments + "2-1x1 # done"
    data = text.encode()
    assert len(data) > 10_000_000
    assert verify_game(read_game(decode_text(data))).verdict == "won"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_line_ends_and_encodings(ends: str, encoding: str) -> None:
    text = game_text(END, [], comments=["♠ in spades"]) + "2-3x1 # ♠\nundo\n2-1x1\n"
    for written in (text, write_game(read_game(text), "json")):
        marked = ("\ufeff" if "16" in encoding else "") + written.replace("\n", ends)
        game = read_game(decode_text(marked.encode(encoding)))
        assert verify_game(game).verdict == "won"
        assert (game.comments, game.entries[0].comment) == (("♠ in spades",), "♠")


def test_a_nul_character_is_refused_in_one_line() -> None:
    with pytest.raises(DealError, match=r"^g, line \d+: a NUL character: expected text") as caught:
        decode_text((game_text(END, []) + "2-1x1\0").encode(), "g")
    assert "\n" not in str(caught.value)


def test_verifying_never_imports_the_kernels() -> None:
    code = (
        "import sys, spider_solver.verify, spider_solver.formats, spider_solver.notation;"
        "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'numpy')"
        " or 'kernels' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
