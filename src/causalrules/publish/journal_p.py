"""P values as journals print them."""

from __future__ import annotations

_SMALL_P, _MIDDLE_P = 0.001, 0.1


def journal_p(p: float, corrected: str = "") -> str:
    """A p-value as journals print it in a sentence.

    Examples
    --------
    >>> journal_p(0.00001, ""), journal_p(0.0312, " corrected")
    ('P < 0.001', 'corrected P = 0.031')
    """
    sign = "P < 0.001" if p < _SMALL_P else f"P = {p:.3f}" if p < _MIDDLE_P else f"P = {p:.2f}"
    return f"{corrected.strip()} {sign}".strip()


def bare_p(p: float) -> str:
    """A p-value as it stands in a column of P values.

    Examples
    --------
    >>> bare_p(0.00001), bare_p(0.0312)
    ('< 0.001', '0.031')
    """
    return journal_p(p).removeprefix("P ").removeprefix("= ")
