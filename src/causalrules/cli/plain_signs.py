"""Output where the terminal's encoding lacks our signs: plain ones take their place, nothing fails."""

from __future__ import annotations

import codecs
import sys
from io import TextIOWrapper

_PLAIN = str.maketrans("×÷Γ–—−≈≠·…→←↑↓∞█▉▊▋▌▍▎▏≥≤²∅│┼─●", "x/G---~!|.><^vi#####   ><20|+-o")
_NAME = "causalrules.plain-signs"


def plain_signs(error: UnicodeError) -> tuple[str, int]:
    r"""What stands for signs that cannot be encoded: a plain one of the same width, or an escape.

    Examples
    --------
    >>> codecs.register_error("plain", plain_signs)
    >>> "Γ 2.40 ██▌ – 漢".encode("ascii", errors="plain")
    b'G 2.40 ### - \\u6f22'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    plain = (sign.translate(_PLAIN) for sign in signs)
    shown = "".join(sign if sign.isascii() else sign.encode("unicode_escape").decode() for sign in plain)
    return shown, error.end


def use_plain_signs_where_needed() -> None:
    """Let standard output and standard error replace what they cannot encode."""
    codecs.register_error(_NAME, plain_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors=_NAME)
