"""Real play compared with the constraint model of proofs: the variables as play sets them."""

from __future__ import annotations

import pytest

from spider_solver.cards import rank_of
from spider_solver.deal import COLUMNS, ROW_CARDS, Deal
from spider_solver.game import Action, Move, Position, Row
from spider_solver.prove import Event, EventKind, Settings, block_layout, first_event
from spider_solver.prove.cpsat import solve_model
from spider_solver.prove.model import Model


def block_length(position: Position, column: int) -> int:
    """The number of cards in the end block of a column; suits do not matter."""
    ranks = [rank_of(card) for card in position.columns[column][position.face_down[column] :]]
    length = 1
    while length < len(ranks) and ranks[-length - 1] == ranks[-length] + 1:
        length += 1
    return length


class Witness:
    """Real play as values of the model's variables: which blocks left, joined, came back, when."""

    def __init__(self, deal: Deal, actions: list[Action]) -> None:
        position = Position(deal)
        layout = block_layout(deal)
        initial = [len(column) for column in layout.columns]
        # for each column the numbers of the blocks in it, the bottom block first
        numbers = [list(range(count)) for count in initial]
        # for each row card that buried a block: the row, the block and the block's end
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
                    end = rank_of(position.columns[column][-1])
                    number = initial[column] + self.stages - 1
                    if end == rank_of(dealt[column]) + 1:
                        self.join.add((self.stages, column, numbers[column][-1]))
                    else:
                        buried[column, number] = (self.stages, numbers[column][-1], end)
                        numbers[column].append(number)
            elif action.count == block_length(position, action.source):
                column = action.source
                number = numbers[column].pop()
                self.left.add((column, number, self.stages))
                if (column, number) in buried:
                    row, block, end = buried[column, number]
                    self.back.add((row, column, block, end, self.stages))
            position.push(action)

    def satisfies(self, deal: Deal, event: Event) -> bool:
        """Whether this play is a solution of the model of an event."""
        pytest.importorskip("ortools", reason="needs OR-tools")
        built = Model(block_layout(deal), event)
        for values, variables in (
            (self.left, built.variables.left),
            (self.join, built.variables.join),
            (self.back, built.variables.back),
        ):
            if not set(values) <= set(variables):
                return False
            for key, variable in variables.items():
                built.model.add(variable == (key in values))
        return bool(solve_model(built.model, Settings(presolve=False), None, None).feasible)


def event_feasible(deal: Deal, event: Event) -> bool:
    """Whether the model of an event has a solution."""
    answer = solve_model(Model(block_layout(deal), event).model, Settings(), None, None)
    assert answer.feasible is not None
    return answer.feasible


def check_play(deal: Deal, actions: list[Action], prefixes: int = 0) -> Event | None:
    """Assert that play satisfies the model of its first event. Returns that event.

    prefixes: the number of blocks that left, counted from the end of the play, for which the model
    of the LEAVES event is checked too.
    """
    event = first_event(deal, actions)
    if event is not None:
        assert Witness(deal, actions).satisfies(deal, event), (deal, actions, event)
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
                assert witness.satisfies(deal, leaves), (deal, actions[:length], leaves)
    return event
