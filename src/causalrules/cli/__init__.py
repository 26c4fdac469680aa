"""The command line: options become a job, its result a table, files and an exit code."""

from causalrules.cli.process import main

__all__ = ["main"]
