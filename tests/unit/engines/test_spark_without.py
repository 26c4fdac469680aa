"""Before a session: what is said where Spark, or its Java, is missing, and what Java is told."""

import os
import sys

import pytest

from causalrules.engines.spark import session
from causalrules.engines.spark.session import require_java, require_pyspark
from causalrules.errors import MissingJavaError, MissingPackageError, SparkJobError


def test_without_pyspark_the_line_that_installs_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'causalrules\[spark\]'"):
        require_pyspark()


def test_an_old_pyspark_is_refused(monkeypatch):
    pyspark = pytest.importorskip("pyspark")
    monkeypatch.setattr(pyspark, "__version__", "3.5.1")
    with pytest.raises(MissingPackageError, match=r"PySpark 4 or later \(found: 3\.5\.1\)"):
        require_pyspark()


def test_without_java_the_remedy_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        MissingJavaError, match=r"there is neither JAVA_HOME nor java\. Install it .* JAVA_HOME"
    ):
        require_java()


def test_a_java_home_without_java_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingJavaError, match="which has no bin/java"):
        require_java()


@pytest.mark.parametrize(("says", "version"), [("11.0.2", "11"), ("1.8.0_292", "8")])
def test_an_old_java_is_named_with_its_version(monkeypatch, tmp_path, says, version):
    _pretend_java(tmp_path, f'openjdk version "{says}" 2019')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingJavaError, match=f"is Java {version}\\."):
        require_java()


def test_a_java_that_says_nothing_is_refused(monkeypatch, tmp_path):
    _pretend_java(tmp_path, "hello")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingJavaError, match="does not tell its version"):
        require_java()


def _pretend_java(home, answer):
    java = home / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{answer}' >&2\n")
    os.chmod(java, 0o755)


def test_workers_without_causalrules_are_explained():
    error = SparkJobError("counting", "lines\nModuleNotFoundError: No module named 'causalrules'\nmore")
    assert "Install it there" in str(error)


def test_a_session_of_ours_is_told_what_we_wish_before_what_the_user_wishes(monkeypatch):
    seen = {}
    sql = pytest.importorskip("pyspark.sql")
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-Xint")
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    monkeypatch.setattr(session, "require_java", lambda: None)
    monkeypatch.setattr(sql.SparkSession.Builder, "getOrCreate", lambda _: seen.update(os.environ))
    session._started()
    ours, _, users = seen["SPARK_SUBMIT_OPTS"].rpartition(" ")
    assert (ours.startswith("-XX:"), users) == (True, "-Xint")
    assert seen["PYSPARK_PYTHON"] == sys.executable
    assert (os.environ["SPARK_SUBMIT_OPTS"], os.environ.get("PYSPARK_PYTHON")) == ("-Xint", None)
