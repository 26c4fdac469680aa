"""Which method is asked for, and with which settings: the one place where ways part."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_args

from causalrules.domain.plain_settings import OWN, SEVERAL, PlainSettings, refuse
from causalrules.domain.settings import Settings
from causalrules.errors import Setting, SettingsError
from causalrules.paper.settings import PROTOCOL, MatchingChoice, PaperSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from causalrules.domain.table_settings import TableSettings

_AUTO = (None, "auto", "refined")
"""Values of ``controls`` that ask for the default."""

METHODS = ("default", "plain")
"""The ways of finding causes by whole columns."""

_OF_THE_PAPER = {one.name for one in fields(PaperSettings)} - {one.name for one in fields(Settings)}
_OF_THE_DEFAULT = {one.name for one in fields(Settings)} - {one.name for one in fields(PaperSettings)}


def asked_settings(
    options: Mapping[str, Any], before: Settings | PaperSettings | None = None
) -> Settings | PaperSettings:
    """The settings that options ask for, by themselves or as changes of those of a run before.

    ``method`` says which method of whole columns is meant; without it, that of the run before.
    ``paper`` asks for the paper's protocol, ``controls`` for its procedure with other defaults; and so does
    what only that has, see `led_to_the_paper_by`.

    Examples
    --------
    >>> asked_settings({"paper": True}).pairs, asked_settings({"controls": "items"}).pairs
    ('random', 'expected')
    >>> asked_settings({"controls": "auto"}) == Settings()
    True
    """
    given = dict(options)
    if _is_plain(given.pop("method", None), before):
        return _plain_settings(given, before)
    for name in OWN:
        if given.get(name):
            needs = (Setting(name, is_subject=True), " needs ", Setting("method", "plain"), ".")
            raise SettingsError.saying(name, *needs)
        given.pop(name, None)
    if isinstance(before, PlainSettings):
        before = Settings.from_dict(before.to_dict())
    protocol = PROTOCOL if given.pop("paper", False) else {}
    if given.get("controls") in _AUTO:
        given.pop("controls", None)
    is_of_items = bool(protocol or "controls" in given or led_to_the_paper_by(options, before))
    if not is_of_items and not isinstance(before, PaperSettings):
        return Settings.from_options(**given) if before is None else before.changed(**given)
    for name in given:
        if name in _OF_THE_DEFAULT:
            raise SettingsError.saying(
                name,
                Setting(name, is_subject=True),
                " belongs to studies of whole columns, which the paper's procedure does not have. Leave ",
                Setting(name, is_subject=True),
                " out, or do not ask for the paper's procedure.",
            )
    if before is None:
        return PaperSettings.from_options(**(protocol | given))
    if isinstance(before, PaperSettings):
        return before.changed(**(protocol | given))
    return PaperSettings.from_dict(before.to_dict()).changed(**(protocol | given))


def _is_plain(method: str | None, before: Settings | PaperSettings | None) -> bool:
    """Whether the method of one study a column is asked for, or goes on."""
    if method not in (None, *METHODS):
        raise SettingsError.choice("method", METHODS, method)
    return method == "plain" or (method is None and isinstance(before, PlainSettings))


def _plain_settings(given: Mapping[str, Any], before: Settings | PaperSettings | None) -> PlainSettings:
    """The settings of that method; what leads to the paper's procedure contradicts it."""
    for name, value in given.items():
        if name == "paper" and not value:
            continue
        if name in ("paper", *_OF_THE_PAPER) and value is not None:
            raise SettingsError.saying(
                name,
                Setting(name, is_subject=True),
                " belongs to the paper's procedure, ",
                Setting("method", "plain"),
                " to another. Leave out one of the two.",
            )
    kept = {name: value for name, value in given.items() if name not in ("paper", "controls")}
    if before is None:
        return PlainSettings.from_options(**kept)
    if isinstance(before, PlainSettings):
        return before.changed(**kept)
    return PlainSettings.from_dict(before.to_dict()).changed(**kept)


def led_to_the_paper_by(
    options: Mapping[str, Any], before: Settings | PaperSettings | None = None
) -> tuple[str, ...]:
    """Options that only the paper's procedure has, where nobody asked for it by its name."""
    if _is_plain(options.get("method"), before):
        return ()
    by_name = options.get("paper") or options.get("controls", "auto") not in _AUTO
    if by_name or isinstance(before, PaperSettings):
        return ()
    distances = set(get_args(MatchingChoice)) - {"exact", "propensity"}
    return tuple(
        name
        for name, value in options.items()
        if (name in _OF_THE_PAPER and name != "controls" and value is not None)
        or (name == "matching" and value in distances)
    )


def said_first(options: Mapping[str, Any], before: Settings | PaperSettings | None = None) -> tuple[str, ...]:
    """What the reader of a result must know first where options changed the whole method.

    Examples
    --------
    >>> print(said_first({"bootstrap": 20})[0].partition(":")[0])
    bootstrap (20) belongs to the paper's procedure, which was therefore used in the place of the default
    """
    names = led_to_the_paper_by(options, before)
    if not names:
        return ()
    named = " and ".join(f"{name} ({options[name]})" for name in names)
    verb, it = ("belongs", "it") if len(names) == 1 else ("belong", "them")
    return (
        f"{named} {verb} to the paper's procedure, which was therefore used in the place of the default: "
        "single items are held fixed, not whole columns. Numbers and columns of many values are held by "
        f"their items only, so what they confound may be called a cause. Leave {it} out for the default.",
    )


def job_for(settings: TableSettings) -> Any:
    """The kind of job that such settings belong to; only that one is loaded."""
    if isinstance(settings, PaperSettings):
        from causalrules.paper.job import PaperJob

        return PaperJob
    if isinstance(settings, PlainSettings):
        from causalrules.plain import PlainJob

        return PlainJob
    from causalrules.search.job import DefaultJob

    return DefaultJob


def refuse_further(settings: TableSettings, *, several: Any = (), **asked: Any) -> None:
    """Refuse what the method of these settings does not answer, beside its settings.

    Parameters
    ----------
    settings : TableSettings
    several : sequence
        The outcomes, if they are more than one.
    **asked
        Files and folders by the names of their options; None where they were not asked for.
    """
    if not isinstance(settings, PlainSettings):
        return
    if len(several) > 1:
        raise refuse("outcome", SEVERAL)
    for name, value in asked.items():
        if value:
            raise refuse(name)
