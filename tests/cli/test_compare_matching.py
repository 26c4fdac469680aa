"""Ways of matching side by side, as people type it."""

import csv

import pytest

from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table


@pytest.fixture
def patients(tmp_path):
    write_table(planted_table(2000), tmp_path / "patients.csv")
    return "patients.csv"


METHODS = ["exact", "jaccard", "hamming", "euclidean", "mahalanobis", "propensity", "almost-exact"]


def test_every_way_has_a_row(patients, command, tmp_path):
    arguments = ("--outcome", "ill=yes", "--exposure", "smoker=yes", "--csv", "c.csv", "--picture", "c.svg")
    code, out, err = command("compare-matching", patients, *arguments)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "smoker=yes → ill=yes, by way of matching"
    first = next(place for place, line in enumerate(lines) if "(crude)" in line)
    assert [line.split()[0] for line in lines[first : first + 8]] == ["(crude)", *METHODS]
    assert "All ways hold the same controls, items of " in " ".join(out.split())
    assert max(map(len, lines)) <= 80
    with (tmp_path / "c.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["matching"] for row in rows] == METHODS
    assert all(float(row["low"]) < float(row["odds_ratio"]) < float(row["high"]) for row in rows)
    picture = (tmp_path / "c.svg").read_text()
    assert picture.startswith("<svg")
    assert all(f">{method}</text>" in picture for method in METHODS)


def test_columns_to_agree_on_are_heeded(patients, command):
    arguments = ("--outcome", "ill=yes", "--exposure", "severity=high", "--exact-on", "treatment")
    code, out, err = command("compare-matching", patients, *arguments)
    assert (code, err) == (0, "")
    assert "propensity" in out


def test_a_picture_of_an_unknown_kind_is_refused_before_any_work(patients, refuse):
    message = refuse(
        *(2, "compare-matching", patients, "--outcome", "ill=yes", "--exposure", "smoker=yes"),
        *("--picture", "c.gif"),
    )
    assert "c.gif: a picture ends in .png, .svg or .html. Name it" in message


@pytest.mark.parametrize("name", ["mine", "test", "compare", "compare-matching"])
def test_csv_is_not_given_the_name_of_a_spreadsheet(patients, refuse, name):
    exposure = ["--exposure", "smoker=yes"] if name in ("test", "compare-matching") else []
    message = refuse(2, name, patients, "--outcome", "ill=yes", *exposure, "--csv", "c.xlsx")
    assert "cannot write c.xlsx: a table in CSV ends in .csv. Name it .csv; nothing was written." in message


@pytest.mark.parametrize(
    "option",
    [["--explain"], ["--bootstrap", "20"], ["--cluster", "severity"]],
)
def test_options_that_would_show_nothing_are_not_taken(patients, command, option):
    arguments = ("--outcome", "ill=yes", "--exposure", "smoker=yes", *option)
    code, _, err = command("compare-matching", patients, *arguments)
    assert code == 2
    assert "No such option" in err


def test_what_to_adjust_for_is_chosen_by_the_columns_that_take_part(patients, refuse, command):
    asked = ("compare-matching", patients, "--outcome", "ill=yes", "--exposure", "smoker=yes")
    message = refuse(2, *asked, "--adjust", "severity")
    assert message == (
        "causalrules: compare-matching holds items of the columns that take part: choose these by --only, "
        "the exposure's among them, instead of --adjust.\n"
    )
    code, out, _ = command(*asked, "--only", "ill,smoker,severity")
    assert code == 0
    assert "All ways hold the same controls, items of severity" in out
    assert "--adjust" not in command("compare-matching", "--help")[1].split()


def test_without_scikit_learn_the_other_ways_are_compared(patients, command, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    code, out, _ = command("compare-matching", patients, "--outcome", "ill=yes", "--exposure", "smoker=yes")
    assert code == 0
    assert "pip install 'causalrules[propensity]'" in " ".join(out.split())
    assert "almost-exact" in out


def test_without_scikit_learn_propensity_matching_is_refused_in_one_sentence(patients, refuse, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    asked = ["--controls", "items", "--matching", "propensity"]
    message = refuse(1, "mine", patients, "--outcome", "ill=yes", *asked)
    assert message.endswith("Install it with: pip install 'causalrules[propensity]'\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--matching", "jacard"], "it is 'jacard'. Did you mean 'jaccard'?"),
        (["--matching", "zebra"], "'almost-exact'; it is 'zebra'.\n"),
        (["--controls", "colums"], "it is 'colums'. Did you mean 'columns'?"),
        (["--caliper", "1"], "--caliper needs a way of matching by distance, such as --matching"),
        (["--matching", "hamming", "--caliper", "wide"], "a number of at least 0, or 'none'; it is 'wide'"),
        (["--matching", "hamming", "--caliper=-1"], "caliper must be at least 0, or 'none'"),
        (["--matching", "hamming", "--ratio", "2:1"], "ratio must be 1:k"),
        (["--matching", "hamming", "--ratio", "1:2", "--replace"], "ratio must be 1 where partners"),
        (["--matching", "hamming", "--ratio", "1:2", "--optimal"], "optimal must be left alone"),
        (["--matching", "almost-exact", "--replace"], "replace needs a way of matching by distance"),
        (["--matching", "hamming", "--exact-on", "smokr"], "--exact-on column 'smokr' is not among"),
        (["--matching", "hamming", "--exact-on", "ill"], "--exact-on must be columns that take part"),
        (["--exact-on", "smoker"], "--exact-on needs a way of matching by distance"),
    ],
)
def test_choices_that_make_no_sense_are_refused(patients, refuse, options, expected):
    assert expected in refuse(2, "paper", "mine", patients, "--outcome", "ill=yes", *options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--matching", "jaccard"], "within a Jaccard distance of 0.2 over"),
        (["--matching", "mahalanobis", "--caliper", "none"], "nearest by mahalanobis over"),
        (["--controls", "items", "--matching", "propensity"], "0.2 standard deviations of the propensity"),
        (["--matching", "almost-exact", "--caliper", "0.9"], "matched pairs that agree on nearly all of"),
        (["--matching", "hamming", "--optimal", "--caliper", "3"], "the sum of distances is the smallest"),
        (["--matching", "hamming", "--exact-on", "smoker_copy", "--ratio", "1:2"], "Hamming distance"),
    ],
)
def test_the_study_says_how_records_were_matched(patients, command, options, expected):
    code, out, _ = command("test", patients, "--outcome", "ill=yes", "--exposure", "severity=high", *options)
    assert code == 0
    assert expected in " ".join(out.split())


@pytest.mark.parametrize(
    ("exposure", "options", "expected"),
    [
        ("smoker=yes", ["--only", "smoker", "--matching", "jaccard"], "no control is left to match on"),
        (
            "smoker=yes & smoker_copy=no",
            ["--controls", "items"],
            "no record has it, so there is no comparison group",
        ),
    ],
)
def test_an_untestable_hypothesis_says_why(patients, command, exposure, options, expected):
    code, out, _ = command("test", patients, "--outcome", "ill=yes", "--exposure", exposure, *options)
    assert code == 0
    assert "untestable" in out
    assert expected in " ".join(out.split())
