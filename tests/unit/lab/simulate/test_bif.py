"""BIF files: read as published, written without loss, complained about by line."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from causalrules.errors import CausalRulesError, SourceError, SourceMissingError
from causalrules_lab.simulate import Network, Node, bif_table, format_bif, parse_bif, read_bif, write_bif

ASIA = """
network unknown {
}
// the chest clinic of Lauritzen and Spiegelhalter (1988), a part of it
variable asia {
  type discrete [ 2 ] { yes, no };
}
variable tub {
  type discrete [ 2 ] { yes, no };
  property "position = (1, 2)" ;
}
variable dysp { type discrete [ 3 ] { "not at all", some, >5 }; }
probability ( asia ) {
  table 0.01, 0.99;
}
probability ( tub | asia ) {
  (yes) 0.05, 0.95;
  (no) 0.01, 0.99;
}
probability ( dysp | tub, asia ) {
  default 0.2 0.3 0.5; /* commas may be left out */
  (yes, no) 0.0, 0.1, 0.9;
}
"""


def test_a_published_network_is_read():
    network = parse_bif(ASIA)
    assert [node.name for node in network.nodes] == ["asia", "tub", "dysp"]
    assert network.by_name["dysp"].values == ("not at all", "some", ">5")
    assert network.by_name["dysp"].parents == ("tub", "asia")
    rows = [[0.2, 0.3, 0.5], [0.0, 0.1, 0.9], [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]]
    assert network.by_name["dysp"].probabilities.tolist() == rows


def test_a_file_as_javabayes_writes_it():
    """No bars or commas, names in quotes, and one table in which the child's value changes slowest."""
    text = """
    network "Dog-Problem" { //3 variables
        property "credal-set constant-density-bounded 1.1" ;
    }
    variable  "dog-out" { type discrete[2] {  "true"  "false" }; property "position = (1, 2)" ; }
    variable  "bowel-problem" { type discrete[2] {  "true"  "false" }; }
    variable  "family-out" { type discrete[2] {  "true"  "false" }; }
    probability (  "bowel-problem" ) { table 0.01 0.99 ; }
    probability (  "dog-out"  "bowel-problem"  "family-out" ) { //8 values
        table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ;
    }
    probability (  "family-out" ) { table 0.15 0.85 ; }
    """
    network = parse_bif(text)
    assert network.name == "Dog-Problem"
    dog_out = network.by_name["dog-out"]
    assert dog_out.parents == ("bowel-problem", "family-out")
    assert dog_out.probabilities.tolist() == [[0.99, 0.01], [0.97, 0.03], [0.9, 0.1], [0.3, 0.7]]


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), min_size=1)


@st.composite
def networks(draw):
    name = NAMES.filter(lambda text: '"' not in text)
    names = draw(st.lists(name, min_size=1, max_size=5, unique=True))
    nodes = []
    for own in names:
        values = tuple(draw(st.lists(name, min_size=1, max_size=3, unique=True)))
        parents = draw(st.lists(st.sampled_from(nodes), max_size=3, unique_by=id) if nodes else st.just([]))
        n_rows = int(np.prod([len(parent.values) for parent in parents]))
        weights = draw(
            st.lists(st.integers(1, 9), min_size=n_rows * len(values), max_size=n_rows * len(values))
        )
        rows = np.reshape(weights, (n_rows, len(values))).astype(float)
        rows /= rows.sum(axis=1, keepdims=True)
        nodes.append(Node(own, values, tuple(parent.name for parent in parents), rows))
    return Network(draw(name), tuple(draw(st.permutations(nodes))))


@given(networks())
def test_writing_and_reading_gives_the_same_network(network):
    again = parse_bif(format_bif(network))
    assert again.name == network.name
    assert len(again.nodes) == len(network.nodes)
    for node, other in zip(network.nodes, again.nodes, strict=True):
        assert (node.name, node.values, node.parents) == (other.name, other.values, other.parents)
        assert (node.probabilities == other.probabilities).all()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("(no) 0.01, 0.99;", "(no) 0.01;", "line 18: expected 2 probabilities, found 1"),
        ("(no) 0.01, 0.99;", "(never) 0.01, 0.99;", "line 18: 'asia' has no value 'never'"),
        ("(no) 0.01, 0.99;", "", "line 16: some combination of parents has no probabilities of 'tub'"),
        ("(no) 0.01, 0.99;", "(no) 0.5, 0.9;", "line 16: probabilities of 'tub' are negative or do not add"),
        ("(no) 0.01, 0.99;", "(no) x, 0.9;", "line 18: expected a number, found 'x'"),
        ("table 0.01", "tabel 0.01", "line 14: 'tabel' is not understood here"),
        ("tub | asia", "tub | china", "line 16: variable 'china' is not declared above"),
        ("[ 3 ]", "[ 4 ]", "line 12: 4 values are announced, 3 are given"),
        ('"not at all"', '"not at all', "line 12: a quotation mark is not closed"),
        ("network unknown {", "netwerk unknown {", "line 2: expected 'network', 'variable' or 'probability'"),
        ("(yes, no) 0.0, 0.1, 0.9;\n}", "(yes, no) 0.0, 0.1, 0.9;", "the file ends where '}' should stand"),
        ("( asia ) {\n  table", "( tub ) {\n  table", "line 16: probabilities of 'tub' are given twice"),
    ],
)
def test_a_mistake_is_named_with_its_line(old, new, complaint):
    assert old in ASIA
    with pytest.raises(SourceError) as caught:
        parse_bif(ASIA.replace(old, new), source="asia.bif")
    assert "cannot read asia.bif: " in str(caught.value)
    assert complaint in str(caught.value)


@given(st.text(st.sampled_from(ASIA), max_size=40), st.integers(0, len(ASIA)))
def test_damage_never_ends_in_another_error(text, position):
    try:
        parse_bif(ASIA[:position] + text + ASIA[position:])
    except CausalRulesError as error:
        assert "line " in str(error) or "network" in str(error)  # noqa: PT017


def test_a_cycle_is_refused():
    text = """variable a { type discrete [ 1 ] { x }; } variable b { type discrete [ 1 ] { x }; }
    probability ( a | b ) { (x) 1; } probability ( b | a ) { (x) 1; }"""
    with pytest.raises(SourceError, match="has a cycle"):
        parse_bif(text)


def test_records_are_drawn_from_a_file(tmp_path):
    path = tmp_path / "asia.bif"
    write_bif(parse_bif(ASIA), path)
    simulated = bif_table(str(path), "tub=yes", n_records=20_000, seed=1)
    frame = simulated.table.to_pandas()
    assert simulated.truth.to_dict() == {
        "outcome": "tub=yes",
        "parents": ["asia"],
        "children": ["dysp"],
        "spouses": ["asia"],
    }
    assert (frame["tub"] == "yes").mean() == pytest.approx(0.0104, abs=0.003)
    assert not ((frame["tub"] == "yes") & (frame["asia"] == "no") & (frame["dysp"] == "not at all")).any()


def test_unknown_files_and_outcomes_are_named(tmp_path):
    path = tmp_path / "asia.bif"
    path.write_text(ASIA)
    with pytest.raises(SourceMissingError, match=r"Did you mean 'asia\.bif'"):
        read_bif(tmp_path / "asia.bfi")
    with pytest.raises(CausalRulesError, match="outcome value 'maybe' does not occur in column 'tub'"):
        bif_table(str(path), "tub=maybe")
    with pytest.raises(CausalRulesError, match="say which value"):
        bif_table(str(path), "tub")
