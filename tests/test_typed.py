"""Boards as people type and paste them: the layouts, and boards with two readings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

import pytest
from commandline import error_of, run
from hypothesis import given, settings
from hypothesis import strategies as st
from play import endgame, sensible_position
from play import run as run_of

from spider_solver.cards import card_sign, card_text
from spider_solver.deal import COLUMNS, Deal, RowRule
from spider_solver.errors import DealError, SpiderError
from spider_solver.formats import detect_format, read_contents, read_deal, write_deal
from spider_solver.formats.completed import suits_of_count
from spider_solver.numbering import deal_from_number
from spider_solver.render.board import board
from spider_solver.render.style import Style
from spider_solver.render.text import title

INPUTS = Path(__file__).parent / "data" / "inputs"
FRESH = replace(deal_from_number("native:1"), name="")
MIDDLE = replace(sensible_position(134, 70, 2).to_deal(), name="")
LATE = replace(sensible_position(134, 130, 2).to_deal(), name="")
DEALS = {"fresh": FRESH, "middle": MIDDLE, "late": LATE}
LAST = endgame(["", run_of(13, 2), *[""] * 7, run_of(1, 1)])
ACROSS = "rows printed across, with the bottom cards first"
UNMARKED = "no card is marked as face down: "


def face_up(deal: Deal) -> Deal:
    return replace(deal, face_down=(0,) * COLUMNS)


def columns_text(
    deal: Deal, separator: str = " ", card: Callable[[int], str] = card_text, down: str = "<{}>"
) -> str:
    """Return ten lines, one for each column. down: the form of face-down cards."""
    return "".join(
        separator.join(
            down.format(card(one)) if height < face_down else card(one)
            for height, one in enumerate(column)
        )
        + "\n"
        if column
        else "-\n"
        for column, face_down in zip(deal.columns, deal.face_down, strict=True)
    )


def across_text(deal: Deal, separator: str = " ", down: str = "<{}>", none: str = "-") -> str:
    """Return the columns as rows printed across. none: the text of a place without a card."""
    cells = [
        [
            down.format(card_text(one)) if height < face_down else card_text(one)
            for height, one in enumerate(column)
        ]
        for column, face_down in zip(deal.columns, deal.face_down, strict=True)
    ]
    rows = zip_longest(*cells, fillvalue=none)
    return "".join(separator.join(row) + "\n" for row in rows)


def stock_text(deal: Deal, label: str = "Stock:", separator: str = " ") -> str:
    return f"{label} {separator.join(map(card_text, deal.stock))}\n" if deal.stock else ""


def completed_text(deal: Deal) -> str:
    return f"Completed: {len(deal.completed)}\n" if deal.completed else ""


def rest(deal: Deal) -> str:
    return stock_text(deal) + completed_text(deal)


def refused(text: str) -> str:
    with pytest.raises(DealError) as caught:
        read_deal(text, "b")
    message = str(caught.value)
    assert message.isprintable()
    return message


def found(text: str) -> tuple[Deal, str]:
    """Return the deal in a text without its name, and the note on how it was read."""
    contents = read_contents(text, "b")
    assert len(contents.notes) <= 1
    return replace(contents.deal, name=""), " ".join(contents.notes)


def same(found_deal: Deal, deal: Deal) -> bool:
    """Return whether two deals are equal, except for the order of the completed runs."""
    return sorted(found_deal.completed) == sorted(deal.completed) and replace(
        found_deal, completed=()
    ) == replace(deal, completed=())


# The forms of cards, separators and layouts.


def suit_first(one: int) -> str:
    return card_sign(one)[1] + card_sign(one)[0].replace("T", "10")


CARD_FORMS: dict[str, Callable[[int], str]] = {
    "TS": card_text,
    "ts": lambda one: card_text(one).lower(),
    "10S": lambda one: card_text(one).replace("T", "10"),
    "0s": lambda one: card_text(one).replace("T", "0").lower(),
    "T♠": card_sign,
    "♠10": suit_first,
    "S10": lambda one: card_text(one)[1] + card_text(one)[0].replace("T", "10"),
}


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
@pytest.mark.parametrize("card", CARD_FORMS.values(), ids=CARD_FORMS)
@pytest.mark.parametrize("separator", [" ", ", ", ",", "\t", "; "])
def test_columns_in_many_forms(deal: Deal, card: Callable[[int], str], separator: str) -> None:
    text = columns_text(deal, separator, card) + rest(deal)
    assert same(found(text)[0], deal)


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
@pytest.mark.parametrize("down", ["<{}>", "({})", "[{}]", "|{}", "**<{}>**", "`[{}]`"])
def test_marks_of_face_down_cards(deal: Deal, down: str) -> None:
    assert same(found(columns_text(deal, down=down) + rest(deal))[0], deal)


def test_a_bracket_around_several_cards_and_a_bar() -> None:
    text = write_deal(FRESH, "board")
    assert found(text.replace("> <", " "))[0] == FRESH
    barred = "".join(
        f"{' '.join(map(card_text, column[:-1]))} | {card_text(column[-1])}\n"
        for column in FRESH.columns
    )
    assert found(barred + rest(FRESH))[0] == FRESH


def test_lower_case_marks_face_down_cards_if_all_columns_agree() -> None:
    lowered = re.sub(r"<(.)(.)>", lambda match: match[1] + match[2].lower(), columns_text(MIDDLE))
    assert lowered != columns_text(MIDDLE)
    deal, note = found(lowered.replace("\n", ",\n") + rest(MIDDLE))
    assert same(deal, MIDDLE)
    assert note == "read as ten columns, one in each line; the cards in lower case are face down"


@pytest.mark.parametrize("label", ["Stock:", "stock =", "Talon:", "Deck:", "Draw pile:", "STOCK :"])
@pytest.mark.parametrize("first", [True, False])
def test_labels_of_the_stock(label: str, first: bool) -> None:
    stock, columns = stock_text(FRESH, label, ", "), columns_text(FRESH, ", ")
    assert found(stock + columns if first else columns + stock)[0] == FRESH


def test_a_stock_on_its_own_lines() -> None:
    rows = "".join(
        " ".join(map(card_text, FRESH.stock[start : start + 10])) + "\n"
        for start in range(0, 50, 10)
    )
    for heading in ("Stock:", "## Stock", "Stock: in the order dealt:"):
        assert found(f"{columns_text(FRESH)}{heading}\n{rows}")[0] == FRESH
        assert found(f"{heading}\n{rows}\nTableau:\n{columns_text(FRESH)}")[0] == FRESH
    numbered = "".join(f"row {i}: {row}\n" for i, row in enumerate(rows.splitlines(), 1))
    assert found(columns_text(FRESH, ", ") + numbered)[0] == FRESH


@pytest.mark.parametrize("label", ["{}: ", "Column {}: ", "col {} = ", "Pile #{}: ", "C{}: "])
def test_labels_of_columns_in_any_order(label: str) -> None:
    lines = [
        f"{label.format(number)}{line}\n"
        for number, line in enumerate(columns_text(LATE, ", ").splitlines(), 1)
    ]
    assert same(found("".join(reversed(lines)) + rest(LATE))[0], LATE)


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
@pytest.mark.parametrize("none", ["-", ".", "_", "—"])
@pytest.mark.parametrize("separator", [" ", ", ", "\t"])
def test_rows_printed_across(deal: Deal, none: str, separator: str) -> None:
    read, note = found(across_text(deal, separator, none=none) + rest(deal))
    assert same(read, deal)
    assert note == f"read as {ACROSS}"


@pytest.mark.parametrize("separator", [" ", ", ", "\t"])
def test_rows_printed_across_with_an_empty_first_column(separator: str) -> None:
    read, note = found(f"{across_text(LAST, separator)}Completed: S S S S S S S\n")
    assert read == LAST
    assert note == f"read as {ACROSS}; {UNMARKED}all are face up"


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
def test_tables(deal: Deal) -> None:
    separated = across_text(deal, ",", none="") + stock_text(deal).replace(" ", ",")
    assert same(found(separated + completed_text(deal))[0], deal)
    rows = [f"| {row} |\n" for row in across_text(deal, " | ", none=" ").splitlines()]
    head = "| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |\n|---|---|---|---|---|---|---|---|---|---|\n"
    assert same(found(f"# My game\n\n{head}{''.join(rows)}\n{rest(deal)}")[0], deal)


@pytest.mark.parametrize("deal", [*DEALS.values(), LAST], ids=[*DEALS, "last"])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_board_that_show_prints(deal: Deal, unicode: bool) -> None:
    for one in (deal, deal.with_rules(RowRule.RELAXED), replace(deal, name="native:134")):
        if one.name and deal is FRESH:
            continue
        shown = f"{title(one)}\n\n{board(one, reveal=True, style=Style(unicode=unicode))}\n"
        contents = read_contents(shown)
        assert replace(contents.deal, name=one.name) == one
        assert contents.deal.name == (one.name or "deal")
        (note,) = contents.notes
        assert note.startswith(f"read as {ACROSS}")


@pytest.mark.parametrize("separator", [" ", ",", ", ", "\t", "\n", ""])
def test_all_cards_in_the_order_dealt(separator: str) -> None:
    heights = range(6)
    dealt = [
        column[height] for height in heights for column in FRESH.columns if height < len(column)
    ]
    text = separator.join(map(card_text, (*dealt, *FRESH.stock)))
    for one in (text, text.lower(), f"Deal 1\n\n{text}\n"):
        deal, note = found(one)
        assert deal == FRESH
        assert note.startswith("read as 104 cards in the order dealt, one to each column in turn; ")
        assert f"{UNMARKED}taken as a fresh deal" in note


def test_a_position_without_marks_is_face_up() -> None:
    deal, note = found(columns_text(MIDDLE, ", ", down="{}") + rest(MIDDLE))
    assert same(deal, face_up(MIDDLE))
    assert note == f"read as ten columns, one in each line; {UNMARKED}all are face up"


@pytest.mark.parametrize("bullet", ["- ", "* ", "+ ", "> ", "• "])
def test_markdown_around_a_board(bullet: str) -> None:
    lines = "".join(bullet + line + "\n" for line in columns_text(FRESH).splitlines())
    text = (
        f"Hello, here is a board as I have it:\n\n```text\n{lines}{bullet}{stock_text(FRESH)}```\n"
    )
    deal, note = found(text)
    assert deal == FRESH
    assert note.endswith("; 1 line without cards left out")


def test_a_numbered_list() -> None:
    lines = columns_text(FRESH).splitlines()
    text = "".join(f"{number}. {line}\n" for number, line in enumerate(lines, 1))
    assert found(text + stock_text(FRESH))[0] == FRESH


# Completed runs of which only the number is given.


@pytest.mark.parametrize("label", ["completed", "Completed runs", "Foundations"])
@pytest.mark.parametrize("value", ["{}", "{} of 8", "({} of 8) {}"])
def test_the_number_of_completed_runs(label: str, value: str) -> None:
    value = value.format(len(LATE.completed), len(LATE.completed))
    assert same(found(f"{columns_text(LATE, ', ')}{stock_text(LATE)}{label}: {value}\n")[0], LATE)


@pytest.mark.parametrize("value", ["S H S", "S-K H-K S-K", "♠ ♥ ♠ (3 of 8)", "s, h, s", "KS KH KS"])
def test_the_suits_of_completed_runs(value: str) -> None:
    assert LATE.completed == (0, 1, 0)
    text = f"{columns_text(LATE, ', ')}{stock_text(LATE)}Foundations: {value}\n"
    assert found(text)[0] == LATE


@pytest.mark.parametrize("format", ["text", "json"])
def test_the_number_of_completed_runs_in_this_programs_own_formats(format: str) -> None:
    text = write_deal(LATE, format)
    counted = re.sub(r"(?<=completed: ).*|(?<=\"completed\": ).*", "3", text)
    assert counted != text
    assert same(read_deal(counted), LATE)


@pytest.mark.parametrize(
    ("left", "suits", "expected"),
    [
        ([0, 0, 0], None, [0] * 5),  # three left, more than two: not four suits
        ([0] * 5, None, [0] * 3),
        ([0, 0, 1, 1, 1], None, [0, 0, 1]),
        ([0, 1, 2], None, [0, 1, 2, 3, 3]),
        ([0, 0, 0, 0], 2, [1] * 4),
        ([3, 3, 3, 3], 2, [0] * 4),
        ([0, 0, 0, 0], 1, [0] * 4),
        ([], 1, [0] * 8),
        ([0, 0, 0, 3], 3, [0, 1, 1, 3]),
    ],
)
def test_the_suits_that_follow_from_the_other_cards(
    left: list[int], suits: int | None, expected: list[int]
) -> None:
    cards = [one for suit in left for one in run_of(13, 1, suit)]
    if left == [0, 0, 0]:  # one suit or two
        with pytest.raises(
            DealError, match=r"5 completed runs may be S S S S S or S H H H H: name"
        ):
            suits_of_count(5, cards, None)
        expected, suits = [0] * 5, 1
    assert suits_of_count(8 - len(left), cards, suits) == expected


def test_suits_of_completed_runs_that_do_not_follow() -> None:
    one_move = endgame([run_of(13, 2), run_of(1, 1)])
    text = write_deal(one_move, "text").replace("completed: " + "S " * 6 + "S", "completed: 7")
    assert "completed: 7" in text
    assert read_deal(text) == one_move  # `suits: 1` is stated
    assert refused(text.replace("suits: 1\n", "")) == (
        "b: 7 completed runs may be S S S S S S S, S S S H H H H or S H H D D C C: name their"
        " suits, or state the suit mode"
    )
    assert "6 completed runs and 13 other cards: expected 104 cards in all" in refused(
        text.replace("completed: 7", "completed: 6")
    )


# The given files.


@pytest.mark.parametrize(
    ("file", "note"),
    [
        ("06_commas.txt", "read as ten columns, one in each line"),
        ("06_suit_first.txt", ""),
        (
            "07_rows_commas_lowercase.txt",
            f"read as {ACROSS}, the last ten cards of the stock being dealt first;"
            f" {UNMARKED}taken as a fresh deal",
        ),
    ],
)
def test_the_given_files_are_the_deal_native_1(file: str, note: str) -> None:
    path = INPUTS / file
    result = run("show", str(path), "--format", "text")
    assert read_deal(result.stdout) == replace(FRESH, name=str(path))
    assert result.stderr == (f"{path}: {note}\n" if note else "")
    assert run("show", str(path), "-q").stderr == ""


# Boards with two readings, and boards that are refused.


def test_a_stock_without_label_may_be_dealt_from_either_end() -> None:
    text = (INPUTS / "07_rows_commas_lowercase.txt").read_text().replace("spider\n", "")
    assert refused(text) == (
        f"b: the board can be read in 2 ways, as {ACROSS}, the first ten cards of the stock being"
        f" dealt first (1) or {ACROSS}, the last ten cards of the stock being dealt first (2): to"
        " say which is meant, write `Stock:` before the stock in the order dealt, and `1:` to `10:`"
        " before columns"
    )
    *rows, stock = text.splitlines()
    cards = stock.split(",")
    reordered = ",".join(one for row in range(4, -1, -1) for one in cards[row * 10 : row * 10 + 10])
    assert found("\n".join([*rows, f"Stock: {reordered}"]))[0] == FRESH
    columns = columns_text(FRESH) + stock_text(FRESH, "")
    assert "in 2 ways, as ten columns, one in each line, the first ten cards" in refused(columns)


def test_ten_lines_of_all_cards_may_be_columns_or_the_order_dealt() -> None:
    cards = [one for suit in range(4) for _ in range(2) for one in run_of(13, 1, suit)]
    columns = [cards[start::COLUMNS] for start in range(COLUMNS)]
    lines = [", ".join(map(card_text, column)) for column in columns]
    assert "in 2 ways, as ten columns, one in each line (1) or 104 cards in the order dealt" in (
        refused("\n".join(lines))
    )
    labelled = "\n".join(f"{number}: {line}" for number, line in enumerate(lines, 1))
    assert found(labelled)[0].columns == tuple(map(tuple, columns))


def test_ten_lines_may_be_columns_or_rows() -> None:
    # Seven full suits, in nine lines of ten cards and a line of one.
    suits = (0, 0, 1, 1, 3, 3, 2)
    cards = [one for suit in suits for one in run_of(13, 1, suit)]
    lines = [cards[start:90:9] for start in range(9)] + [cards[90:]]
    text = "\n".join(", ".join(map(card_text, line)) for line in lines)
    message = refused(f"{text}\nCompleted: D\n")
    head = " ".join(str(number) for number in range(1, COLUMNS + 1))
    assert found(f"{head}\n{text}\nCompleted: D\n")[1].startswith(f"read as {ACROSS};")
    assert f"in 2 ways, as ten columns, one in each line (1) or {ACROSS} (2): to say" in message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("6D, 5S", "6D, 5X", "b, line 1: card 2: '5X' is not a card: expected a rank of A 2-9"),
        ("6D, ", "", "103 cards that are not 8 full suits: missing: 6D"),
        ("Stock:", "Stok:", "b, line 11: 'Stok: 8D, 2D, JD"),
        ("Stock:", "Other:", "is not understood: expected a label such as Stock"),
        ("Stock:", "suit: 4\nStock:", "b, line 11: 'suit: 4' is not understood: is the label mis"),
        ("Stock:", "actions: 1-2\nStock:", "`actions:` after a board that is not this program's"),
        ("Stock:", "suits: 2\nStock:", "the cards have 4 suits, but 2 are stated"),
        ("Stock:", "suits: 4\nsuits: 4\nStock:", "b, line 12: a second `suits:`: leave one out"),
        ("Stock:", "row:", "a row of 50 cards: expected ten"),
    ],
)
def test_a_fault_in_a_typed_board(old: str, new: str, message: str) -> None:
    text = columns_text(FRESH, ", ", down="{}") + stock_text(FRESH, separator=", ")
    assert found(text)[0] == FRESH
    assert old in text
    assert message in refused_as_typed(text.replace(old, new, 1))


def refused_as_typed(text: str) -> str:
    with pytest.raises(DealError) as caught:
        read_deal(text, "b", "typed")
    return str(caught.value)


def test_cards_that_fit_no_layout_are_counted() -> None:
    text = columns_text(FRESH, ", ").replace("\n", " ", 1) + stock_text(FRESH, separator=", ")
    assert refused_as_typed(text) == (
        "b: 9 lines of cards (12 6 6 5 5 5 5 5 5): expected ten lines, one for each column, or rows"
        " printed across, each with one card of each column"
    )


def test_a_row_whose_columns_are_not_clear_is_refused() -> None:
    lines = board(MIDDLE, reveal=True, style=Style(unicode=False)).splitlines()
    height = next(i for i, line in enumerate(lines[2:], 2) if "     " in line.strip())
    lines[height] = " " + re.sub(" +", "  ", lines[height].strip())
    assert "expected ten lines" in refused_as_typed("\n".join(lines))


def test_prose_is_not_a_board() -> None:
    for text in ("as is\n", "Dear solver,\nplease solve this as soon as you can.\n"):
        assert "unknown format" in refused(text)
    assert detect_format(columns_text(FRESH, ", ")).name == "typed"
    with pytest.raises(DealError, match="more than 20,000 characters: expected a board"):
        read_deal(columns_text(FRESH) * 200, format="typed")


def test_a_strict_format_that_is_named_is_not_read_as_typed() -> None:
    text = columns_text(FRESH, ", ") + stock_text(FRESH)
    message = error_of(run("show", "-", "--from", "board", input=text))
    assert "11 lines of cards: expected 10" in message
    assert run("show", "-", "--from", "typed", input=text).exit_code == 0


SAMPLES = [
    columns_text(FRESH, ", ") + rest(FRESH),
    across_text(LATE, "\t") + rest(LATE),
    board(MIDDLE, reveal=True, style=Style(unicode=True)),
]


@settings(max_examples=300, deadline=2000)
@given(data=st.data(), sample=st.sampled_from(SAMPLES))
def test_a_mutated_board_is_refused_or_read(data: st.DataObject, sample: str) -> None:
    text = sample
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 3))
        piece = data.draw(
            st.sampled_from(
                ["", "\n", ",", "|", "-", "<", ")", "Stock:", "3:", "6D", "*", " ", "x"]
            )
        )
        text = text[:at] + piece + text[at + cut :]
    message = ""
    try:
        read_deal(text)
    except SpiderError as error:
        message = str(error)
    assert "\n" not in message
