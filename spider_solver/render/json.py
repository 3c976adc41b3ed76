"""The JSON objects that commands print, one function for each.

Keys are only ever added, at the end, and never change their meaning. Programs that read these
objects must ignore keys that they do not know.

The JSON objects in files are defined in the modules that read and write these files, because those
modules may not import ``render``:

=========================  ======================================================
a deal, a recorded game    ``formats.json_format``
a line of a results file   ``records.record``
a certificate of a proof   ``prove.certificate``
=========================  ======================================================
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..cards import SUIT_LETTERS
from ..formats.json_format import deal_object
from ..notation import action_text
from ..numbering import number_of
from ..result import Verdict

if TYPE_CHECKING:  # a command loads only the modules that it uses
    from ..deal import Deal
    from ..errors import SpiderError
    from ..numbering import Scheme
    from ..prove import CheckedProof
    from ..recorded_games import RecordedGame
    from ..records import SolutionCheck
    from ..result import Result, Shortening
    from ..stats import Group, HardDeal, Spread, Summary
    from ..verify import Report

UNREADABLE = "unreadable"  # the verdict on a file that cannot be read as a recorded game


def solve_object(deal: Deal, result: Result) -> dict[str, Any]:
    """``solve``: the result of a search. A deal without a number has its cards in it too."""
    content: dict[str, Any] = {
        "deal": deal.name,
        "suits": deal.suits,
        "rules": str(deal.rules),
        "verdict": str(result.verdict),
        "actions": [action_text(action) for action in result.actions],
        "moves": result.moves,
        "rows": result.rows,
        "score": result.score,
        "states": result.states,
        "width": result.width,
        "seconds": round(result.seconds, 3),
        "settings": result.settings,
        "version": __version__,
        "decided_by": result.decided_by and str(result.decided_by),
        "positions": result.positions,
    }
    if result.verdict is Verdict.UNWINNABLE:
        content["error_bound"] = result.error_bound
    if result.reason:
        content["reason"] = result.reason
    if result.shortening is not None:
        content["shortening"] = _shortening_object(result.shortening)
    if number_of(deal) is None:
        cards = deal_object(deal)
        content |= {key: cards[key] for key in ("columns", "face_down", "stock", "completed")}
    return content


def _shortening_object(shortening: Shortening) -> dict[str, Any]:
    return {**asdict(shortening), "seconds": round(shortening.seconds, 3)}


def proof_object(checked: CheckedProof) -> dict[str, Any]:
    """``prove``: a proof, or the attempt at one, and its check."""
    from ..prove import block_layout, events

    proof, check = checked.proof, checked.check
    layout = block_layout(proof.deal)
    return {
        "deal": proof.deal.name,
        "suits": proof.deal.suits,
        "rules": str(proof.deal.rules),
        "verdict": str(checked.verdict),
        "reason": checked.reason,
        "events": len(events(proof.deal)),
        "refuted": [one.event.text(layout) for one in proof.refuted],
        "lemmas": len(proof.lemmas),
        "possible": [event.text(layout) for event in proof.possible],
        "open": checked.open,
        "seconds": proof.seconds,
        "settings": asdict(proof.settings),
        "check": check
        and {
            "verdict": str(check.verdict),
            "seconds": check.seconds,
            "settings": asdict(check.settings),
        },
        "solver": proof.solver,
        "version": __version__,
    }


def report_object(game: RecordedGame, report: Report, file: str) -> dict[str, Any]:
    """``verify``: the report on the recorded game in a file."""
    found: dict[str, Any] = {
        "deal": game.deal.name,
        "suits": game.deal.suits,
        "rules": str(game.deal.rules),
        "verdict": str(report.verdict),
        "actions": report.entry_count,
        "moves": report.moves,
        "rows": report.rows,
        "score": report.score,
        "completed": [SUIT_LETTERS[suit] for suit in report.completed],
        "illegal": None,
        "version": __version__,
        "file": file,
        "made": report.counts.made,
        "undos": report.counts.undos,
        "restarts": report.counts.restarts,
        "abandoned": report.counts.abandoned,
        "gross_score": report.counts.gross_score,
        "time": report.time,
        "moves_if_undo_costs": report.counts.moves_if_undo_costs,
        "score_if_undo_costs": report.counts.score_if_undo_costs,
    }
    if not report.legal:
        found["illegal"] = {
            "number": report.illegal_number,
            "action": report.illegal_text,
            "line": report.illegal_line,
            "reason": report.reason,
            "position": deal_object(report.position.to_deal()),
        }
    return found


def unreadable_object(file: str, error: SpiderError) -> dict[str, Any]:
    """``verify``: a file that cannot be read as a recorded game."""
    return {"file": file, "verdict": UNREADABLE, "error": str(error)}


def solution_check_object(file: str, check: SolutionCheck) -> dict[str, Any]:
    """``verify``: the check of the solutions in a results file."""
    return {
        "file": file,
        "results": check.results,
        "won": check.won,
        "verified": check.verified,
        "without": check.without_solution,
        "failed": [
            {"deal": task.deal, "suits": task.suits, "rules": str(task.rules), "reason": flaw}
            for task, flaw in check.flawed
        ],
        "version": __version__,
    }


def summary_object(summary: Summary) -> dict[str, Any]:
    """``summary`` and ``winrate``: the win rates of results."""
    return {
        "groups": [_group_object(group) for group in summary.groups],
        "settings": summary.settings,
        "repeated": summary.repeated,
        "version": __version__,
    }


def _group_object(group: Group) -> dict[str, Any]:
    return {
        "suits": group.suits,
        "rules": str(group.rules),
        "deals": group.deals,
        "won": group.won,
        "unwinnable": len(group.unwinnable),
        "undecided": len(group.undecided),
        "win_rate": {
            "least": group.win_rate.lower,
            "most": group.win_rate.upper,
            "interval": group.win_rate.interval,
            "confidence": group.win_rate.confidence,
            "method": group.win_rate.method,
        },
        "moves": _spread_object(group.moves),
        "score": _spread_object(group.score),
        "states": _spread_object(group.states),
        "seconds": _spread_object(group.seconds),
        "total_seconds": round(group.total_seconds, 3),
        "hardest": [_hard_deal_object(deal) for deal in group.hardest],
        "unwinnable_deals": list(group.unwinnable),
        "undecided_deals": list(group.undecided),
    }


def _spread_object(spread: Spread | None) -> dict[str, Any] | None:
    if spread is None:
        return None
    return {
        "count": spread.count,
        "mean": spread.mean,
        "least": spread.minimum,
        "quartiles": spread.quartiles,
        "most": spread.maximum,
    }


def _hard_deal_object(deal: HardDeal) -> dict[str, Any]:
    return {
        "deal": deal.name,
        "verdict": str(deal.verdict),
        "width": deal.width,
        "states": deal.states,
    }


def scheme_object(scheme: Scheme) -> dict[str, Any]:
    """``schemes``: one scheme of deal numbers; the command prints a list of them."""
    return {
        "scheme": scheme.name,
        "title": scheme.title,
        "numbers": scheme.numbers,
        "suits": list(scheme.suit_modes),
        "game_rules": str(scheme.game_rules),
        "example": scheme.example,
        "note": scheme.note,
    }
