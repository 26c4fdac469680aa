"""Subgroups of records that belong together: against clustered logistic regression, and by simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

import causalrules
from causalrules.assess.equal_effects import equal_effects_p


def visits(seed, n_persons=300, n_visits=4, differs=0.0, traits=True):
    """Persons with several visits each; sex and inclination belong to the person, the season to the visit."""
    draw = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), n_visits)
    sex = draw.choice(["f", "m"], n_persons)[person]
    exposed = draw.random(n_persons)[person] < 0.4 if traits else draw.random(len(person)) < 0.4
    season = draw.choice(["cold", "mild", "warm"], len(person))
    log_odds = draw.normal(-0.8, 1.5, n_persons)[person] + 0.7 * exposed + differs * exposed * (sex == "m")
    ill = draw.random(len(person)) < 1 / (1 + np.exp(-log_odds))
    return pd.DataFrame(
        {
            "person": [f"P{one}" for one in person],
            "sex": sex,
            "season": season,
            "drug": np.where(exposed, "yes", "no"),
            "ill": np.where(ill, "yes", "no"),
        }
    )


def studied(table, by, **options):
    result = causalrules.test(table, "ill=yes", "drug=yes", by=by, cluster="person", **options)
    return result.tested[0].subgroups


@pytest.mark.parametrize("by", ["sex", "season"])
def test_intervals_and_interaction_are_those_of_clustered_logistic_regression(by):
    api = pytest.importorskip("statsmodels.api")
    table = visits(1).drop(columns={"sex": "season", "season": "sex"}[by])
    (found,) = studied(table, by)
    names = sorted(table[by].unique())
    drug = (table.drug == "yes").to_numpy(float)
    groups = np.stack([(table[by] == name).to_numpy(float) for name in names])
    design = np.concatenate([groups, groups * drug]).T
    fit = api.Logit((table.ill == "yes").to_numpy(float), design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": pd.factorize(table.person)[0]}
    )
    q = len(names)
    for place, group in enumerate(found.groups):
        assert group.name == f"{by}={names[place]}"
        assert np.log(group.odds_ratio.value) == pytest.approx(fit.params[q + place], abs=1e-6)
        width = np.log(group.odds_ratio.high / group.odds_ratio.low) / (2 * 1.96)
        assert width == pytest.approx(fit.bse[q + place], rel=0.03)
    contrasts = np.zeros((q - 1, 2 * q))
    contrasts[:, q] = -1
    contrasts[np.arange(q - 1), q + 1 + np.arange(q - 1)] = 1
    wald = fit.wald_test(contrasts, use_f=True, scalar=True)
    assert found.interaction_p == pytest.approx(float(wald.pvalue), rel=0.1)


@pytest.mark.parametrize("by", ["sex", "season"])
def test_names_of_clusters_do_not_matter(by):
    """A person was paired with whoever had the same rank in another subgroup."""
    table = visits(9, n_persons=60, n_visits=3).drop(columns={"sex": "season", "season": "sex"}[by])
    names = dict(zip(sorted(table.person.unique()), np.random.default_rng(1).permutation(60), strict=True))
    (found,) = studied(table, by)
    (renamed,) = studied(table.assign(person=[f"Q{names[one]:02}" for one in table.person]), by)
    assert renamed.interaction_p == pytest.approx(found.interaction_p, rel=1e-9)


@pytest.mark.parametrize("cluster", [None, "person"])
def test_a_weighted_sample_is_a_weighted_logistic_regression(cluster):
    """For the population: sums of weights, and the sandwich of the sampled records or clusters."""
    api = pytest.importorskip("statsmodels.api")
    table = visits(5, traits=False).drop(columns="season")
    draw = np.random.default_rng(6)
    table["w"] = np.round(np.exp(draw.normal(0, 0.7, len(table))), 2)
    table = table if cluster else table.drop(columns="person")
    result = causalrules.test(
        *(table, "ill=yes", "drug=yes"), by="sex", cluster=cluster, weights="w", weights_are="sampling"
    )
    (found,) = result.tested[0].subgroups
    drug, male = (table.drug == "yes").to_numpy(float), (table.sex == "m").to_numpy(float)
    design = np.stack([1 - male, male, drug * (1 - male), drug * male]).T
    model = api.GLM(
        (table.ill == "yes").to_numpy(float), design, api.families.Binomial(), var_weights=table.w.to_numpy()
    )
    effects = model.fit().params
    covariance = sandwich(model, effects, table.w, np.arange(len(table)) if cluster is None else table.person)
    for place, group in enumerate(found.groups):
        assert np.log(group.odds_ratio.value) == pytest.approx(effects[2 + place], abs=1e-6)
        width = np.log(group.odds_ratio.high / group.odds_ratio.low) / (2 * 1.968)
        assert width == pytest.approx(np.sqrt(covariance[2 + place, 2 + place]), rel=0.02)
    contrast = np.array([0, 0, 1, -1])
    z = contrast @ effects / np.sqrt(contrast @ covariance @ contrast)
    freedom = np.inf if cluster is None else fewest_persons(table) - 1
    assert found.interaction_p == pytest.approx(2 * student.sf(abs(z), freedom), rel=0.05)


def fewest_persons(table):
    """Persons with equally many records that tell as much: the fewest of all kinds of record by sex."""
    kinds = [part for name in ("drug", "ill") for _, part in table.groupby(["sex", name])]
    sizes = [part.groupby("person").size() for part in kinds]
    return min(size.sum() ** 2 / (size**2).sum() for size in sizes)


def sandwich(model, effects, weights, units):
    """The covariance of a weighted logistic regression, from sums of scores over units."""
    risk = 1 / (1 + np.exp(-model.exog @ effects))
    bread = np.linalg.inv((model.exog.T * (weights.to_numpy() * risk * (1 - risk))) @ model.exog)
    scores = pd.DataFrame(model.exog * (weights.to_numpy() * (model.endog - risk))[:, None])
    sums = scores.groupby(np.asarray(units)).sum().to_numpy()
    return bread @ sums.T @ sums @ bread * len(sums) / (len(sums) - 1)


def test_records_of_one_person_are_no_independent_evidence():
    """With effects that are the same for both, one test in twenty may say otherwise, not one in five."""
    clustered = alone = 0
    for seed in range(60):
        table = visits(seed, n_persons=80, n_visits=8)
        (found,) = studied(table, "sex")
        clustered += found.interaction_p < 0.05
        plain = causalrules.test(table, "ill=yes", "drug=yes", by="sex", drop="person")
        alone += plain.tested[0].subgroups[0].interaction_p < 0.05
    assert clustered <= 7
    assert alone >= 12


def test_an_effect_that_differs_is_found():
    (found,) = studied(visits(2, n_persons=500, differs=2.0, traits=False), "sex")
    assert found.interaction_q < 0.01
    assert found.groups[1].odds_ratio.low > found.groups[0].odds_ratio.value


def test_engines_agree():
    table = visits(3)
    streamed = studied(table, ["sex", "season"], engine="streaming", memory="16MiB")
    assert streamed == studied(table, ["sex", "season"])


def test_a_subgroup_of_one_person_tells_nothing():
    table = visits(4, n_persons=40)
    table.loc[table.person == "P0", "sex"] = "x"
    (found,) = studied(table, "sex")
    lone = next(one for one in found.groups if one.name == "sex=x")
    assert (lone.odds_ratio.low, lone.odds_ratio.high) == (0.0, np.inf) or not lone.is_informative
    assert found.interaction_p is not None


def test_too_few_clusters_give_no_test():
    assert equal_effects_p(np.array([1.0, 2.0, 3.0]), np.eye(3), 2) is None
    assert equal_effects_p(np.array([1.0]), np.eye(1), 9) is None
    assert equal_effects_p(np.array([1.0, 2.0]), np.zeros((2, 2)), 9) is None


def test_the_text_for_methods_names_the_test():
    result = causalrules.test(visits(1), "ill=yes", "drug=yes", by="sex", cluster="person")
    text = str(result.methods())
    assert "adjusted Wald test of equal log odds ratios, by the design" in text
    assert "Korn EL, Graubard BI." in text
    assert "score test" not in text


def opposed(seed, n_persons, n_visits, effect):
    """A drug that helps women and harms men as much; both belong to the person, as does an inclination."""
    draw = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), n_visits)
    male, drug = (draw.random(n_persons)[person] < 0.5 for _ in range(2))
    log_odds = draw.normal(-0.5, 1.0, n_persons)[person] + effect * drug * np.where(male, 1, -1) + 0.5 * male
    ill = draw.random(len(person)) < 1 / (1 + np.exp(-log_odds))
    columns = {f"x{k}": draw.choice(["a", "b"], n_persons)[person] for k in range(3)}
    yes = {name: np.where(is_so, "yes", "no") for name, is_so in (("drug", drug), ("ill", ill))}
    return pd.DataFrame({"person": person.astype(str), "sex": np.where(male, "m", "f"), **columns, **yes})


def test_an_effect_that_depends_on_another_column_is_found_beside_clusters():
    for seed in (2, 3):
        result = causalrules.mine(opposed(seed, 800, 3, 1.2), "ill=yes", max_length=1, cluster="person")
        rule = next(one for one in result.causal if one.pattern[0].column == "drug")
        assert "depends on sex" in rule.reason
        assert rule.grade == "fragile"


def test_persons_who_differ_are_no_effect_that_depends_on_a_column():
    found = [
        causalrules.mine(opposed(seed, 80, 8, 0.0), "ill=yes", max_length=1, cluster="person")
        for seed in range(12)
    ]
    assert sum(any("depends on" in (rule.reason or "") for rule in one.causal) for one in found) <= 1
