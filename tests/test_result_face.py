"""What a result and its rules offer in Python: findings, frames, differences, repeating, graphs."""

import pickle
from dataclasses import replace

import networkx
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import causalrules
from causalrules.errors import MissingPackageError, SettingsError, UnknownRuleError
from causalrules.read.dagitty import read_dagitty


@pytest.fixture(scope="module")
def patients():
    return causalrules.simulate("hospital", n_records=4000).table


@pytest.fixture(scope="module")
def result(patients):
    return causalrules.mine(patients, "ill=yes")


def test_findings_are_contrasts_combinations_and_groups(result):
    told = {finding.name: finding.kind for finding in result.findings}
    assert told == {
        "severity=high": "contrast",
        "drug_a=yes & drug_b=yes": "combination",
        "exercise=daily": "contrast",
        "smoker=yes or smoker_copy=yes": "group",
    }
    assert tuple(rule for finding in result.findings for rule in finding.rules) == result.causal
    assert result.rules == result.tested


def test_rules_and_findings_are_one_line_each(result):
    assert repr(result.findings[-1]) == "<group: smoker=yes or smoker_copy=yes raises the odds>"
    assert repr(result.find("exercise=daily")).startswith(
        "<Rule exercise=daily: causal, lowers, odds ratio 0."
    )
    untestable = replace(result.find("treatment=new"), verdict="untestable")
    assert "odds ratio" not in repr(untestable)


@pytest.mark.parametrize(
    ("library", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("arrow", pa.Table)]
)
def test_a_frame_of_every_library(result, library, kind):
    frame = result.to_frame(library=library)
    assert isinstance(frame, kind)
    assert frame.shape[0] == len(result.rules)
    assert result.to_frame("causal", library=library).shape[0] == len(result.causal)


def test_a_frame_has_few_columns_first_about_the_outcome(result):
    short, every = result.to_frame(), result.to_frame(columns="all")
    assert list(every.columns[: len(short.columns)]) == list(short.columns)
    assert len(short.columns) < 20 < len(every.columns)
    assert not [name for name in every.columns if name == "odds_ratio"]
    lowers = short[(short["rule"] == "exercise=daily")].iloc[0]
    assert lowers["adjusted_high"] < 1
    assert lowers["crude_high"] < 1
    assert lowers["risk_difference"] < 0


def test_a_frame_that_does_not_exist_is_refused(result):
    with pytest.raises(SettingsError, match="library must be one of"):
        result.to_frame(library="excel")
    with pytest.raises(SettingsError, match="verdict"):
        result.to_frame("sure")


def test_an_empty_frame_has_the_same_columns(result):
    table = result.to_frame("consequence", library="arrow")
    assert table.num_rows == 0
    assert table.schema == result.to_frame(library="arrow").schema


def test_a_run_is_repeated_from_its_result(patients, tmp_path):
    first = causalrules.mine(patients, "ill=yes", max_length=1, alpha=0.01, adjust="+severity")
    first.save(tmp_path / "result.json")
    for before in (first, tmp_path / "result.json", str(tmp_path / "result.json")):
        assert causalrules.mine(patients, settings=before).tested == first.tested
    again = causalrules.mine(patients, "ill=yes", settings=first.settings)
    assert again.tested == first.tested
    assert not first.diff(again)
    changed = causalrules.mine(patients, settings=first, alpha=0.05)
    assert changed.settings == first.settings.changed(alpha=0.05)
    with pytest.raises(SettingsError, match="alhpa"):
        causalrules.mine(patients, settings=first, alhpa=0.05)


def test_a_test_is_repeated_with_its_exposure(patients):
    first = causalrules.test(patients, "ill=yes", "smoker=yes & exercise=daily", adjust="severity")
    assert causalrules.test(patients, settings=first).tested == first.tested
    with pytest.raises(SettingsError, match="exposure"):
        causalrules.test(patients, "ill=yes")


def test_differences_are_told(result, patients):
    other = causalrules.mine(patients, "ill=no", max_length=1, adjust="severity")
    told = str(result.diff(other))
    assert "outcomes: ill=yes in 4,000 records → ill=no in 4,000 records" in told
    assert "max_length 2 → 1" in told
    assert [rule.name for rule in result.diff(result).only_first] == []
    assert len(result.diff(result).both) == len(result.causal)


def test_a_result_writes_its_page(result, tmp_path):
    result.report(tmp_path / "page.html")
    assert "severity" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_rule_shows_its_card(result, capsys):
    result.find("smoker=yes").show()
    shown = capsys.readouterr().out
    assert "smoker=yes: causal, raises the odds of the outcome" in shown
    assert "adjusted for" in shown
    replace(result.find("smoker=yes"), verdict="rejected").show()
    assert "is associated with more of the outcome" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(UnknownRuleError):
        result.find("nobody=knows")


def test_the_graph_has_exposures_and_outcome(result):
    graph = result.graph()
    assert graph.nodes[0].name == "ill"
    drawn = graph.to_networkx()
    assert networkx.is_directed_acyclic_graph(drawn)
    assert {"severity", "drug_a", "drug_b", "exercise", "smoker"} <= set(drawn.predecessors("ill"))
    assert drawn.edges["severity", "ill"]["probability"] == result.find("severity=high").p_next
    assert '"severity" -> "ill"' in graph.to_dot()
    assert "severity" in read_dagitty(graph.to_dagitty(), "graph")["exposures"]


def test_an_arrow_is_drawn_only_where_it_is_known_what_came_first(patients):
    def drawn(**known):
        result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity", **known)
        return result.rules[0].arrow, result.graph()

    arrow, graph = drawn()
    assert arrow == "undecided"
    assert graph.to_dagitty().startswith("pdag {")  # in DAGitty's `dag` every edge has a direction
    assert '"smoker" -- "ill"' in graph.to_dagitty()
    assert '"severity" -> "ill"' in graph.to_dagitty()
    assert read_dagitty(graph.to_dagitty(), "graph")["require"] == [("severity", "ill")]
    assert '"smoker" -> "ill" [dir=none' in graph.to_dot()
    assert graph.to_networkx().edges["smoker", "ill"]["is_directed"] is False
    assert graph._repr_html_().count("<path") == 1  # heads of arrows
    assert "smoker and ill, causal, not known which came first" in graph._repr_html_()

    arrow, graph = drawn(before="smoker")
    assert arrow == "cause"
    assert graph.to_dagitty().startswith("dag {")
    assert '"smoker" -> "ill"' in graph.to_dagitty()
    assert "dir=none" not in graph.to_dot()
    assert graph.to_networkx().edges["smoker", "ill"]["is_directed"] is True
    assert graph._repr_html_().count("<path") == 2


def test_a_hypothesis_that_was_not_shown_is_not_drawn_as_a_cause(patients):
    tested = causalrules.test(patients, "ill=yes", "drug_a=yes", adjust="severity")
    assert tested.rules[0].verdict == "rejected"
    kinds = {edge.cause: edge.kind for edge in tested.graph().edges}
    assert kinds == {"drug_a": "asked", "severity": "adjusted"}


def test_names_in_a_graph_are_quoted():
    table = {'a"]; x': ["p", "q"] * 50, "z": ["n", "y"] * 45 + ["y", "n"] * 5}
    graph = causalrules.test(table, "z=y", '"a""]; x"=q').graph()
    assert '"a\\"]; x" -> "z"' in graph.to_dot()
    assert read_dagitty(graph.to_dagitty().replace("--", "->"), "graph")["require"] == [('a"]; x', "z")]


def test_a_declared_consequence_comes_after_the_outcome(patients):
    graph = causalrules.mine(patients, "ill=yes", after="severity", max_length=1).graph()
    assert ("ill", "severity") in {(edge.cause, edge.effect) for edge in graph.edges}


def test_a_question_for_dowhy(patients):
    frame = patients.to_pandas()
    result = causalrules.test(frame, "ill=yes", "smoker=yes & exercise=daily", adjust="severity")
    handed = result.to_dowhy()
    data = handed.data(frame)
    assert data[handed.treatment].sum() == result.rules[0].exposed
    assert data[handed.outcome].sum() == result.data.outcome.n_with
    assert handed.common_causes == ("severity",)
    assert pickle.loads(pickle.dumps(handed)) == handed


def test_a_question_for_dowhy_with_an_outcome_of_several_conditions(patients):
    frame = patients.to_pandas()
    result = causalrules.test(frame, "ill=yes & severity!=high", "smoker=yes", adjust="exercise")
    handed = result.to_dowhy(0)
    assert handed.data(frame)[handed.outcome].sum() == result.data.outcome.n_with


def test_without_dowhy_the_extra_is_named(result, patients):
    try:
        import dowhy  # noqa: F401
    except ImportError:
        with pytest.raises(MissingPackageError, match=r"causalrules\[dowhy\]"):
            result.to_dowhy("smoker=yes").model(patients)


def test_the_old_name_of_test_still_works(patients):
    with pytest.warns(DeprecationWarning, match=r"causalrules\.test"):
        old = causalrules.study(patients, "ill=yes", "smoker=yes")
    assert old.tested == causalrules.test(patients, "ill=yes", "smoker=yes").tested


def test_an_error_in_a_notebook_is_its_sentence(patients):
    with pytest.raises(causalrules.CausalRulesError) as caught:
        causalrules.mine(patients, "il=yes")
    (line,) = caught.value._render_traceback_()
    assert line == f"UnknownColumnError: {caught.value}"
