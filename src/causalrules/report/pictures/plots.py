"""The pictures of one result, as `result.plot` offers them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule

MOST_ROWS = 60


class Plots:
    """Pictures of a result: Altair charts whose `save` writes PNG, SVG or HTML without a browser.

    A rule is named by itself, by its text as in ``"smoker=yes & sex=male"``,
    or by its place in ``result.tested``; without a name it is the first, the
    strongest one.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=3000).table
    >>> plot = causalrules.mine(patients, "ill=yes", by="severity").plot
    >>> charts = [plot.forest(most=5), plot.funnel(), plot.together()]
    >>> of_one = [plot.love, plot.sensitivity, plot.strata, plot.subgroups]
    >>> charts += [draw("exercise=daily") for draw in of_one]
    >>> {type(chart).__name__ for chart in charts}
    {'Picture'}

    ``plot.forest().save("forest.png")`` writes one. A dose needs a column whose values have an order:

    >>> tested = causalrules.test(patients, "ill=yes", "noise_1=z", ordered="noise_1=x<y<z")
    >>> type(tested.plot.dose()).__name__
    'Picture'
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    def __call__(self, kind: str = "forest", *arguments: Any, **options: Any) -> Any:
        """A picture by its name, as ``result.plot("love", "smoker=yes")``; the forest without one."""
        kinds = [name for name in vars(type(self)) if not name.startswith("_")]
        if kind not in kinds:
            raise SettingsError.choice("kind", kinds, kind)
        return getattr(self, kind)(*arguments, **options)

    def forest(self, rules: Sequence[Rule] | None = None, *, most: int = MOST_ROWS) -> Any:
        """Effects below one another, adjusted beside crude.

        Parameters
        ----------
        rules : sequence of Rule, optional
            Those to draw, such as ``result.tested``; the causal ones by default.
        most : int
            Rows at most.
        """
        from causalrules.report.pictures.forest_plot import forest_chart

        return forest_chart(self._result, rules, most)

    def funnel(self) -> Any:
        """Every tested rule by effect and precision."""
        from causalrules.report.pictures.funnel_plot import funnel_chart

        return funnel_chart(self._result)

    def love(self, rule: Rule | str | int = 0) -> Any:
        """How alike exposed and unexposed records are in other items, before matching and after it."""
        from causalrules.report.pictures.love_plot import love_chart

        return love_chart(self._find(rule))

    def sensitivity(self, rule: Rule | str | int = 0) -> Any:
        """The largest p-value against the strength of a hidden cause."""
        from causalrules.report.pictures.sensitivity_plot import sensitivity_chart

        return sensitivity_chart(self._find(rule))

    def strata(self, rule: Rule | str | int = 0) -> Any:
        """Shares with the outcome among all records, within strata and among matched pairs."""
        from causalrules.report.pictures.strata_plot import strata_chart

        return strata_chart(self._find(rule), self._result.data.outcome)

    def dose(self, rule: Rule | str | int | None = None) -> Any:
        """All levels of an ordered column; without a name of the first rule that has one."""
        from causalrules.report.pictures.estimate_plots import dose_chart

        ordered = [place for place, one in enumerate(self._result.tested) if one.dose is not None]
        return dose_chart(self._find(next(iter(ordered), 0) if rule is None else rule), self._result)

    def subgroups(self, rule: Rule | str | int = 0) -> Any:
        """The effect in the subgroups that were asked for, with tests of interaction."""
        from causalrules.report.pictures.estimate_plots import subgroup_chart

        return subgroup_chart(self._find(rule), self._result)

    def together(self, rule: Rule | str | int | None = None) -> Any:
        """Adjusted risks of a combined cause's parts; without a name of the first rule that has several."""
        from causalrules.report.pictures.interaction_plot import together_chart

        several = [place for place, one in enumerate(self._result.tested) if one.interaction is not None]
        wanted = next(iter(several), 0) if rule is None else rule
        return together_chart(self._find(wanted), self._result.data.outcome)

    def _find(self, wanted: Rule | str | int) -> Rule:
        return self._result.find(wanted)
