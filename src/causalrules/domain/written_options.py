"""Settings as the options that a user would type, for commands to copy."""

from __future__ import annotations

from typing import Any

from causalrules.domain.quoted_names import in_list
from causalrules.domain.setting_fields import option_of

REPEATED = ("cut",)
"""Settings whose texts hold commas: each is an option of its own."""


def typed_option(name: str, value: Any) -> list[str]:
    r"""The words of one setting; a shell's quotes are not among them.

    Examples
    --------
    >>> typed_option("never_adjust", ["tar", "income, net"])
    ['--never-adjust', 'tar,income\\, net']
    >>> typed_option("cut", ["bmi=18.5,25", "age=every:10"])
    ['--cut', 'bmi=18.5,25', '--cut', 'age=every:10']
    """
    option = option_of(name)
    if name in REPEATED:
        return [word for text in value for word in (option, text)]
    if isinstance(value, bool):
        return [option] if value else []
    if isinstance(value, list | tuple):
        return [option, ",".join(map(in_list, value))]
    return [option, f"1:{value}" if name == "ratio" else str(value)]
