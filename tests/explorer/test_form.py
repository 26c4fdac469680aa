"""The form says what `Settings` says, and nothing of its own."""

from dataclasses import fields
from typing import get_args

import pytest

from causalrules.domain.settings import CorrectionChoice, DirectionChoice, Settings
from causalrules.explorer.form import OFFERED, form, help_texts

CONTROLS = {control["name"]: control for group in form() for control in group["controls"]}


def test_every_control_is_a_setting_with_its_default_and_help():
    known = {field.name: field.default for field in fields(Settings)}
    assert set(OFFERED) <= set(known)
    for name, control in CONTROLS.items():
        default = known[name]
        assert control["default"] == (list(default) if isinstance(default, tuple) else default)
        assert control["help"].endswith("."), name
        assert "`" not in control["help"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("direction", "choice"),
        ("correction", "choice"),
        ("max_length", "whole"),
        ("min_support", "number"),
        ("confidence", "number"),
        ("explain", "flag"),
        ("bins", "text"),
        ("missing", "texts"),
        ("caliper", "number-or-word"),
    ],
)
def test_kinds_follow_from_the_types(name, kind):
    assert CONTROLS[name]["kind"] == kind


def test_choices_follow_from_the_types():
    assert CONTROLS["direction"]["choices"] == list(get_args(DirectionChoice))
    assert CONTROLS["correction"]["choices"] == list(get_args(CorrectionChoice))
    assert CONTROLS["correction"]["optional"]
    assert CONTROLS["correction"]["settled"] == "bh"
    assert not CONTROLS["direction"]["optional"]


def test_settings_that_share_an_entry_share_its_help():
    helps = help_texts()
    assert helps["runs"] == helps["votes"]
