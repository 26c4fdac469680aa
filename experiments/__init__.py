"""Experiments: the paper's tables and figures, and how the method behaves where the truth is known."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
