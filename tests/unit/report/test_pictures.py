"""Pictures: every mark is a number of the result, and every name can be read."""

import json
import re
import shutil
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from math import exp, isclose, log10
from xml.etree import ElementTree

import pyarrow as pa
import pytest

import causalrules
from causalrules.errors import MissingPackageError, OutputNameError, PictureError, UnknownRuleError
from causalrules.report.pictures.drawing import altair
from causalrules.report.pictures.odds_axis import kind_of
from causalrules.report.pictures.sensitivity_plot import sensitivity_curve
from causalrules.report.pictures.strata_plot import pair_kinds, shares_of
from causalrules.simulation import planted_table
from unit.report.results import ODD_NAMES, mined, of_nothing, studied, with_names, without_causes
from unit.report.svg_texts import overlaps, text_boxes

OF_ONE_RULE = ("love", "sensitivity", "strata")
ALL = ("forest", "funnel", *OF_ONE_RULE)


def entries_with(chart, *fields):
    """All data of a chart that have these fields, each once."""
    found, waiting = {}, [chart.to_dict()]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if set(fields) <= set(node):
                found.setdefault(str(node), node)
            waiting += reversed(node.values())
        elif isinstance(node, list):
            waiting += reversed(node)
    return list(found.values())


def svg_of(chart, folder):
    chart.save(folder / "chart.svg")
    return (folder / "chart.svg").read_text()


def number_of_marks(svg, description):
    return len(re.findall(f'aria-roledescription="{description}"', svg))


def test_the_forest_draws_each_causal_rule_once_adjusted_and_crude(tmp_path):
    result = mined()
    chart = result.plot.forest()
    drawn = {
        (row["rule"], row["kind"]): row for row in entries_with(chart, "rule", "kind", "effect", "middle")
    }
    assert len(drawn) == 2 * len(result.causal)
    for rule in (rule.of_the_outcome() for rule in result.causal):
        kind = f"causal: {rule.direction} the odds"
        for name, own in ((kind, rule.adjusted_odds_ratio), ("crude, over all records", rule.odds_ratio)):
            row = drawn[rule.name, name]
            assert (row["effect"], row["low"], row["high"]) == (own.value, own.low, own.high)
    svg = svg_of(chart, tmp_path)
    assert svg.count(f">{result.causal[0].name.replace('&', '&amp;')}<") == 1
    assert number_of_marks(svg, "point") == 2 * len(result.causal)


@pytest.mark.parametrize(("kind", "name"), [("forest", "effect"), ("funnel", "odds")])
def test_what_lowers_stands_left_of_one(kind, name):
    rows = entries_with(getattr(mined().plot, kind)(), "rule", "kind", name)
    causal = [row for row in rows if row["kind"].startswith("causal")]
    assert {row[name] > 1 for row in causal} == {True, False}
    assert all((row[name] > 1) == ("raises" in row["kind"]) for row in causal)


@pytest.mark.parametrize("verdict", ["possible", "consequence", "rejected", "untestable"])
def test_every_verdict_has_a_mark_of_its_own(verdict):
    rule = replace(mined().causal[0], verdict=verdict)
    assert kind_of(rule) == verdict
    chart = replace(mined(), tested=(rule, mined().causal[1])).plot.forest([rule, mined().causal[1]])
    assert (verdict in str(chart.to_dict())) == (verdict != "untestable")


def test_direction_and_verdict_are_told_by_shape_as_well_as_by_colour():
    result = mined()
    chart = result.plot.forest(result.tested)
    points = next(
        layer["encoding"]
        for layer in chart.to_dict()["hconcat"][0]["layer"]
        if "shape" in layer.get("encoding", {})
    )
    for channel in ("shape", "color"):
        scale = points[channel]["scale"]
        assert len(scale["domain"]) == len(set(scale["range"])) == 5
    assert points["shape"]["field"] == points["color"]["field"] == "kind"


def test_an_interval_without_end_gets_an_arrow():
    rule = mined().causal[0]
    endless = replace(rule, adjusted_odds_ratio=replace(rule.adjusted_odds_ratio, high=float("inf")))
    result = replace(mined(), tested=(endless,))
    assert [row["arrow"] for row in entries_with(result.plot.forest(), "arrow")] == ["→"]
    json.dumps(result.plot.forest().to_dict(), allow_nan=False)


def test_sixty_long_names_do_not_overlap(tmp_path):
    names = [f"{i}{ODD_NAMES[i % len(ODD_NAMES)]}" for i in range(60)]
    assert len(set(names)) == 60
    svg = svg_of(with_names(names).plot.forest(), tmp_path)
    boxes = text_boxes(svg)
    assert len(boxes) > 3 * 60
    assert overlaps(boxes) == []


def test_overlaps_are_noticed():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><g transform="translate(5,5)">'
        '<text font-size="11px">one</text>'
        '<text transform="translate(0,{})" font-size="11px">two</text></g></svg>'
    )
    assert overlaps(text_boxes(svg.format(5))) == [("one", "two")]
    assert overlaps(text_boxes(svg.format(15))) == []


@pytest.mark.parametrize("kind", ALL)
def test_names_do_not_overlap_in_any_picture(kind, tmp_path):
    assert overlaps(text_boxes(svg_of(getattr(mined().plot, kind)(), tmp_path))) == []


def test_too_many_rules_are_cut_and_counted():
    names = [f"column{i}=value" for i in range(70)]
    chart = with_names(names).plot.forest()
    assert len(entries_with(chart, "label")) == 60
    assert "60 of 70 rules are drawn" in str(chart.to_dict()["title"])


def test_one_rule_and_no_rule(tmp_path):
    one = with_names(["smoker=yes"])
    assert len(entries_with(one.plot.forest(), "label")) == 1
    assert "There is no causal rule to draw" in str(without_causes().plot.forest().to_dict())
    for kind in ("forest", "funnel"):
        getattr(of_nothing().plot, kind)().save(tmp_path / "nothing.png")
    assert "no association was tested" in str(of_nothing().plot.funnel().to_dict())
    for kind in OF_ONE_RULE:
        with pytest.raises(UnknownRuleError, match="the result has no rules"):
            getattr(of_nothing().plot, kind)()


def test_the_funnel_has_a_point_for_each_rule_with_an_interval(tmp_path):
    result = mined()
    chart = result.plot.funnel()
    rows = {row["rule"]: row for row in entries_with(chart, "rule", "error")}
    testable = [rule for rule in result.tested if rule.verdict != "untestable"]
    assert len(rows) == len(testable)
    for rule in testable:
        own = rule.of_the_outcome().adjusted_odds_ratio
        row = rows[rule.name]
        assert row["odds"] == own.value
        assert isclose(own.high / own.low, exp(2 * 1.959963984540054 * row["error"]), rel_tol=1e-9)
    assert number_of_marks(svg_of(chart, tmp_path), "point") == len(testable)


def test_the_love_plot_shows_each_item_before_and_after():
    rule = mined().causal[0]
    rows = entries_with(mined().plot.love(rule), "item", "when", "difference")
    found = {(row["item"], row["when"]): row["difference"] for row in rows}
    assert len(found) == 2 * len(rule.balance.items) > 0
    for one in rule.balance.items:
        assert found[str(one.item), "before matching"] == abs(one.before)
        assert found[str(one.item), "after matching"] == abs(one.after)


def test_a_love_plot_without_balance_says_what_to_do():
    without = replace(mined().causal[0], balance=None)
    with pytest.raises(PictureError, match=r"its balance was not counted.*causalrules test"):
        replace(mined(), tested=(without,)).plot.love()
    assert entries_with(studied().plot.love(), "item", "difference")


def test_the_sensitivity_curve_crosses_the_level_at_gamma():
    rule = mined().causal[0]
    curve = sensitivity_curve(rule)
    p_values = [point["p"] for point in curve]
    assert p_values == sorted(p_values)
    assert curve[0]["gamma"] == 1
    (star,) = entries_with(mined().plot.sensitivity(), "gamma", "text")
    assert star["gamma"] == rule.doubts.gamma
    before = max(point["p"] for point in curve if point["gamma"] < star["gamma"])
    after = min(point["p"] for point in curve if point["gamma"] > star["gamma"])
    assert before < star["p"] < after


def test_no_line_crosses_a_text_of_the_sensitivity_and_ticks_are_powers_of_ten():
    chart = mined().plot.sensitivity().to_dict()
    (panel,) = chart["hconcat"]
    texts = [one for one in panel["layer"] if one["mark"].get("type") == "text"]
    assert [one["encoding"]["y"] for one in texts] == [{"value": 0}]  # above the plot
    assert texts[0]["mark"]["baseline"] == "bottom"
    line = next(one for one in panel["layer"] if one["mark"].get("type") == "line")
    ticks = line["encoding"]["y"]["axis"]["values"]
    assert ticks[:4] == [1, 0.1, 0.01, 0.001]
    assert all(log10(tick) == pytest.approx(round(log10(tick))) for tick in ticks)
    assert any(line.startswith("Dashed: the level") for line in chart["title"]["subtitle"])


def test_without_a_bound_the_sensitivity_says_so():
    chart = studied("drug_a=yes").plot.sensitivity()
    assert not entries_with(chart, "gamma", "text")
    assert "Γ* = 1" in str(chart.to_dict()["title"])


@pytest.mark.parametrize("exposure", ["noise_1=x", "noise_1=y"])
def test_shares_and_pairs_are_those_of_the_rule(exposure):
    rule = studied(exposure).tested[0]
    shares = {share.name: share for share in shares_of(rule)}
    own = rule.of_the_outcome()
    crude = shares["all records (crude)"]
    assert isclose(crude.exposed - crude.unexposed, own.effects.crude_risk_difference)
    matched = shares[f"matched pairs ({len(rule.design.held)} controls)"]
    assert isclose(matched.exposed, (own.pairs.n11 + own.pairs.n12) / own.pairs.n_pairs)
    assert isclose(matched.unexposed, (own.pairs.n11 + own.pairs.n21) / own.pairs.n_pairs)
    assert own.explanation.tables
    for table in own.explanation.tables:
        share = shares[f"{'with' if table.is_present else 'without'} {table.item}"]
        assert share.exposed == table.exposed_with / (table.exposed_with + table.exposed_without)
    assert isclose(sum(kind["pairs"] for kind in pair_kinds(rule)), rule.pairs.n_pairs)


def test_shares_of_what_lowers_are_still_those_of_the_outcome():
    (smoker,) = studied("smoker=yes").tested
    (other,) = studied("smoker=no").tested
    assert (smoker.direction, other.direction) == ("raises", "lowers")
    one, mirrored = shares_of(smoker)[0], shares_of(other)[0]
    assert isclose(one.exposed, mirrored.unexposed)
    assert isclose(one.unexposed, mirrored.exposed)
    kinds = [{kind["kind"]: kind["pairs"] for kind in pair_kinds(rule)} for rule in (smoker, other)]
    assert isclose(kinds[0]["both"], kinds[1]["both"])
    assert isclose(kinds[0]["only the one with the pattern"], kinds[1]["only the one without it"])


def test_strata_that_the_result_does_not_hold_are_not_invented():
    causal = mined().plot.strata(0)
    assert "keeps the strata of rejected rules only" in str(causal.to_dict()["title"])
    assert len(shares_of(mined().tested[0])) == 2


def test_the_columns_held_are_counted_as_controls():
    rule = mined().causal[0]
    assert rule.design.held
    assert shares_of(rule)[-1].name == f"matched pairs ({len(rule.design.held)} controls)"


def test_a_rule_is_found_by_itself_its_name_or_its_place():
    result = mined()
    place = next(place for place, rule in enumerate(result.causal) if rule.length == 2)
    rule = result.causal[place]
    one, other = rule.name.split(" & ")
    ways = (rule, rule.name, f" {other}&{one} ", place, place - len(result.tested))
    titles = [result.plot.love(way).to_dict()["title"]["text"] for way in ways]
    assert titles == [[f"Are records with and without {rule.name} alike?"]] * 5


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("smoker=yse", r"the rule 'smoker=yse' is not among the \d+ tested. Did you mean 'smoker=yes'"),
        ("", "the rule '' is not among"),
        (10_000, "there is no rule at place 10000; the result has"),
    ],
)
def test_a_rule_that_is_not_there(wanted, message):
    with pytest.raises(UnknownRuleError, match=message):
        mined().plot.strata(wanted)


def pixels_of(png):
    """Bytes of the rows of a PNG, filters and all: enough to tell a blank from a drawing."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    data, place = b"", 8
    while place < len(png):
        (size,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + size]
        place += 12 + size
    return zlib.decompress(data)


@pytest.mark.parametrize("kind", ALL)
def test_png_and_svg_are_written_and_not_blank(kind, tmp_path):
    chart = getattr(mined().plot, kind)()
    for ending in ("png", "svg"):
        chart.save(tmp_path / f"a.{ending}")
    assert len(set(pixels_of((tmp_path / "a.png").read_bytes()))) > 20
    assert "<path" in (tmp_path / "a.svg").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.svg"]


class Addresses(HTMLParser):
    """What a browser would fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [(tag, value) for name, value in attrs if name in ("src", "href")]


def test_html_holds_the_finished_drawing(tmp_path):
    chart = mined().plot.forest()
    chart.save(tmp_path / "ours.html")
    chart.save_as_altair(tmp_path / "theirs.html")
    fetched = {}
    for name in ("ours", "theirs"):
        parser = Addresses()
        parser.feed((tmp_path / f"{name}.html").read_text())
        fetched[name] = parser.found
    assert fetched["theirs"], "Altair's own file should fetch its scripts, or this test notices nothing"
    assert fetched["ours"] == []
    text = (tmp_path / "ours.html").read_text()
    assert "<svg" in text
    assert "<script" not in text


HOSTILE = "</script><script>alert(1)</script>\x00\x1b[31m\x0c"


def test_names_in_the_data_become_neither_scripts_nor_broken_files(tmp_path):
    risk = [HOSTILE] * 40 + ["no"] * 40
    ill = ["yes"] * 35 + ["no"] * 5 + ["yes"] * 5 + ["no"] * 35
    result = causalrules.mine(pa.table({"risk": risk, "ill": ill}), outcome="ill=yes")
    assert result.causal
    for chart in (result.plot.forest(), result.plot.strata(), result.plot.love(), result.plot.funnel()):
        chart.save(tmp_path / "a.html")
        chart.save(tmp_path / "a.svg")
        chart.save(tmp_path / "a.png")
        assert "<script" not in (tmp_path / "a.html").read_text()
        assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
        shown = chart._repr_mimebundle_()
        assert list(shown) == ["image/svg+xml"]
        assert "<script" not in shown["image/svg+xml"]


def test_another_ending_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(OutputNameError, match=r"ends in \.png, \.svg or \.html"):
        mined().plot.forest().save(tmp_path / "forest.docx")
    assert not list(tmp_path.iterdir())


def test_without_the_package_one_sentence_helps(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'causalrules\[pictures\]'"):
        altair()


def test_a_result_may_be_loaded_without_the_pictures():
    program = (
        "import sys; from causalrules.domain import Result;"
        "print([name for name in ('altair', 'causalrules.report') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_together_plot_has_a_bar_for_each_combination():
    result = causalrules.mine(planted_table(6000), "ill=yes")
    (rule,) = (one for one in result.causal if one.length == 2)
    bars = entries_with(result.plot.together(), "risk", "low", "high")
    assert [bar["parts"] for bar in bars] == ["neither", "drug_a=yes only", "drug_b=yes only", "both"]
    assert [bar["risk"] for bar in bars] == [one.risk.value for one in rule.interaction.risks]
    assert result.plot.together(rule.name).to_dict()["title"] == result.plot.together().to_dict()["title"]
    with pytest.raises(PictureError, match="it has one part"):
        result.plot.together("smoker=yes")


@cache
def ways_of_matching(exposure="treatment=new"):
    return causalrules.compare_matching(planted_table(600), "ill=yes", exposure)


def test_ways_of_matching_have_a_row_each_and_nothing_collides(tmp_path):
    from causalrules.paper.matching_plot import matching_chart, matching_rows

    comparison = ways_of_matching()
    rows = matching_rows(comparison)
    assert [row["matching"] for row in rows] == ["crude", *(one.method for one in comparison.studies)]
    for row, study in zip(rows[1:], comparison.studies, strict=True):
        assert row["odds"] == study.odds_ratio.value
    chart = matching_chart(comparison)
    assert [row["label"] for row in entries_with(chart, "label")] == [[row["matching"]] for row in rows]
    assert overlaps(text_boxes(svg_of(chart, tmp_path))) == []


def test_a_panel_without_anything_to_draw_becomes_a_sentence():
    from causalrules.paper.matching_plot import matching_chart

    comparison = ways_of_matching()
    of_items = [study for study in comparison.studies if study.method != "default"]
    comparison = replace(comparison, studies=tuple(of_items))
    assert all(not one.rule.doubts.unmatched_exposed for one in comparison.studies)
    described = matching_chart(comparison).to_dict()
    assert "every record found a partner" in str(described["title"])
    assert len(described["hconcat"]) == 2
    lonely = [
        replace(one, rule=replace(one.rule, doubts=replace(one.rule.doubts, unmatched_exposed=40)))
        for one in comparison.studies
    ]
    described = matching_chart(replace(comparison, studies=tuple(lonely))).to_dict()
    assert "every record found a partner" not in str(described["title"])
    assert len(described["hconcat"]) == 3


def test_names_in_japanese_are_drawn_with_their_own_signs(tmp_path):
    """Without a font every sign is the same empty box."""
    fonts = (
        shutil.which("fc-list")
        and subprocess.run(["fc-list", ":lang=ja"], capture_output=True, check=False, text=True).stdout
    )
    if not fonts:
        pytest.skip("no font has Japanese signs: apt-get install fonts-wqy-microhei")
    drawn = []
    for name in ("喫煙=有", "飲酒=無"):
        with_names([name]).plot.forest().save(tmp_path / "forest.png")
        drawn.append((tmp_path / "forest.png").read_bytes())
    assert drawn[0] != drawn[1]


def test_a_picture_says_in_a_terminal_how_it_is_seen():
    assert repr(mined().plot.forest()) == '<Picture: .save("picture.png") writes it, notebooks show it>'
