"""Saved games of Windows Vista/7 and Windows XP, and other binary files."""

from __future__ import annotations

import gzip
import struct
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import error_of, run
from hypothesis import given, settings
from hypothesis import strategies as st
from play import sensible_position

from spider_solver.cards import KING, RANK_NAMES, SUIT_NAMES, card, rank_of, suit_of
from spider_solver.deal import Deal
from spider_solver.errors import DealError, SpiderError
from spider_solver.formats import decode_text, detect_format, read_contents, read_deal, write_deal
from spider_solver.numbering import deal_from_number

INPUTS = Path(__file__).parent / "data" / "inputs"
WIN7 = INPUTS / "02_win7_made_up.SpiderSolitaireSave-ms"
WINXP = INPUTS / "02_winxp_spider_sav_made_up.sav"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(100)


def xml_of(deal: Deal, seed: int) -> str:
    """Return the XML of Windows 7 for a deal, without the elements that are not read."""
    copies: Counter[int] = Counter()

    def element(one_card: int, face_up: bool) -> str:
        copy = str(copies[one_card]) if copies[one_card] else ""
        copies[one_card] += 1
        rank, suit = RANK_NAMES[rank_of(one_card) - 1], SUIT_NAMES[suit_of(one_card)]
        name = f"{rank.capitalize()}Of{suit.capitalize()}{copy}"
        return f"<Card><X>1</X><Name>{name}</Name><FaceUp>{str(face_up).lower()}</FaceUp></Card>"

    stacks = [
        (f"Stack{number}", [element(one, height >= down) for height, one in enumerate(column)])
        for number, (column, down) in enumerate(zip(deal.columns, deal.face_down, strict=True), 1)
    ]
    stacks.append(("Deck", [element(one, False) for one in reversed(deal.stock)]))
    runs = [card(rank, suit) for suit in deal.completed for rank in range(KING, 0, -1)]
    stacks.append(("Complete", [element(one, True) for one in runs]))
    inner = "\n".join(
        f"<CardStack><X>1</X><Name>{name}</Name><Cards>{''.join(cards)}</Cards></CardStack>"
        for name, cards in stacks
    )
    return (
        f"<Root><GameState><Version>7</Version><GameSeed>{seed}</GameSeed><Score>500</Score>"
        f"<Moves>0</Moves></GameState>\n<CardTable><CardStacks>\n{inner}\n</CardStacks></CardTable>"
        "</Root>"
    )


def save_of(xml: str) -> bytes:
    """Return the file of Windows 7 around an XML text."""
    text = xml.encode("utf-16-le")
    head = struct.pack("<4sIIIII", b"RGMH", 1, 0x2028, 0, 0, len(PICTURE)).ljust(0x2028, b"\0")
    return head + PICTURE + struct.pack("<I", len(text) + 6) + b"\xff\xfe" + text + b"\0\0\n\0"


def read_save(data: bytes) -> Deal:
    return read_deal(decode_text(data, "s.ms"), "s.ms")


def refused(data: bytes) -> str:
    with pytest.raises(DealError) as caught:
        read_save(data)
    return str(caught.value)


# Windows Vista/7.


def test_a_save_without_cards_is_the_deal_of_its_number() -> None:
    result = run("show", str(WIN7))
    assert result.stdout == run("show", "win7:8115").stdout
    assert result.stderr == (
        f"{WIN7}: the file lists no cards: taken as the fresh deal of its number\n"
    )


def test_a_save_without_cards_but_with_moves_says_that_they_are_not_known() -> None:
    text = decode_text(WIN7.read_bytes()).replace("<Moves>0", "<Moves>12")
    (note,) = read_contents(text).notes
    assert note.endswith("fresh deal of its number; its moves (12) are not known")


def test_the_cards_of_a_fresh_save_are_read_with_its_number() -> None:
    deal = deal_from_number("win7:8115")
    data = save_of(xml_of(deal, 8115))
    assert read_save(data) == deal
    assert detect_format(decode_text(data)).name == "win7"
    assert "the cards are not those of deal win7:8116" in refused(save_of(xml_of(deal, 8116)))


@pytest.mark.parametrize(("actions", "suits"), [(30, 4), (60, 1), (130, 2)])
def test_a_position_is_read(actions: int, suits: int) -> None:
    deal = replace(sensible_position(134, actions, suits).to_deal(), name="win7:1")
    assert not deal.fresh
    assert read_save(save_of(xml_of(deal, 1))) == deal
    assert read_deal('<?xml version="1.0"?>\n' + xml_of(deal, 1)) == deal  # the XML alone


GOOD = xml_of(deal_from_number("win7:5"), 5)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("OfHearts", "OfStars", "OfStars' is not a card: expected a name like TwoOfHearts1"),
        ("<FaceUp>false", "<FaceUp>no", "FaceUp 'no': expected true or false"),
        (">Stack3<", ">Stack11<", "'Stack11' is not a stack of Spider: expected Stack1 to Stack10"),
        (">Stack3<", ">Stack2<", "a second stack Stack2: expected one"),
        ("<Name>Stack1</Name>", "", "a card before the first stack's name"),
        ("</Root>", "", "not valid XML: no element found"),
        ("GameSeed>5<", "GameSeed>x<", None),
        ("<FaceUp>false", "<FaceUp>true", "card 1 is face up and a card on it is face down"),
        ("<Root>", "<!DOCTYPE a SYSTEM 'b'><Root>", "that may define entities: not read"),
    ],
)
def test_a_fault_in_a_save(old: str, new: str, message: str | None) -> None:
    assert old in GOOD
    data = save_of(GOOD.replace(old, new, 1))
    if message is None:  # the label is not a number
        assert read_save(data) == replace(deal_from_number("win7:5"), name="win7:x")
    else:
        assert message in refused(data)


def test_a_save_without_stacks_names_them() -> None:
    start, end = (
        GOOD.index("<CardStack><X>1</X><Name>Stack4"),
        GOOD.index("<CardStack><X>1</X><Name>Deck"),
    )
    message = refused(save_of(GOOD[:start] + GOOD[end:]))
    assert "7 stacks missing: Stack4, Stack5" in message


@pytest.mark.parametrize("length", [4, 20, 24, 0x2028, 0x2028 + 60])
def test_a_save_that_is_cut_off(length: int) -> None:
    assert "without its XML: expected the whole file" in refused(save_of(GOOD)[:length])


def test_a_root_without_a_game() -> None:
    assert "no cards and no GameSeed" in refused(b"<Root></Root>")
    assert "more than 1000 cards" in refused(
        save_of(
            GOOD.replace(
                "<Cards>",
                "<Cards>" + "<Card><Name>AceOfSpades</Name><FaceUp>false</FaceUp></Card>" * 1200,
                1,
            )
        )
    )


def test_it_is_not_written() -> None:
    with pytest.raises(DealError, match="deals cannot be written as 'win7': expected kpat, solvi"):
        write_deal(deal_from_number("1"), "win7")


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_mutated_save_is_refused_or_read(data: st.DataObject) -> None:
    text = bytearray(save_of(GOOD))
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    message = ""
    try:
        read_save(bytes(text))
    except SpiderError as error:
        message = str(error)
    assert "\n" not in message


# Windows XP.


def test_a_save_of_windows_xp_is_named_with_what_is_known() -> None:
    assert error_of(run("solve", str(WINXP))) == (
        f"{WINXP}: a saved game of Windows XP's Spider with 4 suits, seed 12345 and columns of"
        " 6 6 6 6 5 5 5 5 5 5 cards: how it numbers deals and cards is not known, so it is not"
        " read; type the board as text instead"
    )


@pytest.mark.parametrize(
    "change", [(0, 3), (1, 2**31), (18, 200), (19, 7), (20, 104)], ids=lambda change: str(change)
)
def test_other_numbers_are_not_a_save_of_windows_xp(change: tuple[int, int]) -> None:
    data = bytearray(WINXP.read_bytes())
    index, value = change
    data[4 * index : 4 * index + 4] = struct.pack("<I", value)
    assert "Windows XP" not in refused(bytes(data))


# Other binary files.


def xpat2_save(name: bytes, seed: int, moves: int, magic: int = 0x741A) -> bytes:
    numbers = [-1] * 32
    numbers[8], numbers[9], numbers[15] = seed, moves, magic
    return name.ljust(32, b"\0") + struct.pack(">32i", *numbers) + bytes(64)


def zip_file(folder: Path) -> bytes:
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("deal.txt", "deal: native:1\n")
    return path.read_bytes()


def test_binary_files_are_named(tmp_path: Path) -> None:
    for data, message in (
        (
            xpat2_save(b"Spider", 1, 12),
            "a saved game of xpat2, seed 1: its 12 moves are not read; xpat2:1 is its deal",
        ),
        (xpat2_save(b"Klondike", 1, 12, 0x7419), "of the game 'Klondike': expected a game of Spi"),
        (gzip.compress(b"deal: native:1\n"), "a gzip file, not text: unpack it and give the file"),
        (zip_file(tmp_path), "a ZIP archive or an office document, not text: save its text"),
        (PICTURE, "a PNG picture, not text: type its cards as text instead"),
        (b"\x7fELF\x02\x01\x01\0", "a program, not text"),
        (b"%PDF-1.4\n\xe2\xe3\xcf\xd3\n", "a PDF document, not text"),
        (bytes(range(128, 256)) * 4 + b"\x01", "a binary file of an unknown kind: expected a deal"),
        (b"deal: native:1\0", "a NUL character: expected text, not a binary file"),
        (b"deal: caf\xe9", "not UTF-8 text at byte 9 (e9): save the file as UTF-8 text"),
    ):
        file = tmp_path / "binary"
        file.write_bytes(data)
        for command in ("show", "verify"):
            assert message in error_of(run(command, str(file)))


def test_a_text_that_begins_like_a_binary_file_is_text() -> None:
    assert decode_text(b"BM: a deal\n") == "BM: a deal\n"
    assert decode_text(b"MZ \x1b[1m\xe2\x99\xa0\n") == "MZ \x1b[1m\u2660\n"
