"""The paper's eight data sets, fetched from where they are published or taken from a folder."""

from causalrules.datasets.data_set import DataSet, fetch, get
from causalrules.datasets.download import default_cache
from causalrules.datasets.published import UCI, DataSetInfo, PublishedFile, catalogue, info

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
