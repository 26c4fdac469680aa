"""Values of one column that differ from the others only because of another of its values.

Each value is compared with all others together. Where one of A, B and C raises the odds, the others lower
them by this definition, and a reader would take one cause for three. So, the clearest value first, a value
is a finding of its own only if it still differs from what is left of its column when the records of the
findings before it are set aside.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain.marker_phrases import WITHOUT_OTHER_VALUES
from causalrules.domain.sentences import listed
from causalrules.search.value_contrasts import ValueContrast, ValueContrasts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from causalrules.domain import Rule, Settings
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_study import ContrastStudy
    from causalrules.search.study_contrasts import ContrastStudies

_MOST_NAMED = 4
"""Values that a reason names."""


class ExplainedValues:
    """Finds values that another value of their column explains.

    Parameters
    ----------
    opened : Opened
        Vocabulary and engines.
    settings : Settings
        How to judge.
    studies : ContrastStudies
        Made the studies.
    ordered : collection of str
        Columns whose values have an order. Their dose-response tells what each level does, and a course
        needs all of its levels.
    """

    def __init__(
        self, opened: Opened, settings: Settings, studies: ContrastStudies, ordered: Collection[str]
    ) -> None:
        self._opened = opened
        self._settings = settings
        self._studies = studies
        self._ordered = ordered

    def rejected(self, rules: Sequence[Rule], done: Sequence[ContrastStudy]) -> dict[int, Rule]:
        """By their places, the rules that are no findings of their own, with the reason.

        Parameters
        ----------
        rules : sequence of Rule
            With their verdicts.
        done : sequence of ContrastStudy
            The study of each.
        """
        if self._settings.min_odds_ratio is not None:  # which asks for the size alone
            return {}
        columns: dict[str, dict[int, tuple[int, Rule]]] = {}
        for place, (rule, study) in enumerate(zip(rules, done, strict=True)):
            name = rule.pattern[0].column
            if rule.length == 1 and rule.verdict in ("causal", "possible") and name not in self._ordered:
                columns.setdefault(name, {})[study.pattern[0]] = place, rule
        several = [own for own in columns.values() if len(own) > 1]

        def of_column(own: dict[int, tuple[int, Rule]]) -> dict[int, Rule]:
            asked = {item: rule for item, (_, rule) in own.items()}
            studies = [done[place] for place, _ in own.values()]
            contrasts = ValueContrasts(self._opened, self._settings, studies)
            found = _OneColumn(asked, contrasts, self._level).explained()
            return {own[item][0]: self._rejected(asked[item], why) for item, why in found.items()}

        joined: dict[int, Rule] = {}
        for found in self._studies.side_by_side(of_column, several):
            joined.update(found)
        return joined

    @property
    def _level(self) -> float:
        settings = self._settings
        return settings.alpha if settings.judge == "corrected" else 1 - settings.confidence

    def _rejected(self, rule: Rule, found: _Explained) -> Rule:
        first, *others = (self._opened.vocabulary.items[item] for item in found.aside)
        names = listed([first.name, *(item.value for item in others)], _MOST_NAMED)
        reason = f"{WITHOUT_OTHER_VALUES}{names}, {_what_is_left(found, rule, self._level)}"
        return replace(rule, verdict="rejected", grade=None, reason=reason)


class _Explained(NamedTuple):
    """What is left of a value's difference, which values are set aside, and how many were asked about."""

    contrast: ValueContrast
    aside: tuple[int, ...]
    n_asked: int


def _what_is_left(found: _Explained, rule: Rule, level: float) -> str:
    """What is left of a difference, in words."""
    contrast, is_corrected = found.contrast, ""
    if not contrast.is_informative:
        return "no record is comparable"
    if contrast.p_value * found.n_asked > level:
        if contrast.p_value <= level:
            is_corrected = f" after correction for {found.n_asked} values"
        return f"no clear difference{is_corrected}: {contrast.told}"
    assert contrast.raises != (rule.direction == "raises")
    moves = f"{'raises' if contrast.raises else 'lowers'} the {'mean' if contrast.is_mean else 'odds'}"
    return f"it {moves}: {contrast.told}"


class _OneColumn:
    """Which values of a column are findings, and which are explained by them.

    Parameters
    ----------
    rules : mapping of int to Rule
        Of each value that might be a finding, by its item.
    contrasts : ValueContrasts
        Compares a value with the others while some of them are set aside.
    level : float
        The chance, for one column, of a finding that is none.
    """

    def __init__(self, rules: Mapping[int, Rule], contrasts: ValueContrasts, level: float) -> None:
        self._rules = rules
        self._contrasts = contrasts
        self._level = level

    def explained(self) -> dict[int, _Explained]:
        """The values that are no findings, and what is left of their difference."""
        aside = tuple(self._rarer_half(self._findings()))
        left = [item for item in self._rules if item not in aside]
        n_asked = self._n_asked(aside)
        return {item: _Explained(self._contrasts.without(item, aside), aside, n_asked) for item in left}

    def _findings(self) -> list[int]:
        """The clearest value, then, one after another, the clearest that still differs from what is left."""
        found = [min(self._rules, key=self._clearness)]
        while len(found) < len(self._rules):
            if len(self._contrasts.items) == len(found) + 1:  # the last: all others differ from it
                return list(self._rules)
            clear = dict(self._still_clear(found))
            if not clear:
                break
            found.append(min(clear, key=lambda item: (clear[item].p_value, -clear[item].distance)))
        return found

    def _clearness(self, item: int) -> tuple[float, float]:
        """Of many records p-values of several rules may be 0."""
        return self._rules[item].p_value, -self._rules[item].strength.low

    def _still_clear(self, aside: Sequence[int]) -> Iterator[tuple[int, ValueContrast]]:
        """Values that differ from what is left, in the direction of their rules; corrected by Bonferroni."""
        left, n_asked = [item for item in self._rules if item not in aside], self._n_asked(aside)
        for item in left:
            contrast = self._contrasts.without(item, tuple(aside))
            is_clear = contrast.is_informative and contrast.p_value * n_asked <= self._level
            if is_clear and contrast.raises == (self._rules[item].direction == "raises"):
                yield item, contrast

    def _n_asked(self, aside: Sequence[int]) -> int:
        """How many questions there are: of two values left, each is compared with the other, which is one."""
        n_left = sum(item not in aside for item in self._rules)
        return 1 if len(self._contrasts.items) - len(aside) == 2 else n_left

    def _rarer_half(self, found: list[int]) -> list[int]:
        """The findings, or the values left, where either half is alike in itself and explains the other.

        That A and B lower the odds says the same as that C and D raise them; the rarer ones are the exception
        that a reader looks for.
        """
        left = [item for item in self._contrasts.items if item not in found]
        are_causal = all(
            item in self._rules and self._rules[item].verdict == "causal" for item in (*left, *found)
        )
        if not are_causal or not 1 < len(left) <= len(found) or any(self._still_clear(left)):
            return found
        return min(found, left, key=lambda half: sum(self._rules[item].exposed for item in half))
