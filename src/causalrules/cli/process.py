"""The command as a process of its own: what the operating system asks of it, and its end."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from typing import Any, NoReturn

_ASKED_TO_END = 128 + 15


def main() -> NoReturn:
    """Run the command line and end the process.

    A polite request to end (SIGTERM, as from a batch system whose time is up) is treated like Ctrl-C: what
    was finished is written, temporary folders are removed.
    """
    was_asked = False

    def interrupt(_number: int, _frame: Any) -> None:
        nonlocal was_asked
        was_asked = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    # While packages are loaded, everything stays: the collector of cycles only looks it through, again and
    # again, for a tenth of the time that a small table takes. That makes about 110,000 objects.
    gc.set_threshold(200_000, 20, 20)
    # Matrices have a few hundred rows here: OpenBLAS's threads mostly wait for each other, busily, and took
    # ten times the processor time of one. It reads this once, when numpy is loaded.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    if sys.platform == "linux":
        # Arrow's own allocator keeps up to 100 MB of what was freed, and a run may have a limit to keep. From
        # Python, `from_the_system` does the same, as far as it can once Arrow is loaded.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    from causalrules.cli.main import main as run

    code: Any = 0
    try:
        run()
    except SystemExit as stop:
        code = stop.code
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    _end(_ASKED_TO_END if was_asked and code else code or 0)


def _end(code: int) -> NoReturn:
    """End at once: to take the interpreter apart, object by object, takes longer than a small table.

    Everything has been written and closed by now; what was registered for the end is still called.
    """
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # whoever read it has gone
        code = code or 1
    except OSError as error:
        os.write(2, f"causalrules: could not finish: {error.strerror or error}.\n".encode())
        code = code or 1
    atexit._run_exitfuncs()
    os._exit(code)
