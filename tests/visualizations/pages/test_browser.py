"""A report in a real headless browser: by keyboard, on a phone, without a request or a word in the log."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from runlineage import Scenarios, report

pytestmark = pytest.mark.browser
FOUND = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    runs = [Scenarios[name] for name in ("gpt-3", "bloom", "llama 3.1 405b")]
    return report(runs, tmp_path_factory.mktemp("page") / "report.html").as_uri()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if not all(FOUND):
        sentence = "chromium and chromedriver are not installed: sh tests/install_chromium.sh"
        pytest.fail(sentence) if os.environ.get("CI") else pytest.skip(sentence)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(FOUND[0])
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(str(FOUND[1])))
    yield browser
    browser.quit()


@pytest.fixture
def browser(chromium: Any, page: str) -> Iterator[Any]:
    chromium.get("about:blank")
    for log in ("browser", "performance"):
        chromium.get_log(log)
    chromium.get(page)
    yield chromium
    assert chromium.get_log("browser") == []


def find(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def test_a_number_unfolds_by_keyboard_and_leads_to_its_source(browser: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    def press(key: str) -> Any:
        ActionChains(browser).send_keys(key).perform()
        return browser.switch_to.active_element

    for _ in range(60):
        if press(Keys.TAB).tag_name == "summary":
            break
    number = browser.execute_script("return document.activeElement.parentElement")
    assert number.get_attribute("class") == "number"
    assert not number.get_property("open")
    press(Keys.ENTER)
    assert number.get_property("open")
    assert find(browser, "details[open] .step").is_displayed()
    link = press(Keys.TAB)
    assert link.text == "Brown et al. (2020)"
    outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    entry = press(Keys.ENTER)
    assert entry.get_attribute("id").startswith("source-")
    assert "Language Models are Few-Shot Learners" in entry.text
    assert "https://arxiv.org/abs/2005.14165" in entry.text


def test_a_number_of_the_overview_leads_to_the_unfolded_one(browser: Any) -> None:
    find(browser, ".overview tbody tr:nth-child(2) td:nth-of-type(3) a").click()
    assert find(browser, "#run-2 details:target").get_property("open")


def test_the_overview_sorts_searches_and_filters_and_the_csv_follows(browser: Any) -> None:
    def shown() -> list[str]:
        rows = browser.find_elements("css selector", ".overview tbody tr:not([hidden])")
        return [row.find_element("css selector", "th").text for row in rows]

    def lines() -> list[str]:
        address = browser.execute_script("return document.getElementById('csv').href")
        return [line.partition(",")[0] for line in unquote(address.partition(",")[2]).split("\r\n")[1:-1]]

    published = ["GPT-3 175B", "BLOOM 176B", "Llama 3.1 405B"]
    assert shown() == lines() == published
    heads = {each.text.split("\n")[0]: each for each in browser.find_elements("css selector", ".overview thead th")}
    heads["energy"].find_element("css selector", "button").click()
    assert shown() == lines() == ["Llama 3.1 405B", "BLOOM 176B", "GPT-3 175B"]  # what is missing stays last
    assert heads["energy"].get_attribute("aria-sort") == "descending"
    heads["energy"].find_element("css selector", "button").click()
    assert shown() == ["BLOOM 176B", "Llama 3.1 405B", "GPT-3 175B"]
    find(browser, "#find").send_keys("h100")
    assert shown() == lines() == ["Llama 3.1 405B"]
    assert find(browser, "#count").text == "1 of 3 runs"
    assert not find(browser, "#run-1").is_displayed()
    browser.execute_script("location.hash = '#run-1-2'")  # a link to what is filtered out shows all again
    browser.execute_async_script("setTimeout(arguments[0], 50)")
    assert find(browser, "#run-1").is_displayed()
    browser.execute_script("document.getElementById('kind').value = 'is-stated'")
    browser.execute_script("document.getElementById('kind').dispatchEvent(new Event('change'))")
    assert shown() == []


def test_without_script_the_page_is_read_whole(chromium: Any, page: str) -> None:
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(page)
        assert not find(chromium, ".find").is_displayed()
        assert len(chromium.find_elements("css selector", ".overview tbody tr")) == 3
        find(chromium, "#run-1 .number summary").click()
        assert find(chromium, "#run-1 details[open] .step").is_displayed()
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, scheme: str) -> None:
    if not os.environ.get("CI"):
        pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    import axe_core_python as axe

    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    try:
        browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        browser.execute_script((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
        found = browser.execute_async_script("axe.run(document).then(arguments[0])")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert len(found["passes"]) > 10
    assert [each["id"] for each in found["violations"] if each["impact"] in ("serious", "critical")] == []


def test_nothing_is_asked_of_any_other_place(browser: Any, page: str) -> None:
    browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    messages = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]
    asked = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    assert [each for each in asked if each != "about:blank"] == [page]
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_the_diagram_zooms_pans_and_resets(browser: Any) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    find(browser, "#run-3 .diagram summary").click()
    picture = find(browser, "#run-3 .drawn > svg")

    def matrix() -> list[float]:
        style = browser.execute_script("return getComputedStyle(arguments[0]).transform", picture)
        return [float(each) for each in style.removeprefix("matrix(").removesuffix(")").split(",")]

    def settled(wanted: Any) -> None:
        WebDriverWait(browser, 5).until(lambda _: wanted(matrix()))

    def zoom(way: str) -> None:
        find(browser, f"#run-3 [data-zoom={way}]").click()

    def fingers() -> str:
        return str(browser.execute_script("return getComputedStyle(arguments[0]).touchAction", picture))

    WebDriverWait(browser, 5).until(lambda _: find(browser, "#run-3 .tools").is_displayed())  # once it has unfolded
    assert fingers() == "pan-y"  # a finger scrolls the page past it
    zoom("in")
    settled(lambda now: now[0] > 1.2)
    assert fingers() == "none"
    ActionChains(browser).move_to_element(find(browser, "#run-3 .drawn")).click_and_hold().move_by_offset(
        40, 20
    ).perform()
    ActionChains(browser).release().perform()
    settled(lambda now: now[4] > 5 and now[5] > 5)
    zoom("reset")
    settled(lambda now: now[0] == 1 and now[4] == 0)
    assert fingers() == "pan-y"
    zoom("out")
    settled(lambda now: now[0] < 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_needs_no_sideways_scrolling(browser: Any, scheme: str) -> None:
    sized = {"width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sized)
    preferred = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preferred)
    try:
        browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert browser.execute_script("return document.documentElement.scrollWidth") == 360
        ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}[scheme]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_paper_shows_every_number_unfolded(browser: Any) -> None:
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.find_elements("css selector", "details:not([open])") == []
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.find_elements("css selector", "details[open]") == []


def test_a_long_name_leaves_the_numbers_in_sight(browser: Any, tmp_path: Path) -> None:
    run = Scenarios["bloom"].variant(name="x" * 300)
    browser.get(report([run, run], tmp_path / "long.html").as_uri())
    table = find(browser, "#overview .wide")
    assert browser.execute_script("return arguments[0].scrollWidth <= arguments[0].clientWidth", table)
