"""The terminal face of the pipeline."""

from causalrules.cli.main import main

__all__ = ["main"]
