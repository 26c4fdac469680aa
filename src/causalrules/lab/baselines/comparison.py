"""Causes by methods, as one value: what a comparison found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    import pyarrow as pa

    from causalrules.domain import DataSummary, Direction, Pattern, Settings
    from causalrules.lab.baselines.findings import Findings

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
        return " & ".join(map(str, self.pattern))

    @property
    def n_agreeing(self) -> int:
        """How many methods call it a cause in the same direction; association rules do not count."""
        given = [said for method, said in self.directions.items() if method not in ASSOCIATION_METHODS]
        return max(given.count("raises"), given.count("lowers"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the methods found in one table.

    Parameters
    ----------
    data : DataSummary
        What the table was.
    settings : Settings
        Those of the search; the baselines heed what they know.
    methods : tuple of str
        The columns.
    causes : tuple of Cause
        The rows, each called a cause by some method: items in the order of
        the table, then combined causes of the search for causal rules, the
        only method that knows such.
    found : dict of str to Findings
        Everything each method found.
    seconds : dict of str to float
        What each method took, reading and encoding left out.
    stopped : dict of str to str
        Methods that were over their budget, and why; their column holds
        what they were sure of by then.
    """

    data: DataSummary
    settings: Settings
    methods: tuple[str, ...]
    causes: tuple[Cause, ...]
    found: Mapping[str, Findings]
    seconds: Mapping[str, float]
    stopped: Mapping[str, str]

    @property
    def n_causes(self) -> dict[str, int]:
        """Rows in which each method stands."""
        return {method: sum(method in cause.directions for cause in self.causes) for method in self.methods}

    @property
    def rules(self) -> pd.DataFrame:
        """The comparison as a pandas data frame, one row a cause."""
        return self.to_arrow().to_pandas()

    def to_arrow(self) -> pa.Table:
        """The same as an Arrow table."""
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
