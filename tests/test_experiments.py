"""What our own experiments are made of; the experiments themselves take minutes and are run by hand."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    """Experiments are run from the project's folder, like ``python -m experiments.…``."""
    pytest.importorskip("altair")
    monkeypatch.syspath_prepend(str(ROOT))
    yield
    for name in [name for name in sys.modules if name.split(".")[0] in ("experiments", "benchmarks")]:
        del sys.modules[name]


def test_neighbours_and_labels_are_held_against_the_truth():
    from experiments.failure_tables import Truth
    from experiments.neighbours import Answer, score

    truth = Truth(causes=frozenset("ab"), effects=frozenset("c"))
    made = score(Answer({"a", "c", "x"}, {"a": "cause", "c": "effect", "x": "cause"}), truth, 0.5)
    assert made.f1 == pytest.approx(2 * 2 / (3 + 3))
    assert made.f1_of_causes == pytest.approx(2 * 1 / (2 + 2))  # a and x may be causes, a and b are
    assert (made.has_false, made.n_found, made.n_labels, made.n_right_labels) == (True, 3, 3, 2)
    nothing = score(Answer(set()), Truth(), 0.5)
    assert (nothing.f1, nothing.f1_of_causes, nothing.has_false) == (None, None, False)


def test_tables_of_the_comparison_know_their_truth():
    from experiments.neighbour_tables import CELLS

    for cell, make in CELLS.items():
        if cell.endswith("10K") or cell == "wide":
            continue
        first, again = make(7), make(7)
        names = set(first.table.column_names)
        assert first.truth.causes | first.truth.effects <= names - {"z"}, cell
        assert first.outcome == "z=yes"
        assert first.table.equals(again.table), cell
        assert not first.table.equals(make(8).table), cell


def test_columns_have_as_many_values_as_their_cell_says():
    from experiments.neighbour_tables import many_valued_network

    table, _, truth = many_valued_network(5, 12, seed=1, n_records=20_000)
    n_values = {name: len(set(table[name].to_pylist())) for name in table.column_names if name != "z"}
    assert max(n_values.values()) > 8
    assert set(n_values.values()) <= set(range(5, 13))
    assert (len(truth.causes), len(truth.effects)) == (3, 4)


def test_exclusive_causes_cannot_be_seen_alone():
    """What the pairs do alone is chance or the little that their unequal shares leave."""
    import numpy as np

    from experiments.neighbour_tables import exclusive_or

    table, _, truth = exclusive_or(seed=2, n_records=50_000)
    is_ill = table["z"].to_numpy() == "yes"
    alone = {}
    for name in truth.causes:
        has = table[name].to_numpy() == "yes"
        alone[name] = abs(is_ill[has].mean() - is_ill[~has].mean())
    assert len(alone) == 6
    assert np.sort(list(alone.values()))[-2:].min() > 0.1
    assert np.sort(list(alone.values()))[:4].max() < 0.12


def test_made_up_outcomes_of_real_columns():
    datasets = pytest.importorskip("causalrules_lab.datasets")
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the paper's data sets are not at hand")
    from experiments.neighbour_tables import real_columns

    data = datasets.get("german", folder)
    table, outcome, truth = real_columns(data, seed=0)
    assert outcome == "z=yes"
    assert table.num_rows == 1000
    assert "class" not in table.column_names
    assert 2 <= len(truth.causes) <= 5
    assert 0.2 < table["z"].to_pylist().count("yes") / 1000 < 0.4


def test_a_cell_is_measured_by_every_method_at_hand(monkeypatch, tmp_path):
    from experiments import neighbours
    from experiments.neighbour_tables import CELLS, exclusive_or

    monkeypatch.setattr(neighbours, "find_spec", lambda _: None)
    monkeypatch.delenv("CAUSALRULES_DATA", raising=False)
    monkeypatch.setitem(CELLS, "exclusive-or", lambda seed: exclusive_or(seed, n_records=800, n_columns=8))
    (sheet,) = neighbours.run(None, n_tables=2, cells=["exclusive-or"], processes=1)
    assert [row["method"] for row in sheet.rows] == ["default", "paper's protocol", "PC-select", "HITON-PC"]
    assert all(row["tables"] == 2 and 0 <= row["F1"] <= 1 for row in sheet.rows)
    assert any("causalrules-lab[peers]" in remark for remark in sheet.remarks)
    assert any("no real columns" in remark for remark in sheet.remarks)
    sheet.write(tmp_path, seconds=1)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".md", ".png", ".svg"}


def test_an_unknown_cell_is_refused(capsys):
    from experiments.neighbours import main

    with pytest.raises(SystemExit):
        main(["--cells", "V20-3K"])
    assert "there is no cell 'V20-3K'; there are V20-2K," in capsys.readouterr().err
