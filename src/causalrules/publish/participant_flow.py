"""Who took part in a rule's study, step by step: the participant flow that STROBE asks for (item 13)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.publish.document import Line, Sheet

if TYPE_CHECKING:
    import os

    from causalrules.domain import Result, Rule
    from causalrules.publish.document import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Records at every step of one study.

    Parameters
    ----------
    rule, outcome : str
        What was studied.
    read : int
        Records of the table.
    outcome_known : int
        Those whose outcome is known.
    kept_aside : int
        Those that hypotheses came from; with a hold-out they take no part in the study.
    exposure_unknown : int
        Records in neither arm.
    exposed, unexposed : int
        The arms.
    missing_exposed, missing_unexposed : int or None
        Left out of each arm for missing controls; None in files of earlier versions, which have their sum.
    missing : int
        Both together.
    unmatched_exposed, unmatched_unexposed : int
        Records without partners.
    matched_exposed, matched_unexposed : int or None
        Records that were compared.
    pairs : float
        Matched pairs, on average over all pairings.
    discordant : float or None
        Those of which exactly one record has the outcome; None where that is a number.

    Examples
    --------
    >>> import tempfile
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> flow = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity").flow()
    >>> flow.read, flow.exposure_known, flow.exposed + flow.unexposed
    (1000, 1000, 1000)
    >>> flow.svg[:4], type(flow.sheet).__name__
    ('<svg', 'Sheet')
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     flow.save(f"{folder}/flow.svg")
    """

    rule: str
    outcome: str
    read: int
    outcome_known: int
    kept_aside: int
    exposure_unknown: int
    exposed: int
    unexposed: int
    missing_exposed: int | None
    missing_unexposed: int | None
    missing: int
    unmatched_exposed: int
    unmatched_unexposed: int
    matched_exposed: int | None
    matched_unexposed: int | None
    pairs: float
    discordant: float | None

    @property
    def exposure_known(self) -> int:
        """Records of both arms."""
        return self.exposed + self.unexposed

    @property
    def sheet(self) -> Sheet:
        """The numbers as a table."""
        steps: list[tuple[str, tuple[Cell, ...]]] = [
            ("Records read", (self.read, None, None)),
            ("Outcome known", (self.outcome_known, None, None)),
        ]
        if self.kept_aside:
            steps.append(("Held out for testing", (self.outcome_known - self.kept_aside, None, None)))
        complete = [
            None if missing is None else size - missing
            for size, missing in (
                (self.exposed, self.missing_exposed),
                (self.unexposed, self.missing_unexposed),
            )
        ]
        steps += [
            ("Exposure known", (self.exposure_known, self.exposed, self.unexposed)),
            ("Confounders known", (self.exposure_known - self.missing, *complete)),
            ("Matched", (self._n_matched, self.matched_exposed, self.matched_unexposed)),
            ("Matched pairs (average over all pairings)", (count_of_pairs(self.pairs), None, None)),
        ]
        if self.discordant is not None:
            steps.append(("Pairs that differ in the outcome", (count_of_pairs(self.discordant), None, None)))
        return Sheet(
            title=f"Participant flow: {self.rule} and {self.outcome}",
            columns=("Step", "All", "Exposed", "Unexposed"),
            lines=tuple(Line(name, cells) for name, cells in steps),
            name="Flow",
        )

    @property
    def _n_matched(self) -> int:
        return self.exposure_known - self.missing - self.unmatched_exposed - self.unmatched_unexposed

    @property
    def svg(self) -> str:
        """The flow as a drawing."""
        from causalrules.publish.flow_picture import draw_flow

        return draw_flow(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing: SVG, PNG (with the extra `publish`) or HTML by the ending of the file's name."""
        from causalrules.publish.flow_picture import save_drawing

        save_drawing(self.svg, Path(path))

    def _repr_html_(self) -> str:
        return self.svg


def participant_flow(result: Result, rule: Rule) -> Flow:
    """The flow of one rule; everything follows from what a result holds."""
    design, doubts = rule.design, rule.doubts
    known = result.data.outcome.n_records
    matched: list[int | None] = [
        rule.exposed - doubts.unmatched_exposed,
        rule.unexposed - doubts.unmatched_unexposed,
    ]
    if design.matched_exposed is not None:
        matched = [design.matched_exposed, design.matched_unexposed]
    elif design.left_out:
        matched = [None, None]
    sides = (
        (rule.exposed, doubts.unmatched_exposed, matched[0]),
        (rule.unexposed, doubts.unmatched_unexposed, matched[1]),
    )
    left_out = [None if found is None else size - alone - found for size, alone, found in sides]
    return Flow(
        rule=rule.name,
        outcome=str(result.data.outcome),
        read=result.data.rows,
        outcome_known=known,
        kept_aside=known - design.exposure_unknown - rule.exposed - rule.unexposed
        if result.settings.holdout
        else 0,
        exposure_unknown=design.exposure_unknown,
        exposed=rule.exposed,
        unexposed=rule.unexposed,
        missing_exposed=left_out[0],
        missing_unexposed=left_out[1],
        missing=design.left_out,
        unmatched_exposed=doubts.unmatched_exposed,
        unmatched_unexposed=doubts.unmatched_unexposed,
        matched_exposed=matched[0],
        matched_unexposed=matched[1],
        pairs=rule.pairs.n_pairs,
        discordant=None if result.data.outcome.is_mean else rule.pairs.n_discordant,
    )


def count_of_pairs(pairs: float) -> str:
    """Averaged over pairings they need not be whole.

    Examples
    --------
    >>> count_of_pairs(1234.0), count_of_pairs(12.345)
    ('1,234', '12.3')
    """
    return f"{pairs:,.0f}" if pairs == round(pairs) or pairs >= _MANY else f"{pairs:,.1f}"


_MANY = 100


def flows_sheet(result: Result, rules: tuple[Rule, ...]) -> Sheet:
    """The flows of several rules, one line each."""
    flows = [participant_flow(result, rule) for rule in rules]
    data = result.data
    return Sheet(
        title=f"Participant flow of every rule; {data.rows:,} records read, {data.outcome.n_records:,} with "
        "a known outcome",
        columns=(
            "Exposure",
            "Exposure known",
            "Exposed",
            "Unexposed",
            "Confounders known",
            "Matched exposed",
            "Matched unexposed",
            *(() if data.outcome.is_mean else ("Discordant pairs",)),
        ),
        lines=tuple(
            Line(
                flow.rule,
                (
                    flow.exposure_known,
                    flow.exposed,
                    flow.unexposed,
                    flow.exposure_known - flow.missing,
                    flow.matched_exposed,
                    flow.matched_unexposed,
                    *(() if flow.discordant is None else (count_of_pairs(flow.discordant),)),
                ),
            )
            for flow in flows
        ),
        notes=() if data.outcome.is_mean else ("Pairs are averaged over all pairings of matched records.",),
        name="Flow",
    )
