"""The command line as one function: streams that can be written to, and errors as exit codes."""

from __future__ import annotations

import codecs
import os
import sys
from io import TextIOWrapper

from causalrules.cli.commands import InterruptedCommandError, app
from causalrules.cli.options import as_option
from causalrules.errors import CausalRulesError

INTERRUPTED = 130


def _open_closed_streams() -> None:
    """A service may start us with a standard stream closed: then it is empty, or says nothing to nobody."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the end


def main() -> None:
    """Run the command line; a mistake gets one message, never a traceback."""
    _open_closed_streams()
    use_plain_signs_where_needed()
    try:
        app()
    except CausalRulesError as error:
        _stop(error.in_words(as_option), 2 if error.is_usage_mistake else 1)
    except (InterruptedCommandError, KeyboardInterrupt):
        _stop("interrupted; nothing was written.", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone; keep Python from complaining again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _stop(f"could not finish: {error.strerror or error}.", 1)
    except MemoryError:
        _stop("the table does not fit into memory. Use fewer columns (--only) or a sample of the records.", 1)


def _stop(message: str, code: int) -> None:
    print(f"causalrules: {message}", file=sys.stderr)
    sys.exit(code)


_PLAIN = str.maketrans("×÷Γ–—−≈≠·…→←↑↓∞█▉▊▋▌▍▎▏≥≤²∅│┼─●▁▂▃▄▅▆▇±", "x/G---~!|.><^vi#####   ><20|+-o_.,-~=+~")
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
