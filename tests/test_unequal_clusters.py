"""Clusters of very unequal size: one large clinic tells no more than one clinic does."""

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pytest

import causalrules
from causalrules.assess.clusters import effective_clusters


def clinics(seed, n_clinics=12, n=1200):
    """Clinics differ in size and risk; half of them use a treatment that does nothing."""
    rng = np.random.default_rng(seed)
    sizes = np.maximum((n * rng.dirichlet(np.full(n_clinics, 0.4))).astype(int), 5)
    clinic = np.repeat(np.arange(n_clinics), sizes)
    treated = (rng.permutation(n_clinics) < n_clinics // 2)[clinic]
    risk = 1 / (1 + np.exp(0.9 - 0.6 * rng.normal(size=n_clinics)[clinic]))
    ill = rng.random(len(clinic)) < risk
    days = 10 + 2 * rng.normal(size=n_clinics)[clinic] + rng.normal(size=len(clinic))
    texts = {"treated": treated, "ill": ill}
    return pa.table(
        {
            "clinic": np.char.add("clinic ", clinic.astype(str)),
            "days": days.round(2),
            **{name: np.where(has, "yes", "no") for name, has in texts.items()},
        }
    )


@pytest.mark.parametrize(
    "asked",
    [{"outcome": "ill=yes", "drop": "days"}, {"outcome": "days", "drop": "ill", "outcome_as": "mean"}],
)
def test_a_treatment_without_effect_is_seldom_causal(asked):
    """Of ill=yes a fifth of such tables were causal."""
    found = [
        causalrules.test(clinics(seed), exposure="treated=yes", cluster="clinic", **asked).tested[0].verdict
        for seed in range(25)
    ]
    assert found.count("causal") <= 1


def test_of_equal_clusters_all_count():
    assert effective_clusters(np.full(40, 3), np.arange(40)) == pytest.approx(40)
    assert effective_clusters(np.array([2, 3, 5]), np.array([7, 7, 9])) == pytest.approx(2)


def test_one_cluster_of_an_arm_tells_nothing():
    table = clinics(1, n_clinics=3)
    rule = causalrules.test(table, "ill=yes", "treated=yes", cluster="clinic", drop="days").tested[0]
    assert rule.adjusted_odds_ratio.low == 0
    assert rule.verdict == "rejected"


def test_a_subgroup_counts_clusters_as_a_study_of_it_alone_does():
    """Its interval was that of as many clusters as there are, however unequal."""
    table = clinics(3, n_clinics=30, n=3000).drop_columns("days")
    half = pa.array(np.where(np.arange(len(table)) % 2, "odd", "even"))
    asked = {"outcome": "ill=yes", "exposure": "treated=yes", "cluster": "clinic"}
    whole = causalrules.test(table.append_column("half", half), **asked, by="half", adjust="half").tested[0]
    group = whole.subgroups[0].groups[0]
    alone = causalrules.test(table.filter(pa.compute.equal(half, "even")), **asked).tested[0].of_the_outcome()
    assert group.name == "half=even"
    for name in ("value", "low", "high"):
        found, wanted = getattr(group.odds_ratio, name), getattr(alone.adjusted_odds_ratio, name)
        assert found == pytest.approx(wanted, rel=1e-3)
