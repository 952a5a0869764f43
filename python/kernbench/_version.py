# SPDX-License-Identifier: Apache-2.0
"""The Python that the extension module is built for."""

import pathlib
import sys
import sysconfig


def check_python() -> None:
    """Raises ImportError with both versions if the package was built for another Python than this one."""
    here = pathlib.Path(__file__).parent
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if (here / f"_native{suffix}").exists():
        return
    built = sorted(path.name.split(".")[1] for path in here.glob("_native.*.so"))
    if not built:
        return  # the import says what is missing
    tag = built[0].split("-")[1]
    this = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"
    raise ImportError(f"kernbench in {here} is built for CPython {tag[0]}.{tag[1:]}, and this is {this}: run it with "
                      f"python{tag[0]}.{tag[1:]}, or build kernbench with -DKERNBENCH_PYTHON_PROGRAM={sys.executable}")
