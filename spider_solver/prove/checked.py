"""The one policy for proofs: a proof counts when it was made twice, under two settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..deal import Deal
from ..errors import InternalError
from ..game import Position
from ..result import Verdict
from .cpsat import Settings
from .prover import Proof, ProofProgress, prove
from .relaxation import block_layout, event_in_position

PROOF_SECONDS = 600.0  # the default time limit for a proof, and again for its check
PROOF_SETTINGS = Settings()
# The setting of the check. Without presolve, which is the part of CP-SAT that changes a model
# most, lemmas take more effort.
CHECK_SETTINGS = Settings(seed=20_051, presolve=False, lemma_effort=4.0)

Report = Callable[[ProofProgress], None]


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """A proof, or the attempt at one, with its check."""

    proof: Proof
    time_limit: float  # seconds for the proof, and again for its check
    check: Proof | None = None  # the run under the second setting; None if there was none

    @property
    def verdict(self) -> Verdict:
        """UNWINNABLE if the proof succeeded, and the check as well if there was one."""
        proved = self.proof.proved and (self.check is None or self.check.proved)
        return Verdict.UNWINNABLE if proved else Verdict.UNDECIDED

    @property
    def reason(self) -> str:
        """Why the position is undecided; empty if it is proved unwinnable."""
        if self.verdict is Verdict.UNWINNABLE:
            return ""
        late = f"the time limit of {self.time_limit:g} s was reached"
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
    def open(self) -> list[str]:
        """The events that stayed open when the time was up, in words."""
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
    progress: Report | None = None,
) -> CheckedProof:
    """Try to prove a position unwinnable. A proof is run a second time under CHECK_SETTINGS.

    time_limit: seconds for the proof, and again for the check. total_limit: seconds for both
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
    result = CheckedProof(proof, time_limit)
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
            f"{deal.name or 'a position'}: '{event.text(block_layout(deal))}' was refuted, but is"
            " possible under the second setting"
        )
    return replace(result, check=second)


def prove_again(
    deal: Deal, *, time_limit: float = PROOF_SECONDS, progress: Report | None = None
) -> CheckedProof:
    """Prove the deal of a certificate again, from nothing, under CHECK_SETTINGS.

    Only the deal is taken from the certificate, so a wrong certificate cannot pass.
    """
    proof = prove(deal, settings=CHECK_SETTINGS, time_limit=time_limit, progress=progress)
    return CheckedProof(proof, time_limit)
