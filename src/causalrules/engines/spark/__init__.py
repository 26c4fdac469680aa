"""The engine for tables that live on Spark; PySpark is imported only when one is opened."""

from causalrules.engines.spark.session import is_spark_frame
from causalrules.engines.spark.spark_table import open_spark

__all__ = ["is_spark_frame", "open_spark"]
