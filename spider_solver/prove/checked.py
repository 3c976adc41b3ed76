"""A proof and its check: a second run of the proof with other settings of CP-SAT.

The commands ``prove`` and ``solve`` both use ``prove_and_check``. If a check is made, the
position counts as unwinnable only if both runs prove it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..deal import Deal
from ..errors import InternalError
from ..game import Position
from ..result import Verdict
from .cpsat import Settings
from .prover import OnProofProgress, Proof, ProofProgress, prove
from .relaxation import block_layout, event_in_position

PROOF_SECONDS = 600.0  # the default time limit of a proof; also that of its check
PROOF_SETTINGS = Settings()
# The check uses another random seed, and no presolve. Presolve is the part of CP-SAT that changes a
# model most. Without it, lemmas need more effort.
CHECK_SETTINGS = Settings(seed=20_051, presolve=False, lemma_effort=4.0)


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """A proof, or the attempt to find one, with its check."""

    proof: Proof
    time_limit: float  # seconds for the proof, and the same for the check
    check: Proof | None = None  # the second run; None if there was none
    total_limit: float | None = None  # seconds for both runs together; None: no limit

    @property
    def verdict(self) -> Verdict:
        """UNWINNABLE if the proof succeeded, and the check too if there was one."""
        proved = self.proof.proved and (self.check is None or self.check.proved)
        return Verdict.UNWINNABLE if proved else Verdict.UNDECIDED

    @property
    def reason(self) -> str:
        """Why the position is undecided; empty if it is proved unwinnable."""
        if self.verdict is Verdict.UNWINNABLE:
            return ""
        late = f"the time limit of {self._limit_of_last_run} was reached"
        if self.proof.proved:
            return f"proved once, but {late} in the check"
        if event_in_position(Position(self.proof.deal), 0) is not None:
            return (
                "only a position without an empty column and without thirteen ranks together"
                " can be proved unwinnable"
            )
        if self.proof.possible:
            text = self.proof.possible[0].text(block_layout(self.proof.deal))
            return f"the model allows '{text}', which proves nothing either way"
        return late

    @property
    def _limit_of_last_run(self) -> str:
        """The limit that ended the last run if its time was up, in words."""
        seconds_before = 0.0 if self.check is None else self.proof.seconds
        if self.total_limit is None or self.total_limit - seconds_before >= self.time_limit:
            return f"{self.time_limit:g} s"
        return f"{round(self.total_limit, 1):g} s for the proof and its check"

    @property
    def open(self) -> list[str]:
        """The first events that are still open because the time was up, in words."""
        last = self.check or self.proof
        layout = block_layout(last.deal)
        return [] if last.possible else [event.text(layout) for event in last.open]


def prove_and_check(
    deal: Deal,
    *,
    time_limit: float = PROOF_SECONDS,
    total_limit: float | None = None,
    check: bool = True,
    proved: Callable[[CheckedProof], None] | None = None,
    progress: OnProofProgress | None = None,
) -> CheckedProof:
    """Try to prove a position unwinnable, and check a proof by a second run with CHECK_SETTINGS.

    time_limit: seconds for the proof, and the same for the check. total_limit: seconds for both
    together, None for no limit. check: False to leave out the check. proved: called with a proof
    before its check starts. progress: called after each event of both runs.

    Raises InternalError if the check contradicts the proof, and SpiderError if OR-tools is not
    installed.
    """
    started = time.monotonic()

    def seconds_left() -> float:
        if total_limit is None:
            return time_limit
        return max(min(time_limit, total_limit - (time.monotonic() - started)), 0.01)

    proof = prove(deal, settings=PROOF_SETTINGS, time_limit=seconds_left(), progress=progress)
    result = CheckedProof(proof, time_limit, total_limit=total_limit)
    if not proof.proved:
        return result
    if proved is not None:
        proved(result)
    if not check:
        return result

    def report(step: ProofProgress) -> None:
        if progress is not None:
            progress(replace(step, checking=True))

    second = prove(deal, settings=CHECK_SETTINGS, time_limit=seconds_left(), progress=report)
    for event in second.possible:
        raise InternalError(
            f"{deal.name or 'a position'}: '{event.text(block_layout(deal))}' was refuted by the"
            " proof, but its check found it possible"
        )
    return replace(result, check=second)


def prove_again(
    deal: Deal, *, time_limit: float = PROOF_SECONDS, progress: OnProofProgress | None = None
) -> CheckedProof:
    """Prove the deal of a certificate again, with CHECK_SETTINGS.

    Nothing but the deal is taken from the certificate, so a wrong certificate cannot pass.
    """
    proof = prove(deal, settings=CHECK_SETTINGS, time_limit=time_limit, progress=progress)
    return CheckedProof(proof, time_limit)
