"""Proofs: the model is compared with real play and with exhaustive play.

With one suit every descending tail is a run. So up to its first event, a one-suit game on game.py
is the relaxed game. The ranks are dealt at random, so these games stand for every suit mode.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace

import pytest
from fake_prover import FakeProver
from witness import block_length, check_play, event_feasible

from spider_solver import prove as proofs
from spider_solver.cards import KING, card
from spider_solver.deal import COLUMNS, ROW_CARDS, Deal, RowRule
from spider_solver.errors import InternalError, SpiderError
from spider_solver.formats import read_deal
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.numbering import deal_from_number
from spider_solver.prove import Event, EventKind, Settings, checked, first_event, prover
from spider_solver.prove.model import Model
from spider_solver.prove.relaxation import block_layout
from spider_solver.result import Verdict

SPADES_DECK = [card(rank, 0) for _ in range(8) for rank in range(1, KING + 1)]


def after_all_rows(number: str, suits: int) -> Deal:
    """A deal with its five rows dealt and no move made."""
    position = Position(deal_from_number(number, suits))
    while position.stock:
        position.push(ROW)
    return position.to_deal()


def random_deal(chance: random.Random, rows: int = 5, sets: int = 8) -> Deal:
    """A one-suit position with some columns face up.

    rows: rows left in the stock. sets: sets of thirteen cards that are not on the foundation.
    """
    deck = SPADES_DECK[: KING * sets]
    chance.shuffle(deck)
    tableau = len(deck) - rows * ROW_CARDS
    heights = [1] * COLUMNS
    for _ in range(tableau - COLUMNS):
        heights[chance.randrange(COLUMNS) if sets < 8 else heights.index(min(heights))] += 1
    columns, at = [], 0
    for height in heights:
        columns.append(deck[at : at + height])
        at += height
    down = [height - 1 if chance.random() < 0.8 else chance.randrange(height) for height in heights]
    return Deal(tuple(map(tuple, columns)), tuple(down), tuple(deck[at:]), (0,) * (8 - sets))


def play(chance: random.Random, deal: Deal, leave_rate: float) -> list[Action]:
    """Random actions up to the first event or the end of the game.

    leave_rate: the probability of moving a whole block when that is possible.
    """
    position = Position(deal)
    event = None
    while event is None:
        moves_per_stage = chance.choice([3, 10, 40, 120])
        for _ in range(moves_per_stage):
            moves = list(position.legal_moves())
            if not moves:
                break
            leaving = [move for move in moves if move.count == block_length(position, move.source)]
            if leaving and chance.random() < leave_rate:
                moves = sorted(
                    leaving,
                    key=lambda move: len(position.columns[move.source]) + chance.random() * 4,
                )[:2]
            position.push(chance.choice(moves))
            if event_of(position) is not None:
                return [outcome.action for outcome in position.history]
        if not position.stock:
            break
        position.push(ROW)
        event = event_of(position)
    return [outcome.action for outcome in position.history]


def event_of(position: Position) -> Event | None:
    """The event that the last action caused."""
    last = position.history[-1] if position.history else None
    if last and isinstance(last.action, Move) and not position.columns[last.action.source]:
        return Event(EventKind.EMPTY, position.rows, last.action.source)
    if last and last.completed:
        return Event(EventKind.THIRTEEN, position.rows)
    return None


@pytest.mark.parametrize(
    ("seed", "kinds"),
    [
        (0, {EventKind.EMPTY}),
        (1, {EventKind.EMPTY, EventKind.THIRTEEN}),
        (2, {EventKind.EMPTY, EventKind.THIRTEEN}),
        (3, {EventKind.EMPTY, EventKind.THIRTEEN}),
    ],
)
def test_play_of_full_deals_satisfies_the_model(seed: int, kinds: set[EventKind]) -> None:
    chance = random.Random(seed)
    reached = []
    for _ in range(6):
        deal = random_deal(chance)
        reached.append(check_play(deal, play(chance, deal, chance.choice([0.5, 0.9, 1])), 1))
    assert {event.kind for event in reached if event} == kinds


@pytest.mark.parametrize("seed", range(4))
def test_play_of_small_positions_satisfies_the_model(seed: int) -> None:
    chance = random.Random(100 + seed)
    reached = []
    for _ in range(12):
        sets = chance.choice([3, 4, 5, 6, 7])
        rows = chance.randrange(min((sets * KING - COLUMNS) // ROW_CARDS, 5) + 1)
        deal = random_deal(chance, rows, sets)
        if proofs.first_event(deal, ()) is None:
            actions = play(chance, deal, chance.choice([0, 0.5, 0.9, 1]))
            reached.append(check_play(deal, actions, 1))
    assert EventKind.EMPTY in {event.kind for event in reached if event}
    assert None in reached  # a game that ends without a first event


def test_the_longest_chain_of_ends_that_show_in_a_stage_satisfies_the_model() -> None:
    """Each block consumes the end that the block before it showed. Every absent rank shows once."""
    blocks_and_hidden = [(12, 12, 9), (8, 1, 7), (6, 1, 11), (10, 1, 5), (4, 1, 3)]
    blocks_and_hidden += [(2, 1, 8), (7, 2, 10), (9, 1, 6), (5, 4, 0)]
    columns = [
        ((card(hidden, 0),) if hidden else ())
        + tuple(card(rank, 0) for rank in range(base, end - 1, -1))
        for base, end, hidden in blocks_and_hidden
    ]
    deal = Deal((*columns, (card(KING, 0),)), (1,) * 8 + (0, 0), ())
    position = Position(deal)
    target = 9
    for source in range(9):
        position.push(Move(source, target, block_length(position, source)))
        target = source
    actions = [outcome.action for outcome in position.history]
    assert check_play(deal, actions, prefixes=8) == Event(EventKind.EMPTY, 0, 8)


def test_an_end_that_shows_below_two_blocks_which_left_satisfies_the_model() -> None:
    """Three absent ranks show one after another. The last one lies below two blocks."""
    columns = [[3, 11], [6, 2], [9, 12, 5], [8], *([end] for end in (1, 4, 7, 10, 12, 13))]
    deal = Deal(
        tuple(tuple(card(rank, 0) for rank in column) for column in columns),
        tuple(len(column) - 1 for column in columns),
        (),
    )
    # 11 onto 12 shows 3; 2 onto 3 shows 6; 5 onto 6 and 12 onto 13 show 9; 8 onto 9
    actions: list[Action] = [Move(0, 8, 1), Move(1, 0, 1)]
    actions += [Move(2, 1, 1), Move(2, 9, 1), Move(3, 2, 1)]
    assert check_play(deal, actions, prefixes=4) == Event(EventKind.EMPTY, 0, 3)


def test_an_end_that_shows_again_below_a_row_card_satisfies_the_model() -> None:
    columns = [(card(rank, 0),) for rank in (9, 1, 1, 1, 1, 1, 1, 1, 1, 1)]
    first = [card(rank, 0) for rank in (4, 5, 1, 1, 1, 1, 1, 1, 1, 1)]
    second = [card(rank, 0) for rank in (8, 1, 7, 1, 1, 1, 1, 1, 1, 1)]
    deal = Deal(tuple(columns), (0,) * 10, (*first, *second))
    actions: list[Action] = [ROW, Move(0, 1, 1), ROW, Move(2, 0, 1)]
    assert check_play(deal, actions, prefixes=2) is None


def reachable_events(deal: Deal, max_positions: int) -> set[Event] | None:
    """All first events that any play can reach, found by a plain breadth-first search.

    None if there are more than ``max_positions`` positions.
    """
    start = Position(deal)
    found: set[Event] = set()
    seen = {key_of(start)}
    waiting = [deal]
    while waiting:
        layout = waiting.pop()
        for action in list(Position(layout).legal_actions()):
            position = Position(layout)
            position.push(action)
            event = event_of(position)
            if event is not None:
                stage = (len(deal.stock) - len(position.stock)) // ROW_CARDS
                found.add(replace(event, stage=stage))
            elif key_of(position) not in seen:
                if len(seen) >= max_positions:
                    return None
                seen.add(key_of(position))
                waiting.append(position.to_deal())
    return found


def key_of(position: Position) -> object:
    """Everything that decides how the game can go on."""
    return (tuple(map(tuple, position.columns)), tuple(position.face_down), len(position.stock))


def compare_with_exhaustive_play(
    chance: random.Random, positions: int, max_positions: int
) -> tuple[int, int]:
    """The number of events that play reaches, and of events that only the model allows.

    positions: how many positions to compare. max_positions: as for reachable_events.
    """
    compared = reached = spurious = 0
    while compared < positions:
        sets = chance.choice([2, 3, 3, 4])
        rows = chance.randrange(min((sets * KING - COLUMNS) // ROW_CARDS, 2) + 1)
        deal = random_deal(chance, rows, sets)
        if first_event(deal, ()) is not None:
            continue
        reachable = reachable_events(deal, max_positions)
        if reachable is None:
            continue
        compared += 1
        for event in proofs.events(deal):
            feasible = event_feasible(deal, event)
            assert feasible or event not in reachable, (deal, event)
            reached += event in reachable
            spurious += feasible and event not in reachable
    return reached, spurious


def test_building_a_model_changes_no_expression_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """OR-tools' ``+=`` also changes other names of the same expression."""
    helper = pytest.importorskip("ortools.sat.python.cp_model_helper", reason="needs OR-tools")

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(helper.SumArray, "__iadd__", refuse)
    monkeypatch.setattr(helper.SumArray, "__isub__", refuse)
    deal = deal_from_number("pysol:ms1748", 4)
    for event in proofs.events(deal):
        Model(block_layout(deal), event)


def test_the_model_allows_what_exhaustive_play_reaches() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    reached, spurious = compare_with_exhaustive_play(random.Random(7), 4, 600)
    assert reached > 10
    assert spurious <= reached / 2  # the relaxation is not only sound but strong


@pytest.mark.parametrize("rules", RowRule)
def test_an_unwinnable_position_is_proved_and_proved_again_from_its_certificate(
    rules: RowRule,
) -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = after_all_rows("pysol:ms14934", 4).with_rules(rules)
    steps: list[proofs.ProofProgress] = []
    proof = proofs.prove(deal, progress=steps.append)
    assert proof.proved
    assert [one.event for one in proof.refuted] == proofs.events(deal)
    assert steps[0].text == "column 1 empties after row 5"
    assert [step.answer for step in steps] == ["refuted"] * 11
    text = json.dumps(proofs.certificate(proofs.CheckedProof(proof, 600)))
    again = proofs.prove_again(proofs.certificate_deal(proofs.read_certificate(text)))
    assert again.verdict is Verdict.UNWINNABLE
    assert again.proof.deal == deal
    assert not again.proof.settings.presolve
    assert again.proof.settings.seed != proof.settings.seed
    assert read_deal(text) == deal  # a certificate is also a deal
    written = proofs.write_certificate(
        proofs.certificate(proofs.CheckedProof(proof, 600, check=again.proof))
    )
    content = proofs.read_certificate(written)
    assert content["check"]["settings"]["presolve"] is False
    assert len(written.splitlines()) < 100


def test_a_position_that_can_be_won_stays_open() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = deal_from_number("native:1", 1)
    proof = proofs.prove(deal, settings=Settings(lemma_effort=0), time_limit=60)
    assert proof.verdict is proofs.ProofVerdict.UNPROVED
    assert len(proof.possible) == 1
    assert proof.open == tuple(proofs.events(deal))[len(proof.refuted) + 1 :]


def test_a_position_that_has_an_event_already_is_never_proved() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = Deal(((13,),) * 9 + ((),), (0,) * 10, ())
    proof = proofs.prove(deal)
    assert proof.possible == (Event(EventKind.EMPTY, 0, 9),)
    assert not proof.proved


def test_the_first_event_of_a_move_that_empties_and_completes_is_the_empty_column() -> None:
    run = tuple(card(rank, 0) for rank in range(KING, 1, -1))
    deal = Deal((run, (1,), *((13,),) * 8), (0,) * 10, ())
    assert first_event(deal, ()) is None
    assert first_event(deal, [Move(1, 0, 1)]) == Event(EventKind.EMPTY, 0, 1)


def test_thirteen_of_mixed_suits_count() -> None:
    mixed = tuple(card(rank, rank % 2) for rank in range(KING, 0, -1))
    deal = Deal((mixed, *((13,),) * 9), (0,) * 10, ())
    assert first_event(deal, ()) == Event(EventKind.THIRTEEN, 0)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}'])
def test_a_text_that_is_not_a_certificate_is_refused(text: str) -> None:
    with pytest.raises(SpiderError, match=r"^proof\.json\b"):
        proofs.read_certificate(text, "proof.json")


def test_a_certificate_without_its_deal_is_refused() -> None:
    with pytest.raises(SpiderError, match="expected ten lists of cards"):
        proofs.certificate_deal({"format": proofs.CERTIFICATE_FORMAT})


@pytest.mark.parametrize(
    ("total_limit", "run", "limit"),
    [
        (None, 0, "600 s was reached"),
        (2.54, 0, "2.5 s for the proof and its check was reached"),
        (600, 0, "600 s was reached"),
        (605, 1, "605 s for the proof and its check was reached in the check"),
        (1300, 1, "600 s was reached in the check"),
    ],
)
def test_the_reason_names_the_limit_that_ended_the_last_run(
    monkeypatch: pytest.MonkeyPatch, total_limit: float | None, run: int, limit: str
) -> None:
    fake = FakeProver()  # each run takes 12.5 s
    deal = deal_from_number("native:1")
    fake.open[run] = proofs.events(deal)[-1:]
    monkeypatch.setattr(checked, "prove", fake)
    found = proofs.prove_and_check(deal, total_limit=total_limit)
    assert found.verdict is Verdict.UNDECIDED
    assert found.reason == ("proved once, but " if run else "") + f"the time limit of {limit}"


def test_without_ortools_the_error_names_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(SpiderError, match=r"spider-solver\[prove\]"):
        proofs.prove(deal_from_number("native:1"))


def test_suits_and_rules_do_not_matter_to_the_models() -> None:
    layouts = [
        block_layout(deal_from_number("pysol:ms14934", suits, rules))
        for suits in (1, 2, 4)
        for rules in RowRule
    ]
    assert layouts == [layouts[0]] * 6


@pytest.mark.slow
@pytest.mark.parametrize("number", ["pysol:ms14934", "pysol:ms1748"])
def test_the_two_classic_deals_are_proved(number: str) -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    assert proofs.prove(deal_from_number(number, 4), time_limit=600).proved


def test_an_event_that_takes_too_long_is_split_into_its_cases() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = after_all_rows("pysol:ms14934", 4)
    steps: list[proofs.ProofProgress] = []
    settings = Settings(split_effort=0.0, lemma_effort=0)
    proof = proofs.prove(deal, settings=settings, progress=steps.append)
    whole = proofs.events(deal)[-1]
    assert proof.proved
    assert [step.answer for step in steps if step.event == whole] == ["split"]
    cases = [one.event for one in proof.refuted if one.event.kind is EventKind.THIRTEEN]
    assert cases == proofs.cases(deal, whole)


def test_a_proof_that_misses_an_event_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    monkeypatch.setattr(prover, "cases", lambda *_: [])  # so that no case is refuted
    settings = Settings(split_effort=0.0, lemma_effort=0)
    with pytest.raises(InternalError, match="does not refute all first events"):
        proofs.prove(after_all_rows("pysol:ms14934", 4), settings=settings)


def test_events_that_stay_open_when_the_time_is_up_are_listed() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = deal_from_number("pysol:ms14934", 4)
    proof = proofs.prove(deal, time_limit=0.3)
    assert not proof.proved
    assert {one.event for one in proof.refuted}.isdisjoint(proof.open)
    assert len(proof.refuted) + len(proof.open) == len(proofs.events(deal))
