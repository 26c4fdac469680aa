"""What a witness shows is said of the column that has a direction, and of no other."""

import pytest

from causalrules.cohort.neighbours.witness_words import witness_in_words
from causalrules.find.direction import Witness


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        ("common effect", "churned is not the cause of contract"),
        ("instrument", "contract is not the cause of churned"),
        ("passed on", "it acts on contract through churned"),
    ],
)
def test_the_sentence_ends_with_what_is_known_of_the_column_itself(kind, ends):
    said = witness_in_words(Witness(0, kind), "contract", "campaign", "churned")
    assert said.endswith(ends)
    assert "neither" not in said  # the witness's own direction may be open
