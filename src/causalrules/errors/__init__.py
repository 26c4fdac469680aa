"""Every error raised on purpose.

CausalRulesError
├── SettingsError            a setting is out of range or unknown
│   └── KnowledgeError       statements about the columns contradict each other
├── SourceError              a table cannot be read
│   ├── SourceMissingError   there is no such file
│   ├── UnknownDataSetError  there is no data set of this name
│   └── UnknownFormatError   the file's kind is not known
├── TableError               a table was read but cannot be used
│   ├── UnknownColumnError   a column was named that the table does not have
│   ├── UnknownValueError    a value was named that the column does not have
│   │   └── NoValueError     a column was named, but none of its values
│   ├── OutcomeError         the outcome does not split the records in two
│   ├── ConditionError       a column is not what a condition takes it for
│   ├── NothingToMineError   no column is left to look for causes in
│   └── TooManyNumbersError  a column has more different numbers than memory allows for
├── ExposureError            an exposure cannot be asked about
│   └── PatternError         the text of a pattern cannot be understood
├── ResultFileError          a saved result cannot be read
│   └── ResultMissingError   there is no such file
├── UnknownRuleError         a rule was named that the result does not have
├── UnknownFactorError       a column was named that the result does not have
├── UnknownLevelError        a level was named that the factor does not have
├── NotWritableError         a rule cannot be written for another program
├── PictureError             a result does not hold what a picture shows
├── OtherTableError          a table is not the one that a result was made from
├── OutputError              a file cannot be written
│   └── OutputNameError      its name asks for a kind of file that is not written
├── CheckpointError          the folder of a checkpoint cannot be used
│   └── CheckpointOfAnotherRunError  it holds a run with other data or settings
├── EngineError              an engine cannot answer a question
│   ├── MissingJavaError     Spark was asked for on a machine without the Java it needs
│   └── SparkJobError        a job on Spark failed
├── ExplorerError            the explorer does not do what was asked of it
│   ├── NotServedError       a file that is not among those it was opened with
│   ├── UploadError          a file that it does not take
│   ├── UnknownRunError      a result that it does not remember
│   ├── BusyError            too much is under way
│   └── PortError            it cannot be reached at this port
└── MissingPackageError      a part was asked for whose package is not installed
"""

from causalrules.errors.base import CausalRulesError, Setting, in_python
from causalrules.errors.engines import (
    CheckpointError,
    CheckpointOfAnotherRunError,
    EngineError,
    MissingJavaError,
    MissingPackageError,
    SparkJobError,
)
from causalrules.errors.explorer import (
    BusyError,
    ExplorerError,
    NotServedError,
    PortError,
    UnknownRunError,
    UploadError,
)
from causalrules.errors.results import (
    NotWritableError,
    OtherTableError,
    OutputError,
    OutputNameError,
    PictureError,
    ResultFileError,
    ResultMissingError,
    UnknownFactorError,
    UnknownLevelError,
    UnknownRuleError,
)
from causalrules.errors.settings import ExposureError, KnowledgeError, PatternError, SettingsError
from causalrules.errors.tables import (
    ConditionError,
    NothingToMineError,
    NoValueError,
    OutcomeError,
    SourceError,
    SourceMissingError,
    TableError,
    TooManyNumbersError,
    UnknownColumnError,
    UnknownDataSetError,
    UnknownFormatError,
    UnknownValueError,
)
from causalrules.errors.wording import one_line, quoted

__all__ = [
    "BusyError",
    "CausalRulesError",
    "CheckpointError",
    "CheckpointOfAnotherRunError",
    "ConditionError",
    "EngineError",
    "ExplorerError",
    "ExposureError",
    "KnowledgeError",
    "MissingJavaError",
    "MissingPackageError",
    "NoValueError",
    "NotServedError",
    "NotWritableError",
    "NothingToMineError",
    "OtherTableError",
    "OutcomeError",
    "OutputError",
    "OutputNameError",
    "PatternError",
    "PictureError",
    "PortError",
    "ResultFileError",
    "ResultMissingError",
    "Setting",
    "SettingsError",
    "SourceError",
    "SourceMissingError",
    "SparkJobError",
    "TableError",
    "TooManyNumbersError",
    "UnknownColumnError",
    "UnknownDataSetError",
    "UnknownFactorError",
    "UnknownFormatError",
    "UnknownLevelError",
    "UnknownRuleError",
    "UnknownRunError",
    "UnknownValueError",
    "UploadError",
    "in_python",
    "one_line",
    "quoted",
]

for _name in __all__:  # a traceback names an error as it is imported
    if _name.endswith("Error"):
        globals()[_name].__module__ = __name__
