"""Spark's own programs, started for a test and stopped after it: a Connect server, a master and workers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from spark_sessions import SHORT_LIVED

_SECONDS_TO_START = 120
_CONNECT = "org.apache.spark.sql.connect.service.SparkConnectServer"
_MASTER, _WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"


def environment(**more):
    """For programs that start Python workers like us."""
    path = os.pathsep.join(filter(None, sys.path))
    return os.environ | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": path} | more


@contextmanager
def connect_server():
    """A server of Spark Connect on this machine; gives its address."""
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.extraJavaOptions": SHORT_LIVED,
    }
    options = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    words = "--master", "local[2]", *options, "--class", _CONNECT, "spark-internal"
    with running("spark-submit", *words) as server:
        wait_for(port, server)
        yield f"sc://127.0.0.1:{port}"


@contextmanager
def standalone_cluster(n_workers):
    """A master and workers of one core and 512 MiB each; gives its address and the workers' processes."""
    port = free_port()
    address = ["--host", "127.0.0.1", "--webui-port", "0"]
    with ExitStack() as programs:
        master = running("spark-class", _MASTER, *address, "--port", str(port))
        wait_for(port, programs.enter_context(master))
        size = ["--cores", "1", "--memory", "512m", f"spark://127.0.0.1:{port}"]
        workers = [
            programs.enter_context(running("spark-class", _WORKER, *address, *size)) for _ in range(n_workers)
        ]
        yield f"spark://127.0.0.1:{port}", workers


@contextmanager
def running(program, *words):
    """A program of the installed Spark, whose output nobody reads."""
    import pyspark

    home = Path(pyspark.__file__).parent
    process = subprocess.Popen(
        [home / "bin" / program, *words],
        env=environment(SPARK_HOME=str(home), SPARK_DAEMON_MEMORY="512m"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(_SECONDS_TO_START)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(port, program):
    """Until the program listens there."""
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end and program.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(f"{program.args[0]} does not listen at port {port}")
