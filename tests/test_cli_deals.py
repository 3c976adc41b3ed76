"""The command line: deal numbers, ranges, schemes, convert, and files of other programs."""

import json
import pickle
from pathlib import Path

import pytest
from commandline import error_of, run, start
from hypothesis import given, settings
from hypothesis import strategies as st
from play import game_text

from spider_solver.cli.inputs import ReadingOptions, load_deals
from spider_solver.cli.output import Messages
from spider_solver.deal import Deal, RowRule
from spider_solver.errors import DealError
from spider_solver.formats import WRITABLE, read_deal, write_deal
from spider_solver.formats import text as text_format
from spider_solver.numbering import SCHEMES, deal_from_number, parse_numbers

PROJECT = Path(__file__).parent.parent
DATA = PROJECT / "tests" / "data"
DEALS = PROJECT / "deals"


# Numbers and ranges.


@pytest.mark.parametrize(("number", "suits"), [(12345, 4), (617, 2)])
def test_a_number_shows_the_same_as_a_save_by_kpatience(number: int, suits: int):
    shown = run("show", f"kpat:{number}", "--suits", str(suits), "--reveal").stdout
    assert shown.startswith(f"kpat:{number}, {suits} suits, standard rules\n")
    assert shown == run("show", str(DATA / f"kpat_spider{suits}_{number}.xml"), "--reveal").stdout


def test_the_columns_of_pysol_have_the_heights_of_pysolfc():
    lines = run("show", "pysol:1", "--reveal").stdout.splitlines()
    assert [bool(lines[8][i : i + 5].strip()) for i in range(0, 50, 5)] == [
        column in (0, 3, 6, 9) for column in range(10)
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_title_has_the_number_and_the_rules(scheme: str):
    example = SCHEMES[scheme].example
    for rules in RowRule:
        shown = run("show", example, "--rules", str(rules)).stdout
        assert shown.startswith(f"{example}, 4 suits, {rules} rules\n")


def test_show_takes_ranges_lists_and_files():
    shown = run("show", "kpat:1-3", "pysol:ms5,7", str(DEALS / "native_1.txt"))
    titles = [line.partition(",")[0] for line in shown.stdout.splitlines() if "rules" in line]
    assert titles == ["kpat:1", "kpat:2", "kpat:3", "pysol:ms5", "pysol:7", "native:1"]
    assert run("show", "1-2").stdout == run("show", "native:1,2").stdout
    assert "\n\nnative:2, 4 suits" in run("show", "1-2").stdout


@pytest.mark.parametrize(
    "text", ["1 - 3", "1, 2,3", "1\u20133", " 1-2 ,3", "1,native: 2-3", "native:1 - Native : 3"]
)
def test_show_takes_lists_as_winrate_does(text: str):
    assert list(parse_numbers(text)) == ["native:1", "native:2", "native:3"]
    assert run("show", text).stdout == run("show", "1-3").stdout


@given(st.text(alphabet="0123456789-+,: mskpatnive\u2013", max_size=20))
@settings(max_examples=300, deadline=None)
def test_every_text_that_parse_numbers_reads_is_read_as_an_argument(text: str):
    try:
        numbers = parse_numbers(text)
    except DealError:
        return
    assert next(load_deals([text], ReadingOptions(), Messages())).deal.name == numbers[0]


def test_showing_a_huge_range_takes_little_memory():
    with start("show", "native:5-18446744073709551615", "kpat:1-9") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(20_000):
            assert process.stdout.readline()
        status = Path(f"/proc/{process.pid}/status")
        if status.exists():
            peak = next(line for line in status.read_text().splitlines() if "VmHWM" in line)
            assert int(peak.split()[1]) < 100_000
        process.stdout.close()
        assert process.stderr.read() == ""


BAD = {
    "kpat 0": (["show", "kpat:0"], 1, "kpat deal number 0 is out of range: expected 1 to 2147"),
    "kpat 2^31": (["show", "kpat:2147483648"], 1, "kpat deal number 2147483648 is out of range"),
    "pysol 0": (["solve", "pysol:0"], 1, "pysol deal number 0 is out of range: expected 1 or"),
    "win7, 2 suits": (["show", "win7:5", "--suits", "2"], 1, "win7 has no deals with 2 suits: exp"),
    "foo": (["solve", "foo:1"], 1, "'foo:1': unknown scheme 'foo': expected one of native,"),
    "no end": (["show", "kpat:1-"], 1, "'kpat:1-': the range '1-' has no end: expected two"),
    "backwards": (["show", "kpat:9-1"], 1, "the range '9-1' runs backwards: expected kpat:1-9"),
    "backwards, after others": (["show", "1", "kpat:9-1"], 1, "the range '9-1' runs backwards"),
    "a scheme without the suit mode": (
        ["show", "kpat:1", "win7:1", "--suits", "2"],
        1,
        "win7 has no",
    ),
    "a bare range": (["show", "5-3"], 1, "the range '5-3' runs backwards: expected native:3-5"),
    "a range to solve": (["solve", "kpat:1-20"], 1, "'kpat:1-20' is 20 deals: expected one"),
    "a list to convert": (["convert", "1,2", "--to", "kpat"], 1, "'1,2' is 2 deals: expected one"),
    "a range in a format": (["show", "1-2", "--format", "text"], 2, "--format writes one deal"),
    "no deal, nothing piped": (["show"], 1, "standard input: empty: expected a deal as text or"),
    "no format": (["convert", "1"], 2, "missing --to [kpat|solvitaire|json|coolo|board|text]; see"),
    "a missing file": (["show", "12.txt"], 1, "'12.txt' is not a file and not a"),
    "a missing file that looks like a range": (
        ["show", "2-3/a,1"],
        1,
        "'2-3/a,1' is not a file and not a",
    ),
    "an unknown format": (["convert", "1", "--to", "pso"], 2, "'pso' is not one of"),
    "an unknown source": (["show", "-", "--from", "pso"], 2, "'pso' is not one of"),
    "a format for a number": (["show", "1", "--from", "board"], 1, "--from board: '1' is not a"),
    "a folder as output": (["convert", "1", "--to", "text", "-o", "tests"], 1, "is a folder"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments(case: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(PROJECT)
    arguments, code, expected = BAD[case]
    assert expected in error_of(run(*arguments), code)


def without_the_first_card_of_the_stock() -> bytes:
    found = json.loads(write_deal(deal_from_number("1"), "solvitaire"))
    found["stock"].pop()
    return json.dumps(found).encode()


BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<kpat-game game-type="&b;"/>"""
BAD_FILES = {
    "49 stock cards": (
        without_the_first_card_of_the_stock(),
        "103 cards that are not 8 full suits: missing: 8D",
    ),
    "a doctype bomb": (
        BOMB,
        "line 2: a document type <!DOCTYPE lolz> that may define entities: not read",
    ),
    "a pickle": (
        pickle.dumps("PySolFC"),
        "a Python pickle, as PySolFC saves its games (.pso): not",
    ),
    "an old pickle": (pickle.dumps("PySolFC", 0), "a Python pickle, as PySolFC saves its games"),
    "another KDE file": (b"<?xml version='1.0'?><svg/>", "<svg> as the first element"),
    "a face-up unknown card": (
        write_deal(deal_from_number("1"), "text").replace("| 2S", "| ??").encode(),
        "column 1 card 6 is face up and unknown",
    ),
}


@pytest.mark.parametrize("command", ["show", "solve", "convert", "verify", "replay"])
@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files(case: str, command: str, tmp_path: Path):
    content, expected = BAD_FILES[case]
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    more = ("--to", "text") if command == "convert" else ()
    if case == "49 stock cards" and command in ("verify", "replay"):
        expected = "holds a deal, not a recorded game"
    for result in (run(command, str(path), *more), run(command, "-", *more, input=content)):
        message = error_of(result, 1)
        assert expected in message
        assert len(message) < 600


# The command schemes.


def test_schemes_lists_each_with_its_ranges_modes_rules_and_example():
    result = run("schemes")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    for scheme, line in zip(SCHEMES.values(), lines[1:], strict=False):
        modes = ", ".join(map(str, scheme.suit_modes))
        for word in (scheme.name, scheme.numbers, modes, scheme.game_rules, scheme.example):
            assert word in line
    found = json.loads(run("schemes", "--json").stdout)
    assert [one["scheme"] for one in found] == list(SCHEMES)
    assert list(found[0]) == [
        *("scheme", "title", "numbers", "suits", "game_rules", "example", "note"),
    ]
    for one in found:
        assert deal_from_number(one["example"]).name == one["example"]


# The command convert, and the option --from.


@pytest.mark.parametrize("target", WRITABLE)
@pytest.mark.parametrize("source", WRITABLE)
def test_convert_from_each_format_to_each(source: str, target: str):
    text = (DEALS / "middle_two_suit.txt").read_text()
    deal = read_deal(text)
    there = run("convert", str(DEALS / "middle_two_suit.txt"), "--to", source)
    assert there.exit_code == 0
    back = run("convert", "-", "--to", target, input=there.stdout)
    named = run("convert", "-", "--to", target, "--from", source, input=there.stdout)
    assert back.stdout == named.stdout
    found = read_deal(back.stdout)
    assert (found.columns, found.face_down) == (deal.columns, deal.face_down)
    assert (found.stock, found.completed) == (deal.stock, deal.completed)


def test_convert_writes_a_file(tmp_path: Path):
    path = tmp_path / "a.json"
    result = run("convert", "kpat:7", "--suits", "3", "--to", "json", "-o", str(path))
    assert (result.exit_code, result.output) == (0, "")
    assert read_deal(path.read_text()) == deal_from_number("kpat:7", 3)


def test_convert_names_what_the_format_does_not_hold():
    result = run("convert", "pysol:ms5", "--suits", "1", "--rules", "relaxed", "--to", "kpat")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "note: clubs became spades, which KPatience has with 1 suit",
        "note: the file does not hold the number pysol:ms5: Restart Deal in KPatience deals another"
        " deal",
        "note: the file does not hold the rule for rows (relaxed), but KPatience plays by it",
    ]
    assert run("convert", "pysol:ms5", "--to", "kpat", "-q").stderr == ""
    assert "the number win7:5" in run("show", "win7:5", "--format", "coolo").stderr
    assert run("convert", "pysol:ms5", "--to", "text").stderr == ""


def test_convert_notes_that_actions_are_left_out():
    result = run("convert", str(DEALS / "kpat_18_one_suit.xml"), "--to", "text")
    assert result.stderr == "note: the file does not hold the 78 actions of the recorded game\n"
    assert len(read_deal(result.stdout).completed) == 3
    game = game_text(deal_from_number("1"), [])
    assert run("convert", "-", "--to", "json", input=game).stderr == ""


def test_convert_notes_that_actions_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text((DEALS / "second_thoughts.txt").read_text().replace("1-7@", "1=7@"))
    for more in ((), ("--from", "text")):
        result = run("convert", "game.txt", "--to", "json", "--at", "0", *more)
        assert result.exit_code == 0
        assert read_deal(result.stdout) == deal_from_number("213", 2)
        assert result.stderr.startswith(
            "note: the recorded actions cannot be read: game.txt, line 7: action 6: '1=7': '1' is"
        )
    found = run("convert", "-", "--to", "text", "--at", "0", input='{"deal": 1, "actions": 5}')
    assert '"actions": expected a list' in found.stderr


def test_convert_parses_its_input_once(monkeypatch: pytest.MonkeyPatch):
    split, calls = text_format._split_at_actions, []

    def counted_split(text: str):
        calls.append(text)
        return split(text)

    monkeypatch.setattr(text_format, "_split_at_actions", counted_split)
    result = run("convert", str(DEALS / "second_thoughts.txt"), "--to", "json")
    assert "note: the file does not hold the 8 actions" in result.stderr
    assert len(calls) == 1


def test_a_deal_that_the_format_cannot_hold_is_refused(tmp_path: Path):
    run_ = [suit << 4 | rank for suit in (0,) for rank in range(12, 0, -1)]
    deal = Deal.make([[13, *run_[:11]], run_[11:], *[[]] * 8], (), [0] * 10, [0] * 5 + [1, 1])
    path = tmp_path / "six.txt"
    path.write_text(write_deal(deal, "text"))
    message = error_of(run("convert", str(path), "--to", "kpat"), 1)
    assert "KPatience has no deck of spades x6, hearts x2" in message


def test_the_option_from_overrides_the_content():
    board = write_deal(deal_from_number("1"), "board")
    assert run("show", "-", "--from", "BOARD", input=board).exit_code == 0
    message = error_of(run("show", "-", "--from", "coolo", input=board), 1)
    assert "standard input, line 1: 'Talon: 8D 2D" in message


# Saved games of KPatience as recorded games.


def test_verify_and_replay_read_a_saved_game():
    path = str(DEALS / "kpat_18_one_suit.xml")
    verified = run("verify", path)
    assert verified.exit_code == 0
    assert "kpat:18, 1 suit, relaxed rules\nunfinished: 75 moves and 3 rows" in verified.stdout
    replayed = run("replay", path).stdout
    assert replayed.count("spades completed in column") == 3
    assert "Completed runs: ♠ ♠ ♠ (3 of 8)" in run("show", path).stdout


@pytest.mark.parametrize(
    "file",
    [
        DATA / "kpat_spider4_12345.xml",
        DATA / "kpat_spider2_617.xml",
        DATA / "solvitaire_617_1suit.json",
        DEALS / "kpat_18_one_suit.xml",
    ],
    ids=lambda path: path.name,
)
def test_solve_wins_the_files_of_other_programs(file: Path):
    result = run("solve", str(file), "--json", "-q")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["verdict"] == "won"
