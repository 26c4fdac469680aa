"""A mistake gets one message and an exit code, leaves no file behind, and never a traceback."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

USAGE, COULD_NOT = 2, 1
SOUND = "smokes,sex,ill\n" + "yes,m,yes\nyes,f,yes\nno,m,no\nno,f,no\nyes,f,no\nno,m,yes\n" * 20


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a sound table, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patients.csv").write_text(SOUND)
    return tmp_path


@pytest.fixture
def run(folder, run):
    """Run a command in the folder."""
    return run


@pytest.fixture
def refuse(folder, run):
    """Run a command that must fail, and give its one message."""

    def refuse(code, *arguments):
        before = sorted(os.listdir(folder))
        found, output, message = run(*arguments)
        assert found == code, message
        assert output == ""
        assert message.startswith("causalrules: ")
        assert message.count("\n") == 1
        assert len(message) < 1500
        assert "Traceback" not in message
        assert sorted(os.listdir(folder)) == before
        return message

    return refuse


def mine(source, outcome="ill=yes", *options):
    return ["mine", source, "--outcome", outcome, "--json", "result.json", *options]


def test_the_sound_table_is_mined(run, folder):
    code, output, _ = run(*mine("patients.csv"))
    assert code == 0
    assert "smokes=yes" in output
    assert json.loads((folder / "result.json").read_text())["data"]["rows"] == 120


def test_a_missing_file(refuse):
    message = refuse(USAGE, *mine("patient.csv"))
    assert message == (
        "causalrules: cannot read patient.csv: there is no such file. Did you mean 'patients.csv'?\n"
    )


FILES = {  # name, content, and what the message must say
    "empty": ("t.csv", b"", "it is empty. Give a table"),
    "blank": ("t.csv", b"\n\n  \n", "it is empty"),
    "only a mark": ("t.csv", b"\xef\xbb\xbf", "it is empty"),
    "header only": ("t.csv", b"a,ill\n", "it has 2 columns but no records. Add records"),
    "header only, no line end": ("t.csv", b"a,ill", "it has 2 columns but no records"),
    "ragged": (
        "t.csv",
        b"a,ill\nx,yes\ny,no,maybe\n",
        "line 3 has 3 values ('y, no, maybe'), but",
    ),
    "too short": ("t.csv", b"a,ill\nx,yes\n\ny\n", "line 4 has 1 value ('y'), but there are 2 columns. Give"),
    "open quotation": ("t.csv", b'a,ill\nx,"yes\ny,no\n', "a quotation mark is never closed"),
    "huge field": ("t.csv", b"a,ill\n" + b"x" * 10_000_000 + b",yes\ny,no\n", "more than 4,194,304 bytes"),
    "large field": ("t.csv", b"a,ill\n" + b"x" * 2_000_000 + b",yes\ny,no\n", "a value of 2,000,000 bytes"),
    "huge name": ("t.csv", b"x" * 10_000_000 + b",ill\n1,yes\n2,no\n", "first record has a value of more"),
    "binary": ("t.csv", bytes(range(256)) * 20, "binary data of an unknown kind. Save it as CSV"),
    "binary, no zeros": ("t.csv", bytes(range(1, 256)) * 20, "binary data of an unknown kind"),
    "Excel": ("t.xlsx", b"PK\x03\x04\x14\0\x06\0", "not a sound workbook"),
    "damaged gzip": ("t.csv.gz", gzip.compress(SOUND.encode())[:-9], "its gzip data is damaged"),
    "no gzip": ("t.csv.gz", b"\x1f\x8bnothing", "its gzip data is damaged"),
    "damaged Parquet": ("t.parquet", b"PAR1 nothing PAR1", "it is not a sound Parquet file"),
    "no Parquet": ("t.parquet", SOUND.encode(), "it is not a sound Parquet file"),
    "damaged Arrow": ("t.arrow", b"ARROW1\0\0nothing", "it is not a sound Arrow file"),
    "damaged JSON": ("t.jsonl", b'{"a": 1, "ill": "yes"}\n{"a": 2,\n', "it is not a sound JSON lines file"),
    "sparse ARFF": ("t.arff", b"@relation r\n@attribute a real\n@data\n{0 1}\n", "a sparse ARFF file"),
    "repeated names": ("t.csv", b"a,ill,a\n1,yes,2\n3,no,4\n", "occur more than once: 'a'"),
    "half UTF-16": ("t.csv", b"\xff\xfea\0,\0i", "its UTF-16 text is damaged"),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_cannot_be_read(refuse, folder, case):
    name, content, problem = FILES[case]
    (folder / name).write_bytes(content)
    message = refuse(COULD_NOT, *mine(name))
    assert message.startswith(f"causalrules: cannot read {name}: ")
    assert problem in message


def test_a_truncated_parquet_file(refuse, folder):
    parquet.write_table(pa.table({"a": ["x", "y"] * 50, "ill": ["yes", "no"] * 50}), "t.parquet")
    whole = (folder / "t.parquet").read_bytes()
    (folder / "t.parquet").write_bytes(whole[: len(whole) // 2])
    assert "it is not a sound Parquet file" in refuse(COULD_NOT, *mine("t.parquet"))


def test_a_folder(refuse, folder):
    (folder / "tables").mkdir()
    assert "it is a folder without Parquet files. Name a file in it." in refuse(COULD_NOT, *mine("tables"))


def test_a_bad_table_on_standard_input(refuse, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,ill\nx\n")))
    assert "cannot read standard input: line 2 has 1 value" in refuse(COULD_NOT, *mine("-"))


OUTCOMES = {  # outcome, exit code, and what the message must say
    "unknown column": ("il=yes", USAGE, "'il' is not among the table's 3 columns. Did you mean 'ill'?"),
    "unknown value": ("ill=ye", USAGE, "'ye' does not occur in column 'ill'. Did you mean 'yes'?"),
    "unlike any": ("ill=42", USAGE, "There are: 'yes', 'no'"),
    "empty value": ("ill=", USAGE, "is not understood at character 5, its end: a value must stand here"),
    "nothing": ("", USAGE, "the name of a column must stand here"),
    "missing token": ("ill=?", COULD_NOT, "'?' means a missing value"),
}  # fmt: skip


@pytest.mark.parametrize("case", OUTCOMES)
def test_outcomes_that_cannot_be_understood(refuse, case):
    outcome, code, problem = OUTCOMES[case]
    assert problem in refuse(code, *mine("patients.csv", outcome))


TABLES = {
    "one outcome value": ("a,ill\nx,yes\ny,yes\n", "every record with a known 'ill' has the value 'yes'"),
    "outcome missing": ("a,ill\nx,?\ny,\n", "'ill' has no value in any of the 2 records. Choose another"),
    "one record": ("a,ill\nx,yes\n", "every record with a known 'ill' has the value 'yes'"),
    "one column": ("ill\nyes\nno\n", "the table has only the outcome"),
    "unusable": ("k,e,ill\nx,,yes\nx,,no\n", "no column is left to look for causes in ('k': it is constant"),
}


@pytest.mark.parametrize("case", TABLES)
def test_tables_that_cannot_be_mined(refuse, folder, case):
    text, problem = TABLES[case]
    (folder / "t.csv").write_text(text)
    assert problem in refuse(COULD_NOT, *mine("t.csv"))


def test_a_table_of_two_records(run, folder):
    (folder / "t.csv").write_text("a,ill\nx,yes\ny,no\n")
    code, output, _ = run(*mine("t.csv", "ill=yes", "--controls", "items"))
    assert code == 0
    assert "0 causal rules" in output
    code, output, _ = run(*mine("t.csv"))
    assert code == 0
    assert output.startswith("No causal rule")


OPTIONS = {
    "direction": (["--direction", "up"], "direction must be one of 'both', 'raises', 'lowers'; it is 'up'."),
    "pairs": (["--pairs", "all"], "pairs must be one of"),
    "controls": (["--controls", "rows"], "controls must be one of"),
    "engine": (["--engine", "steam"], "engine must be one of"),
    "bins": (["--bins", "5"], "bins must be 'mdl', 'none' or 'quantile:N'"),
    "one quantile": (["--bins", "quantile:1"], "bins must be 'mdl', 'none' or 'quantile:N'"),
    "support of all": (["--min-support", "1"], "--min-support must be at least 0 and below 1; it is 1.0"),
    "negative support": (["--min-support", "-0.1"], "--min-support must be at least 0 and below 1"),
    "no number": (["--min-support", "nan"], "--min-support must be a finite number"),
    "confidence": (["--confidence", "95"], "confidence must be between 0 and 1"),
    "odds ratio": (["--min-odds-ratio", "0.5"], "--min-odds-ratio must be at least 1"),
    "length": (["--max-length", "0"], "--max-length must be a whole number of at least 1"),
    "votes": (["--pairs", "random", "--votes", "9"], "votes must be at most the number of runs"),
    "seed": (["--seed", "-1"], "seed must be a whole number of at least 0"),
    "epsilon": (["--epsilon", "-2"], "epsilon must be at least 0"),
    "threads": (["--threads", "0"], "threads must be a whole number of at least 1"),
    "delimiter": (["--delimiter", ";;"], "delimiter must be one ASCII character"),
    "drop": (["--drop", "smoke"], "drop column 'smoke' is not among the table's 3 columns. Did you mean"),
    "only": (["--only", "Sex"], "only column 'Sex' is not among the table's 3 columns. Did you mean 'sex'"),
    "numeric": (["--numeric", "sex"], "numeric must be columns of numbers"),
}  # fmt: skip


@pytest.mark.parametrize("case", OPTIONS)
def test_options_out_of_range(refuse, case):
    options, problem = OPTIONS[case]
    assert problem in refuse(USAGE, *mine("patients.csv", "ill=yes", *options))


@pytest.mark.parametrize(
    "options", [["--max-length", "two"], ["--no-such-option"], ["--min-support"], ["another argument"]]
)
def test_options_that_cannot_be_parsed(run, folder, options):
    code, output, message = run(*mine("patients.csv", "ill=yes", *options))
    assert code == USAGE
    assert output == ""
    assert "Error" in message
    assert "Traceback" not in message
    assert os.listdir(folder) == ["patients.csv"]


@pytest.mark.parametrize("option", ["--json", "--csv", "--parquet"])
def test_outputs_that_cannot_be_written(refuse, folder, option):
    (folder / "taken").mkdir()
    arguments = ["mine", "patients.csv", "--outcome", "ill=yes", option]
    assert "cannot write taken: it is a folder. Choose" in refuse(COULD_NOT, *arguments, "taken")
    assert "there is no folder" in refuse(COULD_NOT, *arguments, "nowhere/result")
    assert "cannot write patients.csv/x: " in refuse(COULD_NOT, *arguments, "patients.csv/x")
    assert "File name too long" in refuse(COULD_NOT, *arguments, "x" * 300)


def test_an_output_is_not_touched_when_the_run_fails(refuse, folder):
    (folder / "result.json").write_text("yesterday's")
    refuse(USAGE, *mine("patients.csv", "ill=maybe"))
    assert (folder / "result.json").read_text() == "yesterday's"


def test_names_that_do_not_fit(refuse, folder):
    (folder / "names.txt").write_text("a\nb\n")
    message = refuse(COULD_NOT, *mine("patients.csv", "a=yes", "--columns", "names.txt"))
    assert "2 column names were given but the first record has 3 values" in message


EXPOSURES = {
    "unknown column": ("smoke=yes", "exposure column 'smoke' is not among"),
    "unknown value": ("smokes=y", "exposure value 'y' does not occur in column 'smokes'"),
    "no value": ("sex", "the exposure 'sex' names a column; say which value of it: 'sex=f' (60 records)"),
    "twice": ("sex=m & sex=f", "names a column twice"),
}


@pytest.mark.parametrize("case", EXPOSURES)
def test_exposures_that_cannot_be_understood(refuse, case):
    exposure, problem = EXPOSURES[case]
    message = refuse(USAGE, "test", "patients.csv", "--outcome", "ill=yes", "--exposure", exposure)
    assert problem in message


STRANGE = [
    "it's",
    'say "hi"',
    "a=b",
    "=",
    "R & D",
    "two\nlines",
    "tab\there",
    "comma, separated; or | not",
    "Robert'); DROP TABLE patients;--",
    "<script>alert(1)</script>",
    "[bold red]loud[/bold red]",
    "[/]",
    "{braces} %s \\n",
    "🙂 happy",
    "עברית",
    "\u202eright to left",
    "\x1b[31mred",
    "x" * 500,
    "None",
    "-1",
]


@pytest.fixture
def strange_table(folder):
    """Every strange text as a column and as a value; the outcome follows each a little."""
    with (folder / "strange.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*STRANGE, "plain", "out [bold]come"])
        for number in range(210):
            ill = number % 2 == 0
            values = [
                text if (number + place) % 5 < 3 - ill else "other" for place, text in enumerate(STRANGE)
            ]
            writer.writerow([*values, "pq"[number % 7 < 3], "yes & =no" if ill else "[red]no"])
    return "strange.csv"


def test_strange_texts_are_mined(run, folder, strange_table):
    outcome = "out [bold]come=yes & =no"
    code, output, message = run(*mine(strange_table, outcome, "--csv", "rules.csv", "--max-length", "1"))
    assert code == 0, message
    assert "\x1b[31m" not in output
    rules = json.loads((folder / "result.json").read_text(encoding="utf-8"))["rules"]
    assert {item["column"] for rule in rules for item in rule["pattern"]} <= {*STRANGE, "plain"}
    with (folder / "rules.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == len(rules) + 1


@pytest.mark.parametrize("text", STRANGE, ids=ascii)
def test_strange_texts_are_tested(run, folder, strange_table, text):
    command = ["test", strange_table, "--outcome", "out [bold]come=[red]no", "--json", "result.json"]
    code, _, message = run(*command, "--exposure", f"{text}={text} & plain=q")
    assert code == 0, message
    rules = json.loads((folder / "result.json").read_text(encoding="utf-8"))["rules"]
    found = [(item["column"], item["value"]) for item in rules[0]["pattern"]]
    assert found == [(text, text), ("plain", "q")]


@pytest.mark.parametrize("name", [b"two\nlines.csv", b"\xff.csv"], ids=ascii)
def test_strange_file_names(run, folder, name):
    """Also those that are no text; the result must still be one."""
    (folder / os.fsdecode(name)).write_text(SOUND)
    code, _, message = run(*mine(os.fsdecode(name)))
    assert code == 0, message
    source = json.loads((folder / "result.json").read_text(encoding="utf-8"))["data"]["source"]
    assert source in ("two\\nlines.csv", "\\udcff.csv")


def test_a_strange_file_name_that_is_missing(refuse):
    assert r"cannot read no\nfile.csv: " in refuse(USAGE, *mine("no\nfile.csv"))


def test_a_device_is_written_to_and_stays_one(run):
    code, _, message = run("mine", "patients.csv", "--outcome", "ill=yes", "--json", os.devnull)
    assert code == 0, message
    assert not os.path.isfile(os.devnull)


def test_a_link_stays_a_link(run, folder):
    (folder / "results").mkdir()
    (folder / "result.json").symlink_to(folder / "results" / "today.json")
    code, _, message = run(*mine("patients.csv"))
    assert code == 0, message
    assert (folder / "result.json").is_symlink()
    assert os.listdir(folder / "results") == ["today.json"]


def test_the_real_command(folder):
    program = [sys.executable, "-c", "from causalrules.cli import main; main()"]
    arguments = ["mine", "patient.csv", "--outcome", "ill=yes"]
    done = subprocess.run(program + arguments, capture_output=True, text=True, cwd=folder)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert done.stderr == (
        "causalrules: cannot read patient.csv: there is no such file. Did you mean 'patients.csv'?\n"
    )


def test_an_outcome_of_three_values_asks_which(refuse, folder):
    (folder / "codes.csv").write_text("x,dis\n" + "0,0\n1,1\n0,1\n1,0\n1,9\n" * 30)
    message = refuse(USAGE, "mine", "codes.csv", "--outcome", "dis", "--html", "report.html")
    assert "say which value of it: 'dis=0' (60 records) or 'dis=1' (60 records) or 'dis=9'" in message
    assert message.endswith("means that nothing is known, name it in --missing.\n")


def test_a_name_with_a_comma_says_how_it_is_written(refuse, folder):
    (folder / "sizes.csv").write_text(SOUND.replace("sex", '"height, cm"', 1))
    message = refuse(USAGE, *mine("sizes.csv", "ill=yes", "--drop", "height, cm"))
    assert "a name with a comma stands in double quotes" in message


def test_messages_of_the_terminal_have_its_own_words(refuse, folder):
    (folder / "counts.csv").write_text("w,x,ill\n" + "12.5,a,yes\n3.5,b,no\n" * 20)
    assert "--weights-are sampling" in refuse(USAGE, *mine("counts.csv", "ill=yes", "--weights", "w"))
    (folder / "known").mkdir()
    (folder / "known.bin").write_bytes(b"\x80\x86" * 20)
    (folder / "known.toml").write_text('aftre = ["x"]\n')
    for name, problem in (("known", "it is a folder."), ("known.bin", "it is no text.")):
        message = refuse(COULD_NOT, *mine("patients.csv", "ill=yes", "--knowledge", name))
        assert problem in message
        assert "rrno" not in message
    assert "Did you mean 'after'? See" in refuse(
        COULD_NOT, *mine("patients.csv", "ill=yes", "--knowledge", "known.toml")
    )


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("mine", "patients.csv", "ill=yes"), "Not understood: ill=yes. Did you mean --outcome ill=yes?"),
        (
            ("test", "patients.csv", "smokes=yes", "ill=yes"),
            "Did you mean --exposure smokes=yes --outcome ill=yes?",
        ),
        (
            ("test", "patients.csv", "--outcome", "ill=yes", "smokes=yes"),
            "Did you mean --exposure smokes=yes?",
        ),
        (
            ("mine", "patients.csv", "--outcome", "is", "ill=yes"),
            "Names and values with spaces or signs are quoted",
        ),
        (("datasets", "list", "adult"), "Not understood: adult.\n"),
    ],
)
def test_words_that_belong_to_no_option_get_advice(run, arguments, advice):
    code, output, message = run(*arguments)
    assert code == USAGE
    assert output == ""
    assert advice in message
