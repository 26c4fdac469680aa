"""The paper's eight data sets, fetched from where they are published or taken from a folder."""

from causalrules_lab.datasets.data_set import DataSet, fetch, get
from causalrules_lab.datasets.download import default_cache
from causalrules_lab.datasets.published import UCI, DataSetInfo, PublishedFile, catalogue, info

__all__ = [
    "UCI",
    "DataSet",
    "DataSetInfo",
    "PublishedFile",
    "catalogue",
    "default_cache",
    "fetch",
    "get",
    "info",
]
