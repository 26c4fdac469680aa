"""The search as a scikit-learn estimator: rules are learnt from records, and become indicator columns."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - the types of parameters are shown to users
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa

from causalrules.asked_settings import METHODS, job_for
from causalrules.domain import Item, Rule, Settings
from causalrules.domain.further_settings import OutcomeAs, WeightsAre
from causalrules.domain.missing_values import MissingGiven, of_all_columns
from causalrules.domain.plain_settings import TRANSFORM, PlainSettings, refuse
from causalrules.domain.question_settings import DirectionChoice
from causalrules.domain.resource_settings import EngineChoice
from causalrules.domain.settings import ArrowsGiven, CutsGiven, TiersGiven
from causalrules.domain.study_settings import (
    CorrectionChoice,
    JudgeChoice,
    MatchingChoice,
    MissingChoice,
)
from causalrules.encode.values import cleaned, texts_of
from causalrules.errors import MissingPackageError, OutcomeError, SettingsError, one_line
from causalrules.interchange import states_of_pattern
from causalrules.python_job import MethodChoice  # noqa: TC001 - the types of parameters are shown to users
from causalrules.read import SourceTable, read_table

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils import ClassifierTags
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        check_consistent_length,
        check_is_fitted,
        column_or_1d,
        validate_data,
    )
except ImportError as error:
    raise MissingPackageError("CausalRuleMiner", "scikit-learn", "sklearn") from error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class CausalRuleMiner(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Find the causes of an outcome, and turn records into indicators of them.

    `fit` does what `causalrules.mine` does. `transform` gives one column for
    each causal finding, 1 where a record has it, so that a model after it in
    a pipeline sees causes only. Of rules that cannot be told apart it is the
    strongest. Nothing causal is a result too: then there are no columns.

    Parameters
    ----------
    outcome : optional
        The value of ``y`` whose causes are sought; the greater of two values, ``classes_[1]``, by
        default. The result names it, and the series that it is of.
    method : {'default', 'plain'}
        ``'plain'``: one study for each column (docs/plain.md). Then ``result_`` and ``findings_`` hold its
        causes; ``transform`` is not offered yet.
    direction, max_length, min_support, … : optional
        All other parameters are the settings of `causalrules.mine`; `causalrules.Settings` explains
        them.

    Attributes
    ----------
    result_ : Result
        All that was found.
    rules_ : tuple of Rule
        The causal rules.
    findings_ : tuple of Finding
        What they amount to, one for each column of `transform`.
    classes_ : ndarray
        The values of ``y``.
    n_features_in_, feature_names_in_
        The columns seen by `fit`; those of an array are called ``x0``, ``x1``, …

    Notes
    -----
    A record of which a value is missing does not have the rule: its indicator
    is 0. Rules and the numbers that a later model reports come from the same
    records; use cross-validation, or ``causalrules.mine(…, holdout=0.5)``, to
    judge them on others.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=4000).table.to_pandas()
    >>> miner = causalrules.CausalRuleMiner(max_length=1, drop=["drug_a"])
    >>> indicators = miner.set_output(transform="pandas").fit_transform(
    ...     patients.drop(columns="ill"), patients["ill"]
    ... )
    >>> list(indicators.columns)
    ['severity=high', 'exercise=daily', 'smoker=yes']
    """

    def __init__(
        self,
        *,
        outcome: Any = None,
        method: MethodChoice = "default",
        direction: DirectionChoice = Settings.direction,
        max_length: int = Settings.max_length,
        min_support: float = Settings.min_support,
        exposures: str | Sequence[str] = Settings.exposures,
        never_adjust: str | Sequence[str] = Settings.never_adjust,
        before: str | Sequence[str] = Settings.before,
        after: str | Sequence[str] = Settings.after,
        tiers: TiersGiven = Settings.tiers,
        require: ArrowsGiven = Settings.require,
        forbid: ArrowsGiven = Settings.forbid,
        adjust: str | Sequence[str] = Settings.adjust,
        missing_controls: MissingChoice = Settings.missing_controls,
        matching: MatchingChoice = Settings.matching,
        judge: JudgeChoice = Settings.judge,
        correction: CorrectionChoice = Settings.correction,
        alpha: float = Settings.alpha,
        confidence: float = Settings.confidence,
        min_odds_ratio: float | None = Settings.min_odds_ratio,
        holdout: float = Settings.holdout,
        seed: int = Settings.seed,
        explain: bool = Settings.explain,
        drop: str | Sequence[str] = Settings.drop,
        only: str | Sequence[str] = Settings.only,
        categorical: str | Sequence[str] = Settings.categorical,
        numeric: str | Sequence[str] = Settings.numeric,
        bins: str = Settings.bins,
        cut: CutsGiven = Settings.cut,
        join: str | Sequence[str] = Settings.join,
        missing: MissingGiven = Settings.missing,
        max_values: int = Settings.max_values,
        cluster: str | None = Settings.cluster,
        outcome_as: OutcomeAs = Settings.outcome_as,
        by: str | Sequence[str] = Settings.by,
        negative_outcome: str | Sequence[str] = Settings.negative_outcome,
        negative_exposure: str | Sequence[str] = Settings.negative_exposure,
        placebo: int = Settings.placebo,
        ordered: str | Sequence[str] = Settings.ordered,
        weights: str | None = Settings.weights,
        weights_are: WeightsAre = Settings.weights_are,
        matched_set: str | None = Settings.matched_set,
        engine: EngineChoice = Settings.engine,
        memory: int | str | None = Settings.memory,
        threads: int | None = Settings.threads,
    ) -> None:
        self.outcome = outcome
        self.method = method
        self.direction = direction
        self.max_length = max_length
        self.min_support = min_support
        self.exposures = exposures
        self.never_adjust = never_adjust
        self.before = before
        self.after = after
        self.tiers = tiers
        self.require = require
        self.forbid = forbid
        self.adjust = adjust
        self.missing_controls = missing_controls
        self.matching = matching
        self.judge = judge
        self.correction = correction
        self.alpha = alpha
        self.confidence = confidence
        self.min_odds_ratio = min_odds_ratio
        self.holdout = holdout
        self.seed = seed
        self.explain = explain
        self.drop = drop
        self.only = only
        self.categorical = categorical
        self.numeric = numeric
        self.bins = bins
        self.cut = cut
        self.join = join
        self.missing = missing
        self.max_values = max_values
        self.cluster = cluster
        self.outcome_as = outcome_as
        self.by = by
        self.negative_outcome = negative_outcome
        self.negative_exposure = negative_exposure
        self.placebo = placebo
        self.ordered = ordered
        self.weights = weights
        self.weights_are = weights_are
        self.matched_set = matched_set
        self.engine = engine
        self.memory = memory
        self.threads = threads

    def fit(
        self,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Find the causal rules.

        Parameters
        ----------
        X : data frame or array of shape (n_records, n_columns)
            Numbers, texts, categories and truth values; some may be missing.
        y : array of shape (n_records,)
            The outcome: two values, or any if `outcome` names one.
        sample_weight : array of shape (n_records,), optional
            How often each record counts: whole numbers. Other weights are refused, since intervals
            and tests count records.
        groups : array of shape (n_records,), optional
            Which records belong together, such as the patient of each visit (see ``cluster``).

        Returns
        -------
        self

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table.to_pandas()
        >>> X, y = patients.drop(columns="ill"), patients["ill"]
        >>> miner = causalrules.CausalRuleMiner(max_length=1, drop=["drug_a"]).fit(X, y)
        >>> [rule.name for rule in miner.rules_]
        ['severity=high', 'smoker=yes', 'smoker_copy=yes', 'exercise=daily']
        """
        table = self._table(X, is_first=True)
        settings = self._settings()
        own = getattr(y, "name", None)
        name = _free_name(own if isinstance(own, str) and own else "y", table.schema.names)
        values, asked = self._outcome(y, table.arrow.num_rows, settings.missing)
        arrow = table.arrow.append_column(name, values)
        if groups is not None:
            members, cluster = pa.array(list(column_or_1d(groups))), _free_name("groups", arrow.column_names)
            arrow = arrow.append_column(cluster, members)
            settings = settings.changed(cluster=cluster)
        if sample_weight is not None:
            arrow = arrow.take(_repeated(sample_weight, arrow.num_rows))
        source = SourceTable.in_memory(arrow, table.declared)
        job = job_for(settings)(source=source, outcome=Item(name, asked), settings=settings)
        self.result_: Any = job.mine()
        is_plain = self.method == "plain"
        self.rules_: tuple[Rule, ...] = () if is_plain else self.result_.causal
        self.findings_: tuple[Any, ...] = self.result_.causes if is_plain else self.result_.findings
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:  # noqa: N803 - scikit-learn's name
        """Which records have which cause.

        Parameters
        ----------
        X : data frame or array of shape (n_records, n_columns)
            The columns that `fit` saw.

        Returns
        -------
        ndarray of shape (n_records, n_findings)
            1 where a record has it, else 0; a data frame after ``set_output``.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table.to_pandas()
        >>> X, y = patients.drop(columns="ill"), patients["ill"]
        >>> miner = causalrules.CausalRuleMiner(max_length=1, drop=["drug_a"]).fit(X, y)
        >>> miner.transform(X.head(2)).shape
        (2, 3)
        """
        self._check_has_indicators()
        arrow = self._table(X, is_first=False).arrow
        missing = self.result_.settings.missing
        found = [states_of_pattern(one.rule.pattern, arrow, missing) == 1 for one in self.findings_]
        return np.array(found, np.float64).reshape(len(found), arrow.num_rows).T

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The rules as people write them, one for each column of `transform`.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn; a rule has a name of its own.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table.to_pandas()
        >>> X, y = patients.drop(columns="ill"), patients["ill"]
        >>> miner = causalrules.CausalRuleMiner(max_length=1, drop=["drug_a"]).fit(X, y)
        >>> miner.get_feature_names_out().tolist()
        ['severity=high', 'smoker=yes', 'exercise=daily']
        """
        self._check_has_indicators()
        return np.array([finding.rule.name for finding in self.findings_], object)

    def _check_has_indicators(self) -> None:
        """One study for a column shows its levels, not one item that a record has or has not."""
        check_is_fitted(self, "findings_")
        if self.method == "plain":
            raise refuse("transform", TRANSFORM)

    def _settings(self) -> Settings:
        """Settings are made when fitting, as scikit-learn asks: parameters are only stored before."""
        values = {field.name: getattr(self, field.name) for field in fields(Settings)}
        if self.method not in METHODS:
            raise SettingsError.choice("method", METHODS, self.method)
        return (PlainSettings if self.method == "plain" else Settings).from_options(**values)

    def _table(self, X: Any, *, is_first: bool) -> SourceTable:  # noqa: N803 - scikit-learn's name
        """The records as an Arrow table; an array's columns get names."""
        if hasattr(X, "columns"):
            names = list(X.columns)
            validate_data(self, X, reset=is_first, skip_check_array=True)
            if not any(isinstance(name, str) for name in names):  # pandas numbers what has no names
                X = X.set_axis([f"x{place}" for place in range(len(names))], axis="columns")  # noqa: N806
            return read_table(X)
        array = validate_data(
            self, X, reset=is_first, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=1
        )
        return read_table(array, columns=[f"x{place}" for place in range(array.shape[1])])

    def _outcome(self, y: Any, n_records: int, missing: Sequence[str]) -> tuple[pa.Array, str]:
        """The classes as texts, one a record, and the one whose causes are sought."""
        if self.outcome_as == "mean":
            raise SettingsError.saying(
                "outcome_as",
                "CausalRuleMiner asks what causes a class of y; causalrules.mine(X, y=y, outcome_as='mean') "
                "asks what changes a mean",
            )
        if y is None:
            raise SettingsError.saying(
                "y", "requires y to be passed, but the target y is None: CausalRuleMiner asks what causes y"
            )
        values = column_or_1d(y, warn=True)
        check_consistent_length(np.empty(n_records), values)
        check_classification_targets(values)
        self.classes_: NDArray[Any] = np.unique(values)
        if len(self.classes_) < 2:
            raise OutcomeError(
                f"y has {len(self.classes_)} class, one value only: nothing can be compared. "
                "Give records with and without the outcome."
            )
        if self.outcome is not None:
            if self.outcome not in self.classes_.tolist():
                known = [one_line(str(one)) for one in self.classes_.tolist()]
                raise SettingsError(
                    "outcome", f"a value of y, which has {', '.join(known[:10])}", self.outcome
                )
            return _as_texts(values, self.classes_, self.classes_.tolist().index(self.outcome), missing)
        if len(self.classes_) > 2:
            raise SettingsError.saying(
                "outcome",
                f"y has {len(self.classes_)} values; name the one whose causes are sought: "
                f"CausalRuleMiner(outcome={self.classes_.tolist()[-1]!r})",
            )
        return _as_texts(values, self.classes_, 1, missing)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect: two classes, missing values, texts and categories."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _as_texts(
    values: NDArray[Any], classes: NDArray[Any], asked: int, missing: Sequence[str]
) -> tuple[pa.Array, str]:
    """Classes by their names, so that a result says which is meant; truth values if a name would not do."""
    names = cleaned(texts_of(pa.array(classes)), of_all_columns(missing)).to_pylist()
    if None in names or len(set(names)) < len(names):
        return pa.array(values == classes[asked]), "true"
    return pa.array(names).take(pa.array(np.searchsorted(classes, values))), names[asked]


def _repeated(weights: Any, n_records: int) -> NDArray[np.intp]:
    """The numbers of records, each as often as it counts."""
    counts = np.asarray(column_or_1d(weights), np.float64)
    check_consistent_length(np.empty(n_records), counts)
    if not np.isfinite(counts).all() or (counts < 0).any() or (counts != np.round(counts)).any():
        raise SettingsError.saying(
            "sample_weight",
            "sample_weight must be whole numbers, how often each record counts: tests count records",
        )
    if not counts.any():
        raise SettingsError.saying("sample_weight", "sample_weight is zero for all samples: no record counts")
    return np.repeat(np.arange(n_records), counts.astype(np.int64))


def _free_name(wanted: str, taken: Sequence[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted
