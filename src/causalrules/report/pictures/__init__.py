"""Pictures, drawn and saved without a browser."""

from causalrules.report.pictures.drawing import check_picture_name, save
from causalrules.report.pictures.plots import Plots

__all__ = ["Plots", "check_picture_name", "save"]
