"""The HTML page: its content, and its behaviour in a browser."""

from __future__ import annotations

import json
import re
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import browser
import pytest
from play import hidden_places, one_move_from_won, random_record, with_unknown

from spider_solver.cards import SUIT_LETTERS, card_text
from spider_solver.deal import RowRule
from spider_solver.errors import SpiderError
from spider_solver.formats import read_game, write_game
from spider_solver.game import ROW, Move
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import RecordedGame, recorded_game
from spider_solver.render import html
from spider_solver.replay import Replay

DEALS = Path(__file__).parent.parent / "deals"
SAMPLE = read_game((DEALS / "won_two_suit.txt").read_text())
REVISED = recorded_game(*random_record(11, 150, 1, played=140))
FOUR_SUITS = read_game((DEALS / "won_four_suit.txt").read_text())


def with_told_cards(game: RecordedGame, actions: int) -> RecordedGame:
    """Return the first actions of a game of which only they tell the hidden cards."""
    replay = Replay(game)
    played = [replay.forward() for _ in range(actions)]
    entries = tuple(
        one.entry._replace(told=one.outcome.revealed) for one in played if one.outcome is not None
    )
    return RecordedGame(with_unknown(game.deal, hidden_places(game.deal)), entries)


TOLD = with_told_cards(FOUR_SUITS, 30)
MARKUP = '"><script>alert(1)</script>&'


class Reader(HTMLParser):
    """Collects the tags with their attributes, and checks that tags are closed in order."""

    VOID = frozenset({"meta", "link", "input", "br"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize(
    "game", [SAMPLE, REVISED, FOUR_SUITS, recorded_game(one_move_from_won(), [])]
)
def test_the_page_is_complete_and_loads_no_other_file(game: RecordedGame) -> None:
    page = html.page(game)
    reader = Reader(page)
    assert reader.open == []
    assert "{{" not in page
    assert '<dd id="count-score">500</dd>' in page
    assert "<small> of 8</small>" in page
    for tag, attributes in reader.tags:
        for name in ("src", "href", "xlink:href", "action"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), tag
    assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org/)", page)
    assert "default-src 'none'" in page
    assert len(page.encode()) < 300_000


def test_the_data_has_the_effect_of_each_action() -> None:
    data = data_of(html.page(SAMPLE))
    steps = data["steps"]
    assert len(steps) == 142
    assert steps[27] == {"moves": 27, "rows": 1, "score": 472}
    assert steps[70] == {
        **{"move": [1, 2, 9], "done": [2], "turn": [2]},
        **{"moves": 68, "rows": 3, "score": 529},
    }
    assert data["columns"][0] == "AHKHJH7H7H2S"


def test_undo_and_restart_name_the_state_that_they_restore() -> None:
    game = read_game("deal: native:1\nactions: row row undo row undo undo restart")
    targets = [step.get("to") for step in data_of(html.page(game))["steps"]]
    assert targets == [None, None, 1, None, 3, 0, 0]


def test_the_list_has_each_entry_with_its_score() -> None:
    page = html.page(SAMPLE)
    assert page.count("<li class=") == 143
    assert page.count('<li class="row">') == 5
    assert page.count('<li class="run">') == 8
    assert (
        '<span class="n">28</span><span class="what"><span>row to columns 1-10:'
        ' <i class="h">8♥\ufe0e</i> <i class="s">J♠\ufe0e</i>'
    ) in page
    scores = re.findall(r'<span class="score">(\d+)</span>', page)
    assert scores[:3] == ["500", "499", "498"]
    assert (len(scores), scores[28], scores[-1]) == (143, "472", "1158")
    comment = html.page(read_game("deal: native:1\nactions: row@75 # <why>"))
    assert "at 1:15" in comment
    assert "# &lt;why&gt;" in comment


def test_the_page_has_the_commands_and_the_game_as_a_file() -> None:
    relaxed = recorded_game(deal_from_number("7", 1, RowRule.RELAXED), [ROW], comments=["by hand"])
    page = html.page(
        relaxed,
        deal_command="spider-solver show native:7 --suits 1 --rules relaxed",
        game_command="spider-solver solve native:7 --max-width 5",
    )
    assert "<code>spider-solver show native:7 --suits 1 --rules relaxed</code>" in page
    assert "<code>spider-solver solve native:7 --max-width 5</code>" in page
    assert "by hand" in page
    kept = re.search(r'download="native_7.txt" href="data:text/plain;charset=utf-8,(.*?)"', page)
    assert kept
    game = read_game(unquote(kept[1]))
    assert (game.deal, game.comments) == (relaxed.deal, relaxed.comments)


def test_text_of_the_game_never_becomes_markup() -> None:
    text = write_game(recorded_game(one_move_from_won(), []))
    with pytest.raises(SpiderError):
        read_game(f"{text}2-3x{MARKUP}\n")
    game = read_game(f"# {MARKUP}\n{text}2-3x1 # {MARKUP}\n", MARKUP)
    page = html.page(game, deal_command=MARKUP, game_command=MARKUP)
    assert Reader(page).open == []
    assert "<script>alert" not in page
    # The title, the heading, the comment on the game, the comment on the entry, two commands.
    assert page.count("&lt;script&gt;alert") == 6


def test_an_illegal_action_ends_the_page_and_is_reported() -> None:
    page = html.page(recorded_game(one_move_from_won(), [Move(1, 2, 1), Move(5, 0, 1), ROW]))
    assert len(data_of(page)["steps"]) == 1
    assert "Action 2, 6-1x1, is illegal: column 6 is empty" in page
    assert '<p class="verdict illegal">' in page


def test_a_game_too_long_for_a_page_is_refused() -> None:
    game = recorded_game(one_move_from_won(), [Move(1, 2, 1), Move(2, 1, 1)] * 10_001)
    with pytest.raises(SpiderError, match="20002 actions are too many for a page"):
        html.page(game)


# In a browser


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    if browser.is_missing():
        pytest.skip(browser.REASON_TO_SKIP)
    with browser.browser(tmp_path_factory.mktemp("profile")) as driver:
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )
        browser.set_preferences(driver, prefers_reduced_motion="reduce")
        yield driver


@pytest.fixture
def show(driver, tmp_path):
    """A function that opens the page of a game at an action.

    At the end of the test there must be no error and no request in the browser's logs.
    """

    def open_page(game: RecordedGame, number: int = 0, width: int = 1280):
        path = tmp_path / "page.html"
        path.write_text(html.page(game), encoding="utf-8")
        browser.resize(driver, width, 800 if width > 500 else 844)
        driver.get("about:blank")
        driver.get(f"{path.as_uri()}#{number}")
        driver.execute_script("localStorage.clear()")
        return driver

    driver.get_log("browser")
    driver.get_log("performance")
    yield open_page
    assert driver.get_log("browser") == []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            assert message["params"]["request"]["url"].startswith(("file:", "data:", "about:"))


def number_of(driver) -> int:
    return driver.execute_script("return spider.number()")


def press(driver, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(driver).send_keys(*keys).perform()


def click(driver, selector: str) -> None:
    driver.find_element("css selector", selector).click()


@pytest.mark.parametrize("game", [SAMPLE, REVISED, FOUR_SUITS, TOLD])
def test_each_board_is_that_of_the_replay(show, game: RecordedGame) -> None:
    driver = show(game)
    boards = driver.execute_script(
        "return Array.from({length: spider.total + 1}, (_, number) => spider.board(number))"
    )
    replay = Replay(game)
    replay.go_to(len(game.entries))  # the page shows cards that are told later too
    assert len(boards) == len(game.entries) + 1
    for number, board in enumerate(boards):
        replay.go_to(number)
        position = replay.position
        assert board == {
            "columns": [[card_text(card) for card in column] for column in position.columns],
            "down": position.face_down,
            "stock": [card_text(card) for card in position.stock],
            "runs": [SUIT_LETTERS[suit] for suit in position.completed],
            "moves": position.moves,
            "rows": position.rows,
            "score": position.score,
        }


# The number of cards in the columns, which are below the stock and the completed runs.
CARDS_IN_COLUMNS = """
const top = document.querySelectorAll('.label')[0].getBoundingClientRect().top;
return [...document.querySelectorAll('.card')].filter(
    (card) => card.getBoundingClientRect().top >= top).length;
"""


@pytest.mark.parametrize(("width", "start"), [(390, 122), (1280, 0)])
def test_stepping_to_the_end_leaves_an_empty_board_and_eight_completed_runs(
    show, width: int, start: int
) -> None:
    from selenium.webdriver.common.keys import Keys

    driver = show(SAMPLE, start, width)
    replay = Replay(SAMPLE)
    replay.go_to(start)
    cards = sum(map(len, replay.position.columns))
    assert driver.execute_script(CARDS_IN_COLUMNS) == cards
    press(driver, *[Keys.ARROW_RIGHT] * (137 - start))
    assert number_of(driver) == 137
    for _ in range(5):
        click(driver, "#next")
    assert number_of(driver) == 142
    assert driver.execute_script(CARDS_IN_COLUMNS) == 0
    assert driver.find_element("id", "count-runs").text == "8"
    assert driver.find_element("id", "count-score").text == "1158"
    assert driver.find_element("class name", "finish").is_displayed()
    kings = driver.execute_script("""
        const places = [...document.querySelectorAll('.card')].map((card) => {
            const box = card.getBoundingClientRect();
            const seen = document.elementFromPoint(box.left + box.width / 2, box.top + 8);
            return card.contains(seen) ? card.querySelector('b').textContent : '';
        });
        return places.filter(Boolean).join('');
    """)
    assert kings == "K" * 8
    assert not driver.find_element("id", "next").is_enabled()


def test_keys_slider_list_and_marks_go_to_an_action(show) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    driver = show(SAMPLE, 5)
    assert number_of(driver) == 5
    for keys, number in (
        ([Keys.ARROW_LEFT], 4),
        ([Keys.END], 142),
        ([Keys.HOME], 0),
        ([Keys.PAGE_DOWN], 28),
        ([Keys.PAGE_DOWN], 48),
        ([Keys.PAGE_UP], 28),
    ):
        press(driver, *keys)
        assert number_of(driver) == number
    marks = driver.find_elements("css selector", "#marks button")
    assert [mark.accessible_name for mark in marks[:4]] == [
        *("Action 28: row", "Action 48: row", "Action 59: row"),
        "Action 71: completed run of hearts",
    ]
    assert len(marks) == 13
    marks[3].click()
    assert number_of(driver) == 71
    click(driver, '[data-number="73"]')
    assert number_of(driver) == 73
    assert driver.find_element("css selector", "[aria-current]").text.startswith("73")
    slider = driver.find_element("id", "slider")
    assert (slider.get_attribute("value"), slider.aria_role) == ("73", "slider")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert number_of(driver) == 74
    WebDriverWait(driver, 10).until(lambda driver: driver.current_url.endswith("#74"))


def test_playing_stops_at_the_end(show) -> None:
    from selenium.webdriver.support.ui import Select, WebDriverWait

    driver = show(recorded_game(one_move_from_won(), [Move(1, 2, 1), Move(2, 3, 1), Move(3, 0, 1)]))
    Select(driver.find_element("id", "speed")).select_by_index(3)
    click(driver, "#play")
    assert driver.find_element("id", "play").accessible_name == "Pause"
    WebDriverWait(driver, 10).until(lambda driver: number_of(driver) == 3)
    WebDriverWait(driver, 10).until(
        lambda driver: driver.find_element("id", "play").accessible_name == "Play"
    )


def colour(driver, selector: str, name: str = "color") -> str:
    return driver.find_element("css selector", selector).value_of_css_property(name)


def test_four_colours_and_the_dark_and_light_themes(show) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    driver = show(FOUR_SUITS)
    faces = [f".s{suit} .face" for suit in range(4)]
    assert len({colour(driver, face) for face in faces}) == 2
    click(driver, "#four")
    assert driver.find_element("id", "four").get_attribute("aria-pressed") == "true"
    assert len({colour(driver, face) for face in faces}) == 4
    click(driver, "#four")
    background = partial(colour, driver, "body", "background-color")
    light = background()
    browser.set_preferences(driver, prefers_color_scheme="dark", prefers_reduced_motion="reduce")
    WebDriverWait(driver, 10).until(lambda _: background() != light)
    dark = background()
    click(driver, "#theme")
    assert background() == light
    click(driver, "#theme")
    browser.set_preferences(driver, prefers_reduced_motion="reduce")
    assert background() == dark
    click(driver, "#theme")
    WebDriverWait(driver, 10).until(lambda _: background() == light)


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_everything_fits_the_screen(show, width: int) -> None:
    driver = show(SAMPLE, 47, width)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    outside = driver.execute_script("""
        const table = document.getElementById('table').getBoundingClientRect();
        return [...document.querySelectorAll('.card')].filter((card) => {
            const box = card.getBoundingClientRect();
            return box.left < table.left || box.right > table.right || box.bottom > table.bottom;
        }).length;
    """)
    assert outside == 0
    play = driver.find_element("id", "play")
    assert play.rect["y"] + play.rect["height"] <= (800 if width > 500 else 844)
    index = driver.execute_script(
        "return parseFloat(getComputedStyle(document.querySelector('.corner')).fontSize)"
    )
    assert index >= 11.5


def test_a_screen_reader_gets_the_board_and_the_action(show) -> None:
    driver = show(SAMPLE, 28)
    assert (
        driver.find_element("id", "status")
        .get_attribute("textContent")
        .startswith(
            "Action 28 of 142. row to columns 1-10: eight of hearts jack of spades ten of hearts"
        )
    )
    columns = driver.find_elements("css selector", "#words-columns li")
    words = [column.get_attribute("textContent") for column in columns]
    assert words[0] == "Column 1: 3 face down, then seven of hearts, eight of hearts"
    stock = driver.find_element("id", "words-stock")
    assert stock.get_attribute("textContent") == "Stock: 4 rows left. Completed runs: none."
    rows_dealt = [step["rows"] for step in data_of(html.page(SAMPLE))["steps"]]
    driver.execute_script("spider.show(arguments[0])", rows_dealt.index(4) + 1)
    assert stock.get_attribute("textContent").startswith("Stock: 1 row left. ")
    nameless = driver.execute_script("""
        return [...document.querySelectorAll('button, input, select, a')].filter((element) =>
            !(element.getAttribute('aria-label') || element.textContent.trim() ||
              element.closest('label'))).map((element) => element.outerHTML);
    """)
    assert nameless == []
    assert driver.find_element("tag name", "html").get_attribute("lang") == "en"
