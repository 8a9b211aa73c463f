"""Plays games in Chromium: clicks on the board, live updates in two languages, keyboard, phones, no JavaScript, and accessibility."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, Page, Route, expect, sync_playwright
from playwright.sync_api import Browser as Chromium
from tmp_files import bench

from .browser import Browser
from .conftest import serving

web_games = bench("web_games")
pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")]
PHONE, LAPTOP = {"width": 360, "height": 640}, {"width": 1280, "height": 800}
SERIOUS = ("serious", "critical")
expect.set_options(timeout=60_000)                                 # a busy machine is slow, and a page that is right does not wait


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_table(server, chromium):
    """`open_table(game)`: the pages of all people at a new table, each in a browser of its own."""
    contexts = []

    def sit(game: str, langs: tuple[str, ...] = ("en", "it"), viewport=LAPTOP, scripts: bool = True, touch: bool = False,
            **fields: str) -> list[Page]:
        _, links = Browser(server).create(game, **fields)
        pages = []
        for link, lang, name in zip(links, langs, ("Anna", "Piero")):
            contexts.append(chromium.new_context(viewport=viewport, locale=lang, java_script_enabled=scripts,
                                                 has_touch=touch, is_mobile=touch))
            page = contexts[-1].new_page()
            page.set_default_timeout(60_000)
            page.goto(link)
            page.fill("input[name=name]", name)
            page.click("main button")
            page.locator("#table").wait_for()                      # the form has been answered
            pages.append(page)
        pages[0].reload()
        return pages
    yield sit
    for context in contexts:
        context.close()


def click_place(page: Page, label: str) -> None:
    page.locator(f'a.target[aria-label^="{label}"]').first.click()


def find_asked(pages: list[Page]) -> Page:
    """Returns the page of the person who must decide. Chance can choose the first player."""
    asked = web_games.find_asked(pages)
    assert asked is not None
    return asked


def test_a_game_is_played_by_clicks_on_the_board_in_two_languages(open_table):
    anna, piero = open_table("tic-tac-toe")
    for page, place in zip([anna, piero] * 3, ("a1", "a2", "b1", "b2", "c1")):
        expect(page).to_have_title(re.compile("^●"))               # it is the turn of this browser, without a reload
        click_place(page, place)
    expect(anna.locator("#question")).to_contain_text("Anna wins")
    expect(piero.locator("#question")).to_contain_text("Vince Anna")
    assert anna.evaluate("document.documentElement.lang") == "en" and piero.evaluate("document.documentElement.lang") == "it"


def test_two_clicks_choose_a_piece_and_its_destination(open_table):
    anna, piero = open_table("chess")
    click_place(anna, "e2")
    expect(anna.locator(".options li:visible")).to_have_count(2)
    click_place(anna, "e4")
    expect(piero.locator(".log")).to_contain_text("e4")
    expect(piero).to_have_title(re.compile("Tocca a te"))


def test_card_shows_only_its_options_until_all_are_wanted_again(open_table):
    pages = open_table("evolution", viewport=PHONE, touch=True)
    shared = ""
    while not shared:                                              # until a card can be played in several ways
        page = find_asked(pages)
        places = page.locator(".options li").evaluate_all("found => found.flatMap(one => one.dataset.places.split(' '))")
        shared = next((place for place in places if place and places.count(place) > 1), "")
        if not shared:
            web_games.click_option(page, page.locator(".options button").first.get_attribute("value"), web_games.Played())
    assert page.locator(".options li:visible").count() <= 2        # such as “pass”
    page.locator(f'.line a.target[href="#{shared}"]').first.click()
    expect(page.locator(".options li:visible")).to_have_count(places.count(shared))
    page.locator("[data-all]").click()
    expect(page.locator("[data-all]")).to_be_hidden()
    expect(page.locator(".options li:visible")).to_have_count(page.locator(".options li").count())


def test_update_keeps_what_the_reader_has_opened_typed_and_picked(open_table):
    anna, piero = open_table("chess")
    anna.goto(f"{anna.url}?look=e4&log=all")
    anna.locator("details[data-key=device] summary").click()
    anna.fill("#why", "d5")
    click_place(anna, "e2")
    piero.fill("#say", "Hello")
    piero.keyboard.press("Enter")
    expect(anna.locator(".messages")).to_contain_text("Hello")
    expect(anna.locator("#answer")).to_be_visible()
    expect(anna.locator("details[data-key=device] input")).to_be_visible()
    expect(anna.locator("#why")).to_have_value("d5")
    expect(anna.locator(".options li:visible")).to_have_count(2)
    click_place(anna, "e4")
    expect(piero.locator(".log")).to_contain_text("e4")
    expect(anna.locator("#table")).to_have_class("idle")
    expect(anna.locator("#answer")).to_be_visible()


def test_reader_who_wants_it_is_notified_of_a_turn_while_the_page_is_hidden(open_table):
    anna, piero = open_table("tic-tac-toe")
    piero.context.grant_permissions(["notifications"])
    piero.add_init_script("""
        window.shown = [];
        window.Notification = class { constructor(text) { window.shown.push(text); } };
        window.Notification.permission = "granted";
        window.Notification.requestPermission = async () => "granted";
        window.away = false;
        Object.defineProperty(document, "hidden", { get: () => window.away });
    """)
    piero.reload()
    piero.evaluate("window.away = true")
    click_place(anna, "a1")
    expect(piero).to_have_title(re.compile("^●"))
    assert piero.evaluate("window.shown") == []                    # off by default
    piero.evaluate("window.away = false")
    piero.click("#notify")
    expect(piero.locator("#notify")).to_have_attribute("aria-pressed", "true")
    click_place(piero, "a2")
    expect(anna).to_have_title(re.compile("^●"))
    piero.evaluate("window.away = true")
    click_place(anna, "b1")
    expect(piero).to_have_title(re.compile("^●"))
    assert piero.evaluate("window.shown") == ["● Tocca a te – Tris"]


def test_copy_button_copies_a_link_and_is_hidden_without_scripts(server, chromium):
    for scripts in (True, False):
        context = chromium.new_context(java_script_enabled=scripts, permissions=["clipboard-read", "clipboard-write"])
        page, host, = context.new_page(), Browser(server).create("hex")[0]
        page.goto(host)
        button = page.locator("[data-copy]").first
        expect(button).to_be_visible(visible=scripts)
        if scripts:
            button.click()
            expect(button).to_have_text("Copied")
            assert page.evaluate("navigator.clipboard.readText()") == page.locator(".copy input").first.input_value()
        context.close()


def test_arrow_keys_lead_through_a_replay(open_table):
    anna, piero = open_table("tic-tac-toe")
    click_place(anna, "b2")
    expect(piero).to_have_title(re.compile("^●"))
    click_place(piero, "a1")
    expect(anna).to_have_title(re.compile("^●"))
    anna.goto(f"{anna.url}/replay")
    for key, step in (("ArrowLeft", 1), ("Home", 0), ("ArrowRight", 1), ("End", 2)):
        anna.keyboard.press(key)
        expect(anna.locator("#asked")).to_have_text(f"Step {step} of 2")
    assert anna.url.endswith("/replay?at=2")


def test_a_double_click_plays_once(open_table):
    anna, piero = open_table("hex")
    anna.locator('a.target[aria-label^="e5"]').first.dblclick()
    expect(piero.locator(".log p")).to_have_count(1)
    expect(piero).to_have_title(re.compile("^●"))


def test_outdated_tab_cannot_play(open_table):
    anna, piero = open_table("hex")
    old = anna.context.new_page()
    old.route("**/events**", lambda route: route.abort())
    old.goto(anna.url)
    click_place(anna, "e5")
    expect(piero).to_have_title(re.compile("^●"))
    click_place(old, "f6")
    expect(old.locator(".message")).to_contain_text("your choice was not used")
    expect(piero.locator(".log p")).to_have_count(1)


def test_game_can_be_played_by_keyboard(open_table):
    anna, piero = open_table("tic-tac-toe")
    anna.keyboard.press("5")
    expect(anna.locator("#choose-5")).to_be_focused()
    anna.keyboard.press("Enter")
    expect(piero).to_have_title(re.compile("^●"))
    piero.locator("a.target").first.focus()
    piero.keyboard.press("Enter")
    expect(anna).to_have_title(re.compile("^●"))


def test_a_page_that_was_offline_catches_up(open_table):
    anna, piero = open_table("tic-tac-toe")
    piero.context.set_offline(True)
    click_place(anna, "b2")
    piero.context.set_offline(False)
    expect(piero).to_have_title(re.compile("^●"))


def test_a_page_that_failed_to_load_after_an_announcement_is_loaded_again(open_table):
    anna, piero = open_table("tic-tac-toe")
    is_page = re.compile(r"/table/[^/]+/\d+$")
    piero.route(is_page, lambda route: route.abort())              # the stream stays open
    click_place(anna, "b2")
    expect(piero.locator("#lost")).to_be_visible()
    piero.unroute(is_page)
    expect(piero).to_have_title(re.compile("^●"))
    expect(piero.locator("#lost")).to_be_hidden()


def test_a_game_is_played_without_scripts(open_table):
    anna, piero = open_table("tic-tac-toe", scripts=False)
    click_place(anna, "c3")                                        # a link to the option
    expect(anna.locator(".options li:has(:target) button")).to_have_attribute("value", "cell=c3")
    for page, place in zip([anna, piero] * 3, ("a1", "a2", "b1", "b2", "c1")):
        page.reload()
        page.locator(f'.options button[value="cell={place}"]').click()
    expect(anna.locator("#question")).to_contain_text("Anna wins")


def test_a_late_answer_does_not_bring_back_an_old_page(open_table):
    anna, piero = open_table("tic-tac-toe")
    held: list[tuple[Route, APIResponse]] = []
    def hold(route: Route) -> None:
        if route.request.method == "POST" or held:
            route.continue_()
        else:
            held.append((route, route.fetch()))
    anna.route(re.compile(f"{re.escape(anna.url)}(/play)?$"), hold)
    piero.fill("#say", "Hello")
    piero.keyboard.press("Enter")
    while not held:
        anna.wait_for_timeout(20)
    click_place(anna, "a1")
    expect(piero).to_have_title(re.compile("^●"))
    expect(anna.locator("#table")).to_have_class("idle")
    with anna.expect_response(anna.url):
        held[0][0].fulfill(response=held[0][1])
    anna.wait_for_timeout(200)
    assert anna.get_attribute("#table", "class") == "idle"


def test_a_bot_plays_to_the_end(open_table):
    (anna,) = open_table("tic-tac-toe", kind1="bot:random")
    while anna.locator("ul.standing").count() == 0:
        anna.locator("#table.asked, ul.standing").first.wait_for()
        if anna.locator("#table.asked").count():
            sequence = anna.input_value(".options [name=sequence]")
            anna.locator(".options li button").first.click()
            anna.wait_for_function("old => document.querySelector('.options [name=sequence]')?.value !== old", arg=sequence)


def test_chat_messages_reach_other_players(open_table):
    anna, piero = open_table("hex")
    piero.fill("#say", "half a mess")                              # still typing
    anna.fill("#say", "Hello")
    anna.keyboard.press("Enter")
    expect(piero.locator(".messages")).to_contain_text("Anna: Hello")
    expect(piero.locator("#say")).to_have_value("half a mess")
    expect(anna.locator("#say")).to_have_value("")


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_pages_are_accessible(server, open_table, viewport):
    tables = [open_table(game, viewport=viewport)[0] for game in ("hex", "hearts", "dominant-species")]
    lobby = tables[0].context.new_page()
    host = Browser(server).create("hex")[0]
    before = [server, f"{server}/new/dominant-species?players=3", host]
    for page, paths in [(table, [table.url, f"{table.url}/replay", server]) for table in tables] + [(lobby, before)]:
        for path in paths:
            page.goto(path)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                found = Axe().run(page).response["violations"]
                wrong = [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found if one["impact"] in SERIOUS]
                assert not wrong, (path, scheme, wrong)


@pytest.mark.parametrize("game", ["hex", "evolution", "dominant-species", "go"])
def test_page_fits_the_width_of_a_phone(open_table, game):
    page = open_table(game, viewport=PHONE)[0]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_fingers_hit_links_and_see_whole_options_on_a_phone(open_table):
    page = find_asked(open_table("evolution", viewport=PHONE, touch=True))
    links = page.locator(".players a, .tools li > a").evaluate_all("found => found.map(one => one.getBoundingClientRect().height)")
    assert len(links) >= 3 and min(links) >= 40
    page.locator("[data-all]").click()
    options = page.locator(".options button:visible").evaluate_all("found => found.map(one => one.getBoundingClientRect().right)")
    assert len(options) >= 2 and max(options) <= PHONE["width"]


def test_content_security_policy_allows_own_resources(chromium, tmp_path):
    with serving(tmp_path) as (url, _):
        _, links = Browser(url).create("hex")
        page = chromium.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(links[0])
        page.click("main button")
        page.goto(page.url + "/rules")
        assert page.locator("h1").count() == 1 and not said
        page.close()


def test_cards_keep_the_colour_of_their_suit_when_they_can_be_chosen(open_table):
    anna = open_table("hearts", players="4", kind2="bot:random", kind3="bot:random")[0]
    for scheme in ("light", "dark"):
        anna.emulate_media(color_scheme=scheme)
        colours = anna.locator("a.target.card").evaluate_all("found => found.map(one => getComputedStyle(one).color)")
        faces = anna.locator("a.target.card > [aria-hidden]").all_inner_texts()
        assert len({face[-1] for face in faces}) == len(set(colours)) > 1


def test_link_to_a_new_message_is_shown_until_the_chat_is_seen(open_table):
    anna, piero = open_table("chess", viewport=PHONE)
    piero.fill("#say", "Hello")
    piero.keyboard.press("Enter")
    expect(anna.locator(".unread")).to_be_visible()
    expect(piero.locator(".unread")).to_be_hidden()                # an own message
    anna.locator(".unread a").click()
    expect(anna.locator(".unread")).to_be_hidden()
    anna.reload()
    expect(anna.locator(".messages")).to_contain_text("Hello")
    expect(anna.locator(".unread")).to_be_hidden()


def test_common_table_and_hand_are_above_tables_of_points_on_a_phone(open_table):
    anna = open_table("hearts", viewport=PHONE, players="4", kind2="bot:random", kind3="bot:random")[0]
    top = "found => found.getBoundingClientRect().top"
    tops = [anna.locator(one).first.evaluate(top) for one in ('[aria-label="On the table"]', ".own-hand", ".panel.grid")]
    assert tops == sorted(tops)


def choose(page: Page, *starts: str) -> None:
    """Clicks the first option whose spelling has the first possible start."""
    options = page.locator(".options ol button").evaluate_all("found => found.map(one => one.value)")
    option = next(one for start in starts for one in options if one.startswith(start))
    web_games.click_option(page, option, web_games.Played())


def test_hand_is_in_view_next_to_many_options_on_a_wide_page(open_table):
    pages = open_table("evolution")
    for start in ("animal", "animal"):
        choose(find_asked(pages), start)
    page = find_asked(pages)
    page.reload()
    assert page.locator(".options ol button").count() > 8
    hand, question = page.locator(".own-hand").bounding_box(), page.locator("#question").bounding_box()
    assert hand and question and hand["y"] >= question["y"] + question["height"] and hand["y"] + hand["height"] <= LAPTOP["height"]


def test_things_to_choose_are_above_the_news_on_a_phone(open_table):
    pages = open_table("evolution", viewport=PHONE, touch=True)
    for starts in (("animal",), ("animal",), ("decline",), ("decline",)):
        choose(find_asked(pages), *starts)
    page = find_asked(pages)
    expect(page.locator(".news")).to_be_visible()
    top = "found => found.getBoundingClientRect().top"
    assert page.locator(".panels .panel:has(a.target)").first.evaluate(top) < page.locator(".news").evaluate(top)


def test_few_options_are_listed_on_a_phone(open_table):
    anna, piero = open_table("tic-tac-toe", viewport=PHONE, touch=True)
    assert anna.locator(".options li:visible").count() == 0
    expect(anna.locator(".hint")).to_be_visible()
    for page, place in zip([anna, piero] * 3, ("a1", "b2", "c3", "b1", "b3")):
        expect(page).to_have_title(re.compile("^●"))
        click_place(page, place)
    expect(piero.locator(".options li:visible")).to_have_count(4)
    expect(piero.locator(".hint")).to_be_hidden()


def test_tap_on_a_card_shows_its_option_before_a_second_tap_chooses_it(open_table):
    anna = open_table("hearts", viewport=PHONE, touch=True, players="4", kind2="bot:random", kind3="bot:random")[0]
    card = anna.locator(".own-hand a.target").first
    card.tap()
    expect(anna.locator(".options li:visible")).to_have_count(1)
    expect(card).to_have_class(re.compile("picked"))
    assert anna.locator(".chosen").count() == 0
    card.tap()
    expect(anna.locator(".chosen")).to_be_visible()


def test_board_is_at_the_top_of_a_wide_page_with_the_news_next_to_it(open_table):
    anna = open_table("chess", kind1="bot:random")[0]
    anna.locator(".options button").first.click()
    expect(anna.locator(".news")).to_be_visible()
    boxes = [anna.locator(selector).bounding_box() for selector in ("#question", ".panel.board", ".news")]
    question, board, news = [box for box in boxes if box]
    assert board["y"] == question["y"]
    assert news["x"] == question["x"] > board["x"] + board["width"]


def test_number_of_players_changes_the_form(server, chromium):
    page = chromium.new_page()
    page.goto(f"{server}/new/evolution")
    page.select_option("select[name=players]", "4")
    expect(page.locator("input[name=name3]")).to_be_visible()
    page.close()


def test_other_people_learn_of_a_proposed_match_at_once(open_table):
    pages = anna, piero = open_table("tic-tac-toe")
    for page, place in zip([anna, piero] * 3, ("a1", "a2", "b1", "b2", "c1")):
        expect(page).to_have_title(re.compile("^●"))
        click_place(page, place)
    pages[1].locator("#again").wait_for()
    anna.click("#again")
    expect(piero).to_have_title(re.compile("^●"))
    expect(piero.locator("#next")).to_be_visible()
