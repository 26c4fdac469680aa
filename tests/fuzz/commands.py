"""Commands with random options, taken from the program's own list of them."""

from importlib import import_module

from causalrules.simulation import planted_table
from terminal import run_command

TABLE = "patients.csv"
_STARTS = {
    "mine": ([TABLE], "--outcome"),
    "test": ([TABLE], "--outcome", "--exposure"),
    "compare-matching": ([TABLE], "--outcome", "--exposure"),
    "compare": ([TABLE], "--outcome"),
    "report": (["result.json"],),
    "plot": (["result.json", "forest"],),
    "knowledge": (["known.toml"],),
    "simulate": (["hospital"],),
}
_ELSEWHERE = {"--engine", "--spark", "--max-seconds", "--records", "--format", "--threads"}
"""Spark and thousands of records would only make the run long; the rest has tests of its own."""

_VALUES = (
    *("0", "1", "2", "-1", "0.05", "0.5", "1e308", "nan", "inf", "9" * 30, "", " ", "none", "auto", "all"),
    *(
        "smoker",
        "age",
        "smoker=yes",
        "age>60",
        "age>=60 & smoker=yes",
        "ill=yes",
        "ill",
        "nothing",
        "nothing=1",
    ),
    *("a,b", "smoker,age", "+age", "age < smoker < ill", "smoker -> ill", "ill -> smoker", "age=30,60"),
    *("age=every:10", "quantile:3", "items", "columns", "exact", "propensity", "jaccard", "interval", "holm"),
    *("raises", "lowers", "1GiB", "1KiB", "out.json", "out.csv", "out.html", "out.svg", "no/such/place.json"),
    *("[red]x[/red]", "=1+1", "\x1b[31m", "ü", "'", '"', "&", "(", "\\", "..", "/"),
)
_LIKELY = {
    "--outcome": ("ill=yes", "ill=no", "ill", "age>50"),
    "--exposure": ("smoker=yes", "age>50", "treatment=yes", "smoker=yes & age>50"),
    "--max-length": ("1", "2"),
    "--output": ("out.json", "out.csv", "out.html", "out.svg", "out.toml"),
}
_NUMBERS = ("0", "1", "2", "0.05", "0.5", "0.9", "10")
_NAMES = ("smoker", "age", "severity,age", "exercise", "exact", "columns", "interval", "none", "auto")


def options_of(command):
    """The options of a command: name, and what values are likely; none for a flag."""
    application = import_module("causalrules.cli.commands").app
    parameters = application.commands[command].params
    named = [one for one in parameters if one.opts[0].startswith("-")]
    return {one.opts[0]: _likely_values(one) for one in named if one.opts[0] not in _ELSEWHERE}


def _likely_values(option):
    if option.is_flag:
        return ()
    return _LIKELY.get(option.opts[0], _NUMBERS if isinstance(option.default, int | float) else _NAMES)


def random_command(chance):
    """A command line that begins sensibly and goes on as it likes."""
    command = chance.choice(sorted(_STARTS))
    arguments, *needed = _STARTS[command]
    line, options = [command, *arguments], options_of(command)
    if command in ("mine", "compare"):
        needed.append("--max-length")
    for name in needed + chance.sample(sorted(options), min(chance.randrange(5), len(options))):
        likely = options[name]
        value = chance.choice(likely if chance.random() < 0.8 else _VALUES) if likely else None
        line += [name] if value is None else [name, value]
    if chance.random() < 0.1:
        line.append(chance.choice(_VALUES))
    return line


def prepare(folder):
    """The files that the commands name."""
    import causalrules
    from causalrules.report.table_files import write_table

    table = planted_table(300)
    table = table.append_column("age", [[20 + 17 * row % 61 for row in range(300)]])
    write_table(table, folder / TABLE)
    causalrules.mine(table, "ill=yes", max_length=1).save(folder / "result.json")
    (folder / "known.toml").write_text('before = ["age"]\n')


def run(line):
    """Run a command in this process and this folder: its exit code, and what it said of a mistake."""
    said = run_command(*line)
    return said.code, said.err
