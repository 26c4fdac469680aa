"""What notebooks show: well-formed, escaped, and readable where there is nothing to show."""

from dataclasses import replace
from html.parser import HTMLParser
from math import inf

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Estimate

EVIL = '<img src=x onerror="alert(1)">&amp;\x1b[31m'


class Checked(HTMLParser):
    """Tags that are closed in the order in which they were opened."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.texts = [], set(), []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_startendtag(self, tag, attributes):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def evil_table():
    rng = np.random.default_rng(7)
    x, w = rng.integers(0, 2, 800), rng.integers(0, 2, 800)
    z = rng.random(800) < 0.2 + 0.4 * x
    return pa.table({EVIL: np.where(x, EVIL, "no"), "w": w.astype(str), "z": np.where(z, EVIL, "no")})


def test_what_the_data_say_is_never_markup(evil_table):
    outcome, exposure = causalrules.Item("z", EVIL), causalrules.Item(EVIL, EVIL)
    from causalrules.search.job import DefaultJob

    settings = causalrules.Settings(explain=True)
    job = DefaultJob(source=evil_table, outcome=outcome, settings=settings)
    mined, tested = job.mine(), job.test((exposure,))
    assert mined.causal
    for html in (mined._repr_html_(), tested._repr_html_(), mined.causal[0]._repr_html_()):
        page = Checked(html)
        assert "img" not in page.seen
        assert any("<img src=x" in text for text in page.texts)
        assert "\x1b" not in html


def test_ways_of_matching_are_a_table(evil_table):
    patients = causalrules.simulate("hospital", n_records=600).table
    page = Checked(causalrules.compare_matching(patients, "ill=yes", "smoker=yes")._repr_html_())
    assert {"exact", "jaccard", "propensity"} <= set(page.texts)


def test_a_graph_is_a_picture(evil_table):
    from causalrules.search.job import DefaultJob

    settings = causalrules.Settings(after=("w",))
    result = DefaultJob(source=evil_table, outcome=causalrules.Item("z", EVIL), settings=settings).mine()
    page = Checked(result.graph()._repr_html_())
    assert "img" not in page.seen
    assert {"z"} <= set(page.texts)
    assert any("<img src=x" in text for text in page.texts)


def test_what_lies_beyond_the_axis_is_an_arrow():
    from causalrules.report.notebook.forest_svg import forest_svg

    def drawn(adjusted, crude):
        rule = replace(usual, adjusted_odds_ratio=Estimate(*adjusted), odds_ratio=Estimate(*crude))
        return forest_svg([usual, rule], "ill=yes", 0.95)

    patients = causalrules.simulate("hospital", n_records=600).table
    usual = causalrules.test(patients, "ill=yes", "severity=high").rules[0]
    within = drawn((2.0, 1.5, 3.0), (2.5, 2.0, 3.5))
    assert "<path" not in within
    assert "beyond the axis" not in within
    further = drawn((2.0, 1.5, 300.0), (2.5, 2.0, 3.5))
    assert further.count("<path") == 1
    assert "arrows: beyond the axis" in further
    endless = drawn((inf, 806.0, inf), (3715.0, 500.0, 9000.0))
    assert "∞ (806 – ∞)" in endless
    assert endless.count("<path") == 4  # both limits, the estimate, and the crude one
    assert endless.count("<circle") == within.count("<circle") - 2


def test_what_could_not_be_tested_is_listed_with_its_reason():
    patients = causalrules.simulate("hospital", n_records=1000).table
    result = causalrules.mine(patients, "ill=yes", max_length=1)
    assert not any("Could not be tested" in text for text in Checked(result._repr_html_()).texts)
    untestable = replace(result.tested[-1], verdict="untestable", reason="too few records to tell")
    page = Checked(replace(result, tested=(*result.tested[:-1], untestable))._repr_html_())
    assert "Could not be tested (1)" in page.texts
    assert untestable.name in page.texts
    assert "too few records to tell" in page.texts


def test_nothing_found_is_told():
    rng = np.random.default_rng(1)
    table = {name: rng.choice(["a", "b"], 300) for name in ("x", "y", "z")}
    page = Checked(causalrules.mine(table, "z=a")._repr_html_())
    assert any("Nothing found" in text for text in page.texts)
    assert "svg" not in page.seen


def test_settings_are_in_the_words_of_python():
    from causalrules.report.notebook.markup import paragraph

    assert "adjust=" in paragraph("say --adjust +COLUMN")
    assert "--adjust" not in paragraph("say --adjust +COLUMN")


def test_many_causes_are_cut_short(monkeypatch):
    from causalrules.report.notebook import forest_svg, html_of_result

    monkeypatch.setattr(html_of_result, "MOST_ROWS", 2)
    monkeypatch.setattr(forest_svg, "MOST_ROWS", 2)
    patients = causalrules.simulate("hospital", n_records=4000).table
    html = causalrules.mine(patients, "ill=yes")._repr_html_()
    assert "… and 2 more in .findings" in html
    assert html.count('r="4.5"') == 2


class FakeNotebook:
    """As much of IPython as a bar needs: what is displayed under one name is written anew."""

    kernel = None

    def __init__(self):
        self.written = []

    def get_ipython(self):
        return self

    def display(self, bundle, raw, display_id):
        self.update(bundle, raw)
        return self

    def update(self, bundle, raw):
        assert raw
        self.written.append(bundle["text/html"])


def test_a_notebook_shows_a_bar_and_leaves_nothing_behind(monkeypatch):
    from causalrules.report import notebook_progress as progress_bar

    notebook = FakeNotebook()
    monkeypatch.setattr(progress_bar, "_display", lambda: notebook.display)
    monkeypatch.setattr(progress_bar, "PATIENCE", 0.0)
    monkeypatch.setattr(progress_bar, "_SECONDS_A_STEP", 0.0)
    causalrules.mine(causalrules.simulate("hospital", n_records=600).table, "ill=yes", max_length=1)
    *bars, last = notebook.written
    assert "<progress max=" in bars[0]
    assert "rules tested" in bars[0]
    assert last == ""


def test_elsewhere_there_is_no_bar(monkeypatch):
    import sys

    from causalrules.report import notebook_progress as progress_bar

    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert progress_bar._display() is None
