"""Which schemes there are. A new one is a module with a ``SCHEME`` and an entry here."""

from __future__ import annotations

from ..errors import DealError
from . import kpat, native, pysol, solvitaire, win7
from .scheme import Scheme

SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (native.SCHEME, kpat.SCHEME, pysol.SCHEME, win7.SCHEME, solvitaire.SCHEME)
}
DEFAULT = native.SCHEME.name


def scheme_named(name: str, text: str = "") -> Scheme:
    """The scheme of that name; DealError, saying which there are, if there is none.

    text: what it was written in, for the message.
    """
    scheme = SCHEMES.get(name.strip().lower())
    if scheme is None:
        raise DealError(
            f"{(text or name)[:40]!r}: unknown scheme {name[:20]!r}; known are {', '.join(SCHEMES)}"
        )
    return scheme
