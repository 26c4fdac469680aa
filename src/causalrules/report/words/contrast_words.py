"""One rule of the default search in words: its verdict, and what a reader must not overlook.

Numbers speak of the outcome itself: what lowers it has an odds ratio below 1
and a negative risk difference. (Rules keep theirs in the direction's sense.)
"""

from __future__ import annotations

from math import inf, isfinite, log10
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain import Outcome
from causalrules.domain.marker_phrases import (
    BY_ALL_HELD,
    EXPLAINED_AWAY_BY,
    NO_CLEAR_DIFFERENCE,
    NOT_SIGNIFICANT,
    WITHOUT_OTHER_VALUES,
)
from causalrules.domain.sentences import listed as sentence_list
from causalrules.report.words.formatting import interval, number, p_text, printable, printable_text
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from causalrules.domain import Estimate, Rule

MOST_NAMED = 6
"""Columns named before a list is cut short."""


class Tag(NamedTuple):
    """A remark that fits behind a rule's name, and what it means."""

    text: str
    meaning: str


def estimator_of(rule: Rule) -> str:
    """How the adjusted odds ratio was estimated; conditional means: by conditional maximum likelihood."""
    return "conditional" if rule.test == "conditional" else "Mantel-Haenszel"


def own_ratio(rule: Rule, ratio: Estimate) -> Estimate:
    """A ratio of the rule, about the outcome itself."""
    return ratio if rule.direction == "raises" else ratio.inverted()


def own_difference(rule: Rule, difference: Estimate) -> Estimate:
    """A risk difference of the rule, about the outcome itself."""
    return difference if rule.direction == "raises" else difference.negated()


def n_matched(rule: Rule) -> int:
    """Exposed records that found partners; those left out for missing values did not."""
    counted = rule.design.matched_exposed
    if counted is not None:
        return counted
    difference = rule.effects.risk_difference.value
    if difference and isfinite(rule.effects.attributable):
        return round(rule.effects.attributable / difference)
    return rule.exposed - rule.doubts.unmatched_exposed


def standardised_risks(rule: Rule) -> tuple[float, float] | None:
    """Risk of the matched exposed records, and what it would be without the exposure; None if not known."""
    difference, ratio = rule.effects.risk_difference.value, rule.effects.risk_ratio.value
    if not (isfinite(difference) and isfinite(ratio)) or abs(ratio - 1) < 1e-6:
        return None
    unexposed = difference / (ratio - 1)
    risks = unexposed * ratio, unexposed
    if not all(0 <= risk <= 1 for risk in risks):
        return None
    return risks if rule.direction == "raises" else (1 - risks[0], 1 - risks[1])


def percent_points(*shares: float) -> list[str]:
    """Differences of shares in per cent, with as many digits as it takes to tell them apart.

    Examples
    --------
    >>> percent_points(0.136, 0.116, 0.156)
    ['+13.6%', '+11.6%', '+15.6%']
    >>> percent_points(0.00012, 0.00001, 0.00023)
    ['+0.012%', '+0.001%', '+0.023%']
    """
    finite = [share for share in shares if isfinite(share)]
    spread = 100 * (max(finite, default=0.0) - min(finite, default=0.0) or abs(max(finite, default=0.0)))
    digits = max(1, min(6, 1 - int(log10(spread) // 1))) if 0 < spread < inf else 1
    return [
        f"{100 * share:+.{digits}f}%".replace("-", "−") if isfinite(share) else "not known"
        for share in shares
    ]


def points_and_interval(estimate: Estimate) -> tuple[str, str]:
    """A risk difference and its interval.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> points_and_interval(Estimate(0.136, 0.116, 0.156))
    ('+13.6%', '+11.6% – +15.6%')
    """
    value, low, high = percent_points(estimate.value, estimate.low, estimate.high)
    if "not known" in (low, high) or low == high:
        return value, "not known"
    return value, f"{low} – {high}"


def listed(names: Sequence[str], show: Callable[[str], str] = printable, most: int = MOST_NAMED) -> str:
    """Names as one writes them in a sentence.

    Examples
    --------
    >>> listed(["smoker", "exercise", "severity"])
    'smoker, exercise and severity'
    >>> listed(list("abcdefgh"), most=3)
    'a, b, c and 5 more'
    """
    return sentence_list([show(name) for name in names], most)


def adjusted_for(rule: Rule, show: Callable[[str], str] = printable, most: int = MOST_NAMED) -> str:
    """What was adjusted for, as the end of a sentence."""
    held = rule.design.held
    return f"adjusted for {listed(held, show, most)}" if held else "adjusted for nothing"


def headline(rule: Rule, outcome: Outcome) -> str:
    """The verdict in a few words."""
    name, target, moved = printable(rule.name), printable(str(outcome)), f"the {measure_of(rule).moves}"
    if rule.verdict == "causal":
        grade = f", {rule.grade} evidence" if rule.grade else ""
        if rule.depends_on is not None:
            return (
                f"{name}: causal, how it changes {moved} of {target} depends on {printable(rule.depends_on)}"
            )
        return f"{name}: causal, {rule.direction} {moved} of {target}{grade}"
    if rule.verdict == "possible":
        return f"{name}: possible, may {rule.direction.removesuffix('s')} {moved} of {target}"
    if rule.verdict == "consequence":
        return f"{name}: a consequence of {target}, not a cause"
    if rule.verdict == "untestable":
        return f"{name}: cannot be tested"
    if is_explained_by_values(rule):
        return f"{name}: rejected, explained by other values of {printable(rule.pattern[0].column)}"
    if is_explained_away(rule):
        return f"{name}: rejected, explained by other columns"
    if excludes_one(rule):
        return f"{name}: {rule.direction} {moved} of {target}, not clearly enough for the level asked for"
    return f"{name}: rejected, not shown to change {moved} of {target}"


def excludes_one(rule: Rule) -> bool:
    """Whether the interval of the adjusted effect leaves out none: an odds ratio of 1, a difference of 0."""
    return measure_of(rule).excludes_nothing


def contrast_sentence(rule: Rule, outcome: Outcome, show: Callable[[str], str] = printable) -> str:
    """The verdict on one rule with its numbers."""
    name, target = show(rule.name), show(str(outcome))
    measure = measure_of(rule)
    crude = measure.shown(measure.crude.value)
    adjusted = f"{measure.name} {measure.with_limits(measure.adjusted)} {adjusted_for(rule, show)}"
    if rule.verdict == "untestable":
        told = "" if rule.compares_nothing else f" Its crude {measure.name} is {crude}."
        return f"{name} cannot be tested. Reason: {_reason(rule)}.{told}"
    if rule.verdict == "consequence":
        why = _reason(rule) or "it comes after the outcome"
        return (
            f"{name} is listed as a consequence of {target}, not as a cause: {why}."
            f"{'' if rule.compares_nothing else f' Crude {measure.name} {crude}.'}"
        )
    if is_explained_by_values(rule):
        return f"{_association(rule, name, target, crude)}: {adjusted}; {_reason(rule)}."
    if rule.verdict == "rejected":
        return f"{_association(rule, name, target, crude)}, {_why_rejected(rule)}: {adjusted}{_after(rule)}."
    verb = rule.direction if rule.verdict == "causal" else f"may {rule.direction.removesuffix('s')}"
    others = inseparable(rule)
    apart = f" It cannot be told apart from {listed(others, show)}." if others else ""
    moved = f"the {measure.moves} of {target}"
    if rule.depends_on is not None:
        return f"{name} changes {moved}, and {_reason(rule)}; {adjusted}; crude {crude}.{apart}"
    return f"{name} {verb} {moved}: {adjusted}; crude {crude}.{apart}"


def inseparable(rule: Rule) -> tuple[str, ...]:
    """Columns that may as well be the cause: near copies, and those that share the finding."""
    own = {item.column for item in rule.pattern}
    return tuple(dict.fromkeys(name for name in (*rule.design.near_copies, *rule.group) if name not in own))


def _reason(rule: Rule) -> str:
    return printable_text(rule.reason).removesuffix(".")


THE_OUTCOME = Outcome("", "", 0, 0, written="the outcome")
"""Stands for what a rule by itself does not know."""


def of_it(target: str) -> str:
    """An outcome of which there is more or less.

    Examples
    --------
    >>> f"more {of_it('ill=yes')}", f"more {of_it('the outcome')}"
    ('more ill=yes', 'more of the outcome')
    """
    return f"of {target}" if target == str(THE_OUTCOME) else target


def _association(rule: Rule, name: str, target: str, crude: str) -> str:
    measure = measure_of(rule)
    told = f"(crude {measure.name} {crude})"
    if measure.is_crudely_unclear:
        return f"{name} is not clearly associated with {target} {told}"
    amount = "more" if measure.crude.low > measure.nothing else "less"
    return f"{name} is associated with {amount} {of_it(target)} {told}"


def is_explained_away(rule: Rule) -> bool:
    """Whether other columns account for the association, rather than a study that found nothing."""
    others = (NO_CLEAR_DIFFERENCE, "matched records show", f"{NOT_SIGNIFICANT} after", WITHOUT_OTHER_VALUES)
    return rule.verdict == "rejected" and not rule.reason.startswith(others)


def is_explained_by_values(rule: Rule) -> bool:
    """Whether an exposure differs from the other values of its column only because of some of them."""
    return rule.verdict == "rejected" and rule.reason.startswith(WITHOUT_OTHER_VALUES)


def probability(p_next: float) -> str:
    """A probability of standing next to the outcome, in two digits.

    Examples
    --------
    >>> probability(0.1765), probability(0.0002)
    ('P 0.18', 'P below 0.01')
    """
    return f"P {p_next:.2f}" if p_next >= 0.01 else "P below 0.01"


def why_explained(rule: Rule) -> str:
    """Which columns explain an association away; empty if those adjusted for do, as their study shows."""
    if excludes_one(rule) and rule.p_next:  # of columns that no window held it is 0
        told = probability(rule.p_next)
        return _reason(rule) if told in rule.reason else f"{_reason(rule)} ({told})"
    are_all_held = rule.reason == f"{EXPLAINED_AWAY_BY}{sentence_list(rule.design.held)}"
    return "" if are_all_held or rule.reason.startswith(BY_ALL_HELD) else _reason(rule)


def what_went_with(rule: Rule) -> str:
    """What took an association away, as far as it needs no other sentence.

    Of a study that found no clear difference the columns; of a value what it is without the others'.
    """
    if is_explained_by_values(rule):
        return _reason(rule)
    is_of_study = rule.reason.startswith(NO_CLEAR_DIFFERENCE)
    return _reason(rule).partition("; ")[2] if is_of_study else ""


def _after(rule: Rule) -> str:
    """What follows the numbers of a rejected rule."""
    told = what_went_with(rule)
    return f"; {told}" if told else ""


def steps_held(rule: Rule, show: Callable[[str], str] = printable) -> list[str]:
    """The odds ratio with ever more held, where `--explain` asked for it."""
    lines = []
    for place, step in enumerate(rule.explanation.steps if rule.explanation else ()):
        ratio, held = own_ratio(rule, step.odds_ratio), show(step.control.name)
        adjusted = "adjusted for" if place == 0 else "also adjusted for"
        lines.append(f"odds ratio {number(ratio.value)} ({interval(ratio)}) {adjusted} {held}")
    return lines


def _why_rejected(rule: Rule) -> str:
    if is_explained_away(rule) and why_explained(rule):
        why = why_explained(rule)
        return f"but {why if why.startswith('it ') else f'is {why}'}"
    if excludes_one(rule):
        return f"and the evidence is too weak for the level asked for ({p_text(rule.p_value)})"
    # An association that was never clear is not contradicted by the study, it is borne out.
    is_unclear = measure_of(rule).is_crudely_unclear
    return f"{'and' if is_unclear else 'but'} comparable records show no clear difference"


EMPTY_CELL = "crude counts 0 as 1"
"""What is said of a crude odds ratio that is finite only because an empty cell counts as one record."""


def has_empty_cell(rule: Rule) -> bool:
    """Whether a cell of the crude table is empty.

    Examples
    --------
    >>> import causalrules
    >>> table = {"x": ["a"] * 40 + ["b"] * 60, "z": ["yes"] * 60 + ["no"] * 40}
    >>> rule = causalrules.test(table, "z=yes", "x=a").rules[0]
    >>> round(rule.odds_ratio.value), has_empty_cell(rule)
    (80, True)
    """
    if rule.mean is not None or not isfinite(rule.odds_ratio.value):
        return False
    if not rule.support:
        return True
    unexposed_with = round(rule.support / rule.local_support) - rule.support
    return 0 in (rule.exposed - rule.support, unexposed_with, rule.unexposed - unexposed_with)


def contrast_tags(rule: Rule) -> list[Tag]:
    """What stands behind a rule's name, shortest first."""
    design, tags = rule.design, []
    others = inseparable(rule)
    if others:
        meaning = "≈: cannot be told apart from this column, which may be the cause instead"
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        tags.append(Tag(f"≈ {printable(others[0])}{more}", meaning))
    if design.without_undecided is not None:
        meaning = (
            "?: depends on whether this column comes first; say --adjust +COLUMN or --never-adjust COLUMN"
        )
        names = design.without_undecided.columns
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        tags.append(Tag(f"? {printable(names[0])}{more}", meaning))
    if rule.depends_on is not None:
        meaning = (
            "depends on: no clear effect on average, but different effects at different values of this column"
        )
        tags.append(Tag(f"depends on {printable(rule.depends_on)}", meaning))
    if not design.held:
        tags.append(Tag("∅", f"∅: adjusted for nothing, so this is the crude {measure_of(rule).name}"))
    if has_empty_cell(rule) and not rule.compares_nothing:
        meaning = (
            f"{EMPTY_CELL}: one of the four combinations of exposure and outcome has no record; the crude "
            "odds ratio counts one there, and would be 0 or infinite otherwise"
        )
        tags.append(Tag(EMPTY_CELL, meaning))
    if rule.doubts.is_mixed:
        tags.append(Tag("mixed", "mixed: the effect changes its sign between strata"))
    if not design.opinions_agree and not rule.compares_nothing:
        meaning = "second opinion differs: a doubly robust estimate of the same records contradicts this one"
        tags.append(Tag("second opinion differs", meaning))
    if design.missing_controls == "value":
        meaning = "missing kept: missing values of confounders are a level; they may hide confounding"
        tags.append(Tag("missing kept", meaning))
    return tags


def contrast_tag_meanings(rules: Iterable[Rule]) -> list[str]:
    """The meanings of the tags that occur, each once."""
    return list(dict.fromkeys(tag.meaning for rule in rules for tag in contrast_tags(rule)))
