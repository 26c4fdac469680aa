"""Experiments of our own: how the method behaves where the truth is known. The paper's are in the package."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "experiments" / "results"
