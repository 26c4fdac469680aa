"""Values that may stand for a missing one, and words taken for missing that may be values.

Both are asked about; nothing is changed by a suspicion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.domain.missing_values import DEFAULT_MISSING, of_all_columns, of_column, said_before
from causalrules.domain.quoted_names import typed_list
from causalrules.domain.sentences import listed
from causalrules.encode.values import is_text, texts_of
from causalrules.errors import quoted
from causalrules.look.missing_codes import EVERY_CODE, is_often, lone_codes, may_have_codes, says_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from causalrules.encode.column_roles import Roles
    from causalrules.encode.tally import Tally

MOST_NAMED = 6
_MOST_COLUMNS = 3
"""Columns of one code that are named one by one in what to say."""


class _Found(NamedTuple):
    """A value of a column, and the share of records that have it."""

    column: str
    value: str
    share: float


@dataclass(slots=True)
class SuspectedMissing:
    """Gathers, column by column, what may stand for a missing value.

    Parameters
    ----------
    declared : sequence of str
        Texts that mean a missing value, as the settings have them.
    """

    declared: Sequence[str]
    _suspects: list[_Found] = field(default_factory=list)
    _usual: list[_Found] = field(default_factory=list)
    _codes_of: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, tally: Tally) -> None:
        """Look at another column."""
        occurs, n_records = tally.counts > 0, max(1, tally.n_records)
        if tally.overflowed or not occurs.any():
            return
        numbers = tally.numbers
        if numbers is None:
            texts = zip(texts_of(tally.values).to_pylist(), tally.counts.tolist(), strict=True)
            self._add_texts(name, {text: count for text, count in texts if text and count}, n_records)
        elif not numbers.are_dates and may_have_codes(numbers.values[occurs]):
            order = np.flatnonzero(occurs)[np.argsort(numbers.values[occurs], kind="stable")]
            self._add_numbers(name, numbers.values[order], tally.counts[order], n_records)

    def _add_texts(self, name: str, counts: Mapping[str, int], n_records: int) -> None:
        for text, count in counts.items():
            if text in DEFAULT_MISSING:
                self._usual.append(_Found(name, text, count / n_records))
            elif len(counts) > 2 and is_often(count, n_records) and says_missing(text):
                self._suspects.append(_Found(name, text, count / n_records))

    def _add_numbers(
        self, name: str, values: NDArray[np.float64], counts: NDArray[np.int64], n_records: int
    ) -> None:
        codes = lone_codes(values, counts, n_records)
        for code in codes:
            share = float(counts[values == code].sum()) / n_records
            self._suspects.append(_Found(name, f"{code:g}", share))
        for code in EVERY_CODE.intersection(values.tolist()).difference(codes):
            self._codes_of.setdefault(f"{code:g}", []).append(name)

    def notes(self) -> list[str]:
        """What to ask, and what is a value only because the list of missing texts was replaced."""
        return [*self._usual_texts(), *self._question()]

    def _usual_texts(self) -> list[str]:
        everywhere = of_all_columns(self.declared)
        # Where nothing is missing, or some of the usual texts are named, the others were left out on purpose.
        if not self._usual or not everywhere or not set(everywhere).isdisjoint(DEFAULT_MISSING):
            return []
        texts = list(dict.fromkeys(one.value for one in self._usual))
        them, are, values = ("It is", "is", "a value") if len(texts) == 1 else ("They are", "are", "values")
        where = _named(self._usual)
        return [
            f"{' and '.join(texts)} {are} {values} now: {where}. --missing names all texts that mean "
            f"a missing value, instead of the usual ones. {them} missing again with "
            f"{_option([*everywhere, *texts, *self.declared[len(everywhere) :]])}."
        ]

    def _question(self) -> list[str]:
        if not self._suspects:
            return []
        it, counts, means = (
            ("it", "counts", "means") if len(self._suspects) == 1 else ("they", "count", "mean")
        )
        value = "a value" if it == "it" else "values"
        return [
            f"Is a value missing where {_named(self._suspects)}? Now {it} {counts} as {value} like any "
            f"other. If {it} {means} that nothing is known, say {_option(self._advised())}."
        ]

    def _advised(self) -> list[str]:
        """What to say: of one column, or of all where many have the code and none has it as a value."""
        columns: dict[str, list[str]] = {}
        for one in self._suspects:
            columns.setdefault(one.value, []).append(one.column)
        of_all, of_one = [], []
        for value, names in columns.items():
            if len(names) > _MOST_COLUMNS and value not in self._codes_of:
                of_all.append(value)
            else:
                of_one += [f"{name}={value}" for name in names]
        # The usual texts stay where only single columns are named, else they must be named as well.
        return [*of_all, *(self.declared if of_all else said_before(self.declared)), *of_one]


def _named(found: Iterable[_Found]) -> str:
    told = [f"{one.column} is {one.value} ({100 * one.share:.2g}%)" for one in found]
    return listed(told, MOST_NAMED)


def _option(texts: Sequence[str]) -> str:
    return f"--missing {typed_list(list(dict.fromkeys(texts)))}"


def words_for_missing(column: str, tally: Tally, roles: Roles) -> list[str]:
    """A note on each word of a column of texts that counts as missing without anybody having said so.

    A library that has nulls of its own need not write them as texts. A file
    of text must, so there only a word that is half as frequent as the column's
    values are on average looks like one of them. Among numbers it is none.
    """
    missing = roles.settings.missing
    if not tally.absent or of_all_columns(missing) != DEFAULT_MISSING or not is_text(tally.values.type):
        return []
    own = of_column(missing, column)
    n_present, n_values = int(tally.counts.sum()), int(np.count_nonzero(tally.counts))
    if not n_values or tally.numbers is not None:
        return []
    others = {word: typed_list([one for one in missing if one != word]) for word in tally.absent}
    least = n_present / (2 * n_values) if roles.declared.is_untyped else 1
    return [
        f"{quoted(word)} in {column} counts as missing ({count:,} records). If it is a value, name the texts "
        f"that mean missing without it: --missing {others[word]}."
        for word, count in sorted(tally.absent.items())
        if count >= least and word not in own
    ]
