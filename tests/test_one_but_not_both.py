"""Two confounders that act only as one but not both: neither alone goes with exposure or outcome."""

import numpy as np
import pyarrow as pa

import causalrules


def patients(seed, log_odds_ratio, n_records=2000):
    draw = np.random.default_rng(seed)
    yes_no = np.array(["no", "yes"])
    a, d, *noise = draw.random((6, n_records)) < 0.5

    def happens(log_odds):
        return draw.random(n_records) < 1 / (1 + np.exp(-log_odds))

    treated = happens(-0.7 + 1.4 * (a ^ d))
    ill = happens(-1 + log_odds_ratio * treated + 1.2 * (a ^ d))
    columns = {"a": a, "d": d, **{f"noise{place}": one for place, one in enumerate(noise)}}
    columns |= {"treated": treated, "ill": ill}
    return pa.table({name: yes_no[one.astype(int)] for name, one in columns.items()})


def test_both_are_adjusted_for():
    """Either may look like a consequence of the outcome and the other one, and only one as if next to it."""
    rules = [causalrules.test(patients(seed, 0.7), "ill=yes", "treated=yes").rules[0] for seed in range(20)]
    assert all({"a", "d"} <= set(rule.design.held) for rule in rules)
    found = [np.log(rule.adjusted_odds_ratio.value) for rule in rules]
    assert abs(np.mean(found) - 0.7) < 0.06  # 0.84 with one of them


def test_what_does_not_interact_is_no_partner():
    """In noise a pair passes the limit in one table of twenty."""
    rules = [causalrules.test(patients(seed, 0), "ill=yes", "treated=yes").rules[0] for seed in range(20, 30)]
    assert sum(name.startswith("noise") for rule in rules for name in rule.design.held) <= 3
