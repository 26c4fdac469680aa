"""Causes by methods: the search for causal rules and all baselines on one table, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from causalrules.asked_settings import asked_settings, job_for
from causalrules.domain.frame_libraries import in_library
from causalrules.domain.progress import Stopwatch
from causalrules.domain.table_settings import TableSettings
from causalrules.engines import MemoryEngine
from causalrules.engines.load import open_coded
from causalrules.errors import SettingsError, one_line
from causalrules.read import source_at
from causalrules.version import __version__
from causalrules.warm_up import warm_up
from causalrules_lab.baselines.association_rules import find_association, find_non_redundant, find_optimal
from causalrules_lab.baselines.budget import Budget
from causalrules_lab.baselines.causal_tree import find_causal_tree
from causalrules_lab.baselines.coded_tables import code_table, hypotheses_of
from causalrules_lab.baselines.combined_neighbours import find_ml_hiton_pc
from causalrules_lab.baselines.findings import Finding, Findings
from causalrules_lab.baselines.learned_networks import find_hill_climbing, find_miic
from causalrules_lab.baselines.neighbours import MOST_TESTS, find_hiton_pc, find_pc_select
from causalrules_lab.baselines.partial_association import find_cr_pa
from causalrules_lab.baselines.triplets import find_ccc, find_ccu
from causalrules_lab.baselines.variables import complements_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd
    import pyarrow as pa

    from causalrules.domain import DataSummary, Direction, Item, Pattern
    from causalrules.domain.frame_libraries import Library
    from causalrules.domain.progress import Progress
    from causalrules.encode import CodedTable
    from causalrules_lab.baselines.findings import Method

METHODS: dict[str, Method] = {
    "association": find_association,
    "non-redundant": find_non_redundant,
    "optimal": find_optimal,
    "ccc": find_ccc,
    "ccu": find_ccu,
    "pc-select": find_pc_select,
    "hiton-pc": find_hiton_pc,
    "cr-pa": find_cr_pa,
    "cdt": find_causal_tree,
    "ml-hiton-pc": find_ml_hiton_pc,
    "hill-climbing": find_hill_climbing,
    "miic": find_miic,
}
"""The baselines by name; the search for causal rules, see `own_name`, comes before them."""

OWN_NAMES = ("default", "cr-cs")
"""The search for causal rules: the default, and the paper's protocol, which the paper calls CR-CS."""

USUAL_METHODS = ("association", "non-redundant", "optimal", "ccc", "ccu", "pc-select", "hiton-pc")
"""Those that run where none is named: the paper's own comparison. Others cost more, or need a package."""

KNOW_COMBINED_CAUSES = frozenset({*OWN_NAMES, "cr-pa", "ml-hiton-pc"})
"""Those whose causes may be patterns of several items."""

SECONDS_A_METHOD = 60.0

ASSOCIATION_METHODS = frozenset({"association", "non-redundant", "optimal"})
"""Those that know no causes, only what goes with the outcome."""

SCHEMA = "causalrules/comparison/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One row: a pattern and the direction that each method gives it.

    A method that does not call it a cause (or an association, for the
    methods that know no causes) is absent from `directions`.
    """

    pattern: Pattern
    directions: Mapping[str, Direction]

    @property
    def name(self) -> str:
        """The pattern as people write it."""
        return " & ".join(item.name for item in self.pattern)

    @property
    def n_agreeing(self) -> int:
        """How many methods call it a cause in the same direction; association rules do not count."""
        given = [said for method, said in self.directions.items() if method not in ASSOCIATION_METHODS]
        return max(given.count("raises"), given.count("lowers"))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison:
    """What the methods found in one table.

    Parameters
    ----------
    data : DataSummary
        What the table was.
    settings : TableSettings
        Those of the search; the baselines heed what they know.
    methods : tuple of str
        The columns.
    causes : tuple of Cause
        The rows, each called a cause by some method: items in the order of
        the table, then combined causes of the methods that know such.
    found : dict of str to Findings
        Everything each method found.
    seconds : dict of str to float
        What each method took, reading and encoding left out.
    stopped : dict of str to str
        Methods that were over their budget, and why; their column holds
        what they were sure of by then.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> settings = {"max_length": 1, "drop": "drug_a"}
    >>> compared = causalrules.compare(patients, "ill=yes", methods=["association"], **settings)
    >>> compared
    ill=yes in 1,000 records, causes by method:
      default: smoker=yes, smoker_copy=yes, exercise=rarely, severity=low
      association: smoker=yes, smoker_copy=yes, exercise=rarely, severity=low
    >>> compared.n_causes
    {'default': 4, 'association': 4}
    >>> compared.to_frame("arrow").equals(compared.to_arrow()), compared.rules.shape[0]
    (True, 4)
    >>> compared.to_dict()["methods"]["association"]["causes"]
    4
    """

    data: DataSummary
    settings: TableSettings
    methods: tuple[str, ...]
    causes: tuple[Cause, ...]
    found: Mapping[str, Findings]
    seconds: Mapping[str, float]
    stopped: Mapping[str, str]

    @property
    def n_causes(self) -> dict[str, int]:
        """Rows in which each method stands."""
        return {method: sum(method in cause.directions for cause in self.causes) for method in self.methods}

    def to_frame(self, library: Library = "pandas") -> Any:
        """The comparison as a data frame, one row a cause.

        Parameters
        ----------
        library : {'pandas', 'polars', 'arrow'}
            Whose data frame it is.
        """
        return in_library(self.to_arrow(), library)

    @property
    def rules(self) -> pd.DataFrame:
        """What `to_frame` gives, of pandas."""
        return self.to_frame()

    def to_arrow(self) -> pa.Table:
        """What `to_frame` gives, of Arrow."""
        import pyarrow as pa

        kinds = {"length": pa.int64(), "n_agreeing": pa.int64()}
        names = ("rule", "length", *self.methods, "n_agreeing")
        rows = [
            {
                "rule": cause.name,
                "length": len(cause.pattern),
                **cause.directions,
                "n_agreeing": cause.n_agreeing,
            }
            for cause in self.causes
        ]
        schema = pa.schema([(name, kinds.get(name, pa.string())) for name in names])
        return pa.Table.from_pylist(rows, schema=schema)

    def __repr__(self) -> str:
        lines = [f"{self.data.outcome} in {self.data.outcome.n_records:,} records, causes by method:"]
        for method in self.methods:
            names = [cause.name for cause in self.causes if method in cause.directions]
            more = f", and {len(names) - 8} more" if len(names) > 8 else ""
            lines.append(f"  {method}: {', '.join(names[:8]) or 'none'}{more}")
        return "\n".join(map(one_line, lines))

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON knows it."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "settings": self.settings.to_dict(),
            "data": self.data.to_dict(),
            "methods": {
                method: {
                    "seconds": self.seconds[method],
                    "tests": self.found[method].n_tests,
                    "stopped": self.stopped.get(method, ""),
                    "causes": self.n_causes[method],
                }
                for method in self.methods
            },
            "causes": [
                {
                    "pattern": [{"column": item.column, "value": item.value} for item in cause.pattern],
                    "directions": dict(cause.directions),
                    "n_agreeing": cause.n_agreeing,
                }
                for cause in self.causes
            ],
        }


def compare(
    table: Any,
    outcome: str,
    *,
    methods: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = MOST_TESTS,
    max_seconds: float | None = SECONDS_A_METHOD,
    **settings: Any,
) -> Comparison:
    """Run the search for causal rules and all baselines on one table.

    Parameters
    ----------
    table, outcome, columns, delimiter, **settings
        As in `causalrules.mine`.
    methods : sequence of str, optional
        Baselines to run, from `METHODS`; `USUAL_METHODS` by default.
    max_tests, max_seconds : optional
        Budget of each method.
    """
    chosen = asked_settings(settings)
    coded = code_table(source_at(table, columns, delimiter), outcome, chosen)
    return compare_on(coded, chosen, methods=methods, max_tests=max_tests, max_seconds=max_seconds)


def compare_on(
    table: CodedTable,
    settings: TableSettings,
    *,
    methods: Sequence[str] | None = None,
    max_tests: int | None = MOST_TESTS,
    max_seconds: float | None = SECONDS_A_METHOD,
) -> Comparison:
    """Run the methods on a coded table.

    Of a column with two values one is a row (see `variables_of`); what a
    method says of the other is the same the other way round.
    """
    names = list(USUAL_METHODS if methods is None else dict.fromkeys(methods))
    for name in names:
        if name not in METHODS:
            raise SettingsError.choice("methods", list(METHODS), name)
    if settings.engine not in ("auto", "memory"):
        raise SettingsError("engine", "auto or memory where methods are compared", settings.engine)
    if max_seconds is not None and not max_seconds > 0:
        raise SettingsError("max_seconds", "above 0", max_seconds)
    hypotheses = hypotheses_of(table)
    engine = MemoryEngine(hypotheses, settings.threads)
    own = own_name(settings)
    runs: dict[str, Callable[[Budget], Findings]] = {own: partial(_search, table, settings)}
    for name in names:
        runs[name] = partial(METHODS[name], engine, hypotheses.items, settings)
    # Kernels are loaded before the first method, which would pay for all.
    warm_up(job_for(settings).search, type(settings)())
    found: dict[str, Findings] = {}
    seconds: dict[str, float] = {}
    for name, run in runs.items():
        start = perf_counter()
        found[name] = run(Budget(max_tests=max_tests, max_seconds=max_seconds))
        seconds[name] = round(perf_counter() - start, 6)
    return Comparison(
        data=table.summary,
        settings=settings,
        methods=tuple(runs),
        causes=_causes(hypotheses.items, complements_of(engine), found),
        found=found,
        seconds=seconds,
        stopped={name: findings.stopped for name, findings in found.items() if findings.stopped},
    )


def own_name(settings: TableSettings) -> str:
    """The search by the protocol that it follows."""
    return OWN_NAMES[not settings.holds_columns]


def _search(table: CodedTable, settings: TableSettings, budget: Budget) -> Findings:
    """The search for causal rules, in the words of the baselines."""

    def on_progress(_: Progress) -> None:
        budget.spend(1)

    search = job_for(settings).search(open_coded(table, settings), settings, Stopwatch(), on_progress)
    with budget.until_spent():
        search.run()
    findings = tuple(
        Finding(
            pattern=rule.pattern,
            direction=rule.direction,
            verdict=rule.verdict if rule.verdict in ("causal", "rejected") else "undecided",
            support=rule.support,
            odds_ratio=rule.odds_ratio,
            p_value=rule.p_value,
            reason=f"fair odds ratio {rule.fair_odds_ratio.value:.3g}, {rule.pairs.n_pairs:,.0f} pairs",
        )
        for rule in (getattr(one, "as_printed", one) for one in search.rules)
    )
    return Findings(
        method=own_name(settings), findings=findings, n_tests=budget.n_tests, stopped=budget.stopped
    )


def _causes(
    items: Sequence[Item], complements: dict[int, int], found: Mapping[str, Findings]
) -> tuple[Cause, ...]:
    rows: dict[Pattern, dict[str, Direction]] = {(item,): {} for item in items}
    other_side = {items[item]: items[variable] for item, variable in complements.items()}
    for method, findings in found.items():
        for pattern, direction in _said(findings.findings, other_side):
            if len(pattern) == 1:
                rows[pattern].setdefault(method, direction)
            elif method in KNOW_COMBINED_CAUSES:
                rows.setdefault(pattern, {}).setdefault(method, direction)
    causes = (Cause(pattern=pattern, directions=said) for pattern, said in rows.items())
    return tuple(cause for cause in causes if cause.n_agreeing)


def _said(
    findings: Iterable[Finding], other_side: Mapping[Item, Item]
) -> Iterable[tuple[Pattern, Direction]]:
    """What a method claims, about a variable rather than its complement."""
    opposite: dict[Direction, Direction] = {"raises": "lowers", "lowers": "raises"}
    for finding in findings:
        if finding.verdict in ("causal", "association"):
            first = finding.pattern[0]
            if len(finding.pattern) == 1 and first in other_side:
                yield (other_side[first],), opposite[finding.direction]
            else:
                yield finding.pattern, finding.direction
