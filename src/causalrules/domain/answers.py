"""The answers to one question about several outcomes of one table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from causalrules.domain.result import Result
from causalrules.errors import ResultFileError, SettingsError, one_line
from causalrules.files.whole_file import whole_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from causalrules.domain.finding import Finding
    from causalrules.domain.frame_libraries import Library
    from causalrules.domain.rule import Verdict
    from causalrules.interchange.result_frames import Width

ANSWERS_SCHEMA = "causalrules-answers/1"


@dataclass(frozen=True, slots=True, repr=False)
class Answers:
    """One result for each outcome that was asked about, each exactly as if it had been asked about alone.

    Each is corrected for the hypotheses of its own run, not for the number of outcomes.

    Parameters
    ----------
    results : tuple of Result
        In the order of the question.

    Examples
    --------
    >>> import tempfile
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> answers = causalrules.mine(patients, outcome=["ill=yes", "treatment"], max_length=1)
    >>> answers.outcomes
    ('ill=yes', 'treatment=old', 'treatment=new')
    >>> answers["ill=yes"].causal[0].name, answers[1].causal[0].name
    ('severity=high', 'severity=high')
    >>> [finding.name for finding in answers.findings["treatment=new"]]
    ['severity=high']
    >>> print(answers[1:].summary())  # doctest: +ELLIPSIS
    1 causal rule for treatment=old among 3 associations tested ...
    1 causal rule for treatment=new among 3 associations tested ...
    >>> answers.to_frame("causal", library="arrow").column_names[:3]
    ['outcome', 'rule', 'verdict']
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     answers.report(f"{folder}/answers.html")
    ...     answers.save(f"{folder}/answers.json")
    ...     causalrules.Answers.load(f"{folder}/answers.json").to_dict() == answers.to_dict()
    True
    """

    results: tuple[Any, ...]

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes as they are written."""
        return tuple(str(result.data.outcome) for result in self.results)

    @property
    def findings(self) -> dict[str, tuple[Finding, ...]]:
        """What to report of each outcome; see `Result.findings`."""
        return {str(result.data.outcome): result.findings for result in self.results}

    def summary(self) -> str:
        """A sentence for each outcome, in a line of its own."""
        return "\n".join(result.summary() for result in self.results)

    def report(self, path: str | os.PathLike[str], frame: Any = None) -> None:
        """Write a page for each outcome and an overview that links to them, or all in one Markdown file.

        The pages of ``report("page.html")`` stand beside it as page-1.html, page-2.html, … in the order of
        the outcomes.

        Parameters
        ----------
        path : path
            The overview's file; its name ends in .html or .md.
        frame : path or data frame, optional
            The table that the answers were made from; with it the cards of causal rules have Table 1.
        """
        from causalrules.publish.answers_page import write_answers

        write_answers(self, path, frame)

    def to_frame(
        self, verdict: Verdict | None = None, library: Library = "pandas", columns: Width = "short"
    ) -> Any:
        """The tested rules of all outcomes as one data frame, whose first column names the outcome.

        Parameters
        ----------
        verdict, library, columns
            As in `Result.to_frame`.
        """
        from causalrules.interchange.result_frames import frame_of_answers

        return frame_of_answers(self, verdict, library, columns)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __contains__(self, wanted: object) -> bool:
        """Whether an outcome was asked about, as it is written; or whether a result is among these."""
        return wanted in self.outcomes or wanted in self.results

    @overload
    def __getitem__(self, wanted: str | int) -> Result: ...
    @overload
    def __getitem__(self, wanted: slice) -> Answers: ...
    def __getitem__(self, wanted: int | str | slice) -> Result | Answers:
        """The result of an outcome, by its place or as it is written; several by a slice."""
        if isinstance(wanted, slice):
            return Answers(self.results[wanted])
        if isinstance(wanted, Integral):
            own: Result = self.results[int(wanted)]
            return own
        if wanted not in self.outcomes:
            raise SettingsError.choice("outcome", self.outcomes, wanted)
        result: Result = self.results[self.outcomes.index(wanted)]
        return result

    def to_dict(self) -> dict[str, Any]:
        """The answers as they stand in a file."""
        return {"schema": ANSWERS_SCHEMA, "answers": [result.to_dict() for result in self.results]}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the answers as JSON; the file appears whole or not at all."""
        with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
            file.write(json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Answers:
        """Read what `save` wrote; a result of one outcome is an answer as well."""
        from causalrules.saved_results import load, result_in

        try:
            entry = json.loads(Path(path).read_text(encoding="utf-8"))
            is_of_several = entry.get("schema") == ANSWERS_SCHEMA
        except (OSError, ValueError, RecursionError, AttributeError):
            is_of_several = False
        if not is_of_several:
            return cls((load(path),))
        try:
            return cls(tuple(result_in(one) for one in entry["answers"]))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
            raise ResultFileError(
                f"the answers {one_line(str(path))} are damaged or were edited: {one_line(str(error))}. "
                "Write them again."
            ) from error

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.results))

    def _repr_html_(self) -> str:
        return "".join(result._repr_html_() for result in self.results)
