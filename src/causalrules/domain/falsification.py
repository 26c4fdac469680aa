"""Falsification checks of a whole run: negative controls and placebo runs, in which no effect can exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from causalrules.domain.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class NegativeControl:
    """An effect that cannot exist, estimated by the same study as the others.

    Parameters
    ----------
    kind : {'outcome', 'exposure'}
        Which side cannot take part: an outcome that nothing here causes, or an exposure that causes nothing.
    exposure, outcome : str
        What was compared, and what was counted.
    held : tuple of str
        The columns adjusted for.
    odds_ratio : Estimate
        Adjusted, of the outcome that was counted.
    p_value, q_value : float
        Of no effect; and corrected by Holm's method for all negative controls of the run.
    is_alarm : bool
        Whether the corrected p-value is within the level: then something is not adjusted for.
    untestable : str
        Why it could not be studied; empty if it could.
    """

    kind: Literal["outcome", "exposure"]
    exposure: str
    outcome: str
    held: tuple[str, ...]
    odds_ratio: Estimate
    p_value: float
    q_value: float
    is_alarm: bool
    untestable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placebo:
    """The whole run again on tables whose outcome was permuted, so that nothing causes it.

    Parameters
    ----------
    runs : int
        Tables.
    with_causal : int
        Those in which some rule was causal all the same.
    share : Estimate
        Their share, with the exact interval of Clopper and Pearson (1934).
    within : tuple of str
        Columns within whose strata the outcome was permuted; none for all records.
    """

    runs: int
    with_causal: int
    share: Estimate
    within: tuple[str, ...]
