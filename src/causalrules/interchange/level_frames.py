"""Findings as a data frame: one row a level."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain.frame_libraries import in_library

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain.frame_libraries import Library
    from causalrules.words.findings import Finding, Level
    from causalrules.words.result import Result

_OF_FINDING: dict[str, tuple[pa.DataType, Callable[[Finding], Any]]] = {
    "factor": (pa.string(), lambda finding: finding.name),
    "or": (pa.string(), lambda finding: "; ".join(one.name for one in finding.factors[1:]) or None),
    "verdict": (pa.string(), lambda finding: finding.verdict),
    "grade": (pa.string(), lambda finding: finding.grade),
    "moves": (pa.float64(), lambda finding: finding.moves and finding.moves[0]),
}
"""What stands before the level."""

_OF_LEVEL: dict[str, tuple[pa.DataType, Callable[[Level], Any]]] = {
    "level": (pa.string(), lambda level: level.level),
    "records": (pa.int64(), lambda level: level.records),
    "crude": (pa.float64(), lambda level: level.crude),
}
_ESTIMATES = ("risk", "difference", "ratio", "odds_ratio")

_OF_FINDING_AFTER: dict[str, tuple[pa.DataType, Callable[[Finding], Any]]] = {
    "reference": (pa.string(), lambda finding: finding.effect and finding.effect.reference),
    "p": (pa.float64(), lambda finding: finding.p),
    "p_corrected": (pa.float64(), lambda finding: finding.p_corrected),
    "p_link": (pa.float64(), lambda finding: finding.p_link),
    "adjusted_for": (pa.string(), lambda finding: "; ".join(finding.adjusted_for)),
    "explained_by": (pa.string(), lambda finding: "; ".join(finding.explained_by)),
}


def frame_of(result: Result, library: Library) -> Any:
    """The findings of a result as a frame of a library; the columns do not depend on what was found."""
    rows = [
        (finding, level)
        for finding in result.findings
        for level in (finding.effect.levels if finding.effect is not None else (None,))
    ]
    columns = {
        name: _array(kind, [read(one) for one, _ in rows]) for name, (kind, read) in _OF_FINDING.items()
    }
    for name, (kind, of_level) in _OF_LEVEL.items():
        columns[name] = _array(kind, [None if level is None else of_level(level) for _, level in rows])
    for name in _ESTIMATES:
        triples = [getattr(level, name, None) or (None, None, None) for _, level in rows]
        for place, end in enumerate(("", "_low", "_high")):
            columns[name + end] = _array(pa.float64(), [triple[place] for triple in triples])
    columns["level_p"] = _array(pa.float64(), [level and level.p for _, level in rows])
    for name, (kind, read) in _OF_FINDING_AFTER.items():
        columns[name] = _array(kind, [read(finding) for finding, _ in rows])
    return in_library(pa.table(columns), library)


def _array(kind: pa.DataType, values: list[Any]) -> pa.Array:
    """A column in which what is not a number is missing; what is infinite stays so."""
    return pa.array([None if isinstance(one, float) and isnan(one) else one for one in values], kind)
