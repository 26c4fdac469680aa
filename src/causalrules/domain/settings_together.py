"""Which settings have no answer beside another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.errors import Setting, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.settings import Settings

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


def check_together(settings: Settings) -> None:
    """Refuse settings that have no answer beside each other."""
    _check_weights(settings)
    if settings.outcome_as == "mean":
        why = "is of records with and without an outcome, not of means"
        _refuse(settings, "outcome_as", _NOT_OF_A_MEAN, why)
    sets = settings.matched_set
    if sets is not None and not isinstance(sets, str):
        raise SettingsError("matched_set", "the name of a column", sets)
    if sets is not None and settings.cluster is not None:
        raise SettingsError("matched_set", "left out beside a cluster: sets are strata", sets)
    if settings.placebo and settings.holdout:
        raise SettingsError("placebo", "0 where records are held out", settings.placebo)


def _check_weights(settings: Settings) -> None:
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
