"""Settings of further questions: whether effects differ, and whether the run can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from causalrules.domain.setting_fields import CheckedFields, setting


@dataclass(frozen=True, kw_only=True)
class FurtherSettings(CheckedFields):
    """What else is asked of a finding, and of the whole run."""

    title: ClassVar[str] = "Further questions"

    by: tuple[str, ...] = setting(
        (),
        "Columns whose values are subgroups: the effect in each, with a test of whether it is the same in "
        "all of them (interaction), corrected for the number of such tests.",
        label="Subgroups by",
    )
