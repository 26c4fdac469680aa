"""Spark answers as memory does, whatever the partitions, and whatever goes wrong on the way."""

import datetime as dt
import gc
import os
import signal
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import causalrules
import datasets
from causalrules.domain import Settings
from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.engines.load import Opened
from causalrules.engines.spark import (
    driver_engine,
    is_spark_frame,
    nearest,
    open_engine,
    open_spark,
    parquet_files,
)
from causalrules.engines.spark.session import mapped
from causalrules.errors import (
    EngineError,
    OutcomeError,
    SourceError,
    SourceMissingError,
    SparkJobError,
    UnknownColumnError,
)
from causalrules.paper import PaperSettings
from causalrules.paper.search import PaperSearch
from spark_sessions import TWO_EXECUTORS, comparable, frame_of, require_spark, session

SETTINGS = PaperSettings(max_length=2)


@pytest.fixture(scope="module", autouse=True)
def spark():
    require_spark()
    return session()


@pytest.fixture(scope="module")
def people():
    """600 records with a cause, a companion of it, a number, a missing value here and there."""
    chance = np.random.default_rng(3)
    n = 600
    smokes = chance.random(n) < 0.4
    coffee = np.where(chance.random(n) < 0.8, smokes, chance.random(n) < 0.5)
    age = chance.integers(20, 80, n)
    ill = chance.random(n) < 0.1 + 0.4 * smokes + 0.3 * (age > 55)
    town = chance.choice(["north", "south", "east"], n)
    return pa.table(
        {
            "smokes": np.where(smokes, "yes", "no"),
            "coffee": pa.array(np.where(coffee, "yes", "no"), mask=chance.random(n) < 0.05),
            "age": age,
            "town": pa.array(town, mask=chance.random(n) < 0.1),
            "ill": pa.array(np.where(ill, "yes", "no"), mask=chance.random(n) < 0.02),
        }
    )


def rules_of(vocabulary, engine, chosen=SETTINGS):
    """All rules that a search finds with this engine."""
    search = PaperSearch(Opened(vocabulary, engine, engine), chosen, Stopwatch(), ignore_progress)
    search.run()
    return search.rules


def in_memory(arrow, outcome, chosen=SETTINGS):
    table = encode(arrow, outcome, chosen)
    return rules_of(table, MemoryEngine(table), chosen)


@pytest.mark.parametrize("n_partitions", [1, 8])
def test_a_whole_search_finds_what_memory_finds(people, n_partitions):
    frame = frame_of(people, n_partitions)
    vocabulary, engine = open_spark(frame, "ill=yes", SETTINGS, n_parts=n_partitions)
    with engine:
        assert rules_of(vocabulary, engine) == in_memory(people, "ill=yes")


def test_a_spark_frame_chooses_its_engine(people):
    found = causalrules.mine(frame_of(people, 2), "ill=yes", max_length=1)
    expected = causalrules.mine(people, "ill=yes", max_length=1)
    assert found.data.source == "a Spark data frame"
    assert comparable(found.to_dict()) == comparable(expected.to_dict())


@pytest.mark.parametrize("holdout", [0, 0.4])
def test_few_distinct_records_are_counted_by_the_driver(people, monkeypatch, spark, holdout):
    def jobs():
        return len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))

    twice, options = pa.concat_tables([people, people]), {"controls": "items", "holdout": holdout}
    n_before = jobs()
    on_spark = causalrules.mine(frame_of(twice, 3), "ill=yes", **options)
    n_on_spark = jobs() - n_before
    monkeypatch.setattr(driver_engine, "MOST_BYTES", 1 << 20)
    here = causalrules.mine(frame_of(twice, 3), "ill=yes", **options)
    assert 2 * (jobs() - n_before - n_on_spark) < n_on_spark
    assert on_spark.tested
    assert comparable(here.to_dict()) == comparable(on_spark.to_dict())


@pytest.mark.parametrize("n_copies", [1, 3])
@pytest.mark.parametrize("limit", ["bytes", "memory"])
def test_records_come_to_the_driver_as_long_as_distinct_ones_fit(people, monkeypatch, limit, n_copies):
    """What counts are distinct records, also where the records would be too many."""
    table = encode(people, "ill=yes", SETTINGS)
    n_distinct, n_columns = MemoryEngine(table).n_distinct, len(table.codes)
    for n_missing, engine in enumerate(["DriverEngine", "SparkEngine"]):
        most = n_distinct - n_missing
        monkeypatch.setattr(
            driver_engine, "MOST_BYTES", most * (n_columns + 2) if limit == "bytes" else 1 << 20
        )
        monkeypatch.setattr(
            driver_engine, "records_within", lambda *_, n=most: n if limit == "memory" else 10**6
        )
        frame = frame_of(pa.concat_tables([people] * n_copies), 1)
        with open_spark(frame, "ill=yes", SETTINGS)[1] as found:
            assert type(found).__name__ == engine
            assert found.n_distinct == n_distinct


@pytest.mark.parametrize("controls", ["auto", "items"])
def test_what_is_held_out_judges_as_it_does_in_memory(people, controls):
    """On Spark records have no order, and need none."""
    options = {"max_length": 1, "holdout": 0.4, "controls": controls}
    found = causalrules.mine(frame_of(people, 3), "ill=yes", **options)
    expected = causalrules.mine(people, "ill=yes", **options)
    assert expected.tested
    assert comparable(found.to_dict()) == comparable(expected.to_dict())


def test_a_half_with_one_kind_of_record_is_refused(people):
    one_ill = people.append_column("first", pa.array(["yes"] + ["no"] * 599))
    with pytest.raises(OutcomeError, match="one part of the records"):
        causalrules.mine(frame_of(one_ill, 2), "first=yes", holdout=0.5)


def test_records_that_belong_together_do_so_across_partitions(people):
    visits = pa.concat_tables([people, people]).append_column(
        "person", pa.array([f"p{i % 150}" for i in range(1200)])
    )
    found = causalrules.mine(frame_of(visits, 3), "ill=yes", max_length=1, cluster="person")
    expected = causalrules.mine(visits, "ill=yes", max_length=1, cluster="person")
    assert found.tested[0].design.n_clusters
    assert comparable(found.to_dict()) == comparable(expected.to_dict())


def test_a_real_table_gives_the_same_rules_in_three_partitions():
    data = datasets.require("german")
    arrow = data.arrow()
    shuffled = arrow.take(np.random.default_rng(1).permutation(len(arrow)))
    vocabulary, engine = open_spark(frame_of(shuffled, 3), data.outcome, SETTINGS, n_parts=3)
    with engine:
        found = rules_of(vocabulary, engine)
    assert len(found) > 20
    assert found == in_memory(arrow, data.outcome)


def counts_of(source, outcome="ill=yes", chosen=SETTINGS, **options):
    """Items and how often each occurs, with what the table was."""
    vocabulary, engine = open_spark(source, outcome, chosen, **options)
    with engine:
        counts = engine.item_counts()
    return vocabulary, list(
        zip(map(str, vocabulary.items), counts.with_outcome, counts.without_outcome, strict=True)
    )


def expected_counts(arrow, outcome="ill=yes", chosen=SETTINGS):
    table = encode(arrow, outcome, chosen)
    counts = MemoryEngine(table).item_counts()
    return list(zip(map(str, table.items), counts.with_outcome, counts.without_outcome, strict=True))


def test_a_table_by_its_name(people, spark):
    frame_of(people, 2).createOrReplaceTempView("people")
    vocabulary, counts = counts_of("people")
    assert counts == expected_counts(people)
    assert vocabulary.summary.source == "people"
    assert vocabulary.summary.rows == 600


@pytest.mark.parametrize("who_reads", ["workers", "Java"])
def test_a_parquet_path(people, tmp_path, monkeypatch, who_reads):
    monkeypatch.setattr(parquet_files, "MOST_FILES", 1 if who_reads == "workers" else 0)
    path = tmp_path / "people.parquet"
    parquet.write_table(people, path)
    assert counts_of(path)[1] == expected_counts(people)


def test_a_csv_path_is_read_as_text(tmp_path):
    path = tmp_path / "codes.csv"
    rows = [f'{i:02},"a ""quoted"", value" ,{"yes" if i % 3 else "no"}' for i in range(1, 5)] * 6
    path.write_text("code, remark ,z\n" + "\n".join([*rows, "01,?,yes"]) + "\n")
    chosen = Settings(categorical=("code",))
    vocabulary, counts = counts_of(str(path), "z=yes", chosen)
    arrow = csv.read_csv(
        path, convert_options=csv.ConvertOptions(column_types=dict.fromkeys(["code"], pa.string()))
    )
    assert counts == expected_counts(arrow.rename_columns(["code", "remark", "z"]), "z=yes", chosen)
    assert 'remark=a "quoted", value' in [name for name, *_ in counts]
    assert vocabulary.summary.rows == 25


def test_words_taken_for_missing_add_up_over_partitions(tmp_path):
    words = ["NA", "EU", "AP", "EU", "null"] * 20
    arrow = pa.table({"a": words, "z": ["yes", "no", "no"] * 33 + ["yes"]})
    vocabulary, _ = counts_of(frame_of(arrow, 3), "z=yes", SETTINGS)
    assert vocabulary.summary.notes == encode(arrow, "z=yes", SETTINGS).summary.notes
    assert [note.partition(" counts")[0] for note in vocabulary.summary.notes] == ["'NA' in a", "'null' in a"]
    rare = pa.table({"a": ["NA", *["EU", "AP"] * 50], "z": ["yes", *["yes", "no"] * 50]})
    csv.write_csv(rare, tmp_path / "words.csv")
    vocabulary, _ = counts_of(str(tmp_path / "words.csv"), "z=yes", SETTINGS)
    assert vocabulary.summary.notes == ()  # a file of text has no other way to say it


def test_every_type_is_coded_as_in_memory():
    n = 60
    moments = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=i) for i in range(n)]
    arrow = pa.table(
        {
            "flag": pa.array([i % 2 == 0 for i in range(n)]),
            "small": pa.array([i % 4 for i in range(n)], pa.int8()),
            "real": pa.array([None if i == 5 else i / 7 for i in range(n)]),
            "price": pa.array([Decimal(i) / 4 for i in range(n)], pa.decimal128(8, 2)),
            "day": pa.array([moment.date() for moment in moments]),
            "moment": pa.array(moments, pa.timestamp("us")),
            "many": pa.array([[i] for i in range(n)]),
            "a.b `c`": pa.array(["p", "q", None] * 20),
            "z": pa.array([i >= 30 for i in range(n)]),
        }
    )
    chosen = Settings(bins="quantile:3")
    vocabulary, counts = counts_of(frame_of(arrow, 3), "z=true", chosen)
    assert counts == expected_counts(arrow, "z=true", chosen)
    assert [entry.column for entry in vocabulary.summary.left_out] == ["many"]


def test_an_outcome_written_in_another_way_is_looked_for_again():
    arrow = pa.table({"a": ["p", "q", "p", "q"] * 5, "z": [1.0, 0.0, 0.0, 1.0] * 5})
    assert counts_of(frame_of(arrow, 2), "z=1.0")[1] == expected_counts(arrow, "z=1")


def test_columns_within_columns_take_part_by_their_path():
    chance = np.random.default_rng(2)
    homes = [{"city": chance.choice(["p", "q"]), "at": {"a `b`": str(i % 3)}} for i in range(60)]
    homes[7] = None
    incomes = [{"income": "high" if chance.random() < 0.4 else "low"} for _ in range(60)]
    nested = pa.table({"home": pa.array(homes), "o": pa.array(incomes), "age": np.arange(60) % 5})
    vocabulary, counts = counts_of(frame_of(nested, 2), "o.income=high")
    assert {item.column for item in vocabulary.items} == {"home.city", "home.at.a `b`", "age"}
    assert counts == expected_counts(nested.flatten().flatten(), "o.income=high")
    asked = {"outcome": "o.income=high", "controls": "items"}
    found, expected = causalrules.mine(frame_of(nested, 2), **asked), causalrules.mine(nested, **asked)
    assert comparable(found.to_dict()) == comparable(expected.to_dict())


def test_a_frame_that_comes_out_differently_each_time_is_computed_once(people):
    frame = frame_of(people, 3).where("rand() < 0.5")
    vocabulary, engine = open_spark(frame, "ill=yes", SETTINGS)
    with engine:
        assert engine.n_with + engine.n_without == vocabulary.summary.outcome.n_records < 600


def test_a_task_that_fails_once_changes_nothing(people, tmp_path):
    marker = str(tmp_path / "failed")

    def fails_once(batches):
        from pathlib import Path

        for batch in batches:
            if not Path(marker).exists():
                Path(marker).touch()
                raise RuntimeError("made to fail")
            yield batch

    frame = frame_of(people, 3)
    flaky = mapped(frame, fails_once, frame.schema)
    assert counts_of(flaky)[1] == expected_counts(people)
    assert Path(marker).exists()


def test_a_task_that_always_fails_is_one_sentence(people):
    def fails(batches):
        next(batches)
        raise RuntimeError("made to fail")

    frame = frame_of(people, 2)
    with pytest.raises(
        SparkJobError, match=r"could not finish the job .* 'RuntimeError: made to fail'"
    ) as caught:
        open_spark(mapped(frame, fails, frame.schema), "ill=yes", SETTINGS)
    assert "\n" not in str(caught.value)


def test_an_executor_that_dies_changes_nothing(people, spark):
    if spark.sparkContext.master != TWO_EXECUTORS:
        pytest.skip("this machine does not run two executors")

    def executor_of_each(batches):
        import os
        from pathlib import Path

        import pyarrow as pa

        list(batches)
        parent = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
        yield pa.RecordBatch.from_pydict({"pid": [int(parent)]})

    vocabulary, engine = open_spark(frame_of(people, 4), "ill=yes", SETTINGS, n_parts=3)
    with engine:
        executors = {
            row.pid for row in mapped(spark.range(8).repartition(8), executor_of_each, "pid long").collect()
        }
        os.kill(min(executors), signal.SIGKILL)
        assert rules_of(vocabulary, engine) == in_memory(people, "ill=yes")


def test_jobs_are_named_and_the_name_of_others_comes_back(people, spark):
    context = spark.sparkContext
    context.setJobDescription("the user's own")
    try:
        counts_of(frame_of(people, 2))
        assert context.getLocalProperty("spark.job.description") == "the user's own"
    finally:
        context.setJobDescription(None)
    jobs = context._jsc.sc().statusStore().jobsList(None)
    names = {jobs.apply(i).description().toString() for i in range(jobs.size())}
    assert "Some(causalrules: coding records, counting items)" in names


def test_workers_do_not_search_modules_for_garbage_after_every_task(spark):
    def n_passed_over(batches):
        import gc

        import pyarrow as pa

        list(batches)
        yield pa.RecordBatch.from_pydict({"n": [gc.get_freeze_count()]})

    for _ in range(2):  # both workers have done something before the second time
        tasks = mapped(spark.range(8).repartition(8), n_passed_over, "n long").collect()
    assert max(task.n for task in tasks) > 10_000
    assert gc.get_freeze_count() == 0  # here it is the caller's


def test_nothing_is_kept_after_closing(people, spark):
    before = spark.sparkContext._jsc.getPersistentRDDs().size()
    counts_of(frame_of(people, 2))
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == before


def test_where_nothing_may_be_persisted_a_table_keeps_the_records(people, spark, monkeypatch, tmp_path):
    from pyspark.errors import AnalysisException

    def refuse(frame, level):
        refused.append(level)
        raise AnalysisException("[NOT_SUPPORTED_WITH_SERVERLESS] PERSIST TABLE is not supported.")

    def tables():
        return [table.name[:12] for table in spark.catalog.listTables() if not table.isTemporary]

    refused = []
    frame = frame_of(people, 3)
    monkeypatch.setattr(type(frame), "persist", refuse)
    spark.sql(f"CREATE DATABASE ours LOCATION '{tmp_path}'")
    spark.catalog.setCurrentDatabase("ours")
    try:
        vocabulary, engine = open_spark(frame, "ill=yes", SETTINGS)
        with engine:
            assert tables() == ["causalrules_"]
            found = rules_of(vocabulary, engine)
        assert tables() == []
    finally:
        spark.catalog.setCurrentDatabase("default")
        spark.sql("DROP DATABASE ours CASCADE")
    assert len(refused) == 2
    assert found == in_memory(people, "ill=yes")


def test_only_spark_frames_are_spark_frames(people):
    assert is_spark_frame(frame_of(people, 1))
    assert not is_spark_frame(people)
    assert not is_spark_frame("people")


def test_mistakes_are_explained(people, spark, tmp_path):
    frame = frame_of(people, 2)
    with pytest.raises(UnknownColumnError, match="smoke"):
        open_spark(frame, "smoke=yes", SETTINGS)
    with pytest.raises(OutcomeError, match="holds values of type list"):
        open_spark(spark.sql("select array(1) as z, 1 as a"), "z=1", SETTINGS)
    with pytest.raises(SourceError, match="no records"):
        open_spark(frame.where("false"), "ill=yes", SETTINGS)
    with pytest.raises(SourceError, match="column names occur more than once: 'ill'"):
        open_spark(frame.select("ill", "ill", "age"), "ill=yes", SETTINGS)
    with pytest.raises(SourceError, match="an object of type Table: on the Spark engine"):
        open_spark(people, "ill=yes", SETTINGS)
    with pytest.raises(SourceError, match="knows no table of this name"):
        open_spark("persons", "ill=yes", SETTINGS)
    (tmp_path / "people.csv").touch()
    with pytest.raises(SourceMissingError, match=r"Did you mean 'people\.csv'"):
        open_spark(tmp_path / "poeple.csv", "ill=yes", SETTINGS)
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("a,b,z\n1,2,yes\n1,2,3,no\n")
    with pytest.raises(SparkJobError, match="could not finish the job 'reading records"):
        open_spark(ragged, "z=yes", SETTINGS)


@pytest.mark.parametrize("matching", ["exact", "jaccard", "mahalanobis"])
def test_partners_at_a_distance_are_those_of_memory(people, matching):
    asked = {"controls": "items", "matching": matching, "max_length": 1}
    found = causalrules.mine(frame_of(people, 5), "ill=yes", **asked)
    expected = causalrules.mine(people, "ill=yes", **asked)
    assert any(rule.pairs for rule in found.tested)
    assert comparable(found.to_dict()) == comparable(expected.to_dict())


def test_more_kinds_of_records_than_the_driver_matches_are_refused(people, monkeypatch):
    monkeypatch.setattr(nearest, "MOST_GROUPS", 3)
    with pytest.raises(EngineError, match=r"3 at most; a rule has \d+\. Use matching=.exact."):
        causalrules.mine(frame_of(people, 1), "ill=yes", controls="items", matching="jaccard", max_length=1)


def test_matched_sets_are_found_across_partitions(people):
    in_fours = people.append_column("set", pa.array([f"s{i // 4}" for i in range(600)]))
    found = causalrules.mine(frame_of(in_fours, 3), "ill=yes", max_length=1, matched_set="set")
    expected = causalrules.mine(in_fours, "ill=yes", max_length=1, matched_set="set")
    assert comparable(found.to_dict()) == comparable(expected.to_dict())


def test_more_records_than_the_paper_s_weights_add_up_for_are_refused(people, monkeypatch):
    monkeypatch.setattr(open_engine, "WEIGHT_UNIT", (1 << 63) // 500)
    with pytest.raises(EngineError, match=r"has 58\d records; .*fewer than 500\. Mine a sample\."):
        open_spark(frame_of(people, 1), "ill=yes", SETTINGS)
    with open_spark(frame_of(people, 1), "ill=yes", Settings())[1] as engine:
        assert engine.n_with + engine.n_without > 500


def test_explanations_are_those_of_memory(people):
    asked = {"controls": "items", "max_length": 1, "explain": True}
    found = causalrules.mine(frame_of(people, 2), "ill=yes", **asked)
    expected = causalrules.mine(people, "ill=yes", **asked)
    assert comparable(found.to_dict()) == comparable(expected.to_dict())
