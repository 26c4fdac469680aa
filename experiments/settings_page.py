"""``python -m experiments.settings_page`` writes docs/settings.md from what `Settings` declares."""

from __future__ import annotations

from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from causalrules.domain.setting_fields import kinds_of
from causalrules.domain.settings import GROUPS, Settings
from causalrules.paper.settings import PaperSettings

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
_HEAD = """# Settings

Every choice a run depends on. In Python they are keywords of `mine` and `test`, in the terminal options
(`--max-length 3`), in the explorer controls of the form. To pass a default changes nothing.
Written by `python -m experiments.settings_page`.
"""
_PAPER = "The paper's procedure"


def page() -> str:
    """The page, one table for each group."""
    own = {one.name for one in fields(Settings)} - {"matching"}
    of_the_paper = tuple(one for one in fields(PaperSettings) if one.name not in own)
    shown = [_table(group.title, fields(group), group) for group in GROUPS]
    return _HEAD + "".join(shown) + _table(_PAPER, of_the_paper, PaperSettings)


def _table(title: str, settings: tuple[Field[Any], ...], owner: type) -> str:
    rows = "".join(f"| `{one.name}` | {_default(one)} | {_about(one, owner)} |\n" for one in settings)
    return f"\n## {title}\n\n| setting | default | meaning |\n|---|---|---|\n{rows}"


def _default(one: Field[Any]) -> str:
    if one.default is None:
        return str(one.metadata["unset"])
    if isinstance(one.default, tuple):
        return ", ".join(f"`{text}`" for text in one.default) or "none"
    return f"`{one.default}`"


def _about(one: Field[Any], owner: type) -> str:
    kind = kinds_of(owner)[one.name]
    choices = ", ".join(f"`{choice}`" for choice in kind.choices) if kind.type is str else ""
    return f"{choices}. {one.metadata['help']}" if choices else str(one.metadata["help"])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
