"""Settings from what was typed: lists with commas and quotes, ratios, calipers, texts for missing values."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from causalrules.asked_settings import asked_settings
from causalrules.domain.missing_values import DEFAULT_MISSING, is_of_one_column
from causalrules.domain.plain_settings import PlainSettings
from causalrules.domain.quoted_names import closing_quote, out_of_quotes
from causalrules.domain.setting_fields import REPEATED, kinds_of
from causalrules.domain.settings import Settings
from causalrules.errors import Setting, SettingsError
from causalrules.paper.settings import PaperSettings

if TYPE_CHECKING:
    from collections.abc import Sequence


def make_settings(
    options: dict[str, Any], before: Settings | PaperSettings | None = None
) -> Settings | PaperSettings:
    r"""Settings from the options as typed; lists have commas (a name that has some stands in quotes).

    `before` are settings to start from, which these options change.
    """
    kinds = kinds_of(PaperSettings) | kinds_of(PlainSettings)
    values = {name: value for name, value in options.items() if name in kinds or name in ("paper", "method")}
    _refuse_two_kinds(values.get("adjust", ()))
    for name, value in values.items():
        if name == "ratio":
            values[name] = _ratio(value)
        elif name == "caliper":
            values[name] = _caliper(value)
        elif name == "missing":
            values[name] = _missing(value)
        elif name in REPEATED:
            values[name] = tuple(value)
        elif name in kinds and kinds[name].type is tuple:
            values[name] = joined_lists(value)
    if options.get("knowledge") is not None:
        from causalrules.read.knowledge_files import read_knowledge, with_knowledge

        values = with_knowledge(values, read_knowledge(options["knowledge"]))
    if before is not None and values.get("judge") == "corrected" and before.correction == "none":
        values.setdefault("correction", Settings.correction)
    return asked_settings(values, before)


def _refuse_two_kinds(lists: Sequence[str]) -> None:
    """Columns instead of the chosen ones and columns beside them, in two options, contradict each other."""
    if len({text.lstrip().startswith("+") for text in lists}) > 1:
        demand = "all with a plus (+age) or all without where it is given several times"
        raise SettingsError("adjust", demand, " and ".join(lists))


def joined_lists(texts: Sequence[str]) -> tuple[str, ...]:
    """The lists of an option that was given once or several times, as one.

    Examples
    --------
    >>> joined_lists(["a, b", "c", "a"])
    ('a', 'b', 'c')
    """
    return tuple(dict.fromkeys(part for text in texts for part in split_list(text)))


def split_list(text: str) -> tuple[str, ...]:
    r"""Split at commas; those in double quotes, and what follows a backslash, are taken as they are.

    Examples
    --------
    >>> split_list(r'a, b,"income, net",name\, first')
    ('a', 'b', 'income, net', 'name, first')
    >>> split_list('firm="Smith, Sons",age')
    ('firm="Smith, Sons"', 'age')
    """
    parts: list[str] = []
    current, place, name = "", 0, None
    while place < len(text):
        character, end = text[place], None
        if character == '"' and (not current.strip() or current.rstrip()[-1] in "=|<>!&"):
            end = closing_quote(text, place)
        if end is not None:  # a name, or a value of a pattern, whose quotes the pattern has use for
            name = text[place:end] if not current.strip() else None
            current, place = current + text[place:end], end
            continue
        if character == ",":
            parts.append(_unquoted(current, name))
            current, name = "", None
        elif character == "\\" and place + 1 < len(text):
            current, place = current + text[place + 1], place + 1
        else:
            current += character
        place += 1
    return tuple(part for part in [*parts, _unquoted(current, name)] if part)


def _unquoted(part: str, name: str | None) -> str:
    """A part without the quotes that are all around it, as they were typed."""
    return out_of_quotes(name) if name is not None and part.strip() == name else part.strip()


def _missing(typed: tuple[str, ...]) -> tuple[str, ...]:
    """What means a missing value, in all columns or in one; a value after a column's may mean either."""
    if not typed:
        return DEFAULT_MISSING
    found: list[str] = []
    for parts in map(split_list, typed):
        for before, text in pairwise(parts):
            if is_of_one_column(before) and not is_of_one_column(text):
                same = f"{before.rpartition('=')[0]}={text}"
                raise SettingsError.saying(
                    "missing",
                    Setting("missing", is_subject=True),
                    f": {text} after {before} could be of the same column or of all of them. Say "
                    f"{before},{same} for the same, or put {text} first for all.",
                )
        found += parts
    return tuple(found)


def _caliper(text: str | None) -> float | str | None:
    if text in (None, "none"):
        return text
    try:
        return float(str(text))
    except ValueError:
        raise SettingsError("caliper", "a number of at least 0, or 'none'", text) from None


def _ratio(text: str) -> int:
    one, _, many = text.rpartition(":")
    if one not in ("", "1") or not many.isdecimal():
        raise SettingsError("ratio", "1:k with a whole number k, such as 1:3", text)
    return int(many)
