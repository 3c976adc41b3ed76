"""OR-tools' CP-SAT: importing it, and solving one model."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from ..errors import InternalError, SpiderError


@dataclass(frozen=True, slots=True)
class Settings:
    """How CP-SAT searches. Settings change how long a search takes, not which answer is right.

    The names of the fields are part of the certificate format. An effort is a limit in CP-SAT's
    deterministic time, a measure of work that does not depend on the machine.
    """

    seed: int = 1  # of CP-SAT's random decisions
    presolve: bool = True  # whether CP-SAT simplifies the model before it searches
    linearization: int = 2  # CP-SAT's linearization_level
    lemma_effort: float = 0.05  # for each lemma
    split_effort: float = 300.0  # for a THIRTEEN event, before it is split into its cases
    event_effort: float | None = None  # for any other event and for each case; None: no limit


@dataclass(frozen=True, slots=True)
class Answer:
    """CP-SAT's answer for one model."""

    feasible: bool | None  # whether the model has a solution; None: a limit was reached before
    conflicts: int  # of the search
    branches: int  # of the search
    solver: Any  # the CpSolver, which holds the values of the variables if feasible


def import_cp_model() -> Any:
    """Import OR-tools' module cp_model.

    Raises SpiderError, with the command that installs OR-tools, if it is not installed.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SpiderError(
            "proofs need OR-tools, which is not installed: pip install 'spider-solver[prove]'"
        ) from None
    return cp_model


def solve_model(
    model: Any, settings: Settings, effort: float | None, deadline: float | None
) -> Answer:
    """Solve a CpModel.

    effort: limit in deterministic time, None for no limit. deadline: a time of time.monotonic(),
    None for no limit. Raises InternalError if CP-SAT calls the model invalid.
    """
    cp_model = import_cp_model()
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.random_seed = settings.seed
    parameters.cp_model_presolve = settings.presolve
    parameters.linearization_level = settings.linearization
    if effort is not None:
        parameters.max_deterministic_time = effort
    if deadline is not None:
        parameters.max_time_in_seconds = max(deadline - time.monotonic(), 0.01)
    status = _solve_interruptibly(solver, model)
    if status == cp_model.MODEL_INVALID:
        raise InternalError(f"invalid model: {model.validate()}")
    feasible = None
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        feasible = True
    elif status == cp_model.INFEASIBLE:
        feasible = False
    return Answer(feasible, solver.num_conflicts, solver.num_branches, solver)


def _solve_interruptibly(solver: Any, model: Any) -> Any:
    """Solve in another thread, so that Ctrl-C ends the search at once.

    In the main thread, Python would raise KeyboardInterrupt only after CP-SAT has returned.
    """
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            return running.result()
        finally:
            while not running.done():  # repeated, because the search may not have started yet
                solver.stop_search()
                wait([running], 0.02)
