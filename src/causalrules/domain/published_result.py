"""What a result gives to authors; the package `publish` is opened only when one of these is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from causalrules.domain.frame_libraries import Library
    from causalrules.domain.result import Result
    from causalrules.domain.rule import Rule
    from causalrules.publish import Article, Flow, TableOne


class PublishedResult:
    """The part of a result that speaks of single rules to authors and readers of a paper.

    A rule is named by itself, by its text as in ``"smoker=yes & sex=male"``,
    or by its place in ``result.tested``, of which 0 is the strongest.
    """

    __slots__ = ()

    def report(self, path: str | os.PathLike[str], frame: Any = None, *, y: Any = None) -> None:
        """Write a page for people: one HTML file that needs no network, or a short one in Markdown.

        Parameters
        ----------
        path : path
            The file to write; its name ends in .html or .md.
        frame : path or data frame, optional
            The table that the result was made from; with it the cards of causal rules have Table 1.
        y : series, array or mask, optional
            The outcome's values, if the result was made of values.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.report(f"{folder}/page.html", patients)
        ...     "smoker" in Path(folder, "page.html").read_text(encoding="utf-8")
        True
        """
        from causalrules.publish.result_page import write_report

        write_report(self._itself, path, frame, y)

    def matched(
        self, rule: Rule | str | int, frame: Any, library: Library | None = None, *, y: Any = None
    ) -> Any:
        """The records that were compared for a rule, with arm, stratum and weight.

        Parameters
        ----------
        rule : Rule, str or int
            The rule.
        frame : path or data frame
            The table that the result was made from; anything that `mine` reads.
        library : {'pandas', 'polars', 'arrow'}, optional
            Whose data frame it is to be; that of `frame` if not given, and pandas for a path.
        y : series, array or mask, optional
            The outcome's values, if the result was made of values.

        Returns
        -------
        data frame
            The table's columns, ``row``, ``arm``,
            ``stratum`` and ``weight``. In the default study an exposed record weighs 1, and
            the unexposed ones of a stratum stand for its exposed ones.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
        >>> matched = result.matched("smoker=yes", patients)
        >>> for record in matched.select(["row", "arm", "stratum", "weight"]).slice(0, 2).to_pylist():
        ...     print(record)
        {'row': 0, 'arm': 'unexposed', 'stratum': 2, 'weight': 0.9787906137184115}
        {'row': 1, 'arm': 'exposed', 'stratum': 1, 'weight': 1.0}
        """
        from causalrules.publish import matched_frame

        return matched_frame(self._itself, self._itself.find(rule), frame, library, y)

    def table1(
        self,
        rule: Rule | str | int,
        frame: Any,
        *,
        columns: Sequence[str] | None = None,
        numbers: Literal["auto", "mean", "median"] = "auto",
        y: Any = None,
    ) -> TableOne:
        """Table 1 of a rule: characteristics of exposed and unexposed, before and after matching.

        Parameters
        ----------
        rule : Rule, str or int
            The rule.
        frame : path or data frame
            The table that the result was made from.
        columns : sequence of str, optional
            What to describe; all columns that take part by default, but for those of exposure and outcome.
        numbers : {'auto', 'mean', 'median'}
            Mean (SD), median (IQR), or the second where a number is skewed.
        y : series, array or mask, optional
            The outcome's values, if the result was made of values.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
        >>> table = result.table1("smoker=yes", patients, columns=["exercise"])
        >>> table.to_frame(library="arrow").column("value").to_pylist()
        ['daily', 'rarely']
        """
        from causalrules.publish import table_one

        return table_one(self._itself, self._itself.find(rule), frame, columns, numbers, y)

    def flow(self, rule: Rule | str | int = 0) -> Flow:
        """Who took part in a rule's study, step by step, as STROBE asks for.

        Returns
        -------
        Flow
            The numbers; ``.svg`` is the drawing, ``.save("flow.svg")`` writes it.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
        >>> result.flow("smoker=yes").matched_exposed
        277
        """
        from causalrules.publish import participant_flow

        return participant_flow(self._itself, self._itself.find(rule))

    def methods(self) -> Article:
        """Methods and results in sentences, with references: a draft for the authors.

        Returns
        -------
        Article
            Printing shows it; ``.save("methods.docx")`` writes Word, LaTeX, Markdown or HTML.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
        >>> print(str(result.methods()).splitlines()[2].partition(".")[0])
        1,000 records with 13 columns that could take part were analysed as a matched observational study
        """
        from causalrules.publish import methods_article

        return methods_article(self._itself)

    def article(self, frame: Any = None, *, y: Any = None) -> Article:
        """All that a paper needs: methods, results, findings, participant flow, STROBE checklist.

        Parameters
        ----------
        frame : path or data frame, optional
            The table that the result was made from; with it Table 1 of the study, or of the first causal
            rule, stands in it too.
        y : series, array or mask, optional
            The outcome's values, if the result was made of values.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
        >>> article = result.article(patients)
        >>> "STROBE CHECKLIST" in str(article)
        True
        """
        from causalrules.publish import whole_article

        return whole_article(self._itself, frame, y)

    @property
    def _itself(self) -> Result:
        return cast("Result", self)
