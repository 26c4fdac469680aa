"""The report in a real browser: what a reader does, and what a reader may expect."""

import re
from pathlib import Path

import pytest
from accessibility import complaints

EVERY_REPORT = ["hospital", "one study", "adult", "census", "strange"]


def rules_shown(page):
    return page.locator(".rule-table > tbody > tr:not(.card-row)")


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
        assert f"Among {len(result.tested):,} associations" in page.locator(".lead").inner_text()
        assert rules_shown(page).count() == len(result.causal)


@pytest.mark.parametrize("name", ["hospital", "adult", "census"])
def test_the_forest_has_a_mark_for_every_causal_rule(show, reports, name):
    page, result = show(name), reports.result(name)
    more = page.locator(".forest .more")
    while more.count():
        more.first.click()
    marks = page.locator(".forest .rows .mark.adjusted")
    assert marks.count() == len(result.causal)
    assert page.locator(".forest .rows .mark.crude").count() == len(result.causal)
    boxes = [mark.bounding_box() for mark in marks.all()]
    assert all(box["width"] > 3 and box["height"] > 3 for box in boxes)
    assert len({round(box["x"]) for box in boxes}) > 1


def test_the_forest_is_a_log_axis_on_which_places_tell_the_odds(show, reports):
    from math import log

    page = show("hospital")
    tick = {
        label.inner_text(): label.bounding_box()["x"] + label.bounding_box()["width"] / 2
        for label in page.locator(".forest .axis .tick").all()
    }
    doubling = tick["×2"] - tick["1"]
    assert tick["1"] - tick["÷2"] == pytest.approx(doubling, abs=1)
    by_name = {(rule.name, rule.direction): rule for rule in reports.result("hospital").causal}
    rows = page.locator(".forest .rows .row").all()
    assert len(rows) == len(by_name)
    for row in rows:
        box = row.locator(".mark.adjusted").bounding_box()
        direction = "raises" if row.locator(".mark.raises").count() else "lowers"
        rule = by_name[row.locator(".label").inner_text().replace("\n", ""), direction]
        factor = rule.adjusted_odds_ratio.value ** (1 if direction == "raises" else -1)
        expected = tick["1"] + doubling * log(factor, 2)
        assert box["x"] + box["width"] / 2 == pytest.approx(expected, abs=1.5)


def test_the_forest_shows_the_strongest_first_and_all_on_demand(show, reports):
    page = show("census")
    assert page.locator(".forest .rows .row").count() == 20
    page.get_by_role("button", name=re.compile("Show all")).first.click()
    n_raise = len(reports.result("census").with_verdict("causal", "raises"))
    assert page.locator(".forest .rows").first.locator(".row").count() == n_raise


def test_rules_are_sorted_both_ways_and_say_so(show):
    page = show("adult")
    header = page.locator(".rule-table > thead th", has_text="Crude")
    assert header.get_attribute("aria-sort") == "none"
    for order in ("descending", "ascending"):
        header.get_by_role("button").click()
        assert header.get_attribute("aria-sort") == order
        shown = page.locator(".rule-table > tbody > tr > td:nth-child(4)").all_inner_texts()
        numbers = [float(text.replace(",", "")) for text in shown]
        assert numbers == sorted(numbers, reverse=order == "descending")
        assert len(set(numbers)) > 10


def test_rules_are_searched_and_filtered(show, reports):
    page, result = show("census"), reports.result("census")
    choose(page, verdict="")
    assert page.locator(".status").inner_text() == f"{len(result.tested)} of {len(result.tested)} rules"
    page.locator(".rules > .more").click()
    assert rules_shown(page).count() == len(result.tested) > 200
    choose(page, words="sex=Male")
    assert rules_shown(page).count() == sum("sex=Male" in rule.name for rule in result.tested)
    choose(page, words="", verdict="rejected", direction="lowers", size="1", column="education", least="1.1")
    expected = [
        rule
        for rule in result.tested
        if (rule.verdict, rule.direction, rule.length) == ("rejected", "lowers", 1)
        and rule.pattern[0].column == "education"
        and rule.adjusted_odds_ratio.value >= 1.1
    ]
    assert rules_shown(page).count() == len(expected)
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function("() => document.querySelectorAll('.rule-table > tbody > tr').length > 20")
    assert rules_shown(page).count() == len(result.causal)


def test_a_card_tells_the_evidence(show, reports):
    page, result = show("adult"), reports.result("adult")
    rule = result.causal[1]
    row = page.locator("#rule-2")
    row.get_by_role("button").click()
    card = page.locator(".card")
    assert rule.name in card.locator(".sentence").inner_text()
    pairs = rule.pairs
    shown = [int(text.replace(",", "")) for text in card.locator(".pairs .text").all_inner_texts()]
    assert shown == [round(n) for n in (pairs.n12, pairs.n21, pairs.n11, pairs.n22)]
    widths = [bar.bounding_box()["width"] for bar in card.locator(".pairs .bar").all()]
    assert widths[1] / widths[0] == pytest.approx(pairs.n21 / pairs.n12, abs=0.02)
    assert card.locator(".love .rows .mark.after").count() == len(rule.balance.items)
    assert card.locator(".hidden .mark").count() == 3
    assert f"Γ ≥ {rule.doubts.gamma:.2f}" in card.locator(".sentence").inner_text()
    assert card.locator(".chip", has_text="workclass=").count() > 0
    row.get_by_role("button").click()
    assert page.locator(".card").count() == 0


def test_a_rejected_rule_says_why_not(show, reports):
    result = reports.result("one study")
    page = show("one study")
    explanation = result.tested[0].explanation
    path = page.locator(".card .path .rows .row")
    assert path.count() == len(explanation.steps) + 2
    assert "severity=high" in path.nth(1).inner_text().replace("\n", "")
    cells = page.locator(".card .scroll table", has_text="The strongest of them").locator("tbody tr").first
    table = explanation.tables[0]
    assert cells.locator("td").all_inner_texts()[:2] == [
        f"{table.exposed_with:,}",
        f"{table.exposed_without:,}",
    ]


def test_without_explanations_the_card_tells_how_to_get_one(show, reports):
    place = next(i for i, rule in enumerate(reports.result("census").tested, 1) if rule.verdict == "rejected")
    page = show("census", f"#rule-{place}")
    assert "--explain" in page.locator(".card").inner_text()


def test_an_address_opens_the_card_it_names(show, reports):
    result = reports.result("adult")
    last = len(result.tested)  # not causal, so not shown at first
    page = show("adult", f"#rule-{last}")
    assert page.locator(f"#rule-{last} [aria-expanded=true]").count() == 1
    assert page.locator(f"#rule-{last}").bounding_box()["y"] < 900
    page.locator(".strongest a").first.click()
    assert page.locator(".card").count() == 2


def test_the_keyboard_is_enough(show):
    page = show("hospital")
    page.locator(".filters [name=words]").focus()
    page.keyboard.type("severity=high")
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
    page, result = show("adult"), reports.result("adult")
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
    page, result = show("adult"), reports.result("adult")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".forest .rows .row").count() == len(result.causal)
    assert rules_shown(page).count() == len(result.causal)
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
        body = show("hospital", color_scheme=scheme).locator("body")
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
    assert "</script><script>alert('severity')</script>" in page.locator(".forest").inner_text()
    hebrew = page.locator(".forest .label bdi", has_text="פעילות").first
    assert hebrew.evaluate("node => getComputedStyle(node).unicodeBidi") == "isolate"
    choose(page, verdict="", words="long")
    rules_shown(page).first.get_by_role("button").click()
    clipped = page.locator(".card .chip", has_text="long long").first
    assert len(clipped.inner_text()) < 200
    clipped.get_by_role("button", name="whole name").click()
    assert "long " * 1999 in clipped.locator(".name").evaluate("node => node.textContent")


def test_whoever_listens_hears_which_items_were_picked(show, reports):
    page = show("hospital")
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
    pattern = reports.result("hospital").tested[0].pattern
    assert page.evaluate("window.picked") == [
        {"column": item.column, "value": item.value} for item in pattern
    ]


def test_the_scripts_leave_one_name_behind(show, open_page, tmp_path):
    (tmp_path / "empty.html").write_text("<!doctype html><title>empty</title>")
    names = "Object.getOwnPropertyNames(window)"
    without = set(open_page((tmp_path / "empty.html").as_uri()).evaluate(names))
    assert set(show("hospital").evaluate(names)) - without == {"causalrules"}


def test_hundreds_of_rules_make_a_file_of_less_than_3_mb(reports):
    from urllib.parse import unquote, urlsplit

    file = Path(unquote(urlsplit(reports.address("census")).path))
    assert len(reports.result("census").tested) > 400
    assert file.stat().st_size < 3_000_000
