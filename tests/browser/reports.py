"""Reports that the browser tests open, each written once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import causalrules
from causalrules.publish.result_page import write_page
from causalrules.simulation import planted_table
from datasets import require
from unit.publish.patients import patients


def one_study():
    """A single hypothesis, rejected, with the reason."""
    return causalrules.test(planted_table(10_000), outcome="ill=yes", exposure="treatment=new", explain=True)


def census():
    """Census Income's 33 nominal columns: 95 rules tested."""
    data = require("census-income")
    table = data.arrow([*data.nominal, data.outcome_column])
    return causalrules.mine(table, outcome=data.outcome, categorical=data.nominal)


def strange():
    """Names that are markup, quotes, emoji, read from right to left, and far too long."""
    names = {
        "severity": "</script><script>alert('severity')</script>",
        "smoker": "<img src=x onerror=alert(1)>\"'&amp;",
        "smoker_copy": "👩‍⚕️🔬",
        "exercise": "פעילות גופנית",
        "drug_a": "long " * 2000,
    }
    table = planted_table(4000)
    table = table.rename_columns([names.get(column, column) for column in table.column_names])
    return causalrules.mine(table, outcome="ill=yes")


def findings():
    """The default search on a table whose truth is known: a combined cause, copies, noise."""
    return causalrules.mine(planted_table(4000), outcome="ill=yes")


def half_possible():
    """The same, with another value of a cause's column that is only possible."""
    result = findings()
    rule = next(rule for rule in result.causal if len(rule.pattern) == 1)
    other = replace(rule.pattern[0], value="another")
    possible = replace(rule, pattern=(other,), verdict="possible", grade=None, reason="P is 0.3 only")
    return replace(result, tested=(*result.tested, possible))


def settled():
    """A column that nobody has without the outcome, one that raises the odds and one that lowers them."""
    chance = np.random.default_rng(3)
    up, down, ill = chance.random((3, 3000))
    ill = ill < 0.15 + 0.25 * (up < 0.5) - 0.12 * (down < 0.5)
    named = {"ill": ill, "up": up < 0.5, "down": down < 0.5, "autopsy": ill & (chance.random(3000) < 0.4)}
    table = {name: np.where(column, "yes", "no") for name, column in named.items()}
    return causalrules.mine(table, outcome="ill=yes", max_length=1)


def one_finding():
    """A single hypothesis of the default, rejected."""
    return causalrules.test(planted_table(4000), outcome="ill=yes", exposure="treatment=new")


def case_control():
    """A case and a control in each of 200 sets, half of the cases exposed and a quarter of the controls."""
    pairs = range(200)
    table = {
        "pair": [pair for pair in pairs for _ in range(2)],
        "case": ["yes", "no"] * 200,
        "exposed": [
            one for pair in pairs for one in ("yes" if pair % 2 else "no", "no" if pair % 4 else "yes")
        ],
    }
    return causalrules.test(table, outcome="case=yes", exposure="exposed=yes", matched_set="pair")


def adult_findings():
    """The default search on Adult: many contrasts of few columns."""
    data = require("adult")
    return causalrules.mine(data.arrow(), outcome=data.outcome)


def cohort():
    """Missing values, a number with its dose-response, and subgroups."""
    return causalrules.mine(patients(3000), outcome="ill=yes", by=["site"])


def one_cohort():
    """A single hypothesis about the same cohort."""
    return causalrules.test(patients(3000), outcome="ill=yes", exposure="drug=yes", by=["site"])


REPORTS = {
    "one study": one_study,
    "census": census,
    "strange": strange,
    "findings": findings,
    "half possible": half_possible,
    "settled": settled,
    "one finding": one_finding,
    "case control": case_control,
    "adult findings": adult_findings,
    "cohort": cohort,
    "one cohort": one_cohort,
}
TABLES = {
    "cohort": lambda: patients(3000),
    "one cohort": lambda: patients(3000),
    "adult findings": lambda: require("adult").arrow(),
}
"""Tables of the reports that have Table 1."""


class Reports:
    """Results by name, with their pages."""

    def __init__(self, folder):
        self._folder = folder
        self._results = {}

    def result(self, name):
        if name not in self._results:
            self._results[name] = REPORTS[name]()
        return self._results[name]

    def address(self, name):
        path = self._folder / f"{name.replace(' ', '-')}.html"
        if not path.exists():
            table = TABLES[name]() if name in TABLES else None
            write_page(self.result(name), path, table)
        return path.as_uri()
