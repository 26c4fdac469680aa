"""A rule's question handed over to DoWhy: treatment, outcome, common causes, and the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.domain.frame_libraries import in_library
from causalrules.errors import MissingPackageError, OtherTableError
from causalrules.interchange.record_masks import states_of_outcome, states_of_pattern
from causalrules.read import read_with_outcome

if TYPE_CHECKING:
    from causalrules.domain import Item, Pattern, Result, Rule
    from causalrules.domain.frame_libraries import Library


@dataclass(frozen=True, slots=True)
class DoWhyModel:
    """What DoWhy asks of a question; usable without DoWhy, as plain names and a data frame.

    Parameters
    ----------
    treatment, outcome : str
        Names of the two indicators that `data` adds.
    common_causes : tuple of str
        The columns that were adjusted for.
    pattern : tuple of Item
        What the treatment stands for.
    asked : str or Item
        What the outcome stands for.
    missing : tuple of str
        Texts that mean a missing value.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table.to_pandas()
    >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
    >>> handed = result.to_dowhy()
    >>> handed.treatment, handed.outcome, handed.common_causes
    ('smoker=yes', 'ill=yes', ('severity',))
    >>> handed.data(patients).columns.tolist()
    ['severity', 'smoker=yes', 'ill=yes']
    """

    treatment: str
    outcome: str
    common_causes: tuple[str, ...]
    pattern: Pattern
    asked: str | Item
    missing: tuple[str, ...]

    def data(self, frame: Any, library: Library = "pandas", *, y: Any = None) -> Any:
        """The common causes, the treatment and the outcome as a data frame.

        Records of which treatment or outcome is unknown are left out, as in the rule's own study.

        Parameters
        ----------
        frame : data frame, path, …
            The table that the result was made from.
        library : {'pandas', 'polars', 'arrow'}
            Whose data frame it is; DoWhy asks for pandas.
        y : series, array or mask, optional
            The outcome's values, if the result was made of values.
        """
        arrow = read_with_outcome(frame, y).arrow
        treated = states_of_pattern(self.pattern, arrow, self.missing)
        ill = states_of_outcome(self.asked, arrow, self.missing)
        for states, what in ((treated, self.treatment), (ill, self.outcome)):
            if not (states == 1).any():
                raise OtherTableError(self.treatment, f"no record has {what!r}")
        is_known = (treated >= 0) & (ill >= 0)
        kept = arrow.select(list(self.common_causes)).filter(pa.array(is_known))
        for name, states in ((self.treatment, treated), (self.outcome, ill)):
            kept = kept.append_column(name, pa.array(states[is_known].astype(np.int8)))
        return in_library(kept, library)

    def model(self, frame: Any, *, y: Any = None) -> Any:
        """A `dowhy.CausalModel` of these records; DoWhy must be installed."""
        try:
            import dowhy
        except ImportError as error:
            raise MissingPackageError("a model of DoWhy", "dowhy", "dowhy") from error
        return dowhy.CausalModel(
            data=self.data(frame, y=y),
            treatment=self.treatment,
            outcome=self.outcome,
            common_causes=list(self.common_causes),
        )


def dowhy_model_of(result: Result, rule: Rule) -> DoWhyModel:
    """The question behind a rule."""
    outcome = result.data.outcome
    return DoWhyModel(
        treatment=rule.name,
        outcome=str(outcome),
        common_causes=rule.design.held,
        pattern=rule.pattern,
        asked=outcome.asked,
        missing=result.settings.missing,
    )
