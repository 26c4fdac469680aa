"""Combined causes that are known: how many are recovered, and what else is found."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING, Any

import causalrules
from causalrules.domain import Settings
from causalrules.paper.rule import PaperRule
from causalrules.paper.settings import PROTOCOL, PaperSettings
from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.reproduction.sheet import Sheet
from causalrules_lab.simulate import CombinedTruth, simulate

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules import Item, Rule

    Finding = tuple[frozenset[Item], str]

N_SEEDS = 20
AT_99 = PaperSettings(judge="interval", confidence=0.99)
PROTOCOLS: dict[str, Settings | PaperSettings] = {
    "paper": AT_99.changed(**PROTOCOL),
    "default": Settings(),
    "Mantel–Haenszel 99 %": replace(AT_99, test="mantel-haenszel"),
}


def run(folder: Path | None) -> list[Sheet]:  # noqa: ARG001 - simulated tables need no data
    """Search the four tables at length 2."""
    rows = []
    for name, (known, extras) in paper.COMBINED.items():
        for protocol, settings in PROTOCOLS.items():
            trials = [_trial(name, seed, settings) for seed in range(N_SEEDS)]
            recovered = [trial[0] for trial in trials]
            rows.append(
                {
                    "table": name,
                    "protocol": protocol,
                    "known": known,
                    "recovered, mean": mean(recovered),
                    "all recovered": f"{sum(n == known for n in recovered)} of {N_SEEDS}",
                    "extras, mean": mean(trial[1] for trial in trials),
                    "extras, range": f"{min(t[1] for t in trials)}–{max(t[1] for t in trials)}",
                    "extras with a no, mean": mean(trial[2] for trial in trials),
                    "paper: recovered": known,
                    "paper: extras": extras,
                }
            )
    return [
        Sheet(
            name="combined_causes",
            title="Known combined causes recovered at length 2, and extra combined rules",
            rows=rows,
            remarks=(
                f"{N_SEEDS} tables each, seeds 0–{N_SEEDS - 1}, where the paper has one.",
                "Extras: other causal rules of two items that are both yes, the only kind the paper has; "
                "those with a no are counted apart. Nobody knows which extras are true.",
                "A known cause counts as recovered if exactly its two items are causal in its direction; by "
                "the default, which shows one row for two columns, when its columns are causal together and "
                "the table of adjusted risks has its combination on the right side of the others.",
            ),
        )
    ]


def _trial(name: str, seed: int, settings: Settings | PaperSettings) -> tuple[int, int, int]:
    """Known ones recovered; extras of two yes; extras with a no."""
    simulated = simulate(name, seed=seed)
    truth = simulated.truth
    assert isinstance(truth, CombinedTruth)
    options: dict[str, Any] = settings.to_dict()
    result = causalrules.mine(simulated.table, truth.outcome, **options)
    known: set[Finding] = {(frozenset(cause.items), cause.direction) for cause in truth.combined}
    pairs = {_as_known(rule, known) for rule in result.causal if rule.length == 2}
    extras = pairs - known
    n_yes = sum(all(item.value == "yes" for item in pattern) for pattern, _ in extras)
    return len(pairs & known), n_yes, len(extras) - n_yes


def _as_known(rule: Rule | PaperRule, known: set[Finding]) -> Finding:
    """A rule as items and direction; that of a known cause where its table of adjusted risks says so."""
    found: Finding = (frozenset(rule.pattern), rule.direction)
    if isinstance(rule, PaperRule) or rule.interaction is None:
        return found
    for items, direction in known:
        if {item.column for item in items} == {item.column for item in rule.pattern}:
            own = rule.interaction.risk_of(*(item in items for item in rule.pattern))
            others = [one for one in rule.interaction.risks if one is not own]
            n_others = sum(one.records for one in others)
            mean_risk = sum(one.records * one.risk.value for one in others) / n_others
            if (own.risk.value > mean_risk) == (direction == "raises"):
                return items, direction
    return found
