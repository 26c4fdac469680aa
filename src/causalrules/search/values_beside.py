"""The values of a numeric outcome in the strata of a study, beside a column that divides the records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.mean_parts import ValuesInStrata
from causalrules.cohort.study_records import study_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
    from causalrules.search.contrast_study import ContrastStudy


def values_beside(
    study: ContrastStudy,
    columns: Sequence[int],
    place: int,
    stratum: NDArray[np.int64],
    engine: Engine,
    vocabulary: Vocabulary,
) -> ValuesInStrata:
    """Count the records of a study by their values and by one more column.

    Parameters
    ----------
    study : ContrastStudy
        The study.
    columns : sequence of int
        Its coded columns, ascending.
    place : int
        The coded column that divides the records: the only one of `records.beside`.
    stratum : int64[n_rows]
        Of the study's rows; -1 leaves one out.
    engine, vocabulary
        The records, and which coded columns are digits of the outcome.
    """
    rows = engine.unique_rows(np.array(columns, np.intp))
    records = study_records(engine, vocabulary, rows, study.arms, [place])
    return ValuesInStrata.of(study.arms.study, study.compared, records, stratum)
