"""Which tables are made, what is counted on each, and what is to be reached: the cells of the sixteen cases.

Case 17 is not one of the sixteen: tables whose effects are known in size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from experiments import failure_measures as measures
from experiments import failure_tables as tables
from experiments.failure_measures import Measure

if TYPE_CHECKING:
    from collections.abc import Callable

FALSE_RULE = Measure("mine: tables with a false rule", measures.has_false_rule, "<= 0.05")
CALLED_CAUSAL = Measure("test: null exposure called causal", measures.is_called_causal, "<= 0.05")
UNTESTABLE = Measure("test: untestable", measures.is_untestable, "")
FOUND = Measure("test: effect found, right direction", measures.effect_is_found, ">= 0.95")
MINED = Measure("mine: exposure among the causes", measures.exposure_is_mined, ">= 0.8")
COVERED = Measure("test: interval covers the odds ratio", measures.odds_ratio_is_covered, ">= 0.95")
LOG_ERROR = Measure("test: error of the log odds ratio", measures.log_odds_error, "within 0.05", False)
RISK_COVERED = Measure(
    "test: interval covers the risk difference", measures.risk_difference_is_covered, ">= 0.95"
)
RISK_ERROR = Measure(
    "test: error of the risk difference", measures.risk_difference_error, "within 0.01", False
)
RECALL = Measure("mine: recall of the causes", measures.recall, ">= 0.95", False)
F1 = Measure("mine: F1 of the neighbours", measures.f1_of_neighbours, ">= 0.95", False)
TWO_ROWS = Measure("mine: a two-valued column has two rows", measures.one_contrast_has_two_rows, "<= 0")
HELD = Measure("mine: leak held for others", measures.suspect_is_held, "<= 0")
NAMED = Measure("mine: leak or identifier named", measures.suspect_is_named, ">= 1")
IDENTIFIER = Measure("mine: identifier called a cause", measures.suspect_is_cause, "<= 0")
PAIR = Measure("mine: the combined cause found", measures.pair_is_found, ">= 0.95")


@dataclass(frozen=True)
class Cell:
    """One kind of table, what is counted on it, and settings that belong to the question.

    A `slow` cell has that many times fewer tables, but at least two.
    """

    case: int
    make: Callable[..., tables.Planted]
    parameters: dict[str, Any]
    measures: tuple[Measure, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    slow: int = 1

    @property
    def name(self) -> str:
        """The parameters, and the settings if any."""
        return ", ".join(f"{name}={value}" for name, value in {**self.parameters, **self.settings}.items())


REAL = (FOUND, COVERED, MINED)  # a program that finds nothing is never wrong
NULL = (CALLED_CAUSAL, UNTESTABLE, FALSE_RULE)
RISK = (RISK_COVERED, RISK_ERROR, UNTESTABLE)
MANTEL_HAENSZEL = {"test": "mantel-haenszel"}

CELLS = (
    *(
        Cell(1, tables.many_values, {"levels": levels, "n": n}, NULL)
        for n in (2000, 4000, 20_000)
        for levels in (3, 6, 12, 25)
    ),
    *(
        Cell(1, tables.many_values, {"levels": levels, "n": n, "odds_ratio": odds_ratio}, REAL)
        for levels, n, odds_ratio in ((3, 2000, 1.5), (12, 4000, 2.0), (25, 4000, 2.0))
    ),
    *(
        Cell(2, tables.numeric_confounders, {"numbers": numbers, "n": n}, NULL)
        for numbers in (1, 4)
        for n in (300, 2000, 20_000)
    ),
    *(
        Cell(2, tables.numeric_confounders, {"numbers": numbers, "n": 2000, "odds_ratio": 2.0}, REAL)
        for numbers in (1, 4)
    ),
    Cell(3, tables.few_exposed, {"n": 16_000, "exposed": 185}, (CALLED_CAUSAL, UNTESTABLE, COVERED)),
    *(
        Cell(4, tables.exposure_missing, {"missing": missing, "confounded": confounded}, (COVERED, LOG_ERROR))
        for missing, confounded in ((0.0, False), (0.4, False), (0.4, True))
    ),
    Cell(5, tables.exposure_missing_for_the_ill, {"missing": 0.3}, NULL),
    *(
        Cell(6, tables.confounder_missing, {"missing": share, "confounders": k}, (*NULL, LOG_ERROR))
        for share, k in ((0.1, 1), (0.3, 1), (0.5, 1), (0.1, 3))
    ),
    Cell(7, tables.repeated_records, {"named": False}, (FALSE_RULE,)),
    Cell(7, tables.repeated_records, {"named": True}, (FALSE_RULE, NAMED)),
    Cell(7, tables.repeated_records, {"named": True}, (FALSE_RULE,), {"cluster": "person_number"}),
    Cell(8, tables.wide, {"columns": 200, "causes": 20}, (RECALL, FALSE_RULE), slow=10),
    Cell(8, tables.wide, {"columns": 600, "causes": 60}, (RECALL, FALSE_RULE), slow=20),
    Cell(8, tables.wide, {"columns": 1000, "causes": 100}, (RECALL, FALSE_RULE), slow=20),
    Cell(9, tables.dense_network, {"columns": 40, "degree": 4}, (F1,), slow=2),
    Cell(9, tables.dense_network, {"columns": 40, "degree": 6}, (F1,), slow=2),
    Cell(9, tables.dense_network, {"columns": 100, "degree": 4}, (F1,), slow=4),
    Cell(10, tables.two_valued, {}, (TWO_ROWS,)),
    Cell(11, tables.negative_confounding, {"odds_ratio": 2.0}, (FOUND, COVERED)),
    Cell(12, tables.leak, {"agrees": 0.98}, (NAMED, HELD, RECALL)),
    *(Cell(13, tables.person_numbers, {"gap": gap}, (IDENTIFIER, NAMED)) for gap in (1, 7)),
    *(
        Cell(14, tables.rare_outcome, {"share": share}, (FALSE_RULE,), settings)
        for settings in ({}, MANTEL_HAENSZEL)
        for share in (0.02, 0.1, 0.3)
    ),
    *(Cell(15, tables.noise_numbers, {"n": n}, (FALSE_RULE,)) for n in (300, 1000)),
    Cell(16, tables.interacting_causes, {}, (PAIR, RECALL, FALSE_RULE)),
    *(
        Cell(17, tables.known_effect, {"odds_ratio": 1.0, "n": n, "exposed": 0.05}, (*RISK, CALLED_CAUSAL))
        for n in (5000, 20_000)
    ),
    *(
        Cell(17, tables.known_effect, {"odds_ratio": 2.0, "n": n, "exposed": 0.05, "curved": curved}, RISK)
        for n, curved in ((5000, False), (20_000, False), (20_000, True))
    ),
)
