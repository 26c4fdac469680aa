"""How the arms of a study are compared: as they are, within given sets, weighted, in clusters, by means."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from causalrules.cohort.compare_arms import ArmsCompared, MissingName, compare_arms
from causalrules.cohort.design_study import with_design
from causalrules.cohort.matched_sets import are_gathered_by_outcome, compare_within_sets
from causalrules.cohort.mean_study import with_means
from causalrules.cohort.study_records import study_records

if TYPE_CHECKING:
    from causalrules.cohort.arms import Arms
    from causalrules.cohort.score_design import Models
    from causalrules.cohort.stratify import Strata
    from causalrules.domain import Settings
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine


class StudyEstimates:
    """Compares the arms of studies as the settings ask.

    Parameters
    ----------
    engine : Engine
        The records that are compared.
    vocabulary : Vocabulary
        Where clusters and carried numbers stand among the coded columns.
    settings : Settings
        What is asked for.
    """

    def __init__(self, engine: Engine, vocabulary: Vocabulary, settings: Settings) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._settings = settings

    def of(
        self,
        rows: UniqueRows,
        arms: Arms,
        missing: MissingName,
        *,
        near: Models,
        with_opinion: bool = True,
        complete: Strata | None = None,
    ) -> ArmsCompared:
        """Compare the arms of a study; parameters are those of `compare_arms`."""
        settings = self._settings
        if settings.matched_set is not None:
            by_outcome = self._are_sets_by_outcome
            return compare_within_sets(arms.rows, settings.confidence, gathered_by_outcome=by_outcome)
        has_clusters, records, weighted = self._vocabulary.n_cluster_digits > 0, None, None
        if has_clusters or self._vocabulary.carried:
            records = study_records(self._engine, self._vocabulary, rows, arms)
            if records.design.is_weighted:
                weighted = records.weighted_counts(arms.rows.n_rows)
        compared = compare_arms(
            arms.rows,
            settings.matching,
            missing,
            settings.confidence,
            with_opinion=with_opinion or has_clusters,  # the variance of clusters needs its scores
            near=near,
            weighted=weighted,
            complete=complete,
        )
        if records is None:
            return compared
        if has_clusters or weighted is not None:
            compared = with_design(arms.rows, compared, records, settings.confidence)
        if settings.outcome_as == "mean":
            compared = with_means(
                arms.rows, compared, records, settings.confidence, with_opinion=with_opinion
            )
        return compared

    @cached_property
    def _are_sets_by_outcome(self) -> bool:
        """Whether matched sets were gathered by the outcome, as all records of the table say."""
        return are_gathered_by_outcome(self._engine.unique_rows(self._vocabulary.cluster_places))
