"""Strata plot: one rule among all records, within strata, and among matched pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import BLUE, GREY, INK, ORANGE, Rows, altair, picture
from causalrules.report.words.formatting import number

if TYPE_CHECKING:
    from causalrules.domain import Outcome, Rule

_WIDTH, _BARS = 300, 190
_EXPOSED, _UNEXPOSED = "with the pattern", "without it"


class Share(NamedTuple):
    """Shares of records with the outcome on both sides, in the outcome's own sense."""

    name: str
    exposed: float
    unexposed: float
    about: str


def strata_chart(rule: Rule, outcome: Outcome) -> Any:
    """Shares with the outcome: all records, the strata of the strongest confounder, matched pairs."""
    tables = rule.explanation.tables if rule.explanation else ()
    if tables:
        note = (
            f"Strata: records with and without {tables[0].item}, the control that explains most. "
            "If the gap between the two sides shrinks within strata, it was confounding."
        )
    else:
        note = (
            "The result keeps the strata of rejected rules only, and only with explain (--explain); "
            f"here are all records beside matched pairs, {_how_alike(rule)}."
        )
    if rule.design.gathered_by_outcome:
        raise PictureError(
            "shares with the outcome",
            rule.name,
            "how many have it was decided when the sets were gathered by the outcome",
            "Draw the forest of its odds ratio instead",
        )
    title = f"{rule.name}: who has {outcome.had}?"
    return picture(_shares_panel(shares_of(rule)), _pairs_panel(rule), title=title, notes=[note])


def _how_alike(rule: Rule) -> str:
    if rule.design.matching != "exact":
        return "which are alike in the controls but need not agree on each"
    return "which agree on every control"


def shares_of(rule: Rule) -> list[Share]:
    """The rows that are drawn."""
    rule, is_own = rule.of_the_outcome(), rule.direction == "raises"
    exposed_with = rule.support if is_own else rule.exposed - rule.support
    exposed = exposed_with / rule.exposed if rule.exposed else 0.0
    unexposed = exposed - rule.effects.crude_risk_difference
    records = f"{rule.exposed:,} / {rule.unexposed:,}"
    shares = [Share("all records (crude)", exposed, unexposed, records)]
    for table in rule.explanation.tables if rule.explanation else ():
        n_exposed = table.exposed_with + table.exposed_without
        n_unexposed = table.unexposed_with + table.unexposed_without
        if n_exposed and n_unexposed:
            name = f"{'with' if table.is_present else 'without'} {table.item}"
            sides = table.exposed_with / n_exposed, table.unexposed_with / n_unexposed
            shares.append(Share(name, *sides, f"{n_exposed:,} / {n_unexposed:,}"))
    pairs = rule.pairs
    if pairs.n_pairs > 0:
        sides = (pairs.n11 + pairs.n12) / pairs.n_pairs, (pairs.n11 + pairs.n21) / pairs.n_pairs
        shares.append(
            Share(f"matched pairs ({rule.n_controls} controls)", *sides, f"{pairs.n_pairs:,.0f} pairs")
        )
    return shares


def _shares_panel(shares: list[Share]) -> Any:
    alt = altair()
    rows = Rows.of([share.name for share in shares])
    both = list(zip(shares, rows.centres, strict=True))
    spans = [{"y": y, "exposed": share.exposed, "unexposed": share.unexposed} for share, y in both]
    marks = [
        {"y": y, "side": side, "share": value, "row": share.name}
        for share, y in both
        for side, value in ((_EXPOSED, share.exposed), (_UNEXPOSED, share.unexposed))
    ]
    abouts = [{"y": y, "about": share.about} for share, y in both]
    sides = [_EXPOSED, _UNEXPOSED]
    looks = {
        "shape": alt.Shape("side:N", scale=alt.Scale(domain=sides, range=["triangle-up", "circle"])),
        "color": alt.Color("side:N", scale=alt.Scale(domain=sides, range=[ORANGE, BLUE])),
    }

    def x(field: str) -> Any:
        axis = alt.Axis(format="%", tickCount=5)
        return alt.X(
            f"{field}:Q", title="share with the outcome", scale=alt.Scale(zero=True, nice=True), axis=axis
        )

    points = alt.Chart(alt.Data(values=marks)).mark_point(filled=True, size=80, opacity=1)
    joined = alt.Chart(alt.Data(values=spans)).mark_rule(color=GREY, strokeWidth=1.5)
    return alt.layer(
        rows.stripes(alt),
        joined.encode(x=x("exposed"), x2="unexposed:Q", y=rows.y(alt)),
        points.encode(
            x=x("share"),
            y=rows.y(alt),
            tooltip=["row:N", "side:N", alt.Tooltip("share:Q", format=".1%")],
            **looks,
        ),
        rows.names(alt),
        rows.heading(alt, "records with / without it", x=_WIDTH + 14, align="left"),
        rows.texts(alt, abouts, "about", x=_WIDTH + 14, align="left", color=INK),
    ).properties(width=_WIDTH, height=rows.height)


def pair_kinds(rule: Rule) -> list[dict[str, Any]]:
    """How many matched pairs are of each kind, in the outcome's own sense."""
    pairs = rule.of_the_outcome().pairs
    return [
        {"kind": "only the one with the pattern", "pairs": pairs.n12, "decides": True},
        {"kind": "only the one without it", "pairs": pairs.n21, "decides": True},
        {"kind": "both", "pairs": pairs.n11, "decides": False},
        {"kind": "neither", "pairs": pairs.n22, "decides": False},
    ]


def _pairs_panel(rule: Rule) -> Any:
    alt = altair()
    kinds = [kind | {"text": number(kind["pairs"])} for kind in pair_kinds(rule)]
    rows = Rows.of([kind["kind"] for kind in kinds])
    kinds = [kind | {"y": y} for kind, y in zip(kinds, rows.centres, strict=True)]
    largest = max(1.0, *(kind["pairs"] for kind in kinds))
    x = alt.X(
        "pairs:Q",
        title="matched pairs (orange: they decide)",
        scale=alt.Scale(domain=[0, 1.3 * largest], nice=False),
        axis=alt.Axis(tickCount=4),
    )
    base = alt.Chart(alt.Data(values=kinds)).encode(x=x, y=rows.y(alt))
    colour = alt.Color("decides:N", scale=alt.Scale(domain=[True, False], range=[ORANGE, GREY]), legend=None)
    return (
        alt.layer(
            base.mark_bar(size=12).encode(color=colour, x2=alt.datum(0)),
            base.mark_text(align="left", dx=5, fontSize=11).encode(text="text:N"),
            rows.names(alt),
            rows.heading(alt, "who of a pair has the outcome", x=0, align="left"),
        )
        .properties(width=_BARS, height=rows.height)
        .resolve_scale(color="independent")
    )
