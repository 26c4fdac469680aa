"""Pictures, drawn and saved without a browser."""

from causalrules.report.pictures.drawing import save

__all__ = ["save"]
