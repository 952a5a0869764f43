# SPDX-License-Identifier: Apache-2.0
"""Where the files of KernBench are, and how values are passed to it."""

import os
import pathlib
from typing import Union

Path = Union[str, os.PathLike[str]]
Value = Union[str, int, float, bool]


def root() -> pathlib.Path:
    """Returns the folder with configs/: KERNBENCH_ROOT, or the one that the package was built in or installed to."""
    here = pathlib.Path(__file__).resolve()
    candidates = [pathlib.Path(os.environ["KERNBENCH_ROOT"])] if "KERNBENCH_ROOT" in os.environ else [
        *here.parents, *(parent / "share/kernbench" for parent in here.parents)]
    for folder in candidates:
        if (folder / "configs/topology.yaml").is_file():
            return folder
    raise FileNotFoundError("no folder configs/ of KernBench was found; name its folder by KERNBENCH_ROOT")


def shipped(file: Path) -> str:
    """Returns a path. One that does not exist in the current folder is looked for in the data folder, as by the program."""
    return str(file) if os.path.exists(file) or not (root() / file).exists() else str(root() / file)


def program() -> str:
    """Returns the program: KERNBENCH, or that of the same build or installation, or the one in PATH."""
    here = pathlib.Path(__file__).resolve()
    candidates = [here.parents[2] / "cli/kernbench", *(parent / "bin/kernbench" for parent in here.parents)]
    if "KERNBENCH" in os.environ:
        return os.environ["KERNBENCH"]
    return next((str(file) for file in candidates if file.is_file()), "kernbench")


def text(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
