"""Faults that the tests must detect: the list that mutants.py puts in, one at a time.

A fault replaces a text that occurs exactly once in a module. Each stands for a rule or a guarantee.
``tests`` names the test files of which at least one must fail. Faults in kernels come last, because
they must be compiled.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault to put into a module."""

    module: str  # its path below spider_solver, without the suffix
    old: str  # occurs exactly once in the module
    new: str
    tests: str  # test files, without "test_" and the suffix, separated by blanks

    @property
    def path(self) -> str:
        """The module's path below the project."""
        return f"spider_solver/{self.module}.py"


GAME = "game"
SEARCH = "kernels kernels_search"
PROOF = "exhaustive_conditions"
FAULTS = [
    # The rules
    Fault(
        "game",
        "cards[-length - 1] == cards[-length] + 1",
        "rank_of(cards[-length - 1]) == rank_of(cards[-length]) + 1",
        GAME,
    ),
    Fault("game", "length < len(cards) - self.face_down[column]", "length < len(cards)", GAME),
    Fault(
        "game",
        "not others or rank_of(others[-1]) == wanted_rank",
        "others and rank_of(others[-1]) == wanted_rank",
        GAME,
    ),
    Fault(
        "game",
        "if empty and self.rules is RowRule.STANDARD:",
        "if empty and self.rules is RowRule.RELAXED:",
        GAME,
    ),
    Fault(
        "game",
        "if rank_of(upper) != rank_of(lower) + 1:",
        "if rank_of(upper) < rank_of(lower) + 1:",
        GAME,
    ),
    Fault(
        "game",
        "self.score = max(self.score - ACTION_COST, 0)",
        "self.score = self.score - ACTION_COST",
        GAME,
    ),
    Fault(
        "game",
        "self.score += RUN_BONUS * len(outcome.completed)",
        "self.score += RUN_BONUS * bool(outcome.completed)",
        GAME,
    ),
    Fault("game", "self._remove_completed_runs(range(COLUMNS))", "()", GAME),
    Fault("game", "self._turn_end_cards(run.column for run in completed)", "()", GAME),
    Fault(
        "game",
        "outcome, self.score = self._history.pop()",
        "outcome, _ = self._history.pop()",
        GAME,
    ),
    Fault("game", "self.stock[:0] = outcome.cards", "self.stock += outcome.cards", GAME),
    # Deals
    Fault(
        "deal",
        "if len(column) - face_down < RUN_CARDS or",
        "if len(column) < RUN_CARDS or",
        "deal game",
    ),
    Fault(
        "deal",
        "if UNKNOWN in column[face_down:]:",
        "if UNKNOWN in column[face_down + 1 :]:",
        "deal formats unknown_cards",
    ),
    Fault(
        "deal",
        "if not 0 <= face_down <= max(len(column) - 1, 0):",
        "if not 0 <= face_down <= len(column):",
        "deal",
    ),
    Fault(
        "deal",
        "if len(self.stock) % ROW_CARDS or len(self.stock) > MAX_ROWS * ROW_CARDS:",
        "if len(self.stock) > MAX_ROWS * ROW_CARDS:",
        "deal",
    ),
    Fault("deal", "down == len(column) - 1\n", "down <= len(column) - 1\n", "deal formats"),
    # Deal numbers
    Fault("numbering/splitmix", "limit = 2**64 - 2**64 % bound", "limit = 2**64", "numbering"),
    Fault(
        "numbering/pysol",
        "high_bit = 0x8000 if number >= 2**31 else 0",
        "high_bit = 0x8000 if number > 2**31 else 0",
        "numbering",
    ),
    Fault("numbering/pysol", "if number < 2**32:", "if number <= 2**32:", "numbering"),
    Fault("numbering/pysol", "_SIX_CARDS = (0, 3, 6, 9)", "_SIX_CARDS = (0, 1, 2, 3)", "numbering"),
    Fault("numbering/pysol", "MICROSOFT_BELOW = 32000", "MICROSOFT_BELOW = 32001", "numbering"),
    Fault(
        "numbering/kpat",
        "stock += reversed(cards[start : start + ROW_CARDS])",
        "stock += cards[start : start + ROW_CARDS]",
        "numbering",
    ),
    Fault(
        "numbering/kpat",
        "3: (CLUBS, SPADES, HEARTS, SPADES)",
        "3: (CLUBS, SPADES, SPADES, HEARTS)",
        "numbering",
    ),
    Fault(
        "numbering/scheme",
        "if not low <= int(digits) <= high:",
        "if not low <= int(digits) < high:",
        "numbering ranges",
    ),
    Fault(
        "numbering/scheme",
        "not (digits.isascii() and digits.isdigit())",
        "not digits.isdigit()",
        "numbering ranges",
    ),
    # Notation, replay and verification
    Fault(
        "notation", "if not 1 <= column <= COLUMNS:", "if not 0 <= column <= COLUMNS:", "notation"
    ),
    Fault(
        "notation",
        "max(rank_of(target[-1]) - rank_of(source[-1]), 1)",
        "max(rank_of(target[-1]) - rank_of(source[-1]), 0)",
        "notation replay verify",
    ),
    Fault(
        "replay",
        "gross_score=max(counts.gross_score - ACTION_COST, 0) + bonus",
        "gross_score=counts.gross_score - ACTION_COST + bonus",
        "replay verify",
    ),
    Fault("replay", "undos=counts.undos + 1", "undos=counts.undos", "replay verify"),
    Fault(
        "replay",
        "return self.counts.restarts + 1",
        "return self.counts.restarts",
        "replay verify viewer",
    ),
    Fault(
        "verify",
        "verdict = GameVerdict.WON if position.won else GameVerdict.UNFINISHED",
        "verdict = GameVerdict.WON if position.completed else GameVerdict.UNFINISHED",
        "verify",
    ),
    Fault(
        "verify",
        "illegal_number=None if illegal is None else replay.number + 1",
        "illegal_number=None if illegal is None else replay.number",
        "verify",
    ),
    Fault(
        "verify",
        "if report.verdict is not GameVerdict.WON:",
        "if report.verdict is GameVerdict.ILLEGAL:",
        "verify solver shorten",
    ),
    # Results files
    Fault(
        "records/record",
        'WON_ONLY_KEYS = ("moves", "rows", "score")',
        'WON_ONLY_KEYS = ("moves", "rows")',
        "records",
    ),
    Fault(
        "records/check",
        "if record.verdict is not Verdict.WON or report.verdict is not GameVerdict.WON:",
        "if report.verdict is not GameVerdict.WON:",
        "records",
    ),
    Fault(
        "records/results",
        "os.ftruncate(self._descriptor, self._end)\n            if newline",
        "pass\n            if newline",
        "records winrate",
    ),
    Fault("records/results", "if not record.starved:", "if True:", "records winrate"),
    Fault("records/results", "self._lock.acquire(blocking=False)", "pass", "records winrate"),
    Fault(
        "records/results",
        "self._target = Path(os.path.realpath(path))",
        "self._target = Path(path)",
        "records",
    ),
    Fault(
        "records/results",
        "newline_missing = self._end > 0 and",
        "newline_missing = False and",
        "records",
    ),
    Fault(
        "records/taskset",
        "(prefix, task.suits, task.rules)",
        "(prefix, task.suits, 0)",
        "records winrate",
    ),
    # Statistics
    Fault(
        "stats",
        "high = 1.0 if successes == trials else center + half_width",
        "high = center + half_width",
        "stats",
    ),
    Fault("stats", "most = won, won + undecided", "most = won, won", "stats"),
    Fault("stats", 'method="inclusive"', 'method="exclusive"', "stats"),
    # Output files
    Fault(
        "cli/output_files", "os.path.samestat(self.status, other.status)", "False", "output_files"
    ),
    Fault("cli/output_files", "os.fsync(file.fileno())", "pass", "output_files"),
    Fault(
        "cli/output_files",
        "if any(place.is_same(other) for other in read):",
        "if False:",
        "output_files",
    ),
    Fault("cli/output_files", "os.chmod(temporary, mode)", "pass", "cli_solve"),
    # Bounds and solutions
    Fault("bound", "for last in range(rows + 1)]", "for last in [rows] * (rows + 1)]", "bound"),
    Fault("bound", "free.update(row)\n", "pass\n", "bound"),
    Fault(
        "bound",
        "all(base.height < highest[base.column]",
        "any(base.height < highest[base.column]",
        "bound",
    ),
    Fault("simplify", "if action.target != source:", "if True:", "simplify"),
    Fault(
        "simplify",
        "if _lead_to_same_position(position, line[index:end], shorter):",
        "if True:",
        "simplify",
    ),
    Fault("shorten", "return self._ended.is_set() or", "return", "shorten"),
    Fault(
        "solver",
        "return actions if known is None or len(actions) < len(known) else None",
        "return actions",
        "solver",
    ),
    Fault(
        "winrate/tasks",
        "range(self.shard.index - 1, self._deal_count, self.shard.count)",
        "range(self.shard.index, self._deal_count, self.shard.count)",
        "winrate",
    ),
    Fault(
        "words",
        'return kept if kept.isprintable() else "".join(map(_escaped, kept))',
        "return kept",
        "words errors",
    ),
    # Kernels
    Fault("kernels/layout", "if rows_dealt >= root.rows:", "if rows_dealt > root.rows:", SEARCH),
    Fault("kernels/moves", "targets |= empty_targets", "targets = empty_targets", SEARCH),
    Fault("kernels/apply", "if (head ^ state.cards[put - 1]) & SUIT == 0:", "if True:", SEARCH),
    Fault(
        "kernels/apply", "if not state.cards[i] & LINK:", "if not state.cards[i] & STEP:", SEARCH
    ),
    Fault("kernels/apply", "state.completed += 1", "state.completed += 0", SEARCH),
    Fault(
        "kernels/keys",
        "if unordered:\n        return ZERO",
        "if False:\n        return ZERO",
        SEARCH,
    ),
    Fault("kernels/table", "return ONE if key[0] == FREE else key[0]", "return key[0]", SEARCH),
    Fault(
        "kernels/table",
        "return 3 * count > 2 * len(slots)",
        "return count > 2 * len(slots)",
        SEARCH,
    ),
    Fault(
        "kernels/beam/children",
        "if byte & LINK:\n            joins -= 1",
        "if byte & LINK:\n            joins -= 0",
        SEARCH,
    ),
    Fault(
        "kernels/beam/children",
        "score += weights.run_value[1] - weights.face_down",
        "score += weights.run_value[1]",
        SEARCH,
    ),
    Fault(
        "kernels/beam/nodes",
        "copy.run_length[column] = column_data.run_length[column]",
        "pass",
        SEARCH,
    ),
    Fault(
        "kernels/beam/nodes",
        "if column == source or column == target:",
        "if column == target:",
        SEARCH,
    ),
    Fault(
        "kernels/beam/selection",
        "if slot.value < selection.group_cap:",
        "if slot.value <= selection.group_cap:",
        SEARCH,
    ),
    Fault(
        "kernels/beam/selection",
        "if child.joins < selection.least_joins:",
        "if child.joins <= selection.least_joins:",
        "shorten " + SEARCH,
    ),
    Fault(
        "kernels/beam/levels",
        "if counters.kept >= goal:",
        "if counters.kept > goal + 20_000:",
        SEARCH + " solver",
    ),
    Fault(
        "kernels/beam/tidying", "and scan.run_length[target] + count < KING", "and True", "tidying"
    ),
    Fault(
        "kernels/exhaustive/children",
        "action_code(entry) == ROW_CODE or completed_by(entry):",
        "action_code(entry) == ROW_CODE:",
        PROOF,
    ),
    Fault(
        "kernels/exhaustive/children",
        "number > 0 and not has_turned(entry) and",
        "number > 0 and",
        PROOF,
    ),
    Fault("kernels/exhaustive/children", "under) < least_number", "under) <= least_number", PROOF),
    Fault(
        "kernels/exhaustive/children",
        "find_ends(position, stock_empty and",
        "find_ends(position,",
        PROOF,
    ),
]
