"""The short report of the paper's procedure: one document for terminal, page, Word and the rest."""

from __future__ import annotations

import shlex
from math import isfinite
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.text import Text

from causalrules.domain.sentences import counted, listed
from causalrules.paper.judging import n_runs
from causalrules.publish.document import Document, Heading, Line, Listing, Paragraph, Sheet
from causalrules.publish.terminal_sheet import printable_note, sheet_report
from causalrules.publish.text_formats import as_markdown
from causalrules.report.words.formatting import interval, number, p_text, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from causalrules.domain import Item
    from causalrules.domain.evidence import Closeness
    from causalrules.paper.result import PaperResult
    from causalrules.paper.rule import PaperRule
    from causalrules.paper.settings import PaperSettings
    from causalrules.publish.document import Block

_UNBALANCED_FROM = 0.25
"""Standardised difference after matching from which a rule is marked (Stuart 2010)."""

_MOST_ITEMS = 12
"""Items that a sentence names."""

_MARKS = {
    "∅": "∅: nothing could be held fixed, so nothing is adjusted for.",
    "mixed": "mixed: the effect differs between strata, and may be in the opposite direction in some.",
    "≈": "≈: hardly occurs without this item, which could not be held fixed and may be the cause instead.",
    "≠": "≠: exposed and unexposed still differ in this item, on which they could not be made to agree.",
    "=": "=: stands for (nearly) the same records as this other rule.",
}
_DISTANCES = {
    "jaccard": "a Jaccard distance",
    "hamming": "a Hamming distance",
    "euclidean": "a Euclidean distance",
    "mahalanobis": "a Mahalanobis distance",
}
_GAMMA = (
    "Γ: an unmeasured confounder that changed the odds of exposure within pairs by this factor could make "
    "the result non-significant."
)
_NOTHING_FOUND = (
    "No association held up. Longer patterns (--max-length) or a smaller --min-support may show more; "
    "numbers can be cut differently (--bins quantile:4)."
)


def document_of(result: PaperResult, *, every: bool = False) -> Document:
    """The report of a search, or of a single rule; `every` lists rules that did not hold up, too."""
    is_single = len(result.tested) == 1 and not result.by_length
    if is_single:
        rule = result.tested[0]
        return Document(f"{rule.name}: {rule.verdict}", tuple(_study(rule, result)))
    return Document(f"Causal rules for {result.data.outcome}", tuple(_search(result, every=every)))


def terminal_report(result: PaperResult) -> RenderableType:
    """The report as a terminal shows it."""
    return in_terminal(document_of(result))


def in_terminal(document: Document) -> RenderableType:
    """Any document in a terminal: paragraphs, lists and tables below one another."""
    parts: list[RenderableType] = [Text(printable_note(document.title), style="bold"), Text()]
    for block in document.blocks:
        if isinstance(block, Sheet):
            parts += [sheet_report(block, Console().width), Text()]
        elif isinstance(block, Listing):
            parts += [*(Text(printable_note(point), style="dim") for point in block.points), Text()]
        elif isinstance(block, Heading | Paragraph):
            parts += [Text(printable_note(block.text)), Text()]
    return Group(*parts[:-1])


def markdown_report(result: PaperResult) -> str:
    """The report as Markdown."""
    return as_markdown(document_of(result)).rstrip()


def _search(result: PaperResult, *, every: bool) -> Iterator[Block]:
    outcome = result.data.outcome
    yield Paragraph(result.summary())
    if result.data.notes:
        yield Listing(result.data.notes)
    for direction in ("raises", "lowers"):
        rules = result.with_verdict("causal", direction)
        if rules:
            verb = direction if len(rules) == 1 else direction.removesuffix("s")
            title = f"{counted(len(rules), 'causal rule')} that {verb} the odds of"
            yield _rules_sheet(f"{title} {outcome}", rules, result.settings, direction)
    others = [rule for rule in result.tested if rule.verdict != "causal"]
    if every and others:
        yield _rules_sheet("Rules that did not hold up", others, result.settings, "Not causal")
    yield Listing(tuple(_remarks(result, result.tested if every else result.causal)))


def _rules_sheet(title: str, rules: Sequence[PaperRule], settings: PaperSettings, name: str) -> Sheet:
    level = f"{100 * settings.confidence:g} % interval"
    columns = ("rule", "odds ratio", level, "crude", "pairs", "Γ", "")
    lines = []
    for rule in rules:
        odds, marks = rule.adjusted_odds_ratio, marks_of(rule)
        if rule.verdict == "rejected" and rule.causal_runs:
            marks.insert(0, f"causal in {rule.causal_runs} of {settings.runs} runs")
        effect = (number(odds.value), interval(odds)) if rule.verdict != "untestable" else ("untestable", "")
        cells = (*effect, number(rule.odds_ratio.value), f"{rule.n_pairs:,.0f}", number(rule.doubts.gamma))
        lines.append(Line(rule.name, (*cells, ", ".join(marks))))
    return Sheet(title=title, columns=columns, lines=tuple(lines), name=name.capitalize())


def _remarks(result: PaperResult, shown: Sequence[PaperRule]) -> Iterator[str]:
    """What the rules rest on, what the marks mean, and what is not shown."""
    settings, verdicts = result.settings, result.n_by_verdict
    yield _protocol(settings)
    if result.causal:
        yield _caution(settings)
    elif not result.interrupted:
        yield _NOTHING_FOUND
    if shown:
        yield _GAMMA
        used = {mark.split(" ")[0] for rule in shown for mark in marks_of(rule)}
        yield from (meaning for mark, meaning in _MARKS.items() if mark in used)
    yield _correction(settings)
    if verdicts["rejected"] + verdicts["untestable"]:
        untestable = f", {verdicts['untestable']:,} could not be tested" if verdicts["untestable"] else ""
        associations = "association was" if verdicts["rejected"] == 1 else "associations were"
        why = f" Why: causalrules paper test … --exposure {_strongest_rejected(result)} --explain"
        yield (
            f"{verdicts['rejected']:,} {associations} rejected{untestable}; --csv FILE lists all with their "
            f"numbers.{why if verdicts['rejected'] else ''}"
        )
    if result.data.rows_without_outcome:
        yield f"{result.data.rows_without_outcome:,} records without a known outcome were left out."
    by_reason: dict[str, list[str]] = {}
    for one in result.data.left_out:
        by_reason.setdefault(one.reason, []).append(one.column)
    yield from (f"Left out: {listed(columns, 8)}: {reason}." for reason, columns in by_reason.items())


def _protocol(settings: PaperSettings) -> str:
    """How pairs were made, and how often."""
    held = "items" if settings.controls == "items" else "whole columns"
    runs = n_runs(settings)
    if settings.test == "mantel-haenszel":
        pairs = "all records of each stratum are compared"
    elif settings.pairs == "expected":
        pairs = "pairs are averaged over all pairings"
    elif runs == 1:
        pairs = "pairs are drawn once"
    else:
        pairs = f"pairs are drawn in {runs} runs, and a rule needs {settings.votes} of them"
    return f"Algorithm 1 of Li et al. (2015): {held} are held fixed, {settings.matching} matching, {pairs}."


def _caution(settings: PaperSettings) -> str:
    """What a causal rule rests on, and what it cannot know."""
    alike = (
        "that agree on its controls"
        if settings.matching == "exact"
        else f"that are alike in its controls, by {settings.matching} matching"
    )
    return (
        f"A causal rule held up among records {alike} (listed in the result). "
        "A confounder that is not in the table could still explain it."
    )


def _correction(settings: PaperSettings) -> str:
    """Whether the verdicts account for the number of rules tried."""
    if settings.correction != "none":
        return f"Corrected for many tests ({settings.correction}, level {settings.alpha:g})."
    if settings.min_odds_ratio is not None:
        return "Judged by the size of the odds ratio alone; intervals may include 1."
    return "Each rule was judged alone, without correction for many tests: expect some false ones."


def _strongest_rejected(result: PaperResult) -> str:
    """The rejected rule that looks strongest before matching, as one types it."""
    rejected = sorted(
        result.with_verdict("rejected"), key=lambda rule: -max(rule.odds_ratio.low, 1 / rule.odds_ratio.high)
    )
    names = (rule.name for rule in rejected if len(rule.name) <= 60)
    return next((shlex.quote(name) for name in names if name == printable(name)), "'…'")


def marks_of(rule: PaperRule) -> list[str]:
    """What a reader of this rule should not overlook, in short."""
    marks = ["∅"] if rule.not_held and not rule.controls else []
    marks += ["mixed"] if rule.doubts.is_mixed else []
    same = rule.same_records_as[:3]
    unbalanced = _most_unbalanced(rule)
    marks += [f"≠ {unbalanced.name}"] if unbalanced is not None else []
    marks += [f"≈ {one.item.name}" for one in rule.entangled[:3] if one.item.name not in same]
    return marks + [f"= {other}" for other in same]


def _most_unbalanced(rule: PaperRule) -> Item | None:
    """The item associated with the outcome in which matched records differ most, if they differ much."""
    known = {other.item.column for other in rule.entangled}
    unlike = [
        one
        for one in (rule.balance.items if rule.balance else ())
        if abs(one.after) > _UNBALANCED_FROM
        and one.item.column not in known
        and (one.item in rule.not_held or (rule.closeness is not None and one.item in rule.controls))
    ]
    return max(unlike, key=lambda one: abs(one.after)).item if unlike else None


def _study(rule: PaperRule, result: PaperResult) -> Iterator[Block]:
    """One rule: the verdict in a sentence, its numbers, its pairs, what could undo it."""
    yield Paragraph(verdict_sentence(rule, str(result.data.outcome)))
    if result.data.notes:
        yield Listing(result.data.notes)
    yield _numbers(rule, result.settings)
    has, has_not = "unexposed with outcome", "unexposed without"
    pairs = rule.pairs
    yield Sheet(
        title="Matched pairs",
        columns=("", has, has_not),
        lines=(
            Line("exposed with outcome", (f"{pairs.n11:,.1f}", f"{pairs.n12:,.1f}")),
            Line("exposed without", (f"{pairs.n21:,.1f}", f"{pairs.n22:,.1f}")),
        ),
        name="Pairs",
    )
    yield Listing(tuple(_doubts(rule, n_runs(result.settings))))
    yield Paragraph(_held(rule))
    if rule.explanation is not None:
        yield from _why_not(rule)
    remarks = [_protocol(result.settings)] + ([_caution(result.settings)] if rule.verdict == "causal" else [])
    of_run = (
        f" It is that of the decisive run of {n_runs(result.settings)}."
        if rule.causal_runs is not None
        else ""
    )
    remarks.append(f"The p-value is valid only if the rule was chosen before looking at these data.{of_run}")
    yield Listing(tuple(remarks))


def verdict_sentence(rule: PaperRule, outcome: str) -> str:
    """What the study says of a rule, and no more."""
    pairs = f"{rule.n_pairs:,.0f} matched pairs {_partner(rule).replace('that agrees', 'that agree')}"
    odds, crude = rule.adjusted_odds_ratio, rule.odds_ratio
    effect = f"odds ratio {number(odds.value)} ({interval(odds)}) among {pairs}"
    if rule.verdict == "untestable":
        return f"{rule.name} cannot be tested: {_why_untestable(rule, pairs, outcome)}."
    if rule.verdict == "causal":
        hidden = (
            f"an unmeasured confounder would need Γ ≥ {number(rule.doubts.gamma)} to explain it"
            if rule.doubts.gamma > 1
            else "the slightest unmeasured confounder could explain it"
        )
        return f"{rule.name} {rule.direction} the odds of {outcome}: {effect}; {hidden}."
    told = f"crude odds ratio {number(crude.value)}"
    if crude.low <= 1 <= crude.high:
        association = f"not shown to be associated with {outcome} ({told})"
    else:
        association = f"associated with {'more' if crude.low > 1 else 'less'} of {outcome} ({told})"
    return f"{rule.name} is {association}, {_why_rejected(rule)}: {effect}."


def _why_rejected(rule: PaperRule) -> str:
    """In which way the cohort study does not support the rule."""
    odds, raises = rule.adjusted_odds_ratio, rule.direction == "raises"
    if odds.high < 1 if raises else odds.low > 1:
        if (rule.odds_ratio.value > 1) == raises:
            return "but among matched pairs it goes the other way"
        found = "lowers" if raises else "raises"
        return (
            f"and among matched pairs, too, it {found} it: the opposite of what was tested, that it "
            f"{rule.direction} it"
        )
    if odds.low > 1 if raises else odds.high < 1:
        told = p_text(rule.p_value)
        if rule.q_value in (None, rule.p_value):
            return f"and the evidence is too weak for the level asked for ({told})"
        return f"and the evidence is too weak for the number of rules tried ({told}, q = {rule.q_value:.2g})"
    return "and not shown to cause it"


def _why_untestable(rule: PaperRule, pairs: str, outcome: str) -> str:
    if rule.exposed == 0 or rule.unexposed == 0:
        return f"{'no' if rule.exposed == 0 else 'every'} record has it, so there is no comparison group"
    if rule.closeness is not None and not rule.controls:
        return "no control is left to match on"
    if rule.n_pairs == 0:
        return f"no exposed record found a partner {_partner(rule)}"
    return f"only {rule.pairs.n_discordant:.3g} of {pairs} differ in {outcome}"


def _partner(rule: PaperRule) -> str:
    """In what a partner is like the other record."""
    n, close = len(rule.controls), rule.closeness
    items = {0: "nothing (no item was held fixed)", 1: "1 item"}.get(n, f"{n} items")
    if close is None:
        return f"that agrees on {items}"
    if close.method == "almost-exact":
        given_up = f", giving up at most {close.caliper:.0%} of their importance" if close.given_up else ""
        return f"that agrees on nearly all of {items}{given_up}"
    if not isfinite(close.caliper):
        return f"that is nearest by {close.method} over {items}"
    if close.method == "propensity":
        return f"within {close.caliper:g} standard deviations of the propensity score's logit over {items}"
    return f"within {_DISTANCES[close.method]} of {close.caliper:g} over {items}"


def _numbers(rule: PaperRule, settings: PaperSettings) -> Sheet:
    effects, odds = rule.effects, rule.adjusted_odds_ratio
    difference = effects.risk_difference
    lines = (
        Line(
            "crude odds ratio",
            (
                number(rule.odds_ratio.value),
                interval(rule.odds_ratio),
                f"{rule.exposed:,} exposed, {rule.unexposed:,} not",
            ),
        ),
        Line(
            "adjusted odds ratio",
            (number(odds.value), interval(odds), f"{rule.test}, {p_text(rule.p_value)}"),
        ),
        Line(
            "risk ratio",
            (
                number(effects.risk_ratio.value),
                interval(effects.risk_ratio),
                f"{rule.n_pairs:,.0f} matched pairs",
            ),
        ),
        Line(
            "risk difference",
            (
                f"{difference.value:+.1%}",
                f"{difference.low:+.1%} – {difference.high:+.1%}",
                f"crude {effects.crude_risk_difference:+.1%}",
            ),
        ),
    )
    level = f"{100 * settings.confidence:g} % interval"
    return Sheet(title="Effect", columns=("", "estimate", level, "from"), lines=lines, name="Effect")


def _doubts(rule: PaperRule, runs: int) -> Iterator[str]:
    doubts, balance = rule.doubts, rule.balance
    e_values = f"E-value {number(doubts.e_value)} (of the limit nearer 1: {number(doubts.e_value_limit)})"
    yield f"Sensitivity: Γ {number(doubts.gamma)}; {e_values}."
    if doubts.heterogeneity_p is not None:
        yield f"Test of equal odds ratios across strata: {p_text(doubts.heterogeneity_p)}."
    share = (
        f"Stability: the interval of matched pairs lies above 1 in {doubts.stability:.0%} of random pairings"
    )
    if doubts.bootstrap is not None:
        share += f"; causal in {doubts.bootstrap:.0%} of resampled tables"
    if rule.causal_runs is not None:
        share += f"; causal in {rule.causal_runs} of {runs} runs"
    yield f"{share}."
    if balance is not None and rule.n_pairs > 0:
        yield (
            f"Balance: worst standardised difference {number(balance.worst_before)} before matching, "
            f"{number(balance.worst_after)} after; mean {number(balance.mean_before)}, "
            f"{number(balance.mean_after)}."
        )
    if rule.closeness is not None and rule.n_pairs > 0:
        yield f"Partners: {_alike(rule.closeness)}."
    yield (
        f"Without a comparable record: {doubts.unmatched_exposed:,} exposed, "
        f"{doubts.unmatched_unexposed:,} unexposed."
    )
    for one in balance.unmatched[:3] if balance is not None else ():
        shares = f"{one.unmatched_share:.0%} of the unmatched, {one.matched_share:.0%} of the matched"
        yield f"{one.item.name}: {shares}."
    for mark in marks_of(rule):
        yield f"{mark} ({_MARKS[mark.split(' ')[0]].partition(': ')[2].rstrip('.')})."


def _alike(close: Closeness) -> str:
    """How alike partners are, and what was given up for it."""
    text = f"mean distance {number(close.mean_distance)}, worst {number(close.worst_distance)}"
    if close.overlap_exposed is not None and close.overlap_unexposed is not None:
        shares = f"{close.overlap_exposed:.1%} of the exposed, {close.overlap_unexposed:.1%} of the others"
        text += f"; scores overlap for {shares}"
    if close.is_optimal:
        text += "; the sum of distances is the smallest possible"
    if close.given_up:
        names = listed([item.name for item in close.given_up], 5)
        text += f"; given up, the least important first: {names}"
    return text


def _held(rule: PaperRule) -> str:
    left = ""
    if rule.columns_dropped:
        left = (
            f" Not held fixed, because too few records could be compared: {', '.join(rule.columns_dropped)}."
        )
    elif rule.not_held:
        rare = "Associated with the outcome but too rare with or without the exposure to hold fixed"
        left = f" {rare}: {listed([item.name for item in rule.not_held], _MOST_ITEMS)}."
    if rule.controls:
        how = "Held fixed" if rule.closeness is None else "Matched on"
        return f"{how}: {listed([item.name for item in rule.controls], 3 * _MOST_ITEMS)}.{left}"
    if left:
        return f"No item was held fixed, so nothing is adjusted for.{left}"
    return "No item was held fixed: no other item is both frequent and associated with the outcome."


def _why_not(rule: PaperRule) -> Iterator[Block]:
    """The path from the crude odds ratio to the adjusted one, and the strongest confounder's two tables."""
    explanation, crude, adjusted = rule.explanation, rule.odds_ratio, rule.adjusted_odds_ratio
    assert explanation is not None
    if crude.low <= 1 <= crude.high:
        yield Paragraph("Why not: there is no association to begin with.")
        return
    odds = rule.as_printed.adjusted_odds_ratio
    if odds.low > 1:
        yield Paragraph(
            "Why not: what is left is not explained by a control, but the evidence is too weak for the level "
            "asked for."
        )
    elif not explanation.steps:
        yield Paragraph("Why not: no single control weakens the association; there is too little to compare.")
    if not explanation.steps:
        return
    steps = [Line("nothing (crude)", (number(crude.value), interval(crude), ""))]
    for step in explanation.steps:
        odds = step.odds_ratio
        steps.append(
            Line(f"+ {step.control.name}", (number(odds.value), interval(odds), f"{step.pairs:,.0f}"))
        )
    last = (number(adjusted.value), interval(adjusted), f"{rule.n_pairs:,.0f}")
    steps.append(Line(f"all {len(rule.controls)} controls", last))
    yield Sheet(
        title="Why not: held fixed, one more at a time",
        columns=("", "odds ratio", "interval", "pairs"),
        lines=tuple(steps),
        name="Why not",
    )
    tables = [
        Line(
            f"{'' if one.is_present else 'not '}{one.item.name}",
            (
                f"{one.exposed_with:,}",
                f"{one.exposed_without:,}",
                f"{one.unexposed_with:,}",
                f"{one.unexposed_without:,}",
                number(one.odds_ratio),
            ),
        )
        for one in explanation.tables
    ]
    if tables:
        columns = ("", "exposed with", "without", "unexposed with", "without ", "odds ratio")
        yield Sheet(title="The strongest of them", columns=columns, lines=tuple(tables), name="Strongest")
