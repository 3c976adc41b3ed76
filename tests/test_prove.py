"""Proofs: what the model allows is held against real play and against exhaustive play.

With one suit a run is any descending tail, so a one-suit game on game.py *is* the relaxed
game up to its first event. Ranks are dealt at random, so this covers every suit mode.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace

import pytest

from spider_solver import prove as proofs
from spider_solver.cards import KING, card, rank_of
from spider_solver.deal import COLUMNS, ROW_CARDS, Deal, Rules
from spider_solver.errors import SpiderError
from spider_solver.game import ROW, Action, Move, Position, Row
from spider_solver.numbering import deal_from_number
from spider_solver.prove import Event, EventKind, Settings, first_event
from spider_solver.prove.model import Model
from spider_solver.prove.relaxation import layout_of

SPADES_DECK = [card(rank, 0) for _ in range(8) for rank in range(1, KING + 1)]


def random_deal(chance: random.Random, rows: int = 5, sets: int = 8) -> Deal:
    """A one-suit position: so many rows left, cards of so many sets, some columns face up."""
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
    return Deal(
        tuple(map(tuple, columns)), tuple(down), tuple(deck[at:]), (0,) * (8 - sets)
    )


def play(chance: random.Random, deal: Deal, eager: float) -> list[Action]:
    """Actions up to the first event or the end; eager: how often a whole block is moved."""
    position = Position(deal)
    event = None
    while event is None:
        budget = chance.choice([3, 10, 40, 120])
        for _ in range(budget):
            moves = list(position.legal_moves())
            if not moves:
                break
            leaving = [m for m in moves if m.count == block_length(position, m.source)]
            if leaving and chance.random() < eager:
                moves = sorted(
                    leaving,
                    key=lambda m: len(position.columns[m.source]) + chance.random() * 4,
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
    """The event that the last action led to."""
    last = position.history[-1] if position.history else None
    if last and isinstance(last.action, Move) and not position.columns[last.action.source]:
        return Event(EventKind.EMPTY, position.rows, last.action.source)
    if last and last.completed:
        return Event(EventKind.THIRTEEN, position.rows)
    return None


def block_length(position: Position, column: int) -> int:
    """Cards in the end block, suits disregarded."""
    ranks = [rank_of(one) for one in position.columns[column][position.face_down[column] :]]
    length = 1
    while length < len(ranks) and ranks[-length - 1] == ranks[-length] + 1:
        length += 1
    return length


class Witness:
    """Real play as the model's variables: which blocks left, joined, came back, and when."""

    def __init__(self, deal: Deal, actions: list[Action]) -> None:
        position = Position(deal)
        layout = layout_of(deal)
        initial = [len(column) for column in layout.columns]
        # for each column the numbers of the blocks that stand in it, lowest first
        standing = [list(range(count)) for count in initial]
        buried: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.left: set[tuple[int, int, int]] = set()
        self.join: set[tuple[int, int, int]] = set()
        self.back: set[tuple[int, int, int, int, int]] = set()
        self.stages = 0
        for action in actions:
            if isinstance(action, Row):
                self.stages += 1
                dealt = position.stock[:ROW_CARDS]
                for column in range(COLUMNS):
                    end, onto = rank_of(position.columns[column][-1]), rank_of(dealt[column]) + 1
                    number = initial[column] + self.stages - 1
                    if end == onto:
                        self.join.add((self.stages, column, standing[column][-1]))
                    else:
                        buried[column, number] = (self.stages, standing[column][-1], end)
                        standing[column].append(number)
            elif action.count == block_length(position, action.source):
                column = action.source
                number = standing[column].pop()
                self.left.add((column, number, self.stages))
                if (column, number) in buried:
                    row, block, end = buried[column, number]
                    self.back.add((row, column, block, end, self.stages))
            position.push(action)

    def agrees(self, deal: Deal, event: Event) -> bool:
        """Whether the model of the event has this very play as a solution."""
        cp_model = pytest.importorskip("ortools.sat.python.cp_model", reason="needs OR-tools")
        built = Model(layout_of(deal), event)
        for values, variables in (
            (self.left, built.left), (self.join, built.join), (self.back, built.back),
        ):
            if not set(values) <= set(variables):
                return False
            for key, variable in variables.items():
                built.model.add(variable == (key in values))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.cp_model_presolve = False
        return bool(solver.solve(built.model) == cp_model.OPTIMAL)


def check_play(deal: Deal, actions: list[Action], prefixes: int = 0) -> Event | None:
    """Assert that play satisfies the model of its first event, and of leaves on the way."""
    event = first_event(deal, actions)
    if event is not None:
        assert Witness(deal, actions).agrees(deal, event), (deal, actions, event)
    for length in range(len(actions), 0, -1):
        if prefixes == 0:
            break
        action = actions[length - 1]
        if isinstance(action, Move) and (event is None or length < len(actions)):
            witness = Witness(deal, actions[:length])
            before = Witness(deal, actions[: length - 1])
            for column, block, stage in witness.left - before.left:
                prefixes -= 1
                leaves = Event(EventKind.LEAVES, stage, column, block)
                assert witness.agrees(deal, leaves), (deal, actions[:length], leaves)
    return event


@pytest.mark.parametrize("seed", range(4))
def test_play_of_full_deals_satisfies_the_model(seed: int) -> None:
    chance = random.Random(seed)
    kinds = []
    for _ in range(6):
        deal = random_deal(chance)
        kinds.append(check_play(deal, play(chance, deal, chance.choice([0.5, 0.9, 1])), 1))
    assert {event.kind for event in kinds if event} or seed


@pytest.mark.parametrize("seed", range(4))
def test_play_of_small_positions_satisfies_the_model(seed: int) -> None:
    chance = random.Random(100 + seed)
    for _ in range(12):
        sets = chance.choice([3, 4, 5, 6, 7])
        rows = chance.randrange(min((sets * KING - COLUMNS) // ROW_CARDS, 5) + 1)
        deal = random_deal(chance, rows, sets)
        if proofs.first_event(deal, ()) is None:
            check_play(deal, play(chance, deal, chance.choice([0, 0.5, 0.9, 1])), 1)


def reachable_events(deal: Deal, most: int) -> set[Event] | None:
    """Every first event that any play can reach, by plain breadth-first; None if too many."""
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
                if len(seen) >= most:
                    return None
                seen.add(key_of(position))
                waiting.append(position.to_deal())
    return found


def key_of(position: Position) -> object:
    """All that decides the future."""
    return (
        tuple(map(tuple, position.columns)), tuple(position.face_down), len(position.stock)
    )


def compare_with_twin(chance: random.Random, positions: int, most: int) -> tuple[int, int, int]:
    """Positions compared, events that the twin reaches, and events that only the model has."""
    compared = reached = spurious = 0
    while compared < positions:
        sets = chance.choice([2, 3, 3, 4])
        rows = chance.randrange(min((sets * KING - COLUMNS) // ROW_CARDS, 2) + 1)
        deal = random_deal(chance, rows, sets)
        if first_event(deal, ()) is not None:
            continue
        twin = reachable_events(deal, most)
        if twin is None:
            continue
        compared += 1
        for event in proofs.events(deal):
            feasible = proofs.event_feasible(deal, event)
            assert feasible or event not in twin, (deal, event)
            reached += event in twin
            spurious += bool(feasible) and event not in twin
    return compared, reached, spurious


def test_the_model_allows_what_exhaustive_play_reaches() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    _, reached, spurious = compare_with_twin(random.Random(7), 4, 600)
    assert reached > 10
    assert spurious <= reached / 2  # it's a strong relaxation, not only a sound one


def after_all_rows(number: str, suits: int) -> Deal:
    """A deal with its five rows dealt and nothing moved."""
    position = Position(deal_from_number(number, suits))
    while position.stock:
        position.push(ROW)
    return position.to_deal()


@pytest.mark.parametrize("rules", Rules)
def test_a_lost_position_is_proved_and_its_certificate_holds(rules: Rules) -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = after_all_rows("pysol:ms14934", 4).with_rules(rules)
    steps: list[proofs.Step] = []
    proof = proofs.prove(deal, progress=steps.append)
    assert proof.proved
    assert [one.event for one in proof.refuted] == proofs.events(deal)
    assert steps[0].text == "column 1 empties after row 5"
    assert [step.answer for step in steps] == ["refuted"] * 11
    text = json.dumps(proofs.certificate(proof))
    again = proofs.check(proofs.read_certificate(text))
    assert again.proved
    assert again.deal == deal
    assert not again.settings.presolve
    assert again.settings.seed != proof.settings.seed


def test_a_position_that_may_be_won_stays_open() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    deal = deal_from_number("native:1", 1)
    proof = proofs.prove(deal, settings=Settings(lemma_effort=0), time_limit=60)
    assert proof.verdict is proofs.ProofVerdict.OPEN
    assert proof.open or proof.possible


def test_a_position_with_an_event_in_it_is_never_proved() -> None:
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
def test_what_is_no_certificate_is_refused(text: str) -> None:
    with pytest.raises(SpiderError, match="no proof certificate"):
        proofs.read_certificate(text)


def test_a_certificate_without_its_deal_is_refused() -> None:
    with pytest.raises(SpiderError, match="without a whole deal"):
        proofs.check({"format": proofs.FORMAT})


def test_missing_ortools_is_one_line_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(SpiderError, match=r"spider-solver\[prove\]"):
        proofs.prove(deal_from_number("native:1"))


@pytest.mark.slow
@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("number", ["pysol:ms14934", "pysol:ms1748"])
def test_the_two_classic_deals_are_proved(number: str, suits: int) -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    assert proofs.prove(deal_from_number(number, suits), time_limit=600).proved
