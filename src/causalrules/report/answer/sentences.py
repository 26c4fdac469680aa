"""The one place where codes become sentences: notes, verdicts, and who is left out."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from causalrules.domain.knowledge import written_tiers
from causalrules.domain.quoted_names import typed_list
from causalrules.domain.sentences import counted, listed
from causalrules.report.answer.wording import GLUE, LISTED, LONGEST, shown
from causalrules.report.words.formatting import p_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from causalrules.words.findings import Effect, Finding, Note
    from causalrules.words.result import OutcomeFacts

Data = dict[str, Any]
"""What a sentence needs: texts that are safe to print, numbers, and lists of them."""


def option(name: str, columns: Sequence[str]) -> str:
    r"""An option about columns as people can paste it; names that nobody would type are left out.

    Examples
    --------
    >>> print(option("before", ["age", "income, net"]))
    --before 'age,income\, net'
    """
    short = [one for one in columns if one.isprintable() and len(one) <= LONGEST and "…" not in one]
    return f"--{name} {typed_list(short) if len(short) == len(columns) else 'NAME'}"


def _before(data: Data) -> str:
    return option("before", [data.get("column", "")])


def _records(data: Data) -> str:
    return counted(data.get("records", 0), "record")


def _of_column(data: Data) -> str:
    return f"{data['column']}: " if data.get("column") else ""


def _among(data: Data, name: str) -> str:
    """The names that a note tells of."""
    found = data.get(name, ())
    most = data.get("most", 6)
    return listed([str(one) for one in found], most) if isinstance(found, list | tuple) else str(found)


def _first(data: Data) -> str:
    return listed(data["columns"], 2)


def _kind(data: Data, one: str, several: str) -> str:
    return one if len(data["columns"]) == 1 else several


def _if_not(data: Data) -> str:
    return option("before", data["columns"]) if len(data["columns"]) == 1 else "--before NAME"


def _share(value: Any) -> str:
    return f"{100 * value:.0f} %" if isinstance(value, int | float) else str(value)


def _leak(data: Data) -> str:
    if data.get("known_for"):
        why = f"is known only for records {data['known_for']} the outcome"
    elif data.get("share") is not None:
        why = f"tells {_share(data['share'])} of the outcome by itself"
    else:
        why = "tells the outcome by itself"
    return f"{_of_column(data)}{why}, so it was set aside; {_before(data)} if it comes first"


def _observation_time(data: Data) -> str:
    name = data.get("column", "NAME")
    return (
        f"{_of_column(data)}looks like follow-up time, so no grade is above fragile; "
        f"{option('before', [name])} if it is no such time"
    )


def _cluster(data: Data) -> str:
    return f"{_of_column(data)}records with the same value belong together; intervals count these groups"


def _repeated_identifier(data: Data) -> str:
    many = f" ({data['values']:,} values in {_records(data)})" if data.get("values") else ""
    return f"{_of_column(data)}says whose record it is{many}; it was set aside, {_before(data)} tests it"


def _repeated_records(data: Data) -> str:
    of = f" of {data['of']:,}" if data.get("of") else ""
    return f"{_records(data)}{of} equal another one in every column; --cluster NAME if they belong together"


def _does_not_apply(data: Data) -> str:
    column, level = data.get("column", "?"), data.get("level", "?")
    names = [name for name in data.get("columns", ()) if name != column]
    apply = "applies" if len(names) == 1 else "apply"
    alone = f"; {data['made']} has a line of its own" if data.get("made") else ""
    return (
        f"{listed(names, data.get('most', 4)) or 'some columns'} {apply} only where {column} is not {level}"
        f"{'' if data.get('most') == 1 else '; compared there' + alone}"
    )


def _missing_code(data: Data) -> str:
    value = data.get("value", "?")
    share = f" ({_share(data['share'])} of the records)" if data.get("share") is not None else ""
    return (
        f"{_of_column(data)}{value}{share} may mean missing: --missing {data.get('column', 'NAME')}={value}"
    )


def _left_out(data: Data) -> str:
    reason = str(data.get("reason", ""))
    return f"{_of_column(data)}left out: {LEFT_OUT_COLUMNS.get(reason, reason) or 'for a reason of its own'}"


def why_left_out(notes: Sequence[Note]) -> str:
    """What is said of a column that was not coded, in an error."""
    reasons = [str(note.data.get("reason", "")) for note in notes if note.code == "left_out"]
    return f"was left out: {LEFT_OUT_COLUMNS.get(reasons[0], reasons[0])}" if reasons else "was left out"


LEFT_OUT_COLUMNS = {
    "identifier": "it numbers the records",
    "constant": "it has one value only",
    "too_many_values": "it has too many different values; --max-values N",
    "empty": "it never has a value",
    "type": "its values are of a type that is not read",
    "cluster": "it says which records belong together",
    "weight": "it says what a record stands for",
    "dropped": "you dropped it",
    "not_asked": "you asked for other columns",
    "ignored": "its description says to ignore it",
    "outcome": "it is part of the outcome",
}
"""Why a column was not coded."""


def _may_be_consequence(data: Data) -> str:
    by = f" (by {_among(data, 'by')})" if data.get("by") else ""
    return f"{_of_column(data)}may be a consequence of the outcome{by}; --after or --before says which"


SENTENCES: dict[str, Callable[[Data], str] | str] = {
    "leak": _leak,
    "observation_time": _observation_time,
    "cluster": _cluster,
    "repeated_identifier": _repeated_identifier,
    "repeated_records": _repeated_records,
    "does_not_apply": _does_not_apply,
    "missing_code": _missing_code,
    "left_out": _left_out,
    "may_be_consequence": _may_be_consequence,
    "identifier": lambda data: f"{_of_column(data)}numbers the records; it was not tested",
    "constant": lambda data: f"{_of_column(data)}has one value only",
    "survey_weight": lambda data: (
        f"{_of_column(data)}looks like a survey weight: --weights "
        f"{data.get('column', 'NAME')} --weights-are sampling, or {_before(data)} to test it"
    ),
    "copies": lambda data: f"{_among(data, 'columns')} are nearly the same; they are one cause here",
    "longer": lambda data: (
        f"{_among(data, 'columns')} may act together only: --max-length {data.get('length', 3)}"
    ),
    "date": lambda data: f"{_of_column(data)}is a date",
    "outcome_missing": lambda data: f"{_records(data)} left out: the outcome is missing",
    "missing_as_level": "where a value of what is adjusted for is missing, that counts as a value of its own",
    "comes_later": lambda data: (
        f"not adjusted for {_among(data, 'columns')}: "
        f"{'it comes' if len(data.get('columns', ())) == 1 else 'they come'} after, as you said"
    ),
    "missing": lambda data: f"{_of_column(data)}{_records(data)} left out: a value is missing",
    "rare_level": lambda data: f"{data.get('level', 'a level')} has {_records(data)} only",
    "imbalance": lambda data: (
        f"matched records still differ in {data.get('column', 'what is adjusted for')}, "
        f"by {data.get('difference', 0.0):.2f} standard deviations"
    ),
    "second_opinion": "matched records say otherwise",
    "forbidden": lambda data: f"{_of_column(data)}is no cause, as you said",
    "signs_differ": "adjusting turns it round: before, the difference has the other sign",
    "few_records": lambda data: f"few records: {_records(data)}",
    "weak_overlap": lambda data: f"only {_records(data)} could have had every level",
    "no_overlap": "no records that differ in it are alike in all else",
    "copy": lambda data: f"cannot be separated from {_among(data, 'of')}",
    "excluded_controls": lambda data: f"not adjusted for {_among(data, 'columns')}: too few records",
}
"""What a note says, by its code; no full stop, since several may stand in one line."""

SHORT: dict[str, Callable[[Data], str] | str] = {
    "leak": lambda data: f"tells the outcome: {_before(data)}",
    "observation_time": lambda data: f"follow-up time? {_before(data)}",
    "identifier": "an identifier",
    "repeated_identifier": lambda data: f"whose record it is; {_before(data)}",
    "constant": "one value only",
    "survey_weight": "a survey weight?",
    "forbidden": "no cause, as you said",
    "no_overlap": "no records are alike",
    "copy": lambda data: f"cannot be separated from {_among(data, 'of')}",
}
"""Why a column was set aside or is not comparable, in the few words of a list."""

FIRST: dict[str, Callable[[Data], str] | str] = {
    "observation_time": lambda data: f"all fragile ({_first(data)}: follow-up time? {_if_not(data)})",
    "leak": lambda data: (
        f"{_first(data)} set aside ({_kind(data, 'a leak', 'leaks')}; {_if_not(data)} if not)"
    ),
    "cluster": lambda data: f"grouped by {_first(data)}",
}
"""Notes that change the whole answer, in the words of its second line, the gravest first; of all columns that
a code tells of at once."""

LEFT_OUT = {
    "missing": "a value is missing",
    "implausible": "unlike any record of another level",
    "other_levels": "of other levels",
    "rare": "too few have the value",
    "does_not_apply": "the question does not apply to them",
}
"""Why records are not compared."""


def safe(data: Mapping[str, Any], width: int = LONGEST) -> Data:
    r"""The data of a note with texts that disturb no terminal.

    Examples
    --------
    >>> safe({"column": "two\nlines", "by": ["a\x1b"]})
    {'column': 'two\\nlines', 'by': ['a\\x1b']}
    """
    return {shown(str(name)): _safe(value, width) for name, value in data.items()}


def _safe(value: Any, width: int) -> Any:
    if isinstance(value, str):
        return shown(value, width) if value else value  # an empty text is no name: it says that there is none
    if isinstance(value, list | tuple):
        return [_safe(one, width) for one in value]
    return safe(value, width) if isinstance(value, dict) else value


def told(words: Mapping[str, Callable[[Data], str] | str], code: str, data: Data) -> str:
    """What a table of words has for a code."""
    said = words[code]
    return said if isinstance(said, str) else said(data)


def sentence(note: Note, most: int = 6) -> str:
    """What a note says; of a code that nobody wrote a sentence for, the code and what it is about.

    `most` is how many of several names are told.

    Examples
    --------
    >>> from causalrules.words.findings import Note
    >>> sentence(Note("rare_level", {"level": "widowed", "records": 12}))
    'widowed has 12 records only.'
    >>> sentence(Note("new_code", {"column": "age"}))
    'new_code (column: age).'
    """
    data = safe(note.data)
    if note.code in SENTENCES:
        return told(SENTENCES, note.code, data | {"most": most}) + "."
    about = ", ".join(f"{name}: {value}" for name, value in data.items())
    return shown(note.code) + (f" ({about})" if about else "") + "."


def in_short(finding: Finding, notes: Sequence[Note]) -> str:
    """A column in a list, with the reason why it was not studied."""
    name = shown(finding.name, LISTED)
    for note in (*finding.notes, *notes):
        is_own = note in finding.notes or note.data.get("column") == finding.name
        if is_own and note.code in SHORT:
            return f"{name} ({told(SHORT, note.code, {'column': finding.name} | safe(note.data, LISTED))})"
    codes = [shown(note.code) for note in finding.notes]
    return f"{name} ({codes[0]})" if codes else name


def left_out(reasons: Mapping[str, int]) -> str:
    """How many records are not compared, by reason.

    Examples
    --------
    >>> left_out({"missing": 12, "implausible": 1})
    '12 (a value is missing) and 1 (unlike any record of another level)'
    """
    return listed([f"{n:,} ({LEFT_OUT.get(why, shown(why))})" for why, n in reasons.items() if n])


def verdict(finding: Finding, outcome: OutcomeFacts) -> str:
    """What became of a column, in a sentence or two.

    Examples
    --------
    >>> from causalrules.words.findings import Factor, Finding
    >>> from causalrules.words.result import OutcomeFacts
    >>> ill = OutcomeFacts(name="ill=yes", column="ill", kind="event", with_it=9, mean=0.3, spread=0.46)
    >>> verdict(Finding(factors=(Factor(columns=("smoker",)),), verdict="cause", grade="strong"), ill)
    'smoker is a cause of ill=yes (strong).'
    """
    name, of = " or ".join(shown(one.name) for one in finding.factors), shown(outcome.name)
    grade = f" ({finding.grade})" if finding.grade else ""
    others = listed(list(map(shown, finding.explained_by)), 6) or "other columns"
    if len(finding.factors) > 1:
        name = f"{name} (the table cannot tell them apart)"
    said = {
        "cause": lambda: f"{name} is a cause of {of}{grade}.",
        "indirect": lambda: f"{name} is a cause of {of} that acts through {others}{grade}.",
        "possible": lambda: f"{name} is a possible cause of {of}{grade}: {why_only_possible(finding)[0]}.",
        "explained": lambda: f"{name}: explained by {others}. {_depends_on_order(finding, outcome, others)}",
        "no difference": lambda: f"{name} makes no difference to {of} that these records show.",
        "after": lambda: f"{name} comes after {of}, as you said; it was not studied.",
        "not comparable": lambda: f"{name}{_not_comparable(finding, outcome)}.",
        "set aside": lambda: f"{name} was set aside; it was not studied.",
    }
    return said[finding.verdict]()


def _not_comparable(finding: Finding, outcome: OutcomeFacts) -> str:
    """Which of two facts it is: a column beside it that says the same, or nobody alike."""
    of = next((note.data.get("of", ()) for note in finding.notes if note.code == "copy"), ())
    if not of:
        alike = listed(list(map(shown, finding.adjusted_for)), 6)
        if not alike:
            return ": too few records to compare"
        return f": no records that differ in it are alike in {alike}; --tiers, if some of that comes after it"
    others, comes = listed(list(map(shown, of)), 6), "comes" if len(of) == 1 else "come"
    order = _order(finding.factors[0].columns, of, outcome)
    return f" cannot be separated from {others}; if {others} {comes} after it, say so{order}"


def _order(earlier: Sequence[str], later: Sequence[str], outcome: OutcomeFacts) -> str:
    """The option that says what comes after what, where people would type the names."""
    if not later or not all(
        name.isprintable() and len(name) <= LONGEST for name in (*earlier, *later, outcome.column)
    ):
        return ""
    tiers = written_tiers([earlier, later, [outcome.column]])
    return f": --tiers {shlex.quote(tiers)}".replace(" ", GLUE).replace(GLUE, " ", 1)


def _depends_on_order(finding: Finding, outcome: OutcomeFacts, others: str) -> str:
    """What an explained column is if the others come first, and if they come after it."""
    first, then = ("they come", "they come") if len(finding.explained_by) != 1 else ("it comes", "it comes")
    if len(finding.explained_by) == 1:
        first, then = f"{others} comes", "it comes"
    order = _order(finding.factors[0].columns, finding.explained_by, outcome)
    return f"Not a cause if {first} first; a cause that acts through {others} if {then} after{order}"


def from_fewer(n: int) -> str:
    """What the expected risk of columns that act together is made of.

    Examples
    --------
    >>> from_fewer(2), from_fewer(3)
    ('from each alone', 'from each two')
    """
    return "from each alone" if n == 2 else "from each two"


def _is_clear(effect: Effect) -> bool:
    """Whether a level's interval, or the trend's, leaves out no effect."""
    values = [level.difference for level in effect.levels]
    values += [effect.trend.per_unit] if effect.trend is not None else []
    return any(low > 0 or high < 0 for _, low, high in values)


def why_only_possible(finding: Finding) -> list[str]:
    """Why it is not called a cause: in full, and in the few words of a list."""
    if finding.rivals:
        rivals = list(map(shown, finding.rivals))
        named = [f"{listed(rivals, most)} could stand in its place" for most in (3, 1)]
        return [*named, "others could stand in its place"]
    effect = finding.effect
    if finding.p is not None and effect is not None and not _is_clear(effect):
        together = p_text(finding.p)
        told = f"no single level differs clearly from {shown(effect.reference)} (all together {together})"
        return [told, f"no single level is clear, {together}"]
    if finding.p is not None and finding.p_corrected is not None:
        corrected = p_text(finding.p_corrected)
        return [
            f"may be chance: {p_text(finding.p)}, and {corrected} corrected for the number of columns",
            f"chance? corrected {corrected}",
        ]
    if finding.p_link is not None:
        return [f"probability {finding.p_link:.2f} of a direct link", f"direct link {finding.p_link:.2f}"]
    return ["the evidence is weak"]
