"""The report page, live: a local web application in which questions can be asked."""

from causalrules.explorer.server import explore

__all__ = ["explore"]
