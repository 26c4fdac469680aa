"""One small table, written in every format that is read; what docs/sources.md lists is made from this."""

import bz2
import gzip
import json
import lzma
import random
import sqlite3
import zipfile

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

import causalrules

OUTCOME = "ILL=yes"


def people(n=400):
    """Records with texts, whole numbers, fractions and missing values."""
    chance = random.Random(7)
    rows = []
    for _ in range(n):
        smoking = chance.choice(["current", "former", "never", "never"])
        age = chance.randrange(20, 80)
        risk = 0.15 + 0.4 * (smoking == "current") + 0.004 * (age - 50)
        rows.append(
            {
                "SEX": chance.choice(["female", "male"]),
                "SMOKING": None if chance.random() < 0.05 else smoking,
                "AGE": age,
                "BMI": None if chance.random() < 0.05 else chance.randrange(160, 400) / 8,
                "ILL": "yes" if chance.random() < risk else "no",
            }
        )
    return rows


ROWS = people()
TABLE = pa.Table.from_pylist(ROWS)


def text(delimiter=",", rows=ROWS):
    """The table as delimited text."""
    lines = [delimiter.join(rows[0])]
    lines += [delimiter.join("" if value is None else str(value) for value in row.values()) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def _bytes(content):
    def write(folder, name):
        path = folder / name
        path.write_bytes(content() if callable(content) else content)
        return path

    return write


def _zip(folder, name):
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("people.csv", text())
        archive.writestr("__MACOSX/._people.csv", b"\0")
    return folder / name


def _zstd():
    return pa.Codec("zstd").compress(text(), asbytes=True)


def _workbook(folder, name):
    import xlsxwriter

    with xlsxwriter.Workbook(folder / name) as book:
        book.add_worksheet("About").write(0, 0, "no table")
        sheet = book.add_worksheet("People")
        for column, title in enumerate(TABLE.column_names):
            sheet.write(0, column, title)
            for row, value in enumerate(TABLE.column(title).to_pylist(), 1):
                sheet.write(row, column, value)
    return folder / name


def _open_document(folder, name):
    """The least that is an OpenDocument spreadsheet."""

    def cell(value):
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    rows = [list(ROWS[0]), *(list(row.values()) for row in ROWS)]
    lines = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    spaces = " ".join(
        f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"'
        for one in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="People">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
    space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{space}">{entry}</manifest:manifest>',
        )
    return folder / name


CODES = {"SMOKING": {1.0: "never", 2.0: "former", 3.0: "current"}, "ILL": {0.0: "no", 1.0: "yes"}}


def coded_frame():
    """The table with numbers for texts that labels explain, as statistical packages keep it."""
    frame = TABLE.to_pandas()
    for column, labels in CODES.items():
        code_of = {label: code for code, label in labels.items()}
        frame[column] = [code_of.get(value) for value in TABLE.column(column).to_pylist()]
        frame[column] = frame[column].astype(float)
    return frame


def _labelled(writer, **options):
    def write(folder, name):
        import pyreadstat

        getattr(pyreadstat, writer)(coded_frame(), str(folder / name), variable_value_labels=CODES, **options)
        return folder / name

    return write


def _texts_only(writer):
    """Formats that keep no labels of values."""

    def write(folder, name):
        import pyreadstat

        frame = TABLE.to_pandas()
        getattr(pyreadstat, writer)(frame, str(folder / name))
        return folder / name

    return write


def _parquet(folder, name):
    pyarrow.parquet.write_table(TABLE, folder / name)
    return folder / name


def _parquet_folder(folder, name):
    (folder / name).mkdir()
    for part, start in enumerate((0, 150)):
        pyarrow.parquet.write_table(
            TABLE.slice(start, 150 if not part else 250), folder / name / f"{part}.parquet"
        )
    return folder / name


def _by_sex(folder, name):
    """A folder as Hive and Spark write it: the column stands in the path."""
    for sex in ("female", "male"):
        below = folder / name / f"SEX={sex}"
        below.mkdir(parents=True)
        chosen = pa.Table.from_pylist([row for row in ROWS if row["SEX"] == sex]).drop_columns("SEX")
        pyarrow.parquet.write_table(chosen, below / "part-0.parquet")
    return folder / name


def _many_texts(folder, name):
    for part, rows in enumerate((ROWS[:100], ROWS[100:])):
        (folder / name.replace("*", str(part))).write_bytes(text(rows=rows))
    return folder / name


def _arrow(folder, name):
    pyarrow.feather.write_feather(TABLE, str(folder / name))
    return folder / name


def _json_lines():
    return "\n".join(map(json.dumps, ROWS)).encode()


def _arff():
    kinds = {"AGE": "numeric", "BMI": "numeric"}
    head = [
        "@relation people",
        *(f"@attribute {name} {kinds.get(name, 'string')}" for name in ROWS[0]),
        "@data",
    ]
    body = [",".join("?" if value is None else str(value) for value in row.values()) for row in ROWS]
    return "\n".join([*head, *body, ""]).encode()


def _c45(folder, name):
    names = (
        "yes, no.\nSEX: female, male.\nSMOKING: current, former, never.\nAGE: continuous.\nBMI: continuous.\n"
    )
    (folder / name).with_suffix(".names").write_text(names)
    lines = text().decode().splitlines()[1:]
    (folder / name).write_text("\n".join(line.replace(",,", ",?,") for line in lines) + "\n")
    return folder / name


def _sqlite(folder, name):
    with sqlite3.connect(folder / name) as connection:
        connection.execute("create table people (SEX, SMOKING, AGE, BMI, ILL)")
        values = [tuple(row.values()) for row in ROWS]
        connection.executemany("insert into people values (?, ?, ?, ?, ?)", values)
    connection.close()
    return folder / name


def _duckdb(folder, name):
    import duckdb

    with duckdb.connect(str(folder / name)) as connection:
        connection.register("given", TABLE)
        connection.execute("create table people as select * from given")
    return folder / name


FILES = {
    "people.csv": ("delimited text", _bytes(text)),
    "people.tsv": ("delimited text", _bytes(text("\t"))),
    "people.csv.gz": ("compressed", _bytes(gzip.compress(text()))),
    "people.csv.bz2": ("compressed", _bytes(bz2.compress(text()))),
    "people.csv.xz": ("compressed", _bytes(lzma.compress(text()))),
    "people.csv.zst": ("compressed", _bytes(_zstd)),
    "people.zip": ("compressed", _zip),
    "people.xlsx": ("workbook", _workbook),
    "people.ods": ("workbook", _open_document),
    "people.sav": ("SPSS", _labelled("write_sav")),
    "people.zsav": ("SPSS", _labelled("write_sav", compress=True)),
    "people.por": ("SPSS", _texts_only("write_por")),
    "people.dta": ("Stata", _labelled("write_dta")),
    "people.xpt": ("SAS", _texts_only("write_xport")),
    "people.parquet": ("Parquet", _parquet),
    "people-parts": ("Parquet", _parquet_folder),
    "people-by-sex": ("Parquet", _by_sex),
    "people-*.csv": ("several files", _many_texts),
    "people.feather": ("Arrow", _arrow),
    "people.jsonl": ("JSON", _bytes(_json_lines)),
    "people.json": ("JSON", _bytes(lambda: json.dumps(ROWS, indent=1).encode())),
    "people.arff": ("ARFF", _bytes(_arff)),
    "people.data": ("C4.5", _c45),
    "people.sqlite": ("database file", _sqlite),
    "people.duckdb": ("database file", _duckdb),
}
"""For each file: its family, and the function that writes it into a folder."""

NEEDS = {"workbook": "fastexcel", "SPSS": "pyreadstat", "Stata": "pyreadstat", "SAS": "pyreadstat"}

SETTINGS = {"max_length": 1, "only": ("SEX", "SMOKING", "AGE", "BMI")}


def answer(source, **options):
    """What a result says about the table, whatever it was read from."""
    result = causalrules.mine(source, OUTCOME, **SETTINGS, **options)
    said = result.to_dict()
    known = said["data"]
    facts = {key: known[key] for key in ("rows", "rows_without_outcome", "columns", "items", "outcome")}
    return facts, said["rules"]


def rounded(value):
    """The same without the last digits of numbers, and without the order of lists."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(rounded, value), key=repr)
    return value


MEANING = {
    "delimited text": "any delimiter, quotes, header or `--columns`; UTF-8, UTF-16, Latin-1",
    "compressed": "gzip, bzip2, xz, Zstandard; a zip archive with one table inside",
    "workbook": "Excel, OpenDocument; `--sheet`",
    "SPSS": "labels of columns and values, declared missing values; `--labels`",
    "Stata": "the same",
    "SAS": "the same",
    "Parquet": "a file, or a folder; `sex=Male/` in a path is a column",
    "several files": "a pattern in quotes",
    "Arrow": "also called Feather",
    "JSON": "one object on each line, or an array of objects",
    "ARFF": "Weka, OpenML",
    "C4.5": "with its `.names` beside it",
    "database file": "SQLite, DuckDB; `--table`, `--query`",
}
EXTRAS = {
    "workbook": "files",
    "SPSS": "files",
    "Stata": "files",
    "SAS": "files",
    "database file": "duckdb for DuckDB",
}


def table_of_formats():
    """The table of docs/sources.md of formats: exactly those that are tested."""
    lines = ["| kind | for example | read with | extra |", "|---|---|---|---|"]
    for family, meaning in MEANING.items():
        names = ", ".join(f"`{name}`" for name, (kind, _) in FILES.items() if kind == family)
        lines.append(f"| {family} | {names} | {meaning} | {EXTRAS.get(family, '')} |")
    assert {family for family, _ in FILES.values()} == set(MEANING)
    return "\n".join(lines)
