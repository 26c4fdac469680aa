"""What each method calls a cause in a coded table; the methods that experiments compare."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.engines import MemoryEngine
from causalrules.engines.load import open_coded
from causalrules.paper.search import PaperSearch
from causalrules.paper.settings import PROTOCOL, PaperSettings
from causalrules_lab.baselines.budget import Budget
from causalrules_lab.baselines.comparison import METHODS as BASELINES
from causalrules_lab.baselines.triplets import find_ccc

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.encode import CodedTable
    from causalrules_lab.baselines import Findings

ONE_BY_ONE = PaperSettings(max_length=1, threads=1)
"""Single causes; tables are worked on in parallel, so each has one thread."""

AT_99 = replace(ONE_BY_ONE, judge="interval", confidence=0.99)
"""The paper's level for simulated tables."""


def by_baseline(find: Callable[..., Findings], table: CodedTable) -> set[str]:
    """Columns that a baseline calls causes, its tests at 95 % as in the paper."""
    findings = find(MemoryEngine(table, 1), table.items, ONE_BY_ONE, Budget())
    return {finding.pattern[0].column for finding in findings.causal}


def by_search(settings: PaperSettings, table: CodedTable) -> set[str]:
    """Columns of the causal rules; a combined cause counts for its parts."""
    search = PaperSearch(open_coded(table, settings), settings, Stopwatch(), ignore_progress)
    search.run()
    return {item.column for rule in search.rules if rule.verdict == "causal" for item in rule.pattern}


METHODS: dict[str, Callable[[CodedTable], set[str]]] = {
    "CCC": partial(by_baseline, partial(find_ccc, outcome_place="anywhere")),
    "CCC, outcome last": partial(by_baseline, find_ccc),
    "CCU": partial(by_baseline, BASELINES["ccu"]),
    "PC-select": partial(by_baseline, BASELINES["pc-select"]),
    "HITON-PC": partial(by_baseline, BASELINES["hiton-pc"]),
    "CR-CS, paper": partial(by_search, AT_99.changed(**PROTOCOL)),
    "CR-CS, corrected": partial(by_search, ONE_BY_ONE),
    "CR-CS, Mantel–Haenszel": partial(by_search, replace(ONE_BY_ONE, test="mantel-haenszel")),
    "CR-CS, Mantel–Haenszel 99 %": partial(by_search, replace(AT_99, test="mantel-haenszel")),
}
"""The methods compared on networks. One more way of searching is one more line: another `PaperSettings`."""

CHARTED = ("CCC", "CCU", "PC-select", "CR-CS, paper", "CR-CS, corrected")
"""Those drawn, as many as there are colours that can be told apart."""

OF_THE_PAPER = {"CCC": "CCC", "CCU": "CCU", "PC-select": "PC-select", "CR-CS": "CR-CS, paper"}
"""The paper's four methods and their names here."""
