"""Results to draw and print: a mined one, and the same with other names."""

from dataclasses import replace
from functools import cache

import causalrules
from causalrules.domain import Item
from causalrules.simulation import planted_table

ODD_NAMES = [
    "収入と職業に関する非常に長い列の名前がここにあります=東京都新宿区西新宿二丁目八番一号",
    "😀 mood=🎉🎉🎉 party",
    "a_column_that_goes_on_and_on_without_any_space_until_nobody_can_read_it_any_more_at_all=yes & b=c",
    "honorificabilitudinitatibus" * 5 + "=1",
    "detailed household summary in household=Householder & fill inc questionnaire for veteran's admin=No",
    "a|b=`c` *d* <script>",
]


@cache
def mined(**settings):
    return causalrules.mine(planted_table(4000), outcome="ill=yes", explain=True, **settings)


@cache
def studied(exposure="treatment=new"):
    return causalrules.test(planted_table(4000), outcome="ill=yes", exposure=exposure, explain=True)


def named(text):
    """The pattern that a name stands for."""
    return tuple(Item(*part.split("=", 1)) for part in text.split(" & "))


def with_names(names):
    """A result whose causal rules have these names, in both directions by turns."""
    causal = mined().causal
    rules = [replace(causal[i % len(causal)], pattern=named(name)) for i, name in enumerate(names)]
    return replace(mined(), tested=tuple(rules) + mined().with_verdict("rejected"))


def without_causes():
    return replace(mined(), tested=mined().with_verdict("rejected"))


def of_nothing():
    return replace(mined(), tested=(), by_length={})
