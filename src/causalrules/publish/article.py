"""Everything of a result that belongs in a paper, as one document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from causalrules.publish.design_words import design_kind
from causalrules.publish.document import Document, Heading, Listing, Paragraph, Picture, Sheet
from causalrules.publish.effect_sheets import effect_sheets
from causalrules.publish.methods_text import methods_paragraphs
from causalrules.publish.participant_flow import flows_sheet, participant_flow
from causalrules.publish.references import numbered
from causalrules.publish.results_text import findings_sheet, results_paragraphs
from causalrules.publish.strobe import CHECKLIST, strobe_sheet
from causalrules.publish.table_one import table_one
from causalrules.publish.text_formats import html_of
from causalrules.publish.write_document import write_document
from causalrules.report.words.formatting import printable
from causalrules.report.words.provenance import repeating_command
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from causalrules.domain import Result
    from causalrules.publish.document import Block

MOST_DRAWN = 3
"""Findings whose flow is drawn, and whose subgroups and levels have tables."""


@dataclass(frozen=True, slots=True, repr=False)
class Article:
    """A text with its tables; `save` writes it, printing shows its paragraphs.

    Parameters
    ----------
    document : Document
        Headings, paragraphs, lists and tables.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> article = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity").methods()
    >>> str(article).splitlines()[0]
    'METHODS'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     article.save(f"{folder}/methods.md")
    ...     Path(folder, "methods.md").stat().st_size > 1000
    True
    """

    document: Document

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as .docx, .xlsx (its tables), .tex, .md or .html, by the ending of the file's name."""
        write_document(self.document, path)

    def __str__(self) -> str:
        parts = []
        for block in self.document.blocks:
            if isinstance(block, Heading):
                parts.append(block.text.upper() if block.level == 1 else block.text)
            elif isinstance(block, Paragraph):
                parts.append(block.text)
            elif isinstance(block, Listing):
                parts.append("\n".join(f"{i}. {text}" for i, text in enumerate(block.points, 1)))
        return "\n\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_of(self.document.blocks)


def methods_article(result: Result) -> Article:
    """Methods, results and references as running text."""
    return Article(Document(_title(result), tuple(_text(result))))


def whole_article(result: Result, frame: Any = None, y: Any = None) -> Article:
    """All of it: text, Table 1 where the table is given, findings, flow, checklist and how to repeat it.

    Subgroups and levels have tables where they were asked for.
    """
    text = _text(result)
    references = text[-2:]
    flows = result.tested if is_single_study(result) else result.causal[:MOST_DRAWN]
    table = None if frame is None or not flows else table_one(result, flows[0], frame, y=y)
    blocks: list[Block] = [*text[:-2]]
    if table is not None:
        blocks.append(table.sheet)
    if result.tested:
        blocks += [findings_sheet(result), *effect_sheets(result, flows)]
        blocks.append(Heading("Participant flow"))
        for rule in flows:
            flow = participant_flow(result, rule)
            blocks += [Picture(flow.svg, f"Participant flow: {printable(rule.name)}"), flow.sheet]
        if len(result.tested) > len(flows):
            blocks.append(flows_sheet(result, result.tested))
    blocks += [
        *references,
        Heading("STROBE checklist"),
        strobe_sheet(result, has_table_one=table is not None),
        Heading("To repeat this analysis"),
        Paragraph(repeating_command(result)),
    ]
    return Article(Document(_title(result), tuple(_with_numbers(blocks))))


def _with_numbers(blocks: list[Block]) -> Iterator[Block]:
    """Tables and figures with the numbers by which a text calls them."""
    n_tables, n_figures = count(1), count(1)
    for block in blocks:
        if isinstance(block, Sheet) and block.name != CHECKLIST:
            yield replace(block, title=f"Table {next(n_tables)}. {block.title}")
        elif isinstance(block, Picture):
            yield replace(block, caption=f"Figure {next(n_figures)}. {block.caption}")
        else:
            yield block


def _title(result: Result) -> str:
    outcome = printable(str(result.data.outcome))
    kind = design_kind(result)
    if is_single_study(result):
        return f"{printable(result.tested[0].name)} and {outcome}: a matched {kind} study"
    return f"Causes of {outcome}: matched {kind} studies"


def _text(result: Result) -> list[Block]:
    """Methods and results with numbered citations, then the references."""
    methods, results = methods_paragraphs(result), results_paragraphs(result)
    texts, references = numbered([*methods, *results])
    return [
        Heading("Methods"),
        *map(Paragraph, texts[: len(methods)]),
        Heading("Results"),
        *map(Paragraph, texts[len(methods) :]),
        Heading("References"),
        Listing(tuple(references), is_numbered=True),
    ]
