"""The random number generator SplitMix64, which the native scheme and the Zobrist keys use.

Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014.
"""

from __future__ import annotations

INCREMENT = 0x9E3779B97F4A7C15
FIRST_MULTIPLIER = 0xBF58476D1CE4E5B9
SECOND_MULTIPLIER = 0x94D049BB133111EB
_MASK = 2**64 - 1


class SplitMix64:
    """The generator, with its 64-bit state. Random numbers below a bound have no bias."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """Return the next 64-bit output."""
        self.state = (self.state + INCREMENT) & _MASK
        z = self.state
        z = (z ^ z >> 30) * FIRST_MULTIPLIER & _MASK
        z = (z ^ z >> 27) * SECOND_MULTIPLIER & _MASK
        return z ^ z >> 31

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1, each with the same probability.

        Outputs at or above the largest multiple of ``bound`` are skipped.
        """
        limit = 2**64 - 2**64 % bound
        while True:
            output = self.next()
            if output < limit:
                return output % bound
