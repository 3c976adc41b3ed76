"""Errors in a text collect their place on the way up."""

from __future__ import annotations

import pickle
from contextlib import AbstractContextManager, ExitStack

import pytest

from spider_solver.errors import (
    DealError,
    IllegalAction,
    NotationError,
    SourceError,
    SpiderError,
    at_line,
    in_part,
    in_source,
)


def raise_in(error: SpiderError, *places: AbstractContextManager[None]) -> None:
    """Raise the error inside the places, outermost first."""
    with ExitStack() as stack:
        for place in places:
            stack.enter_context(place)
        raise error


def text_of(error: SpiderError, *places: AbstractContextManager[None]) -> str:
    """Return the text of the error that leaves the places, outermost first."""
    with pytest.raises(type(error)) as caught:
        raise_in(error, *places)
    assert caught.value is error
    return str(error)


@pytest.mark.parametrize("kind", [DealError, NotationError])
def test_the_place_is_put_before_the_message(kind: type[SourceError]) -> None:
    assert text_of(kind("no card")) == "no card"
    assert text_of(kind("no card"), in_source("a.txt")) == "a.txt: no card"
    assert text_of(kind("no card"), at_line(3)) == "line 3: no card"
    assert text_of(kind("no card"), in_source("a.txt"), at_line(3)) == "a.txt, line 3: no card"
    assert text_of(kind("no card", 3), in_source("a.txt")) == "a.txt, line 3: no card"


def test_the_innermost_line_and_source_are_kept() -> None:
    places = (in_source("b.txt"), at_line(4), in_source("a.txt"), at_line(3))
    assert text_of(DealError("no card"), *places) == "a.txt, line 3: no card"
    assert text_of(DealError("no card", 5), at_line(4)) == "line 5: no card"


def test_parts_are_put_between_the_place_and_the_message() -> None:
    error = DealError("no card")
    places = (in_source("a.txt"), in_part("column 2, "), at_line(7), in_part("card 1: "))
    assert text_of(error, *places) == "a.txt, line 7: column 2, card 1: no card"
    assert error.message == "column 2, card 1: no card"
    assert (error.source, error.line) == ("a.txt", 7)


def test_the_name_of_a_source_is_escaped() -> None:
    assert text_of(DealError("no card"), in_source("a\nb\x1b.txt")) == r"a\nb\x1b.txt: no card"


def test_an_error_without_a_place_in_a_text_passes_unchanged() -> None:
    places = (in_source("a.txt"), at_line(3), in_part("card 1: "))
    assert text_of(IllegalAction("not allowed"), *places) == "not allowed"


def test_an_error_keeps_its_place_when_it_is_sent_to_another_process() -> None:
    error = DealError("no card")
    text_of(error, in_source("a.txt"), at_line(3), in_part("card 1: "))
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is DealError
    assert str(copy) == str(error) == "a.txt, line 3: card 1: no card"
