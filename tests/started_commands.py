"""The command in processes that begin with all packages loaded: one starts in milliseconds."""

import multiprocessing
import os
import sys

STARTED = multiprocessing.get_context("forkserver")
STARTED.set_forkserver_preload(
    ["numba", "causalrules.cli.run", "causalrules.search.contrast_search", "causalrules.paper.search"]
)


def start_saving_every_answer(arguments, told):
    """Run the command; what it says goes to a file. Every answer is saved by itself."""
    told.write_bytes(b"")
    process = STARTED.Process(target=_run, args=(arguments, told))
    process.start()
    return process


def _run(arguments, told):
    import causalrules.engines.checkpoint.saved_answers as answers
    from causalrules.cli import main

    answers.SECONDS_BETWEEN_SAVES = answers.SHARE_BETWEEN_SAVES = 0.0
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(told, os.O_WRONLY), 2)
    sys.argv = ["causalrules", *arguments]
    main()
