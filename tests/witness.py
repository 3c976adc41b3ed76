"""Real play held against the constraint model of proofs: its variables as play sets them."""

from __future__ import annotations

import pytest

from spider_solver.cards import rank_of
from spider_solver.deal import COLUMNS, ROW_CARDS, Deal
from spider_solver.game import Action, Move, Position, Row
from spider_solver.prove import Event, EventKind, first_event, layout_of
from spider_solver.prove.model import Model


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
            (self.left, built.left),
            (self.join, built.join),
            (self.back, built.back),
        ):
            if not set(values) <= set(variables):
                return False
            for key, variable in variables.items():
                built.model.add(variable == (key in values))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.cp_model_presolve = False
        solver.parameters.catch_sigint_signal = False  # else Ctrl-C is fatal ever after
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
