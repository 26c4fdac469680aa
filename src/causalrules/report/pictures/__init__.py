"""Pictures, drawn and saved without a browser."""

from causalrules.report.pictures.drawing import check_picture_name, save

__all__ = ["check_picture_name", "save"]
