"""Rules as they stand in result files and flat tables.

Infinite numbers are written as null: JSON has no word for them.
"""

from __future__ import annotations

from dataclasses import asdict
from math import inf, isfinite
from typing import Any

from causalrules.domain.evidence import (
    Balance,
    Closeness,
    Doubts,
    Effects,
    Entangled,
    Estimate,
    Explanation,
    ExplanationStep,
    ItemBalance,
    StratumTable,
    Unmatched,
)
from causalrules.domain.item import Item
from causalrules.domain.pairs import PairCounts
from causalrules.domain.rule import Rule


def rule_to_dict(rule: Rule) -> dict[str, Any]:
    """One entry of `rules` in a result file."""
    effects, doubts = rule.effects, rule.doubts
    return {
        "pattern": _items_to_list(rule.pattern),
        "direction": rule.direction,
        "length": rule.length,
        "verdict": rule.verdict,
        "support": rule.support,
        "local_support": rule.local_support,
        **_estimate_to_dict(rule.odds_ratio, "odds_ratio", "odds_ratio"),
        "controls": _items_to_list(rule.controls),
        "not_held": _items_to_list(rule.not_held),
        "columns_dropped": list(rule.columns_dropped),
        "exposed": rule.exposed,
        "unexposed": rule.unexposed,
        "pairs": rule.pairs.n_pairs,
        "n11": rule.pairs.n11,
        "n12": rule.pairs.n12,
        "n21": rule.pairs.n21,
        "n22": rule.pairs.n22,
        **_estimate_to_dict(rule.fair_odds_ratio, "fair_odds_ratio", "fair"),
        "test": rule.test,
        **_estimate_to_dict(rule.adjusted_odds_ratio, "adjusted_odds_ratio", "adjusted"),
        "p_value": rule.p_value,
        "q_value": rule.q_value,
        **_estimate_to_dict(effects.risk_difference, "risk_difference", "risk_difference"),
        **_estimate_to_dict(effects.risk_ratio, "risk_ratio", "risk_ratio"),
        "crude_risk_difference": effects.crude_risk_difference,
        "crude_risk_ratio": _finite(effects.crude_risk_ratio),
        "attributable": effects.attributable,
        "number_needed": _finite(effects.number_needed),
        "gamma": _finite(doubts.gamma),
        "e_value": _finite(doubts.e_value),
        "e_value_limit": _finite(doubts.e_value_limit),
        "heterogeneity_p": doubts.heterogeneity_p,
        "mixed": doubts.is_mixed,
        "stability": doubts.stability,
        "bootstrap": doubts.bootstrap,
        "unmatched_exposed": doubts.unmatched_exposed,
        "unmatched_unexposed": doubts.unmatched_unexposed,
        "closeness": None if rule.closeness is None else closeness_to_dict(rule.closeness),
        "causal_runs": rule.causal_runs,
        "balance": None if rule.balance is None else _balance_to_dict(rule.balance),
        "entangled": [_item_to_dict(entry.item) | {"overlap": entry.overlap} for entry in rule.entangled],
        "same_records_as": list(rule.same_records_as),
        "explanation": None if rule.explanation is None else _explanation_to_dict(rule.explanation),
    }


def rule_from_dict(entry: dict[str, Any]) -> Rule:
    """Read back what `rule_to_dict` wrote."""
    return Rule(
        pattern=_items_from_list(entry["pattern"]),
        direction=entry["direction"],
        verdict=entry["verdict"],
        support=entry["support"],
        local_support=entry["local_support"],
        odds_ratio=_estimate(entry, "odds_ratio", "odds_ratio"),
        controls=_items_from_list(entry["controls"]),
        not_held=_items_from_list(entry["not_held"]),
        columns_dropped=tuple(entry["columns_dropped"]),
        exposed=entry["exposed"],
        unexposed=entry["unexposed"],
        pairs=PairCounts(n11=entry["n11"], n12=entry["n12"], n21=entry["n21"], n22=entry["n22"]),
        fair_odds_ratio=_estimate(entry, "fair_odds_ratio", "fair"),
        test=entry["test"],
        adjusted_odds_ratio=_estimate(entry, "adjusted_odds_ratio", "adjusted"),
        p_value=entry["p_value"],
        q_value=entry["q_value"],
        effects=Effects(
            risk_difference=_estimate(entry, "risk_difference", "risk_difference"),
            risk_ratio=_estimate(entry, "risk_ratio", "risk_ratio"),
            crude_risk_difference=entry["crude_risk_difference"],
            crude_risk_ratio=_or_infinite(entry["crude_risk_ratio"]),
            attributable=entry["attributable"],
            number_needed=_or_infinite(entry["number_needed"]),
        ),
        doubts=Doubts(
            gamma=_or_infinite(entry["gamma"]),
            e_value=_or_infinite(entry["e_value"]),
            e_value_limit=_or_infinite(entry["e_value_limit"]),
            heterogeneity_p=entry["heterogeneity_p"],
            is_mixed=entry["mixed"],
            stability=entry["stability"],
            bootstrap=entry["bootstrap"],
            unmatched_exposed=entry["unmatched_exposed"],
            unmatched_unexposed=entry["unmatched_unexposed"],
        ),
        closeness=closeness_from_dict(entry["closeness"]) if entry.get("closeness") else None,
        causal_runs=entry["causal_runs"],
        balance=None if entry["balance"] is None else _balance_from_dict(entry["balance"]),
        entangled=tuple(Entangled(_item(part), part["overlap"]) for part in entry["entangled"]),
        same_records_as=tuple(entry["same_records_as"]),
        explanation=None if entry["explanation"] is None else _explanation_from_dict(entry["explanation"]),
    )


def rule_to_row(rule: Rule) -> dict[str, Any]:
    """The rule as one row of a flat table, patterns and controls as text."""
    row = rule_to_dict(rule) | {
        "rule": rule.name,
        "n_controls": len(rule.controls),
        "controls": "; ".join(map(str, rule.controls)),
        "not_held": "; ".join(map(str, rule.not_held)),
        "columns_dropped": "; ".join(rule.columns_dropped),
        "entangled": "; ".join(str(other.item) for other in rule.entangled),
        "same_records_as": "; ".join(rule.same_records_as),
        "mean_distance": rule.closeness.mean_distance if rule.closeness else None,
        "worst_distance": rule.closeness.worst_distance if rule.closeness else None,
        "balance_worst_before": rule.balance.worst_before if rule.balance else None,
        "balance_worst_after": rule.balance.worst_after if rule.balance else None,
    }
    return {name: row[name] for name in Rule.ROW_NAMES}


def _estimate_to_dict(estimate: Estimate, name: str, stem: str) -> dict[str, float | None]:
    return {
        name: _finite(estimate.value),
        f"{stem}_low": _finite(estimate.low),
        f"{stem}_high": _finite(estimate.high),
    }


def _estimate(entry: dict[str, Any], name: str, stem: str) -> Estimate:
    return Estimate(*(_or_infinite(entry[key]) for key in (name, f"{stem}_low", f"{stem}_high")))


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _or_infinite(value: float | None) -> float:
    return inf if value is None else value


def _item_to_dict(item: Item) -> dict[str, Any]:
    return {"column": item.column, "value": item.value}


def _item(entry: dict[str, Any]) -> Item:
    return Item(entry["column"], entry["value"])


def _items_to_list(items: tuple[Item, ...]) -> list[dict[str, Any]]:
    return [_item_to_dict(item) for item in items]


def _items_from_list(entries: list[dict[str, Any]]) -> tuple[Item, ...]:
    return tuple(map(_item, entries))


def _balance_to_dict(balance: Balance) -> dict[str, Any]:
    summary = {name: value for name, value in asdict(balance).items() if name not in ("items", "unmatched")}
    items = [_item_to_dict(one.item) | {"before": one.before, "after": one.after} for one in balance.items]
    unmatched = [
        _item_to_dict(one.item) | {"matched_share": one.matched_share, "unmatched_share": one.unmatched_share}
        for one in balance.unmatched
    ]
    return summary | {"items": items, "unmatched": unmatched}


def _balance_from_dict(entry: dict[str, Any]) -> Balance:
    items = tuple(ItemBalance(_item(part), part["before"], part["after"]) for part in entry["items"])
    unmatched = tuple(
        Unmatched(_item(part), part["matched_share"], part["unmatched_share"]) for part in entry["unmatched"]
    )
    return Balance(**(entry | {"items": items, "unmatched": unmatched}))


def closeness_to_dict(closeness: Closeness) -> dict[str, Any]:
    """How close partners are, as it stands in a file."""
    items = _items_to_list(closeness.given_up)
    return asdict(closeness) | {"caliper": _finite(closeness.caliper), "given_up": items}


def closeness_from_dict(entry: dict[str, Any]) -> Closeness:
    """Read back what `closeness_to_dict` wrote."""
    given_up = _items_from_list(entry["given_up"])
    return Closeness(**(entry | {"caliper": _or_infinite(entry["caliper"]), "given_up": given_up}))


def _explanation_to_dict(explanation: Explanation) -> dict[str, Any]:
    steps = [
        {
            "control": _item_to_dict(step.control),
            **_estimate_to_dict(step.odds_ratio, "odds_ratio", "odds_ratio"),
            "pairs": step.pairs,
        }
        for step in explanation.steps
    ]
    return {
        "pattern": _items_to_list(explanation.pattern),
        "steps": steps,
        "tables": [asdict(table) for table in explanation.tables],
    }


def _explanation_from_dict(entry: dict[str, Any]) -> Explanation:
    steps = tuple(
        ExplanationStep(_item(step["control"]), _estimate(step, "odds_ratio", "odds_ratio"), step["pairs"])
        for step in entry["steps"]
    )
    tables = tuple(StratumTable(**(table | {"item": _item(table["item"])})) for table in entry["tables"])
    return Explanation(_items_from_list(entry["pattern"]), steps, tables)
