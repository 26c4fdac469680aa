"""Experiments: how the method behaves on tables whose truth is known."""
