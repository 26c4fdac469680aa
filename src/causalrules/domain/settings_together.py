"""Which settings go together: what asks for the paper's protocol, and what has no answer beside another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.errors import Setting, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.settings import Settings

ONLY_DEFAULT = (
    "adjust",
    "missing_controls",
    "cluster",
    "require",
    "by",
    "negative_outcome",
    "negative_exposure",
    "placebo",
    "ordered",
    "matched_set",
    "outcome_as",
    "weights_are",
)
"""Settings that only the default studies, of whole columns, have a use for."""

_OF_PAIRS = ("epsilon", "bootstrap", "caliper", "ratio", "replace", "optimal")
"""Numbers and switches that only the paper's protocol has a use for: any but the default asks for it."""

_NOT_OF_A_SAMPLE = (
    "negative_outcome",
    "negative_exposure",
    "placebo",
    "matched_set",
    "explain",
)
_NOT_OF_A_MEAN = (*_NOT_OF_A_SAMPLE, "min_odds_ratio")
"""What is not answered for the weights of a sample, and for means."""

_LEAVE_OUT = "Leave out one of the two, "


def asking_for_the_paper(settings: Settings) -> tuple[str, ...]:
    """The settings by which something was asked for that only the paper's protocol has."""
    asked = {
        "matching": settings.matching not in ("auto", "exact", "propensity"),
        "pairs": settings.pairs == "random",
        "test": settings.test in ("matched-pairs", "exact"),
        "exact_on": bool(settings.exact_on),
        **{name: _is_given(settings, name) for name in _OF_PAIRS},
    }
    return tuple(name for name, is_asked in asked.items() if is_asked)


def refuse_what_only_the_default_has(settings: Settings) -> None:
    """The paper's protocol must not look as if it had heeded what it knows nothing about."""
    if settings.controls == "auto":
        return
    for name in ONLY_DEFAULT:
        if getattr(settings, name) and _is_given(settings, name):
            raise SettingsError.saying(
                name,
                Setting(name, is_subject=True),
                " belongs to studies of whole columns, ",
                Setting("controls", "auto"),
                *_why_not_whole_columns(settings, name),
            )


def _why_not_whole_columns(settings: Settings, name: str) -> tuple[str | Setting, ...]:
    """What asked for the paper's protocol, and what to leave out."""
    if not settings.switched_by:
        return (
            f"; controls is {settings.controls!r}, given, or implied by the paper's protocol or a comparison "
            "of ways of matching. Leave out one of them.",
        )
    culprit = settings.switched_by[0]
    return (
        ", but ",
        Setting(culprit, is_subject=True),
        f" asks for the paper's protocol. {_LEAVE_OUT}",
        Setting(name, is_subject=True),
        " or ",
        Setting(culprit, is_subject=True),
        ".",
    )


def check_together(settings: Settings) -> None:
    """Refuse settings that have no answer beside each other."""
    _check_weights(settings)
    if settings.outcome_as == "mean":
        why = "is of records with and without an outcome, not of means"
        _refuse(settings, "outcome_as", _NOT_OF_A_MEAN, why)
    if settings.frequencies is not None and settings.holdout:
        raise SettingsError(
            "weights", "left out where records are held out; repeat the rows", settings.weights
        )
    sets = settings.matched_set
    if sets is not None and not isinstance(sets, str):
        raise SettingsError("matched_set", "the name of a column", sets)
    if sets is not None and settings.cluster is not None:
        raise SettingsError("matched_set", "left out beside a cluster: sets are strata", sets)
    if settings.placebo and settings.holdout:
        raise SettingsError("placebo", "0 where records are held out", settings.placebo)


def _check_weights(settings: Settings) -> None:
    if settings.weights is not None and not isinstance(settings.weights, str):
        raise SettingsError("weights", "the name of a column", settings.weights)
    if settings.weights_are == "frequencies":
        return
    if settings.weights is None:
        raise SettingsError("weights", "a column where weights_are is 'sampling'", settings.weights)
    _refuse(settings, "weights_are", _NOT_OF_A_SAMPLE, "counts every record for itself, not by its weight")


def _refuse(settings: Settings, asked: str, others: Sequence[str], why: str) -> None:
    """Refuse what a question has no answer for yet."""
    for name in others:
        if getattr(settings, name) and _is_given(settings, name):
            raise SettingsError.saying(
                name,
                Setting(name, is_subject=True),
                f" {why}. {_LEAVE_OUT}",
                Setting(name, is_subject=True),
                " or ",
                Setting(asked, getattr(settings, asked)),
                ".",
            )


def _is_given(settings: Settings, name: str) -> bool:
    """Whether a setting is another than its default."""
    return bool(getattr(settings, name) != getattr(type(settings), name))
