"""The form says what `Settings` says, and nothing of its own."""

from dataclasses import fields
from typing import get_args

import pytest

from causalrules.domain.question_settings import DirectionChoice
from causalrules.domain.settings import Settings
from causalrules.domain.study_settings import CorrectionChoice
from causalrules.explorer.form import ASKED, OFFERED, ROLES, form

CONTROLS = {control["name"]: control for group in form() for control in group["controls"]}


def test_every_control_is_a_setting_with_its_default_and_help():
    known = {field.name: field.default for field in fields(Settings)}
    assert sorted(CONTROLS) == sorted(OFFERED)
    assert {*OFFERED, *ROLES} < set(ASKED) <= set(known)
    assert "outcome_as" not in CONTROLS  # the choice of the outcome says it
    for name, control in CONTROLS.items():
        default = known[name]
        assert control["default"] == (list(default) if isinstance(default, tuple) else default)
        assert control["help"].endswith("."), name
        assert "`" not in control["help"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("direction", "choice"),
        ("judge", "choice"),
        ("max_length", "whole"),
        ("min_support", "number"),
        ("confidence", "number"),
        ("explain", "flag"),
        ("bins", "text"),
        ("missing", "texts"),
    ],
)
def test_kinds_follow_from_the_types(name, kind):
    assert CONTROLS[name]["kind"] == kind


def test_choices_follow_from_the_types():
    assert CONTROLS["direction"]["choices"] == list(get_args(DirectionChoice))
    assert CONTROLS["correction"]["choices"] == list(get_args(CorrectionChoice))
    assert not any(control["optional"] for control in CONTROLS.values() if control["kind"] == "choice")


def test_what_may_be_left_empty_says_what_happens_then():
    assert {name: control["unset"] for name, control in CONTROLS.items() if control["optional"]} == {
        "min_odds_ratio": "none",
        "cluster": "records are independent",
        "weights": "one record",
        "matched_set": "records are matched here",
    }
