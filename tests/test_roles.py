"""What the user knows is enforced: no rule breaks a role, on any engine, in either protocol."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import causalrules
import known_roles
from causalrules.asked_settings import asked_settings, job_for
from causalrules.domain import Settings
from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.encode import encode
from causalrules.engines.contract import Opened
from causalrules.engines.memory import MemoryEngine
from causalrules.errors import ExposureError, KnowledgeError, SettingsError, UnknownColumnError
from in_blocks import streamed

ENGINES = {"memory": MemoryEngine, "blocks on disk": lambda table: streamed(table, 499)}


def searched(frame, outcome, open_engine=MemoryEngine, exposure=None, **options):
    """The search that has run over this table."""
    settings = asked_settings(options)
    table = encode(pa.Table.from_pandas(frame, preserve_index=False), outcome, settings)
    engine = open_engine(table)
    search = job_for(settings).search(Opened(table, engine, engine), settings, Stopwatch(), ignore_progress)
    search.run() if exposure is None else search.test(exposure)
    return search


def rules_of(frame, outcome, open_engine=MemoryEngine, exposure=None, **options):
    search = searched(frame, outcome, open_engine, exposure, **options)
    return {rule.name: rule for rule in search.rules}


def own_ratio(rule):
    return rule.of_the_outcome().adjusted_odds_ratio.value


@pytest.mark.parametrize("open_engine", ENGINES.values(), ids=ENGINES.keys())
def test_what_comes_after_is_a_consequence_and_never_held(open_engine):
    table = known_roles.drug_after_illness()
    without = rules_of(table, "ill=yes", open_engine)
    assert without["drug=yes"].verdict == "causal"
    assert "drug" in without["smoking=yes"].design.held
    rules = rules_of(table, "ill=yes", open_engine, after="drug")
    drug = rules["drug=yes"]
    assert drug.verdict == "consequence"
    assert own_ratio(drug) == pytest.approx(77, rel=0.02)
    assert drug.reason == "it comes after the outcome, as was said: 'after drug'"
    assert rules["smoking=yes"].verdict == "causal"
    assert own_ratio(rules["smoking=yes"]) == pytest.approx(3, rel=0.02)
    assert all("drug" not in rule.design.held for rule in rules.values() if rule is not drug)
    tested = rules_of(table, "ill=yes", open_engine, "drug=yes", after="drug")
    assert tested["drug=yes"].verdict == "consequence"


@pytest.mark.parametrize("open_engine", ENGINES.values(), ids=ENGINES.keys())
def test_a_mediator(open_engine):
    table = known_roles.mediator()
    with_role = rules_of(table, "cancer=yes", open_engine, never_adjust="tar")
    assert with_role["smoking=yes"].verdict == with_role["tar=yes"].verdict == "causal"
    p = {s: 0.9 * 0.4 + 0.1 * 0.15 if s else 0.1 * 0.4 + 0.9 * 0.15 for s in (0, 1)}
    total = p[1] / (1 - p[1]) / (p[0] / (1 - p[0]))
    assert own_ratio(with_role["smoking=yes"]) == pytest.approx(total, rel=0.01)
    alone = rules_of(table, "cancer=yes", open_engine, "smoking=yes")["smoking=yes"]
    assert alone.verdict == "rejected"
    assert alone.design.without_undecided.columns == ("tar",)
    assert alone.design.without_undecided.odds_ratio.value == pytest.approx(total, rel=0.01)


@pytest.mark.parametrize("said", [{"tiers": "smoking < tar < cancer"}, {"require": "smoking -> tar"}])
def test_what_is_said_to_come_after_the_exposure_is_not_adjusted_for(said):
    table = known_roles.mediator()
    rule = rules_of(table, "cancer=yes", exposure="smoking=yes", **said)["smoking=yes"]
    assert (rule.verdict, rule.design.held) == ("causal", ())
    assert own_ratio(rule) == pytest.approx(0.375 * 0.825 / (0.625 * 0.175), rel=0.01)
    direct = rules_of(table, "cancer=yes", exposure="smoking=yes", adjust="+tar", **said)["smoking=yes"]
    assert (direct.verdict, direct.design.held) == ("rejected", ("tar",))


def test_a_collider():
    table = known_roles.collider()
    for role in ({"never_adjust": "clinic"}, {"after": "clinic"}):
        rule = rules_of(table, "ill=yes", exposure="exposed=yes", **role)["exposed=yes"]
        assert (rule.verdict, rule.design.held) == ("rejected", ())
        assert own_ratio(rule) == pytest.approx(1, abs=0.02)
    held = rules_of(table, "ill=yes", exposure="exposed=yes", adjust="clinic")["exposed=yes"]
    assert own_ratio(held) < 0.7


@pytest.mark.parametrize("open_engine", ENGINES.values(), ids=ENGINES.keys())
def test_an_m_structure(open_engine):
    table = known_roles.m_structure()
    without = rules_of(table, "ill=yes", open_engine, "exposed=yes")["exposed=yes"]
    assert (without.verdict, without.grade) == ("causal", "fragile")
    assert without.design.without_undecided.columns == ("between",)
    assert without.design.without_undecided.odds_ratio.value == pytest.approx(1, abs=0.01)
    mined = rules_of(table, "ill=yes", open_engine).get("exposed=yes")
    assert mined is None or mined.design.without_undecided is not None  # never causal without a warning
    with_role = rules_of(table, "ill=yes", open_engine, "exposed=yes", never_adjust="between")["exposed=yes"]
    assert with_role.verdict == "rejected"
    assert own_ratio(with_role) == pytest.approx(1, abs=0.01)


def network(seed, n=3000):
    """Ten columns, each with causes among those before it; the outcome is one of the middle."""
    chance = np.random.default_rng(seed)
    columns = []
    for place in range(10):
        causes = chance.permutation(place)[:2]
        score = -0.3 + sum(chance.choice([-1.5, 1.5]) * columns[cause] for cause in causes)
        columns.append((chance.random(n) < 1 / (1 + np.exp(-score))).astype(int))
    names = [f"c{place}" for place in range(10)]
    return pd.DataFrame(
        {name: np.where(column, "yes", "no") for name, column in zip(names, columns, strict=True)}
    )


@pytest.mark.parametrize("controls", ["auto", "items", "columns"])
@pytest.mark.parametrize("open_engine", ENGINES.values(), ids=ENGINES.keys())
@pytest.mark.parametrize("seed", range(3))
def test_no_rule_breaks_a_role(seed, open_engine, controls):
    chance = np.random.default_rng(seed)
    names = [f"c{place}" for place in range(10) if place != 5]
    after, never, no_cause, *others = chance.permutation(names).tolist()
    asked = [after, never, no_cause, *others[:4]]
    search = searched(
        network(seed),
        "c5=yes",
        open_engine,
        controls=controls,
        after=after,
        never_adjust=never,
        exposures=asked,
        forbid=[f"{no_cause} -> c5"],
        before=others[0],
        tiers=[[others[1]], [others[2]]],
    )
    assert search.rules
    for rule in search.rules:
        columns = {item.column for item in rule.pattern}
        held = set(rule.design.held) if controls == "auto" else {item.column for item in rule.controls}
        assert columns <= set(asked) - {no_cause}
        assert not held & {after, never}
        if after in columns:
            assert rule.verdict == "consequence"
    said = [decision.statement for decision in search.decisions]
    assert f"after {after}" in said
    assert f"never-adjust {never}" in said


def test_required_arrows_and_time_decide_arrows():
    table = network(1)
    rules = rules_of(table, "c5=yes", require=["c0 -> c5", "c5 -> c9"], tiers="c1 < c2 < c5", min_support=0)
    assert rules["c9=yes"].verdict == "consequence"
    assert "require c5 -> c9" in rules["c9=yes"].reason
    for rule in rules.values():
        own = {item.column for item in rule.pattern}
        assert "c9" not in rule.design.held
        assert "c0" in own or "c0" in rule.design.held
        if own <= {"c0", "c1", "c2"}:
            assert rule.arrow == "cause"
    assert all(rules[name].p_next == 1 for name in rules if name.startswith("c0"))


@pytest.mark.parametrize(
    ("options", "both"),
    [
        ({"before": "a", "after": "a"}, ("'before a'", "'after a'")),
        ({"tiers": "a < b", "require": "b -> a"}, ("'tiers a < b'", "'require b -> a'")),
        ({"require": ["a -> b", "b -> a"]}, ("'require a -> b'", "'require b -> a'")),
        ({"require": "a -> b", "forbid": "a -> b"}, ("'require a -> b'", "'forbid a -> b'")),
        ({"adjust": "a", "never_adjust": "a"}, ("'adjust a'", "'never-adjust a'")),
        ({"adjust": "+a", "after": "a"}, ("'adjust a'", "'after a'")),
        ({"after": "a", "before": "b", "tiers": "a < b"}, ("'after a'", "'tiers a < b'", "'before b'")),
        ({"tiers": "a < b < a"}, ("'tiers a < b'", "'tiers b < a'")),
    ],
)
def test_a_contradiction_is_one_sentence_that_names_both_statements(options, both):
    with pytest.raises(KnowledgeError) as refused:
        Settings(**options)
    message = str(refused.value)
    assert all(statement in message for statement in both)
    assert "\n" not in message
    assert message.count(". ") == 1


def test_contradictions_that_the_outcome_brings():
    table = known_roles.mediator()
    with pytest.raises(KnowledgeError, match=r"'before tar' and 'tiers cancer < tar'"):
        causalrules.mine(table, "cancer=yes", before="tar", tiers="cancer < tar")
    with pytest.raises(SettingsError, match="before must be columns other than the outcome"):
        causalrules.mine(table, "cancer=yes", before="cancer")
    with pytest.raises(ExposureError, match="'forbid smoking -> cancer' was said"):
        causalrules.test(table, "cancer=yes", "smoking=yes", forbid="smoking -> cancer")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"after": "tarr"}, "after column 'tarr' is not among the table's 3 columns. Did you mean 'tar'?"),
        ({"tiers": "tar < smoke"}, "tiers column 'smoke' is not among"),
        ({"require": "tar -> smoke"}, "require column 'smoke' is not among"),
    ],
)
def test_unknown_columns_are_named(options, message):
    with pytest.raises(UnknownColumnError) as refused:
        causalrules.mine(known_roles.mediator(200), "cancer=yes", **options)
    assert message in str(refused.value)


def test_a_column_that_was_left_out_is_not_adjusted_for_and_the_reason_is_given():
    with pytest.raises(SettingsError, match="adjust names 'tar', which is left out: dropped on request"):
        causalrules.test(known_roles.mediator(200), "cancer=yes", "smoking=yes", adjust="tar", drop="tar")


@pytest.mark.parametrize("text", ["age", "age <", "< age", "age,, sex < b"])
def test_tiers_that_cannot_be_read(text):
    with pytest.raises(SettingsError, match="tiers must be columns in the order of time"):
        Settings(tiers=text)


@pytest.mark.parametrize("text", ["a", "a ->", "a -> b -> c", "a -> a"])
def test_arrows_that_cannot_be_read(text):
    with pytest.raises(SettingsError, match="forbid must be arrows between two columns"):
        Settings(forbid=text)


def test_what_was_said_is_in_the_result_and_comes_back_from_a_file(tmp_path):
    result = causalrules.mine(known_roles.drug_after_illness(), "ill=yes", after="drug")
    result.save(tmp_path / "result.json")
    assert causalrules.Result.load(tmp_path / "result.json") == result
    (decision,) = result.decisions
    assert decision.statement == "after drug"
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved["decisions"][0]["statement"] == "after drug"
    assert saved["settings"]["after"] == ["drug"]


def test_spark_keeps_to_roles():
    from causalrules.errors import CausalRulesError
    from spark_sessions import comparable, frame_of, require_spark, session

    try:
        require_spark()
        session()
    except CausalRulesError as error:
        pytest.skip(str(error))
    table = pa.Table.from_pandas(known_roles.drug_after_illness(4000), preserve_index=False)
    options = {"after": "drug", "never_adjust": "sex", "max_length": 1}
    found = causalrules.mine(frame_of(table, 2), "ill=yes", **options)
    assert comparable(found.to_dict()) == comparable(causalrules.mine(table, "ill=yes", **options).to_dict())
    assert {rule.name: rule.verdict for rule in found.tested}["drug=yes"] == "consequence"
