"""What every result of rules knows, whatever method tested them."""

from __future__ import annotations

from collections import Counter
from numbers import Integral
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from causalrules.domain.cut_points import read_cuts
from causalrules.domain.notation import find_pattern
from causalrules.domain.progress import unfinished
from causalrules.domain.sentences import counted
from causalrules.errors import CausalRulesError, SettingsError, UnknownRuleError, one_line
from causalrules.files.whole_file import whole_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from causalrules.domain.data_summary import DataSummary
    from causalrules.domain.rule import Direction
    from causalrules.domain.table_settings import TableSettings

AnyRule = TypeVar("AnyRule")


class TestedRules(Generic[AnyRule]):
    """Rules with their verdicts, the strongest causal ones first, in `tested`."""

    __slots__ = ()
    __test__ = False

    if TYPE_CHECKING:

        @property
        def settings(self) -> TableSettings: ...  # noqa: D102
        @property
        def data(self) -> DataSummary: ...  # noqa: D102
        @property
        def tested(self) -> tuple[Any, ...]: ...  # noqa: D102
        @property
        def interrupted(self) -> bool: ...  # noqa: D102
        def pieces(self) -> Iterable[str]: ...  # noqa: D102

    @property
    def rules(self) -> tuple[AnyRule, ...]:
        """All tested rules, the strongest causal ones first; `to_frame` makes a data frame of them."""
        return self.tested

    @property
    def cuts(self) -> dict[str, str]:
        """Where numbers were cut, by column: the next run's `cut`, so that both speak of the same intervals.

        Examples
        --------
        >>> import causalrules
        >>> table = {"age": [20, 30, 40, 50] * 100, "ill": ["no", "no", "yes", "yes"] * 100}
        >>> january = causalrules.mine(table, "ill=yes", numeric="age")
        >>> january.cuts
        {'age': 'upto:35'}
        >>> causalrules.mine(table, "ill=yes", cut=january.cuts).settings.cut
        ('age=upto:35',)
        """
        found = map(read_cuts, self.data.cuts)
        return {one.column: text.rpartition("=")[2] for one, text in zip(found, self.data.cuts, strict=True)}

    def find(self, rule: AnyRule | str | int) -> AnyRule:
        """A rule by its text, as in ``"smoker=yes & sex=male"``, or by its place in ``rules``.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1)
        >>> result.find("exercise=daily")
        <Rule exercise=daily: causal, lowers, odds ratio 0.56 (0.45–0.69)>
        >>> result.find(0) == result.rules[0]
        True
        """
        found: AnyRule = find_rule(self.tested, rule)
        return found

    def with_verdict(self, verdict: str, direction: Direction | None = None) -> tuple[AnyRule, ...]:
        """The rules of one verdict, and of one direction if given."""
        return tuple(
            rule for rule in self.tested if rule.verdict == verdict and direction in (None, rule.direction)
        )

    @property
    def causal(self) -> tuple[AnyRule, ...]:
        """The causal rules, strongest first."""
        return self.with_verdict("causal")

    @property
    def n_by_verdict(self) -> Counter[str]:
        """How many rules each verdict has."""
        return Counter(rule.verdict for rule in self.tested)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON; the file appears whole or not at all.

        Examples
        --------
        >>> import tempfile
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.save(f"{folder}/result.json")
        ...     causalrules.Result.load(f"{folder}/result.json") == result
        True
        """
        with whole_file(path) as unfinished_file, unfinished_file.open("w", encoding="utf-8") as file:
            file.writelines(self.pieces())

    def summary(self) -> str:
        """One sentence: what was found in what."""
        verdicts = self.n_by_verdict
        outcome = self.data.outcome
        n_tested = len(self.tested)
        has = f"{outcome.n_with:,} with the outcome"
        if outcome.mean is not None:
            weighted = outcome.weighted_mean
            has = f"mean {outcome.mean:.4g}" if weighted is None else f"weighted mean {weighted:.4g}"
        others = [f"{verdicts[one]:,} {one}" for one in ("possible", "consequence") if verdicts[one]]
        others += [f"{verdicts[one]:,} {one}" for one in ("rejected", "untestable")]
        found = counted(verdicts["causal"], "causal rule")
        if self.settings.holdout:
            has += (
                f"; hypotheses came from about {1 - self.settings.holdout:.0%} of them, tests from the rest"
            )
        return one_line(
            f"{unfinished(self)}{found} for {outcome} among {counted(n_tested, 'association')} "
            f"tested ({', '.join(others)}) in "
            f"{outcome.n_records:,} records, {has}."
        )


def find_rule(tested: Sequence[Any], wanted: Any) -> Any:
    """The rule that is meant: itself, its place, or its text, with items in any order."""
    if hasattr(wanted, "pattern"):
        return wanted
    if isinstance(wanted, Integral):
        wanted = int(wanted)
        if -len(tested) <= wanted < len(tested):
            return tested[wanted]
        raise UnknownRuleError(wanted, [rule.name for rule in tested])
    if not isinstance(wanted, str):
        raise SettingsError("rule", "a rule, its text or its place", wanted)
    for rule in tested:
        if rule.name == wanted:
            return rule
    items = list(dict.fromkeys(item for rule in tested for item in rule.pattern))
    try:
        pattern = set(find_pattern(wanted, items))
    except CausalRulesError:
        pattern = set()
    for rule in tested:
        if set(rule.pattern) == pattern:
            return rule
    raise UnknownRuleError(wanted, [rule.name for rule in tested])
