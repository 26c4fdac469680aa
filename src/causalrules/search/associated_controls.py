"""Controls by association alone: every column that goes with the outcome and does not nearly decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.search.screen import SCREEN_LEVEL

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.search.screen import Screen


class AssociatedControls:
    """Holds each column that is associated with the outcome, whatever the exposure.

    Parameters
    ----------
    vocabulary : Vocabulary
        The columns.
    screen : Screen
        Their associations, and which nearly are the outcome.
    adjust : sequence of str
        Columns that the user wants held.
    only_adjust : bool
        Hold these and no others.
    """

    def __init__(
        self, vocabulary: Vocabulary, screen: Screen, adjust: Sequence[str] = (), *, only_adjust: bool = False
    ) -> None:
        associated = {name for name, p_value in screen.association.items() if p_value <= SCREEN_LEVEL}
        self._confounders = associated - screen.leaks.keys() | set(adjust)
        chosen = set(adjust) if only_adjust else self._confounders
        self._controls = [column for column in vocabulary.held_columns if column.name in chosen]
        self._deciding = set() if only_adjust else self._confounders

    def controls_of(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """All of them but the exposure's own columns."""
        return [column for column in self._controls if column.name not in own]

    def may_confound(self, own: Collection[str]) -> Collection[str]:
        """The associated columns; none where the user said what to hold."""
        return self._deciding - set(own)
