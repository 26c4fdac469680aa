"""What the user says about arrows, as windows of columns need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.time_order import OUTCOME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.knowledge import KnownRoles


@dataclass(frozen=True, slots=True)
class DeclaredArrows:
    """Arrows that there are, and that there are not, between numbered columns and the outcome.

    Parameters
    ----------
    roles : KnownRoles
        What was said, by names.
    names : tuple of str
        The columns' names, by number.

    Examples
    --------
    Age comes before the outcome and a bill after it; nothing is known of the diet:

    >>> from causalrules.domain.knowledge import Knowledge
    >>> roles = Knowledge(before=("age",), after=("bill",)).about("ill")
    >>> declared = DeclaredArrows(roles, ("age", "bill", "diet"))
    >>> [bin(bits) for bits in declared.forbidden([0, 1, 2])]
    ['0b1010', '0b0', '0b0', '0b10']
    """

    roles: KnownRoles
    names: tuple[str, ...]

    def forbidden(self, window: Sequence[int]) -> NDArray[np.int64]:
        """For each variable of a window the bits of those that cannot be its causes; the outcome is last."""
        return self._bits(window, self.roles.forbids)

    def required(self, window: Sequence[int]) -> NDArray[np.int64]:
        """For each variable of a window the bits of those that are its causes."""
        return self._bits(window, self.roles.requires)

    def _bits(self, window: Sequence[int], holds: Callable[[str, str], bool]) -> NDArray[np.int64]:
        names = [*(self.names[column] for column in window), OUTCOME]
        bits = np.zeros(len(names), np.int64)
        if not self.roles.knowledge:
            return bits
        for effect, later in enumerate(names):
            for cause, earlier in enumerate(names):
                if cause != effect and holds(earlier, later):
                    bits[effect] |= 1 << cause
        return bits

    def is_after(self, column: int) -> bool:
        """Whether a column comes after the outcome."""
        return self.roles.is_after(self.names[column])

    def is_before(self, column: int) -> bool:
        """Whether a column comes before the outcome."""
        return self.roles.is_before(self.names[column])

    def certain(self, column: int) -> tuple[float, float] | None:
        """Probabilities of the arrow to the outcome and from it, where the user is certain of one."""
        name = self.names[column]
        if self.roles.requires(name, OUTCOME):
            return 1.0, 0.0
        return (0.0, 1.0) if self.roles.requires(OUTCOME, name) else None
