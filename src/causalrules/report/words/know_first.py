"""A result of the default search in words: the answer, what to know first, and what was not found."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain.how_far import how_far, unfinished
from causalrules.domain.quoted_names import typed_list
from causalrules.report.words.contrast_words import (
    adjusted_for,
    contrast_tag_meanings,
    is_explained_away,
    listed,
    printable_text,
    steps_held,
    what_went_with,
    why_explained,
)
from causalrules.report.words.formatting import printable
from causalrules.report.words.measure import measure_of, records_of
from causalrules.report.words.together import RERI

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain import Result, Rule, Verdict

RULES_NAMED = 3
DECIMAL_COMMA = "numbers with a decimal comma"
SUSPICIOUS_ODDS = 10
"""From here on the limit of a rule's interval is pointed out; few causes change the odds that much."""

CAUTION = (
    "Causal means: the difference remains among records that are alike in everything adjusted for. "
    "A confounder that is not in the table could still explain it."
)
GAMMA = (
    "Γ: how much a hidden confounder would have to multiply the odds of exposure to explain the rule away. "
    "Matched: exposed records with a comparable unexposed one."
)
GRADE = (
    "Grade, by the weakest criterion: strong from Γ 2, interval 1.25 away from 1, balance within 0.1, 80% "
    "matched; moderate from Γ 1.2, 1.05, 0.25, 50%; else, or if the second opinion differs, fragile."
)
MEAN_GAMMA = (
    "Γ: by how much a hidden confounder would have to multiply the odds of exposure to undo the effect on "
    "being in the upper half. Matched: exposed records with a comparable unexposed one."
)
MEAN_GRADE = (
    "Grade, by the weakest criterion: strong from Γ 2, interval 0.12 standard deviations away from 0, "
    "balance within 0.1, 80% matched; moderate from Γ 1.2, 0.03, 0.25, 50%; else, or if the second "
    "opinion differs, "
    "fragile."
)
UPPER_HALF = (
    "Which columns are directly linked to the outcome, and so P and what is adjusted for, was found with "
    "the outcome cut at its median; the differences are of the numbers themselves. Combined causes are not "
    "looked for."
)
A_WEIGHT = " looks like the weight of a survey"
"""How a note goes on that asks about a column; `encode.suspected_weights` writes it."""

WHAT_TO_ADJUST_FOR = (
    "Do not adjust for anything that comes after the exposure; --adjust COLUMN,COLUMN sets what is adjusted "
    "for."
)
P_NEXT = "P: probability that the column is directly linked to the outcome, with no other column in between."
PROTECTIVE = "An odds ratio below 1 is protective where the outcome is unwanted."
AGAINST_ALL_OTHERS = (
    "Each value is compared with all other values of its column together, lower and higher ones alike."
)


class Notice(NamedTuple):
    """Something to know first: a sentence, and what to do about it (a command, or nothing)."""

    text: str
    advice: str = ""


class _Kind(NamedTuple):
    """A kind of reasons why hypotheses could not be tested, how it begins or what it says, and what helps."""

    sign: str
    text: str
    advice: str


_KINDS = (
    _Kind(
        "which nearly decide",
        "would be significant, but would have no place beside what nearly decides the outcome",
        "to ask again without it: --drop {leaks}",
    ),
    _Kind(
        "study and search disagree: matched records differ",
        "would be significant, but other columns account for the outcome better (P below 0.1)",
        "to test one alone: causalrules test … --exposure {exposure}",
    ),
    _Kind("nearly decides the outcome", "nearly decides the outcome", "--drop {columns}"),
    _Kind(
        "too few records to tell",
        "would be significant alone, but not after correction for {hypotheses}: too few records to tell",
        "to test one alone: causalrules test … --exposure {exposure}",
    ),
    _Kind(
        "no partners",
        "found no partners: hardly any record is alike in all that was adjusted for",
        "to adjust for less: --adjust COLUMN,COLUMN",
    ),
    _Kind(
        "cannot be told apart",
        "cannot be told apart from columns that are too closely associated with the exposure",
        "to leave out what is a copy, or comes after the exposure: --drop {others}",
    ),
    _Kind("does not vary", "leaves no comparable records that differ in the outcome", ""),
    _Kind("record is exposed", "has no comparison group", ""),
)


def is_of_contrasts(result: Result) -> bool:
    """Whether a result is of the default search rather than of the paper's protocol."""
    return result.settings.controls == "auto" and all(rule.design is not None for rule in result.tested)


def is_single_study(result: Result) -> bool:
    """Whether one hypothesis was tested rather than a table mined."""
    return not result.by_length and len(result.tested) == 1


def answer_line(result: Result) -> str:
    """How much was found, in what."""
    outcome = result.data.outcome
    n_causal = len(result.causal)
    found = {0: "No causal rule", 1: "1 causal rule"}.get(n_causal, f"{n_causal} causal rules")
    n_findings = len(result.findings)
    if n_findings < n_causal:
        found += f" ({n_findings} finding{'' if n_findings == 1 else 's'})"
    target = f"the mean of {outcome}" if outcome.is_mean else str(outcome)
    tried = f"{_hypotheses(result)}{_pairs(result)}".removeprefix("0 hypotheses and ")
    looked = f"{tried} ({records_of(outcome)})"
    begins = unfinished(result)
    if begins:
        found = f"{begins}{found[0].lower()}{found[1:]} so far"
    return printable_text(f"{found} for {target} among {looked}.")


def _hypotheses(result: Result) -> str:
    count = n_hypotheses(result)
    return "1 hypothesis" if count == 1 else f"{count:,} hypotheses"


def n_hypotheses(result: Result) -> int:
    """Contrasts of one column that might have been studied."""
    looked_at = result.by_length.get(1, {}).get("candidates", 0)
    return max(looked_at, sum(rule.length == 1 for rule in result.tested))


def _pairs(result: Result) -> str:
    """Pairs that were looked at for an interaction."""
    n_pairs = sum(counts.get("candidates", 0) for length, counts in result.by_length.items() if length > 1)
    return f" and {n_pairs:,} pair{'' if n_pairs == 1 else 's'}" if n_pairs else ""


def notices(result: Result, show: Callable[[str], str] = printable) -> list[Notice]:
    """What a person must know first: leaks, columns without a part, and what could not be tested."""
    found = [Notice(line) for line in (*interruption(result), *said_first(result))]
    found += _suspiciously_close(result, show)
    found += _left_out(result, show)
    return found + _untestable(result, show)


def interruption(result: Result) -> list[str]:
    """That a run was interrupted, and what this means for its answer."""
    if not result.interrupted:
        return []
    return [
        f"The run was interrupted: {how_far(result)}. What was not studied may be a cause as well; run it "
        "again to know."
    ]


def said_first(result: Result) -> list[str]:
    """What the run remarked, and what the user said that decided something."""
    said = [f"You said: {decision}." for decision in result.decisions]
    return [printable_text(line) for line in (*result.data.notes, *said)]


def _suspiciously_close(result: Result, show: Callable[[str], str]) -> list[Notice]:
    """Causal rules so strong that they may be consequences or definitions, unless known to come first."""
    rules = [
        rule
        for rule in result.causal
        if rule.length == 1
        and rule.adjusted_odds_ratio.low >= SUSPICIOUS_ODDS
        and rule.arrow != "cause"
        and not any(f"{rule.name} (" in note for note in result.data.notes)  # asked about already
    ]
    if not rules:
        return []
    columns = list(dict.fromkeys(rule.pattern[0].column for rule in rules))
    names = listed([rule.name for rule in rules], show, 6)
    are, it, comes = ("is", "it", "comes") if len(rules) == 1 else ("are", "they", "come")
    text = (
        f"{names} {are} more closely associated with the outcome than causes usually are (the odds change by "
        f"a factor of {SUSPICIOUS_ODDS} or more). Check that {it} {comes} before the outcome: what comes "
        "after must not be adjusted for."
    )
    return [Notice(text, f"if {it} {comes} after: --after {_as_list(columns)}")]


_AS_ASKED = "not among the columns asked for"


def _left_out(result: Result, show: Callable[[str], str]) -> list[Notice]:
    """Columns that take no part, by the reason; numbers without a cut are still adjusted for."""
    by_reason: dict[str, list[str]] = {}
    for entry in result.data.left_out:
        if entry.reason == _AS_ASKED:
            continue
        by_reason.setdefault(entry.reason, []).append(entry.column)
    found = []
    for reason, columns in by_reason.items():
        names = listed(columns, show, 12)
        if _has_no_cut(reason):
            are, them = (
                ("was not tested as a cause", "it")
                if len(columns) == 1
                else ("were not tested as causes", "them")
            )
            text = f"{names} {are}: no cut point separates records by outcome"
            found.append(
                Notice(
                    f"{text}; studies may still adjust for {them}.",
                    f"to test {them} anyway: {_cut_anyway(columns)}",
                )
            )
        else:
            why = printable_text(reason).removeprefix("it ").removeprefix("is ")
            found.append(Notice(f"Left out: {names} ({why})."))
    missing = result.data.rows_without_outcome
    if missing:
        records = "1 record" if missing == 1 else f"{missing:,} records"
        found.append(Notice(f"Left out: {records} without a known outcome."))
    return found


def _cut_anyway(columns: Sequence[str]) -> str:
    """The options that cut these numbers and no other; one for all where they are many."""
    if len(columns) > RULES_NAMED or any(name != printable(name) for name in columns):
        return "--bins quantile:4, which cuts all numbers"
    return " ".join(f"--cut {shlex.quote(f'{name}=quantile:4')}" for name in columns)


def _has_no_cut(reason: str) -> bool:
    return "without a cut" in reason


def _untestable(result: Result, show: Callable[[str], str]) -> list[Notice]:
    """How many hypotheses could not be tested, by the reason, and what to do about it."""
    rules = [rule for rule in result.with_verdict("untestable") if not _is_noted(rule, result)]
    if not rules:
        return []
    count = "1 hypothesis" if len(rules) == 1 else f"{len(rules)} hypotheses"
    found = [Notice(f"{count} could not be tested:")]
    known: set[str] = set()
    for kind in _KINDS:
        alike = [rule for rule in rules if kind.sign in rule.reason and rule.name not in known]
        known |= {rule.name for rule in alike}
        if alike:
            found.append(_notice_of(kind, alike, result, show))
    rest = [rule for rule in rules if rule.name not in known]
    found += [
        Notice(f"– {show(rule.name)}: {printable_text(rule.reason) or 'no reason given'}") for rule in rest
    ]
    return found


def _is_noted(rule: Rule, result: Result) -> bool:
    """Whether a note says already that its column is a leak."""
    return any(
        note.startswith(f"{item.column} nearly decides")
        for item in rule.pattern
        for note in result.data.notes
    )


def _notice_of(kind: _Kind, rules: Sequence[Rule], result: Result, show: Callable[[str], str]) -> Notice:
    columns = list(dict.fromkeys(item.column for rule in rules for item in rule.pattern))
    others = list(dict.fromkeys(name for rule in rules for name in _others_of(rule)))
    text = kind.text.format(hypotheses=_hypotheses(result))
    persons = [
        name for name in others if any(note.startswith(f"{name} repeats: ") for note in result.data.notes)
    ]
    weights = [
        name
        for name in (*columns, *others)
        if any(note.startswith(f"{name}{A_WEIGHT}") for note in result.data.notes)
    ]
    template = kind.advice
    if weights:  # never what stands beside it, which may be a cause
        template = "if it is the weight of a survey: --weights {weights} --weights-are sampling"
    elif persons:
        template = "if its equal values mean records that belong together: --cluster {cluster}"
    advice = template.format(
        weights=_typed(weights[0]) if weights else "",
        cluster=_as_list(persons[:1]),
        columns=_as_list(columns),
        others=_as_list(others) if len(others) == 1 else "COLUMN",
        exposure=_typed(rules[0].name),
        leaks=_as_list(_leaks_of(result)),
    )
    return Notice(
        f"– {len(rules)} {text}: {listed([_with_others(rule, show) for rule in rules], str)}.", advice
    )


def _with_others(rule: Rule, show: Callable[[str], str]) -> str:
    """A rule's name, with the columns that it cannot be told apart from."""
    others = _others_of(rule)
    return f"{show(rule.name)} (from {listed(others, show, 3)})" if others else show(rule.name)


def _others_of(rule: Rule) -> list[str]:
    """The columns that a reason says a rule cannot be told apart from."""
    named = rule.reason.partition("told apart from ")[2].partition(":")[0]
    held = (*rule.design.held, *rule.design.near_copies) if rule.design else ()
    return [name for name in held if name in named.split(", ")]


def _leaks_of(result: Result) -> list[str]:
    """The columns that the notes call leaks."""
    notes = (note.partition(" nearly decides the outcome (") for note in result.data.notes)
    return [name for name, sign, _ in notes if sign]


def _as_list(columns: Sequence[str]) -> str:
    plain = [name for name in columns if name == printable(name)]
    return typed_list(plain) if plain and len(plain) <= 8 else "COLUMN"


def _typed(name: str) -> str:
    return shlex.quote(name) if name == printable(name) else "'…'"


def why_nothing(result: Result) -> str:
    """Why nothing was found, as an answer."""
    outcome = printable(str(result.data.outcome))
    counts = result.by_length.get(1, {})
    n_frequent, n_associated = counts.get("frequent", 0), counts.get("associations", len(result.tested))
    n_without_cut = sum(_has_no_cut(entry.reason) for entry in result.data.left_out)
    if not n_frequent and not result.tested and n_without_cut:
        numbers = (
            "the number has no cut" if n_without_cut == 1 else f"none of {n_without_cut} numbers has a cut"
        )
        return f"Nothing found: {numbers} that tells about {outcome}."
    if not n_frequent and not result.tested and any(DECIMAL_COMMA in note for note in result.data.notes):
        return "Nothing found: numbers with a decimal comma count as texts; see above."
    if not n_frequent and not result.tested:
        return "Nothing found: no value of a column is frequent enough; try a smaller --min-support."
    if not n_associated:
        none = f"none of {_hypotheses(result)} is associated with {outcome}, even before adjustment"
        return f"Nothing found: {none}."
    counts_of = result.n_by_verdict
    parts = [f"{counts_of[verdict]} {words}" for verdict, words in _WHY_NOT.items() if counts_of[verdict]]
    looked = "1 hypothesis" if n_associated == 1 else f"{n_associated} hypotheses"
    are = "is" if n_associated == 1 else "are"
    associated = f"{looked} {are} associated with {outcome} before adjustment"
    if result.settings.cluster is not None:  # records settle which are studied
        associated = f"{looked} would be associated with {outcome} if every record stood for itself"
    return f"Nothing found: {associated}; of these, {listed(parts, str)}."


_WHY_NOT: dict[Verdict, str] = {
    "rejected": "rejected",
    "untestable": "not testable",
    "possible": "only possible",
    "consequence": "rather its consequence",
}


def rejections(result: Result, show: Callable[[str], str] = printable) -> list[str]:
    """What was rejected, the strongest before adjustment first, and how to ask why."""
    rules = sorted(result.with_verdict("rejected"), key=_crude_strength, reverse=True)
    if not rules:
        return []
    count = "1 association was rejected" if len(rules) == 1 else f"{len(rules)} associations were rejected"
    lines = [f"{count}:"]
    lines += [f"– {_rejected(rule, show)}" for rule in rules[:RULES_NAMED]]
    if len(rules) > RULES_NAMED:
        lines.append(f"– and {len(rules) - RULES_NAMED} more; --csv FILE or --html FILE lists all")
    lines.append(f"To see one in full: causalrules test … --exposure {_typed(rules[0].name)}")
    return lines


def _rejected(rule: Rule, show: Callable[[str], str]) -> str:
    measure = measure_of(rule)
    found = f"{measure.with_limits(measure.adjusted)} {adjusted_for(rule, show, 4)}"
    away = what_went_with(rule)
    if is_explained_away(rule) or rule.reason.startswith("not significant"):
        away = why_explained(rule)
    crude = f"{measure.name} {measure.shown(measure.crude.value)} crude"
    steps = f"; one more held at a time: {'; '.join(path)}" if (path := steps_held(rule, show)) else ""
    return f"{show(rule.name)}: {crude}, {found}{f'; {away}' if away else ''}{steps}"


def _crude_strength(rule: Rule) -> float:
    return max(rule.odds_ratio.low, 1 / rule.odds_ratio.high if rule.odds_ratio.high > 0 else 0.0)


def reading_aids(result: Result) -> list[str]:
    """How to read the tables."""
    shown = [rule for rule in result.tested if rule.verdict in ("causal", "possible", "consequence")]
    if not shown:
        return []
    lines, is_mean = [CAUTION] if result.causal else [], result.data.outcome.is_mean
    if any(rule.direction == "lowers" for rule in shown) and not is_mean:
        lines.append(PROTECTIVE)
    columns = Counter(rule.pattern[0].column for rule in result.tested if rule.length == 1)
    lines += [AGAINST_ALL_OTHERS] if max(columns.values(), default=0) > 1 else []
    lines += [P_NEXT] if any(rule.p_next is not None for rule in shown) else []
    lines += [RERI] if any(rule.interaction is not None for rule in shown) else []
    lines += [MEAN_GAMMA, UPPER_HALF] if is_mean else [GAMMA]
    grade = [MEAN_GRADE if is_mean else GRADE] if result.causal else []
    return [*lines, *grade, *contrast_tag_meanings(shown)]
