"""Files of what is known: read, written, and read again."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import causalrules
import known_roles
from causalrules.domain import Settings
from causalrules.errors import KnowledgeError, SettingsError, SourceError, SourceMissingError
from causalrules.read.dagitty import read_dagitty
from causalrules.read.knowledge_files import KEYS, read_knowledge, with_knowledge, written_knowledge
from causalrules.read.tetrad import read_tetrad

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "knowledge.schema.json").read_text(encoding="utf-8"))


def read(tmp_path, text, name="known.toml"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_knowledge(tmp_path / name)


TOML = """
after = ["drug"]
never_adjust = ["tar"]
tiers = [["age", "a, b"], ["smoking"]]
require = ["smoking -> tar"]
[cut]
bmi = [18.5, 25]
age = "every:10"
"""


def test_toml(tmp_path):
    settings = Settings(**read(tmp_path, TOML))
    assert settings.after == ("drug",)
    assert settings.knowledge.tiers == (("age", "a, b"), ("smoking",))
    assert settings.cut == ("bmi=18.5,25", "age=every:10")


@pytest.mark.parametrize(
    "text",
    [
        "after = " + "[" * 50_000,
        "after = " + "[" * 900 + "]" * 900,
        "cut" + ".a" * 50_000 + " = 1",
        "cut = " + "{a = " * 20_000,
    ],
    ids=["open lists", "deep lists", "a key of many parts", "deep tables"],
)
def test_toml_without_end_is_refused(tmp_path, text):
    with pytest.raises(SourceError):
        read(tmp_path, text)


def test_the_schema_says_what_is_read():
    jsonschema = pytest.importorskip("jsonschema", reason="the schema is checked where jsonschema is")
    assert set(SCHEMA["properties"]) == set(KEYS)
    page = (DOCS / "knowledge.md").read_text(encoding="utf-8")
    for text in (TOML, *re.findall(r"```toml\n(.*?)```", page, re.DOTALL)):
        jsonschema.validate(tomllib.loads(text), SCHEMA)
    for wrong in ({"befor": ["a"]}, {"after": "a"}, {"tiers": [["a"]]}, {"require": ["a"]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


NAMES = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=6).filter(
    lambda name: name == name.strip() and name[0] != "+"
)


@st.composite
def known(draw):
    names = draw(st.lists(NAMES, min_size=9, max_size=9, unique=True))
    return Settings(
        exposures=names[:2],
        never_adjust=names[2:3],
        before=names[3:4],
        after=names[4:5],
        tiers=[names[5:7], names[7:8]],
        require=[(names[0], names[1])],
        forbid=[(names[7], names[8])],
        cut={names[8]: [1, 2.5]},
    )


@given(known())
def test_what_is_written_as_toml_reads_back(settings):
    text = written_knowledge(settings, "known.toml").text
    assert Settings(**tomllib.loads(text)).knowledge == settings.knowledge
    assert Settings(**tomllib.loads(text)).cuts == settings.cuts


TETRAD = """/knowledge
addtemporal
1* age sex
2 smoking
3 cancer

forbiddirect
smoking bill

requiredirect
smoking cancer
"""


def test_tetrad(tmp_path):
    settings = Settings(**read(tmp_path, TETRAD, "known.txt"))
    known = settings.knowledge
    assert known.tiers == (("age", "sex"), ("smoking",), ("cancer",))
    assert known.required == (("smoking", "cancer"),)
    assert set(known.forbidden) == {("age", "sex"), ("sex", "age"), ("smoking", "bill")}
    written = written_knowledge(settings, "again.txt")
    assert written.left_out == ()
    assert Settings(**read_tetrad(written.text, "again.txt")).knowledge == known


def test_before_and_after_are_tiers_for_tetrad():
    written = written_knowledge(Settings(before="age", after="drug", never_adjust="tar"), "k.txt", "ill")
    assert written.left_out == ("never_adjust",)
    assert read_tetrad(written.text, "k.txt") == {"tiers": [["age"], ["ill"], ["drug"]]}


def test_dagitty(tmp_path):
    graph = """dag {
    bb="0,0,1,1"
    "lung cancer" [outcome,pos="0.5,0.5"]
    smoking [exposure,pos="-0.1,0.2"]
    age [adjusted]
    u [latent]
    smoking -> tar -> "lung cancer"
    "lung cancer" <- age
    u -> smoking ; smoking <-> tar
    }"""
    settings = Settings(**read(tmp_path, graph, "graph.txt"))
    arrows = (("smoking", "tar"), ("tar", "lung cancer"), ("age", "lung cancer"))
    assert settings.knowledge.required == arrows
    assert (settings.exposures, settings.adjust) == (("smoking",), ("age",))
    written = written_knowledge(settings, "again.dag", "lung cancer")
    assert read_dagitty(written.text, "again.dag") == read_dagitty(graph, "graph.txt")
    assert '"lung cancer" [outcome]' in written.text


def test_an_edge_without_a_direction_says_nothing_about_one(tmp_path):
    graph = "pdag { smoking [exposure] smoking -- cancer ; age -> smoking }"
    known = {"exposures": ["smoking"], "require": [("age", "smoking")]}
    assert read(tmp_path, graph, "graph.txt") == known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("befor = ['a']", "there is no setting 'befor'"),
        ("after = 'a'", "after is not a list of texts"),
        ("tiers = ['a']", "tiers is not a list of lists"),
        ("cut = ['a']", "cut is not a table"),
        ("after = [", "it is no TOML"),
        ("/knowledge\nforbiddengroup\na b", "line 2, 'forbiddengroup', is not understood"),
        ("dag { a -- b }", "the graph is not understood at '--'"),
        ("dag { a -> ", "the graph is not understood at 'the end'"),
        ("dag { {a b} -> c }", "the graph is not understood at '{'"),
    ],
)
def test_mistakes_are_one_sentence_and_a_remedy(tmp_path, text, message):
    with pytest.raises(SourceError) as refused:
        read(tmp_path, text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_missing_and_arrows_in_a_circle(tmp_path):
    with pytest.raises(SourceMissingError, match="there is no such file"):
        read_knowledge(tmp_path / "known.toml")
    with pytest.raises(KnowledgeError, match="'require a -> b' and 'require b -> a'"):
        Settings(**read(tmp_path, "dag { a -> b b -> a }"))


def test_options_add_to_a_file():
    assert with_knowledge({"after": ["b"], "before": ()}, {"after": ["a"]}) == {
        "after": ["a", "b"],
        "before": (),
    }
    assert with_knowledge({"cut": ["a=1"]}, {"cut": {"b": [2]}}) == {"cut": ["b=2", "a=1"]}
    with pytest.raises(SettingsError, match="tiers are given twice"):
        with_knowledge({"tiers": "a < b"}, {"tiers": [["a"], ["b"]]})


def test_from_python_and_from_the_terminal(command, tmp_path):
    known_roles.drug_after_illness().to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "roles.toml").write_text('after = ["drug"]\n')
    result = causalrules.mine(tmp_path / "patients.csv", "ill", knowledge=tmp_path / "roles.toml")
    assert {rule.name: rule.verdict for rule in result.tested}["drug=yes"] == "consequence"
    code, out, _ = command("mine", "patients.csv", "--outcome", "ill", "--knowledge", "roles.toml")
    assert code == 0
    assert "You said: after drug" in out
    assert command("knowledge", "roles.toml", "-o", "k.txt", "--outcome", "ill")[0] == 0
    assert "2 drug" in (tmp_path / "k.txt").read_text()
    code, _, err = command("knowledge", "roles.toml", "-o", "k.dag")
    assert (code, err) == (0, "k.dag has no place for after; they were left out.\n")
    assert command("knowledge", "roles.toml", "-o", "k.xml")[0] == 2
