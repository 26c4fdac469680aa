"""What a witness of an arrow says, as readers see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causalrules.find.direction import Witness


def witness_in_words(found: Witness, name: str, witness: str, outcome: str) -> str:
    """One sentence that a reader can check.

    Examples
    --------
    >>> from causalrules.find.direction import Witness
    >>> witness_in_words(Witness(3, "common effect"), "gene", "diet", "ill")
    'gene and diet are independent, but not among records alike in ill: ill is not the cause of gene'
    """
    if found.kind == "common effect":
        return (
            f"{name} and {witness} are independent, but not among records alike in {outcome}: "
            f"{outcome} is not the cause of {name}"
        )
    if found.kind == "instrument":
        return (
            f"{witness} and {outcome} are independent, but not among records alike in {name}: "
            f"{name} is not the cause of {outcome}"
        )
    return (
        f"{witness}, a cause of {outcome}, goes with {name}, but not among records alike in {outcome}: "
        f"it acts on {name} through {outcome}"
    )
