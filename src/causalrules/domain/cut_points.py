"""Cut points of numbers as people write them.

``bmi=18.5,25,30``, ``dose=upto:5,10``, ``age=every:10`` or ``pay=quantile:5``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.domain.pattern_grammar import number_of
from causalrules.domain.quoted_names import name_between, out_of_quotes
from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where one column is cut into intervals.

    Parameters
    ----------
    column : str
    points : tuple of str
        Numbers or dates, ascending.
    are_dates : bool
        Which of the two.
    is_upto : bool
        Whether a value on a point belongs to the interval below it; otherwise to the one above.
    every : float, optional
        A step, whose multiples are the points.
    n_quantiles : int, optional
        Intervals of about equally many records.
    """

    column: str
    points: tuple[str, ...] = ()
    are_dates: bool = False
    is_upto: bool = False
    every: float | None = None
    n_quantiles: int | None = None


def read_cuts(text: str) -> Cuts:
    """Cut points as people write them.

    Examples
    --------
    >>> read_cuts("bmi = 18.5, 25, 30").points
    ('18.5', '25', '30')
    >>> read_cuts("age=every:10").every
    10.0
    >>> read_cuts("dose=upto:5,10").is_upto
    True
    """
    name, _, how = text.rpartition("=")
    column, how = out_of_quotes(name), how.strip()
    kind, _, number = how.partition(":")
    if column and kind == "every" and (number_of(number) or 0) > 0:
        return Cuts(column, every=float(number))
    if column and kind == "quantile" and number.isdecimal() and int(number) >= 2:
        return Cuts(column, n_quantiles=int(number))
    is_upto = kind.rstrip() == "upto"
    points = tuple(point.strip() for point in (number if is_upto else how).split(","))
    numbers = [number_of(point) for point in points]
    if not column or None in numbers or len({_is_date(point) for point in points}) > 1:
        raise SettingsError("cut", _DEMAND, text)
    by_size = dict(sorted(zip(numbers, points, strict=True)))
    return Cuts(column, tuple(by_size.values()), are_dates=_is_date(points[0]), is_upto=is_upto)


_DEMAND = "such as 'bmi=18.5,25,30', 'dose=upto:5,10', 'age=every:10' or 'income=quantile:5'"


def cuts_between(intervals: Sequence[str]) -> str:
    """The points between the intervals of a number, from their names, as `read_cuts` reads them.

    Examples
    --------
    >>> cuts_between(["<=17.5", "(17.5, 62]", ">62"]), cuts_between(["<18.5", "[18.5, 25)", ">=25"])
    ('upto:17.5,62', '18.5,25')
    """
    points = ",".join(name.rpartition(", ")[2].strip("<=])") for name in intervals[:-1])
    return f"upto:{points}" if intervals[0].startswith("<=") else points


def interval_over(lowest: str, highest: str) -> str:
    """The name of an interval from one to another of the same number, of which neither has both ends open.

    Examples
    --------
    >>> interval_over("<=17.5", "(40, 62]"), interval_over("(17.5, 40]", "(40, 62]")
    ('<=62', '(17.5, 62]')
    >>> interval_over("<18.5", "[25, 30)"), interval_over("[18.5, 25)", ">=30")
    ('<30', '>=18.5')
    """
    start, end = lowest.partition(", ")[0], highest.rpartition(", ")[2]
    if lowest == highest:
        return lowest
    if lowest.startswith("<"):
        return f"{'<=' if end.endswith(']') else '<'}{end[:-1]}"
    if highest.startswith(">"):
        return f"{'>=' if start.startswith('[') else '>'}{start[1:]}"
    return f"{start}, {end}"


def written_cuts(column: str, how: str | Iterable[object]) -> str:
    """Cut points of one column as `read_cuts` reads them; `how` is a text or a list of points.

    Examples
    --------
    >>> written_cuts("bmi", [18.5, 25])
    'bmi=18.5,25'
    """
    points = how if isinstance(how, str) else ",".join(map(str, how))
    return f"{name_between(column, ('=',))}={points}"


def _is_date(point: str) -> bool:
    try:
        float(point)
    except ValueError:
        return True
    return False
