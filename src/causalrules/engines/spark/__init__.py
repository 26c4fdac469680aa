"""The engine for tables that live on Spark; PySpark is imported only when one is opened."""

from causalrules.engines.spark.open_engine import open_spark
from causalrules.engines.spark.session import is_spark_frame

__all__ = ["is_spark_frame", "open_spark"]
