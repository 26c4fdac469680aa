"""Compiled loops: arrays in, integers out; no policy, no messages."""
