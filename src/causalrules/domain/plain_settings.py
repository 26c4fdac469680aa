"""What the method of one study a column is asked with, and which settings of the other it does not know."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from causalrules.domain.quoted_names import out_of_quotes, split_at
from causalrules.domain.setting_fields import setting
from causalrules.domain.settings import Settings
from causalrules.errors import Setting, SettingsError

_LEAVE_OUT = "leave it out"

UNKNOWN = {
    "min_odds_ratio": f"it shows every size; {_LEAVE_OUT}, and read the intervals",
    "correction": f"it corrects by Benjamini and Hochberg; {_LEAVE_OUT}",
    "judge": f"it judges by how probable a direct link is, and by p-values; {_LEAVE_OUT}",
    "direction": f"it shows every level, whichever way it moves the outcome; {_LEAVE_OUT}",
    "min_support": f"it tests every column; {_LEAVE_OUT}",
    "bins": "it shows numbers at five levels; cut them yourself with --cut",
    "matching": f"it adjusts by models, and matches records for a second opinion only; {_LEAVE_OUT}",
    "matched_set": "it has no matched sets yet; name them as a cluster, or leave out --method plain",
    "missing_controls": f"it compares complete records with complete ones; {_LEAVE_OUT}",
    "holdout": "it judges all records at once; leave out --method plain to hold some out",
    "placebo": "it has no placebo runs yet; leave out --method plain for them",
    "negative_outcome": "it has no negative controls yet; leave out --method plain for them",
    "negative_exposure": "it has no negative controls yet; leave out --method plain for them",
    "by": "it has no subgroups yet; leave out --method plain for them",
    "explain": f"it explains every column that is no cause; {_LEAVE_OUT}",
    "memory": "it counts in memory only; leave out --memory, or --method plain",
    "checkpoint": "it runs in one go; leave out --checkpoint, or --method plain",
    "checkpoint_records": "it runs in one go; leave out --checkpoint-records, or --method plain",
    "format": "it has no Markdown yet, which comes with a later version; leave out --format",
    "matched": "it writes no matched records yet; leave out --matched, or --method plain",
    "html": "it has no page yet, which comes with a later version; save the result with --json",
    "docx": "it writes no Word file yet, which comes with a later version; save the result with --json",
    "xlsx": "it writes no Excel file yet, which comes with a later version; use --csv",
    "tex": "it writes no LaTeX yet, which comes with a later version; save the result with --json",
}
"""What ``method='plain'`` does not know: why, and what to do. The only place where that is said."""

TRANSFORM = "it has no indicators of causes yet; see result_.causes, or leave out --method plain"
SEVERAL = "it answers for one outcome at a time; ask once for each"
_ENGINES = "it counts in memory only; leave out --engine, or --method plain"


_OPTION = re.compile(r"(--[a-z-]+(?: plain)?)")


def refuse(name: str, why: str = "") -> SettingsError:
    """The error for what this method does not know.

    Examples
    --------
    >>> print(refuse("placebo"))
    placebo is not known to method='plain': it has no placebo runs yet; leave out method='plain' for them.
    """
    said: list[str | Setting] = [
        Setting(name, is_subject=True),
        " is not known to ",
        Setting("method", "plain"),
    ]
    for part in _OPTION.split(f": {why or UNKNOWN[name]}."):
        is_option = part.startswith("--")
        option, _, value = part.removeprefix("--").partition(" ")
        said.append(Setting(option.replace("-", "_"), value or None) if is_option else part)
    return SettingsError.saying(name, *said)


@dataclass(frozen=True, kw_only=True)
class PlainSettings(Settings):
    """Settings of the method of one study a column.

    They are `Settings`, without those of `UNKNOWN`, and with levels to compare.

    Examples
    --------
    >>> PlainSettings(reference=("rx=Obs", "stage=1")).references
    {'rx': 'Obs', 'stage': '1'}
    >>> PlainSettings(placebo=3)
    Traceback (most recent call last):
    ...
    causalrules.errors.SettingsError: placebo is not known to method='plain': it has no placebo runs yet; \
leave out method='plain' for them.
    """

    reference: tuple[str, ...] = setting(
        (),
        "Levels that the others of a column are compared with, such as rx=Obs; by default the most "
        "frequent of a category, the lowest of a number.",
    )
    against: str | None = setting(
        None,
        "The level to compare a tested one with, such as rx=Obs; records of other levels are left out.",
        unset="all others",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in UNKNOWN:
            if hasattr(Settings, name) and getattr(self, name) != getattr(Settings, name):
                raise refuse(name)
        if self.engine in ("streaming", "spark"):
            raise refuse("engine", _ENGINES)
        self.references  # noqa: B018 - reading it checks the spelling of `reference`

    def for_a_toy(self) -> Self:
        """These settings, by which a table of a few records reaches every kernel."""
        return self.changed(threads=1)

    @property
    def references(self) -> dict[str, str]:
        """The reference level of each column that has one."""
        found: dict[str, str] = {}
        for text in self.reference:
            name, *values = split_at(text, "=")
            column, level = out_of_quotes(name), out_of_quotes("=".join(values))
            if not column or not level:
                raise SettingsError("reference", "a column and one of its values, such as 'rx=Obs'", text)
            if column in found:
                raise SettingsError("reference", "one level a column", column)
            found[column] = level
        return found


OWN = ("reference", "against")
"""Settings that only this method has."""
