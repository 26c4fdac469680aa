"""Pictures from the terminal."""

import pytest

import causalrules
from causalrules.simulation import planted_table


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "result.json"
    causalrules.mine(planted_table(4000), outcome="ill=yes").save(path)
    return path


@pytest.mark.parametrize("kind", ["forest", "funnel", "love", "sensitivity", "strata"])
def test_each_kind_is_drawn(command, saved, tmp_path, kind):
    assert command("plot", saved, kind, "-o", "a.svg") == (0, "", "")
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_a_rule_by_name_or_place(command, saved, tmp_path):
    rule = causalrules.Result.load(saved).causal[1]
    for name, wanted in (("a.svg", rule.name), ("b.svg", "2")):
        command("plot", saved, "strata", "--rule", wanted, "-o", name)
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()
    command("plot", saved, "strata", "-o", "c.svg")
    assert (tmp_path / "c.svg").read_text() != (tmp_path / "a.svg").read_text()


def test_the_forest_of_all_rules(command, saved, tmp_path):
    command("plot", saved, "forest", "-o", "causal.svg")
    command("plot", saved, "forest", "--all", "-o", "all.svg")
    assert ">rejected<" not in (tmp_path / "causal.svg").read_text()
    assert ">rejected<" in (tmp_path / "all.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["lov", "-o", "a.png"], 2, "Did you mean 'love'?"),
        (["forest", "-o", "a.pdf"], 2, "a picture ends in .png, .svg or .html"),
        (["forest", "-o", "nowhere/a.png"], 1, "there is no folder"),
        (["forest", "--rule", "smoker=yes", "-o", "a.png"], 2, "forest shows all rules; leave out --rule"),
        (["love", "--all", "-o", "a.png"], 2, "--all is for forest; love has no use for it"),
        (["love", "--rule", "smoker=yse", "-o", "a.png"], 2, "Did you mean 'smoker=yes'"),
        (["love", "--rule", "9999", "-o", "a.png"], 2, "a number from 1 to"),
        (["love", "--rule", "0", "-o", "a.png"], 2, "it is 0"),
    ],
)
def test_mistakes_get_one_sentence(refuse, saved, arguments, code, problem):
    assert problem in refuse(code, "plot", saved, *arguments)


def test_without_a_kind_all_are_named(command, saved):
    from causalrules.cli.help_text import PICTURES
    from causalrules.cli.views import _OF_ONE_RULE, _OF_THE_RESULT

    code, _, err = command("plot", saved)
    assert code == 2
    assert "Missing argument 'KIND'" in err
    for kind in PICTURES:
        assert kind in " ".join(err.split())
    assert sorted(PICTURES) == sorted((*_OF_THE_RESULT, *_OF_ONE_RULE, "flow"))


def test_the_page_of_a_report_goes_by_the_name_that_mine_has(command, saved, tmp_path):
    assert command("report", saved, "--html", "page.html")[0] == 0
    assert (tmp_path / "page.html").stat().st_size > 10_000


def test_a_result_that_is_not_there(refuse):
    assert "there is no such file" in refuse(2, "plot", "nix.json", "forest", "-o", "a.png")
