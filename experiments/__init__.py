"""Experiments: how the method behaves on tables whose truth is known."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
