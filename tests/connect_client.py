"""Mines a small table through Spark Connect and in memory; ends in an error unless both agree.

Run in a process of its own: a process has either a classic session or a Connect one.
"""

import pyarrow as pa

from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.engines.spark import open_spark
from causalrules.engines.spark.session import Session, quiet_about_pandas


def main():
    rows = [("p" if i % 3 else "q", str(i % 5), "yes" if i % 3 and i % 7 else "no") for i in range(200)]
    arrow = pa.table(dict(zip("abz", map(list, zip(*rows, strict=True)), strict=True)))
    session = Session.find()
    assert session.is_ours
    assert session.is_remote
    with quiet_about_pandas():
        frame = session.spark.createDataFrame(arrow).repartition(3)
    settings = Settings(categorical=("a", "b"))
    vocabulary, engine = open_spark(frame, "z=yes", settings, n_parts=2)
    table = encode(arrow, "z=yes", settings)
    memory = MemoryEngine(table)
    assert vocabulary.items == table.items
    with engine:
        assert engine.item_counts().support.tolist() == memory.item_counts().support.tolist()
        patterns = memory.column_of_item[:, None] * 0 + [[i] for i in range(len(table.items))]
        controls = memory.column_of_item[None, :] != memory.column_of_item[:, None]
        assert list(engine.strata(patterns, controls)) == list(memory.strata(patterns, controls))
    assert Session.find().spark is session.spark, "an engine on a given data frame leaves its session alone"
    session.stop()
    print("the same")


if __name__ == "__main__":
    main()
