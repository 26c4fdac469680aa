"""The page of the default search in a real browser: findings first, and an answer for every column."""

import pytest
from accessibility import complaints
from page_width import assert_nothing_is_wider_than

LOOKS = {
    "a desk": {"viewport": {"width": 1280, "height": 900}},
    "the dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "a phone": {"viewport": {"width": 390, "height": 844}},
}
REPORTS = ["findings", "one finding"]


@pytest.fixture(params=LOOKS.values(), ids=LOOKS.keys())
def look(request):
    return request.param


def headings(page):
    return [text.partition(" (")[0] for text in page.locator(".page > section > h2").all_inner_texts()]


def found(result, *verdicts):
    return [place for place, rule in enumerate(result.tested, 1) if rule.verdict in verdicts]


def test_what_must_be_known_comes_first_then_causes_then_what_cannot_be_told(show):
    page = show("findings")
    assert page.locator(".answer .next li").count() >= 1
    order = headings(page)
    assert order[0] == "Around the outcome"
    assert order[1] == "Causes"
    assert order.index("Causes") < order.index("Columns that cannot be told apart")
    assert order.index("Rejected, or not testable") < order.index("Why is my variable not here?")


def test_each_contrast_stands_once(show, reports):
    page, result = show("findings"), reports.result("findings")
    for place in range(1, len(result.tested) + 1):
        assert page.locator(f"#rule-{place}").count() == 1
    assert page.locator(".contrast").count() == len(found(result, "causal", "possible", "consequence"))
    assert page.locator(".rule-table > tbody > tr").count() == len(found(result, "rejected", "untestable"))


def test_a_contrast_has_its_grade_its_numbers_and_the_second_opinion(show, reports):
    page, result = show("findings"), reports.result("findings")
    for place in found(result, "causal"):
        rule = result.tested[place - 1]
        text = page.locator(f"#rule-{place}").inner_text()
        assert rule.grade in text
        assert f"{rule.of_the_outcome().adjusted_odds_ratio.value:.2f}" in text
        opinion = 100 * rule.design.second_opinion.estimate
        assert f"second opinion {opinion:+.1f}".replace("-", "−") in text


def test_colours_and_arrows_have_a_key(show):
    told = show("settled").locator(".findings .keys").inner_text()
    assert all(words in told for words in ("higher odds", "lower odds", "beyond the axis"))
    page = show("findings")
    n_arrows = page.locator(".findings .contrasts .cut:not(.shrink)").count()
    assert ("beyond the axis" in page.locator(".findings .keys").inner_text()) == (n_arrows > 0)


def test_what_lies_just_beyond_most_numbers_is_on_the_axis(show):
    usual = [{"direction": "raises", "crude": [1.6], "adjusted": [1.5, 1.2, 2.0]}] * 5
    further = {"direction": "raises", "crude": [3.7], "adjusted": [3.4, 2.8, 4.13]}
    far = {"direction": "raises", "crude": [3.7], "adjusted": [3.4, 2.8, 40]}
    place = "([rules, value]) => causalrules.oddsAxis(rules).place(value)"
    page = show("findings")
    assert page.evaluate(place, [[*usual, further], 4.13]) <= 1
    assert page.evaluate(place, [[*usual, far], 40]) > 1


def test_the_bar_is_as_long_as_the_probability(show, reports):
    page, result = show("findings"), reports.result("findings")
    bars = page.locator(".finding .probability")
    n_combined = page.locator(".finding .in-short").count()
    assert bars.count() == page.locator(".finding").count() - n_combined
    for bar in bars.all():
        whole, own = (one.bounding_box()["width"] for one in bar.locator(".bar").all())
        text = bar.inner_text().split()[-1]
        assert own / whole == pytest.approx(float(text), abs=0.02)
    assert any(rule.p_next > 0.9 for rule in result.causal)


def test_a_combined_cause_is_a_table_of_two_by_two(show, reports):
    page, result = show("findings"), reports.result("findings")
    (rule,) = [rule for rule in result.causal if rule.interaction is not None]
    cells = page.locator(".in-short .two-by-two tbody td")
    shown = [float(text.split()[0]) for text in cells.all_inner_texts()]
    risks = {risk.exposed: 100 * risk.risk.value for risk in rule.interaction.risks}
    order = [(False, False), (False, True), (True, False), (True, True)]
    assert shown == pytest.approx([risks[one] for one in order], abs=0.06)
    shades = [cell.evaluate("node => getComputedStyle(node).backgroundColor") for cell in cells.all()]
    assert len(set(shades)) == 4


def test_the_graph_has_a_node_for_every_finding_and_tells_it_in_words(show):
    page = show("findings")
    graph = page.locator(".graph svg")
    graph.wait_for()
    names = page.locator(".finding h3").all_inner_texts()
    assert graph.locator(".node:not(.outcome)").count() == len(names)
    told = graph.get_attribute("aria-label")
    assert all(name in told for name in names)


def test_the_graph_has_a_column_once_of_which_another_value_is_only_possible(show):
    page = show("half possible")
    graph = page.locator(".graph svg")
    graph.wait_for()
    names = page.locator(".finding h3").all_inner_texts()
    assert len(set(names)) == len(names) - 1
    assert graph.locator(".node:not(.outcome)").count() == len(set(names))


def test_the_graph_fits_the_phone(show):
    page = show("findings", viewport={"width": 390, "height": 844})
    page.locator(".graph svg").wait_for()
    assert page.locator(".graph svg").bounding_box()["width"] <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function("() => document.querySelector('.graph svg').getBoundingClientRect().width > 400")


def test_every_column_has_an_answer_that_can_be_searched(show, reports):
    page, result = show("findings"), reports.result("findings")
    section = page.locator(".variables")
    section.locator(".more").click()
    shown = section.locator(".column-name bdi").all_inner_texts()
    tested = {item.column for rule in result.tested for item in rule.pattern}
    others = {one.column for one in (*result.not_studied, *result.data.left_out)}
    assert set(shown) == tested | others | {"ill"}
    section.get_by_label("Find a column").fill("treatment")
    (rule,) = [rule for rule in result.tested if rule.name == "treatment=new"]
    assert rule.reason in section.locator("li").inner_text()
    section.get_by_label("Find a column").fill("nobody knows this")
    assert "No column of the table has this name" in section.get_by_role("status").inner_text()


def test_an_answer_leads_to_the_evidence(show):
    page = show("findings")
    page.get_by_role("link", name="Why is my variable not here?").click()
    page.get_by_label("Find a column").fill("severity")
    page.locator(".variables li a").first.click()
    assert page.locator(".card").count() == 1
    assert "severity=high" in page.locator(".card .sentence").inner_text()


def test_an_address_opens_a_finding_and_a_rejected_rule(show, reports):
    result = reports.result("findings")
    for place in (1, found(result, "rejected")[0]):
        page = show("findings", f"#rule-{place}")
        assert page.locator(f"#rule-{place} [aria-expanded=true]").count() == 1
        assert page.locator(".card").count() == 1


def test_one_study_opens_with_its_card(show):
    page = show("one finding")
    assert headings(page)[0] == "The study"
    assert page.locator(".card").count() == 1
    assert page.locator(".variables").count() == 0


def test_the_keyboard_opens_a_finding(show):
    page = show("findings")
    page.locator(".contrast .open").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".card .sentence").is_visible()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Space")
    assert page.locator(".card").count() == 0


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_is_wider_than_the_window(show, name, look):
    page = show(name, "#rule-1", **look)
    assert_nothing_is_wider_than(page, look["viewport"]["width"])


@pytest.mark.parametrize("name", REPORTS)
def test_axe_finds_nothing_serious(show, name, look):
    page = show(name, "#rule-1", **look)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert complaints(page) == []


def test_paper_shows_every_column_and_the_cards(show, reports, tmp_path):
    page, result = show("findings"), reports.result("findings")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".evidence .card").count() == min(10, len(result.causal))
    n_columns = page.evaluate("JSON.parse(document.getElementById('result').textContent).columns.length")
    assert page.locator(".column-answers li").count() == n_columns > 12
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".card").count() == 0
    assert page.pdf(path=tmp_path / "report.pdf")[:4] == b"%PDF"


def test_a_case_control_study_has_its_odds_ratio_and_no_risks(show, reports):
    page, rule = show("case control"), reports.result("case control").tested[0]
    assert rule.verdict == "causal"
    text = page.locator(".page").inner_text()
    assert f"{rule.adjusted_odds_ratio.value:.2f}" in text
    assert "gathered by the outcome" in text
    for absent in ("risk difference", "risk ratio", "percentage points", "NaN", "undefined"):
        assert absent not in text.split("Methods")[0]


def test_a_study_shows_its_risk_ratio_and_the_number_needed(show, reports):
    page, result = show("findings"), reports.result("findings")
    place = found(result, "causal")[0]
    page.locator(f"#rule-{place} button.open").click()
    card = page.locator(f"#rule-{place}").inner_text()
    assert f"{result.tested[place - 1].of_the_outcome().effects.risk_ratio.value:.2f}" in card
    assert "risk ratio" in card
    assert "number needed" in card
