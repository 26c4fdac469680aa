"""Hypothesis without deadlines: the first call of a kernel compiles it."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ours",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ours")
