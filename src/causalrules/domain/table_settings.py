"""What every search of a table is asked with, whatever its method: all that reading and coding ask for."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from causalrules.domain.further_settings import OutcomeAs
from causalrules.domain.knowledge import Knowledge, read_arrow, read_tiers
from causalrules.domain.pattern_grammar import columns_of_pattern
from causalrules.domain.question_settings import ColumnSettings, KnowledgeSettings, SearchSettings
from causalrules.domain.resource_settings import ResourceSettings
from causalrules.domain.setting_fields import SHORT_OPTIONS, kinds_of
from causalrules.domain.study_settings import JudgementSettings
from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, kw_only=True)
class TableSettings(ResourceSettings, ColumnSettings, JudgementSettings, KnowledgeSettings, SearchSettings):
    """Settings that all methods share, and neutral answers to what only some of them ask.

    `holds_columns` says what a study holds: whole columns, so that numbers stay numbers and what is odd
    about a column matters; or single items.
    """

    holds_columns: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frequencies is not None and self.holdout:
            raise SettingsError(
                "weights", "left out where records are held out; repeat the rows", self.weights
            )
        self.knowledge.check()

    @property
    def outcome_as(self) -> OutcomeAs:
        """Whether the outcome is a value or a mean."""
        return "value"

    @property
    def require(self) -> tuple[str, ...]:
        """Arrows that exist."""
        return ()

    @property
    def adjusted_for(self) -> tuple[str, ...]:
        """The columns that the user wants adjusted for."""
        return ()

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The ordered columns with their values from low to high."""
        return {}

    @property
    def exact_on(self) -> tuple[str, ...]:
        """The columns that matched records must agree on in any case."""
        return ()

    @property
    def cluster(self) -> str | None:
        """The column that says which records belong together."""
        return None

    @property
    def matched_set(self) -> str | None:
        """The column of sets that were matched at data collection."""
        return None

    @property
    def is_sampled(self) -> bool:
        """Whether records are a sample whose weights tell what they represent."""
        return False

    @property
    def has_design(self) -> bool:
        """Whether records belong together or are a weighted sample: not each is evidence by itself."""
        return False

    @property
    def group_column(self) -> str | None:
        """The column whose equal values mean that records belong together, as a cluster or a matched set."""
        return None

    @property
    def frequencies(self) -> str | None:
        """The column that says how often each row counts, if there is one."""
        return None if self.is_sampled else self.weights

    @cached_property
    def knowledge(self) -> Knowledge:
        """What the user says about columns."""
        return Knowledge(
            exposures=self.exposures,
            adjust=self.adjusted_for,
            never_adjust=self.never_adjust,
            before=self.before,
            after=self.after,
            tiers=read_tiers(self.tiers),
            required=tuple(read_arrow(text, "require") for text in self.require),
            forbidden=tuple(read_arrow(text, "forbid") for text in self.forbid),
        )

    def knowledge_about(self, columns: Sequence[str]) -> Knowledge:
        """What the user says about these columns; what is adjusted for by a condition is its column."""
        adjust = [
            name
            for text in self.adjusted_for
            for name in ([text] if text in columns else columns_of_pattern(text, columns))
        ]
        return replace(self.knowledge, adjust=tuple(dict.fromkeys(adjust)))

    @classmethod
    def from_options(cls, **options: Any) -> Self:
        """Build settings from keyword arguments: a list may be None, an unknown name is refused."""
        return cls(**cls._understood(options))

    def for_a_toy(self) -> Self:
        """These settings, by which a table of a few records reaches every kernel.

        Examples
        --------
        >>> from causalrules import Settings
        >>> Settings(max_length=3).for_a_toy().min_support
        0.0
        """
        return self.changed(judge="interval", confidence=0.5, min_support=0.0, threads=1)

    def changed(self, **options: Any) -> Self:
        """These settings with some of them changed; what followed from others is kept.

        Examples
        --------
        >>> from causalrules import Settings
        >>> Settings(min_support=0.01).changed(alpha=0.01).min_support
        0.01
        """
        return replace(self, **self._understood(options))

    @classmethod
    def _understood(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options; None means the default of lists and words, and an unknown one is refused."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                meant = [one for one, short in SHORT_OPTIONS.items() if short == name.rstrip("_")]
                raise SettingsError.unknown(name, known, meant)
        kind: type = cls
        kinds = kinds_of(kind)
        return {
            name: getattr(cls, name) if value is None and kinds[name].type in (tuple, str) else value
            for name, value in options.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Every setting by name, also those left at their default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Self:
        """Read back what `to_dict` wrote, also in an earlier version: what is no setting now is left out."""
        values = {field.name: entry[field.name] for field in fields(cls) if field.name in entry}
        if values.get("correction") != "none" and values.get("min_odds_ratio") is not None:
            # Before `judge` had a name, a minimum and a correction could be combined. The correction is
            # what the verdicts rest on.
            del values["min_odds_ratio"]
        return cls(**values)


def described(settings: type) -> str:
    """The settings as a docstring lists them."""
    lines = []
    for field in fields(settings):
        kind = kinds_of(settings)[field.name]
        words = f"{{{', '.join(map(repr, kind.choices))}}}" if kind.type is str and kind.choices else ""
        known = words or ("tuple of str" if kind.type is tuple else kind.type.__name__)
        default = "optional" if field.default is None else f"default {field.default!r}"
        unset = f" By default: {field.metadata['unset']}." if field.metadata["unset"] else ""
        lines += [f"{field.name} : {known}, {default}", f"    {field.metadata['help']}{unset}"]
    return "\n    ".join(lines)
