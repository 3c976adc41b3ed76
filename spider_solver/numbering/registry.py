"""The schemes that exist. A new scheme is a module with a ``SCHEME``, and an entry here."""

from __future__ import annotations

from ..errors import DealError
from ..words import quote
from . import kpat, native, pysol, solvitaire, win7, xpat2
from .scheme import Scheme

SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        native.SCHEME,
        kpat.SCHEME,
        pysol.SCHEME,
        win7.SCHEME,
        solvitaire.SCHEME,
        xpat2.SCHEME,
    )
}
DEFAULT = native.SCHEME.name  # the scheme of a number without a scheme


def scheme_named(name: str, text: str = "") -> Scheme:
    """Return the scheme of a name, in upper or lower case.

    text: the text that the name was found in, for messages.

    Raises DealError, which lists the schemes, if there is none of that name.
    """
    scheme = SCHEMES.get(name.strip().lower())
    if scheme is None:
        raise DealError(
            f"{quote(text or name)}: unknown scheme {quote(name)}: expected one of"
            f" {', '.join(SCHEMES)}"
        )
    return scheme
