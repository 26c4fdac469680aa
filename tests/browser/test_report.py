"""The report in a real browser: what a reader does, and what a reader may expect."""

import re
from pathlib import Path

import pytest
from accessibility import complaints

from causalrules.report.words.contrast_words import own_ratio
from causalrules.report.words.result_kinds import n_hypotheses

EVERY_REPORT = ["one study", "census", "strange"]


def rules_shown(page):
    return page.locator(".rule-table > tbody > tr:not(.card-row)")


def in_table(result):
    """The rules that are no findings."""
    return [rule for rule in result.tested if rule.verdict in ("rejected", "untestable")]


def choose(page, **filters):
    for name, value in filters.items():
        field = page.locator(f".filters [name={name}]")
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


@pytest.mark.parametrize("name", EVERY_REPORT)
def test_it_opens_with_the_answer_in_words(show, reports, name):
    page, result = show(name), reports.result(name)
    assert page.locator("h1").count() == 1
    if name == "one study":
        assert page.locator("h1").inner_text() == "Does treatment=new cause ill=yes?"
        assert page.locator(".card").count() == 1
    else:
        assert page.locator("h1").inner_text() == f"What causes {result.data.outcome}?"
        assert f"Among {n_hypotheses(result):,} hypotheses" in page.locator(".lead").inner_text()
        assert rules_shown(page).count() == len(in_table(result))


@pytest.mark.parametrize("name", ["findings", "adult findings", "census"])
def test_every_finding_has_its_marks(show, reports, name):
    page, result = show(name), reports.result(name)
    shown = [rule for rule in result.tested if rule not in in_table(result)]
    marks = page.locator(".contrast .mark.adjusted")
    assert marks.count() == page.locator(".contrast .mark.crude").count() == len(shown)
    boxes = [mark.bounding_box() for mark in marks.all()]
    assert all(box["width"] > 3 and box["height"] > 3 for box in boxes)
    assert len({round(box["x"]) for box in boxes}) > 1


def test_the_axis_is_logarithmic_and_places_on_it_tell_the_odds(show, reports):
    from math import log

    page = show("findings")
    tick = {
        label.inner_text(): label.bounding_box()["x"] + label.bounding_box()["width"] / 2
        for label in page.locator(".findings .axis .tick").all()
    }
    doubling = tick["×2"] - tick["1"]
    assert tick["1"] - tick["÷2"] == pytest.approx(doubling, abs=1)
    by_name = {rule.name: rule for rule in reports.result("findings").causal}
    rows = page.locator(".contrast.of-causal > .row").all()
    assert len(rows) == len(by_name)
    for row in rows:
        box = row.locator(".mark.adjusted").bounding_box()
        own = by_name[row.locator(".open").inner_text().replace("\n", "")].of_the_outcome()
        expected = tick["1"] + doubling * log(own.adjusted_odds_ratio.value, 2)
        assert box["x"] + box["width"] / 2 == pytest.approx(expected, abs=1.5)


def test_rules_are_sorted_both_ways_and_say_so(show, reports):
    page, rules = show("census"), in_table(reports.result("census"))
    header = page.locator(".rule-table > thead th", has_text="Crude")
    assert header.get_attribute("aria-sort") == "none"
    for order in ("descending", "ascending"):
        header.get_by_role("button").click()
        assert header.get_attribute("aria-sort") == order
        shown = page.locator(".rule-table > tbody .open").all_inner_texts()
        crude = {rule.name: float(f"{rule.odds_ratio.value:.6g}") for rule in rules}
        numbers = [crude[name.replace("\n", "")] for name in shown]
        assert numbers == sorted(numbers, reverse=order == "descending")
        assert len(set(numbers)) > 10


def test_rules_are_searched_and_filtered(show, reports):
    page, rules = show("census"), in_table(reports.result("census"))
    assert page.locator(".status").inner_text() == f"{len(rules)} of {len(rules)} rules"
    assert rules_shown(page).count() == len(rules) > 50
    word = rules[0].pattern[0].column
    choose(page, words=word)
    assert rules_shown(page).count() == sum(word in rule.name for rule in rules)
    one = next(rule for rule in rules if (rule.verdict, rule.direction) == ("rejected", "lowers"))
    column = one.pattern[0].column
    choose(page, words="", verdict="rejected", direction="lowers", size="1", column=column, least="1.01")
    expected = [
        rule
        for rule in rules
        if (rule.verdict, rule.direction, rule.length) == ("rejected", "lowers", 1)
        and rule.pattern[0].column == column
        and rule.adjusted_odds_ratio.value >= 1.01
    ]
    assert rules_shown(page).count() == len(expected)
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function("() => document.querySelectorAll('.rule-table > tbody > tr').length > 20")
    assert rules_shown(page).count() == len(rules)


def test_a_card_tells_the_evidence(show, reports):
    page, result = show("adult findings"), reports.result("adult findings")
    rule = result.causal[1]
    row = page.locator("#rule-2")
    row.locator(".open").click()
    card = page.locator(".card")
    assert rule.name in card.locator(".sentence").inner_text()
    items = [one for one in rule.balance.items if one.item.column not in rule.design.near_copies]
    assert card.locator(".love .rows .mark.after").count() == len(items)
    assert card.locator(".hidden .mark").count() == 3
    assert f"{rule.doubts.gamma:.2f}" in card.locator(".hidden .text").nth(1).inner_text()
    row.locator(".open").click()
    assert page.locator(".card").count() == 0


def test_a_rejected_rule_says_why_not(show, reports):
    rule, page = reports.result("one study").tested[0], show("one study")
    (step,) = rule.explanation.steps
    ratio = own_ratio(rule, step.odds_ratio)
    told = f"odds ratio {ratio.value:.2f} ({ratio.low:.2f} – {ratio.high:.2f}) adjusted for severity=high"
    assert told in page.locator(".card .facts").inner_text()


def test_an_address_opens_the_card_it_names(show, reports):
    last = len(reports.result("adult findings").tested)
    page = show("adult findings", f"#rule-{last}")
    assert page.locator(f"#rule-{last} [aria-expanded=true]").count() == 1
    assert page.locator(f"#rule-{last}").bounding_box()["y"] < 900
    page.locator(".variables a[href='#rule-1']").first.click()
    page.locator("#rule-1 ~ .card, #rule-1 .card").first.wait_for()
    assert page.locator(".card").count() == 2


def test_the_keyboard_is_enough(show):
    page = show("findings")
    page.locator(".filters [name=words]").focus()
    page.keyboard.type("drug_a=yes")
    assert page.locator(".status").inner_text().startswith("1 of ")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "open":
            break
    page.keyboard.press("Enter")
    assert page.locator(".card .sentence").is_visible()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Space")
    assert page.locator(".card").count() == 0


def test_the_funnel_counts_what_the_run_counted(show, reports):
    page, result = show("adult findings"), reports.result("adult findings")
    levels = page.locator(".funnel .level").all()
    assert len(levels) == len(result.by_length)
    for level, counts in zip(levels, result.by_length.values(), strict=True):
        shown = [int(text.replace(",", "")) for text in level.locator(".text").all_inner_texts()]
        assert shown == [counts[name] for name in ("candidates", "frequent", "associations", "causal")]
        widths = [bar.bounding_box()["width"] for bar in level.locator(".bar").all()]
        assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("name", EVERY_REPORT)
def test_a_phone_shows_everything_within_its_width(show, name):
    page = show(name, "#rule-1", viewport={"width": 360, "height": 740})
    assert page.locator(".card").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('.page *')].filter(node => !node.closest('svg, .scroll, pre'))
            .filter(node => node.getBoundingClientRect().right > 361).map(node => node.className)"""
    )
    assert beyond == []


def test_paper_shows_all_rules_and_the_strongest_cards(show, reports, tmp_path):
    page, result = show("census"), reports.result("census")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert rules_shown(page).count() == len(in_table(result))
    assert page.locator(".evidence .card").count() == 10
    assert not page.locator(".filters").is_visible()
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".card").count() == 0
    assert page.pdf(path=tmp_path / "report.pdf")[:4] == b"%PDF"


def luminance(colour):
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_it_is_dark_where_the_reader_likes_it_dark(show):
    shades = {}
    for scheme in ("light", "dark"):
        body = show("findings", color_scheme=scheme).locator("body")
        shades[scheme] = luminance(body.evaluate("node => getComputedStyle(node).backgroundColor"))
        ink = luminance(body.evaluate("node => getComputedStyle(node).color"))
        assert (ink < shades[scheme]) == (scheme == "light")
    assert shades["dark"] < 60 < 200 < shades["light"]


@pytest.mark.parametrize("name", EVERY_REPORT)
def test_axe_finds_nothing_serious(show, name):
    page = show(name, "#rule-1")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert complaints(page, "light", "dark", but=("minor",)) == []


def test_strange_names_are_texts_and_can_be_seen_whole(show, reports):
    page = show("strange")
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("img").count() == 0
    found = page.locator(".findings.of-undecided")
    assert "</script><script>alert('severity')</script>" in found.inner_text()
    hebrew = found.locator(".label bdi", has_text="פעילות").first
    assert hebrew.evaluate("node => getComputedStyle(node).unicodeBidi") == "isolate"
    choose(page, words="long")
    rules_shown(page).first.get_by_role("button").click()
    clipped = page.locator(".card .chip", has_text="long long").first
    assert len(clipped.inner_text()) < 200
    clipped.get_by_role("button", name="whole name").click()
    assert "long " * 1999 in clipped.locator(".name").evaluate("node => node.textContent")


def test_whoever_listens_hears_which_items_were_picked(show, reports):
    page = show("findings")
    page.evaluate(
        """() => causalrules.showResult(document.getElementById('page'),
            JSON.parse(document.getElementById('result').textContent),
            { onPickItem: (items) => { window.picked = items; } })"""
    )
    page.locator("#rule-1 .open").click()
    page.locator(".card .part .chip .pick").first.click()
    (item,) = page.evaluate("window.picked")
    assert set(item) == {"column", "value"}
    page.get_by_role("button", name="Ask about this pattern").click()
    pattern = reports.result("findings").tested[0].pattern
    assert page.evaluate("window.picked") == [
        {"column": item.column, "value": item.value} for item in pattern
    ]


def test_the_scripts_leave_one_name_behind(show, open_page, tmp_path):
    (tmp_path / "empty.html").write_text("<!doctype html><title>empty</title>")
    names = "Object.getOwnPropertyNames(window)"
    without = set(open_page((tmp_path / "empty.html").as_uri()).evaluate(names))
    assert set(show("findings").evaluate(names)) - without == {"causalrules"}


def test_nearly_a_hundred_rules_make_a_file_of_less_than_1_mb(reports):
    from urllib.parse import unquote, urlsplit

    file = Path(unquote(urlsplit(reports.address("census")).path))
    assert len(reports.result("census").tested) > 90
    assert file.stat().st_size < 1_000_000
