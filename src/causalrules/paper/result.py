"""The result of the paper's procedure, and how it stands in files (``causalrules-paper/1``)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, get_args

import pyarrow as pa

from causalrules.domain.data_summary import DataSummary, LeftOut
from causalrules.domain.decisions import Decision
from causalrules.domain.file_layout import columns_of, from_entry, schema_of, to_entry, to_row
from causalrules.domain.frame_libraries import LIBRARIES, in_library
from causalrules.domain.item import Item
from causalrules.domain.pairs import PairCounts
from causalrules.domain.result_files import (
    SCHEMA_OF_ITEMS,
    head_of,
    in_pieces,
    read_as,
    read_entry,
    rules_in,
    shared_fields_in,
)
from causalrules.domain.result_schema import schema_of_file
from causalrules.domain.tested_rules import TestedRules
from causalrules.errors import SettingsError
from causalrules.files.whole_file import whole_file
from causalrules.paper.rule import PaperRule, PaperVerdict
from causalrules.paper.settings import PaperSettings

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from causalrules.domain.frame_libraries import Library
    from causalrules.publish import Article


Width = Literal["short", "all"]
_SHORT = (
    *("rule", "direction", "verdict", "support", "odds_ratio", "odds_ratio_low", "odds_ratio_high"),
    *("adjusted_odds_ratio", "adjusted_low", "adjusted_high", "p_value", "q_value", "risk_difference"),
    *("exposed", "unexposed", "pairs", "n11", "n12", "n21", "n22", "gamma", "n_controls"),
)
"""The columns of a frame that is not asked for all."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaperResult(TestedRules[PaperRule]):
    """Every association that Algorithm 1 put to a cohort study, with what led to it.

    Parameters
    ----------
    settings : PaperSettings
        All settings, also the defaults.
    data : DataSummary
        What the table was.
    tested : tuple of PaperRule
        All rules tested, strongest causal ones first.
    by_length : dict
        For each length: how many candidates, frequent patterns,
        associations, and rules by verdict.
    timings : dict
        Seconds spent in each part of the run.
    version, created : str
        Software version and time of the run.
    interrupted : bool
        The run was stopped early; rules not yet tested are absent.
    decisions : tuple of Decision
        Which statement of the user's decided what.
    not_studied : tuple of LeftOut
        Columns that take part but have no study of their own, and why.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> result = causalrules.paper.mine(patients, "ill=yes", max_length=1)
    >>> result
    8 causal rules for ill=yes among 10 associations tested (2 rejected, 0 untestable) in 2,000 records, 603 \
with the outcome.
    >>> entry = result.to_dict()
    >>> entry["schema"], causalrules.paper.PaperResult.from_dict(entry) == result
    ('causalrules-paper/1', True)
    >>> len(result.rules), len(result.causal), len(result.with_verdict("causal", "raises"))
    (10, 8, 4)
    >>> result.n_by_verdict["rejected"], result.cuts, result.summary() == repr(result)
    (2, {}, True)
    """

    settings: PaperSettings
    data: DataSummary
    tested: tuple[PaperRule, ...]
    by_length: dict[int, dict[str, int]]
    timings: dict[str, float]
    version: str
    created: str
    interrupted: bool = False
    decisions: tuple[Decision, ...] = ()
    not_studied: tuple[LeftOut, ...] = ()

    def to_frame(
        self, verdict: PaperVerdict | None = None, library: Library = "pandas", columns: Width = "short"
    ) -> Any:
        """The tested rules as a data frame, one row a rule.

        Parameters
        ----------
        verdict : {'causal', 'rejected', 'untestable'}, optional
            Only rules of this verdict.
        library : {'pandas', 'polars', 'arrow'}
            Whose data frame it is.
        columns : {'short', 'all'}
            The usual columns, or all that ``--csv`` writes.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> result = causalrules.paper.mine(patients, "ill=yes", max_length=1)
        >>> result.to_frame("causal", "arrow").select(["rule", "n12", "n21"]).slice(0, 1).to_pylist()
        [{'rule': 'severity=high', 'n12': 105.0, 'n21': 33.0}]
        """
        for name, given, legal in (
            ("verdict", verdict, (None, *get_args(PaperVerdict))),
            ("library", library, LIBRARIES),
            ("columns", columns, ("short", "all")),
        ):
            if given not in legal:
                raise SettingsError.choice(name, [str(one) for one in legal if one is not None], given)
        table = self.flat_table(self.tested if verdict is None else self.with_verdict(verdict))
        return in_library(table if columns == "all" else table.select(_SHORT), library)

    def flat_table(self, rules: Sequence[PaperRule] | None = None) -> pa.Table:
        """One row a rule with all of its numbers, the columns always of the same types."""
        kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
        fields = [pa.field(column.name, kinds[column.type]) for column in columns_of(PaperRule)]
        rows = list(map(to_row, self.tested if rules is None else rules))
        return pa.Table.from_pylist(rows, schema=pa.schema(fields))

    def article(self, _frame: Any = None) -> Article:
        """The report: the answer, the rules and what to bear in mind, as a text with tables.

        Returns
        -------
        Article
            Printing shows its sentences; ``.save("rules.docx")`` writes Word, Excel, LaTeX, Markdown or HTML.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> study = causalrules.paper.test(patients, "ill=yes", "treatment=new")
        >>> str(study.article()).partition(",")[0]
        'treatment=new is associated with more of ill=yes (crude odds ratio 1.57)'
        """
        from causalrules.paper.report import document_of
        from causalrules.publish.article import Article

        return Article(document_of(self, every=True))

    def page(self, path: str | os.PathLike[str]) -> None:
        """Write the report as a web page."""
        from causalrules.publish.text_formats import as_html

        with whole_file(path) as unfinished:
            unfinished.write_text(as_html(self.article().document), encoding="utf-8")

    def pieces(self) -> Iterator[str]:
        """The text of a file, a rule at a time."""
        items = _ItemNumbers(self.tested)
        head = head_of(self, SCHEMA_OF_ITEMS) | {"items": list(map(to_entry, items.items))}
        return in_pieces(head, map(items.to_file, self.tested), {})

    def to_dict(self) -> dict[str, Any]:
        """The result as it stands in a file."""
        items = _ItemNumbers(self.tested)
        return head_of(self, SCHEMA_OF_ITEMS) | {
            "items": list(map(to_entry, items.items)),
            "rules": list(map(items.to_file, self.tested)),
        }

    @classmethod
    def from_dict(cls, entry: dict[str, Any]) -> PaperResult:
        """Read back what `to_dict` wrote, also in an earlier version."""
        settings = PaperSettings.from_dict(entry["settings"])
        if entry["schema"] == "causalrules/1":
            rules = [_from_first_schema(rule, settings.confidence) for rule in entry["rules"]]
        else:
            items = [from_entry(Item, item) for item in entry["items"]]
            rules = [_from_file(rule, items) for rule in rules_in(entry)]
        return cls(settings=settings, tested=tuple(rules), **shared_fields_in(entry))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PaperResult:
        """Read a result that `save` wrote, also in an earlier version; `causalrules.load` reads any.

        Examples
        --------
        >>> import tempfile
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.paper.mine(patients, "ill=yes", max_length=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.save(f"{folder}/result.json")
        ...     causalrules.paper.PaperResult.load(f"{folder}/result.json").find(0) == result.rules[0]
        True
        """
        return read_as(cls.from_dict, read_entry(path), path, SCHEMA_OF_ITEMS)

    def __repr__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        from causalrules.paper.report import document_of
        from causalrules.publish.text_formats import html_of

        return html_of(document_of(self).blocks)


def paper_schema() -> dict[str, Any]:
    """The JSON Schema of a file of this version's schema."""
    rule = schema_of(PaperRule)
    rule["properties"]["controls"] = {
        "description": "Items held fixed, by their place in the list of items.",
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
    }
    items = {"items": {"type": "array", "items": schema_of(Item)}}
    return schema_of_file(SCHEMA_OF_ITEMS, rule, items, ("items",))


class _ItemNumbers:
    """The items that some rules hold fixed, each once, and the controls of every rule by number.

    Many rules of a wide table share one tuple of controls: it is looked
    through once for all of them.
    """

    def __init__(self, rules: Sequence[PaperRule]) -> None:
        held = {id(rule.controls): rule.controls for rule in rules}
        self.items = sorted({item for controls in held.values() for item in controls})
        number_of = {item: number for number, item in enumerate(self.items)}
        self._numbers = {key: [number_of[item] for item in controls] for key, controls in held.items()}

    def to_file(self, rule: PaperRule) -> dict[str, Any]:
        """A rule as an entry of a file."""
        return to_entry(rule, {"controls": self._numbers[id(rule.controls)].copy()})


def _from_file(entry: dict[str, Any], items: Sequence[Item]) -> PaperRule:
    """A rule of a file with this list of items."""
    controls = tuple([items[number] for number in entry["controls"]])
    rule = from_entry(PaperRule, entry, {"controls": controls})
    if not isfinite(rule.pairs.n_pairs):
        raise ValueError("a number of pairs is missing")
    return rule


def _from_first_schema(entry: dict[str, Any], confidence: float) -> PaperRule:
    """A rule of a ``causalrules/1`` file, which is in its direction's sense and names controls in full.

    Such files hold one risk ratio. The other follows from the matched pairs; the crude one from the four
    cells.
    """
    from causalrules.assess.effects import effects_of

    pairs = PairCounts(**{name: entry[name] for name in ("n11", "n12", "n21", "n22")})
    exposed, unexposed, exposed_with = entry["exposed"], entry["unexposed"], entry["support"]
    unexposed_share = exposed_with / max(exposed, 1) - entry["crude_risk_difference"]
    n_with = exposed_with + round(unexposed_share * unexposed)
    n_without = exposed + unexposed - n_with
    effects = effects_of(pairs, exposed_with, exposed - exposed_with, n_with, n_without, confidence)
    rule = from_entry(PaperRule, to_entry(effects) | entry)
    return rule if rule.direction == "raises" else rule.of_the_opposite()
