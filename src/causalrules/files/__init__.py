"""Files that appear whole or not at all, and temporary folders that never stay behind."""

from causalrules.files.scratch_folder import scratch_folder
from causalrules.files.whole_file import check_writable, is_device, whole_file

__all__ = ["check_writable", "is_device", "scratch_folder", "whole_file"]
