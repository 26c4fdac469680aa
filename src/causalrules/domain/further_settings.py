"""Settings of further questions: whether effects differ, and whether the run can be trusted."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from causalrules.domain.question_settings import as_arrows
from causalrules.domain.setting_fields import CheckedFields, at_least, setting
from causalrules.errors import SettingsError

OutcomeAs = Literal["value", "mean"]
WeightsAre = Literal["frequencies", "sampling"]


@dataclass(frozen=True, kw_only=True)
class FurtherSettings(CheckedFields):
    """What else is asked of a finding, and of the whole run."""

    title: ClassVar[str] = "Further questions"

    outcome_as: OutcomeAs = setting(
        "value",
        "What is asked of the outcome: whether records have a value of it, or, of a column of numbers, how "
        "large its mean is. Effects are then differences of means.",
        label="The outcome is",
    )
    require: tuple[str, ...] = setting(
        (), "Arrows that exist, such as 'smoking -> cancer'.", label="Arrows that there are"
    )
    by: tuple[str, ...] = setting(
        (),
        "Columns that define subgroups: the effect in each subgroup, with a test of interaction (is it the "
        "same in all?), corrected for the number of such tests.",
        label="Subgroups by",
    )
    negative_outcome: tuple[str, ...] = setting(
        (),
        "Outcomes that nothing in the table can cause, such as injury=yes: every causal rule is studied "
        "with each of them too, as a check of the whole run. Their columns are used for nothing else.",
        label="Negative outcomes",
    )
    negative_exposure: tuple[str, ...] = setting(
        (),
        "Columns that cannot cause the outcome, such as the season of birth: each gets a study, as a check "
        "of the whole run. They are used for nothing else.",
        label="Negative exposures",
    )
    ordered: tuple[str, ...] = setting(
        (),
        "Columns whose values have an order, such as education=low<middle<high; the name is enough where "
        "they are numbers or the file has the order. All levels of such a column are one finding, a "
        "dose-response with a test of trend. Numbers that are cut into three or more intervals have one "
        "anyway.",
        label="Ordered columns",
    )
    weights_are: WeightsAre = setting(
        "frequencies",
        "How many records each row stands for, or, of a survey, how many of the population each sampled "
        "record represents: then estimates are weighted, and variances are those of the design.",
        label="Weights are",
    )
    cluster: str | None = setting(
        None,
        "Column that says which records belong together, such as a patient's number. It is neither tested "
        "nor adjusted for; intervals and tests then count clusters, not records.",
        label="Records belong together by",
        unset="records are independent",
    )
    matched_set: str | None = setting(
        None,
        "Column that identifies sets matched at data collection, such as a case and its controls, or twins: "
        "records are compared within their set, and adjusted only for the columns of adjust.",
        label="Matched sets",
        unset="records are matched here",
    )
    placebo: int = setting(
        0,
        "Number of further runs with the outcome permuted, within the strata of the study (test) or of the "
        "columns to adjust for (mine); reports the share of them with a causal rule.",
        label="Placebo runs",
        legal=at_least(0, most=10_000),
    )

    def __post_init__(self) -> None:
        self.settle("require", as_arrows(self.require))
        super().__post_init__()
        if self.cluster is not None and not isinstance(self.cluster, str):
            raise SettingsError("cluster", "the name of a column", self.cluster)
        self.orders  # noqa: B018 - reading it checks the spelling of `ordered`

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The ordered columns with their values from low to high; none where only the name is given."""
        found: dict[str, tuple[str, ...]] = {}
        for text in self.ordered:
            name, equals, values = text.partition("=")
            order = tuple(value.strip() for value in values.split("<")) if equals else ()
            if not name.strip() or (equals and len(order) < 2) or (equals and not all(order)):
                raise SettingsError(
                    "ordered", "columns, or values from low to high: 'dose=none<some<much'", text
                )
            found[name.strip()] = order
        return found
