# SPDX-License-Identifier: Apache-2.0
"""Files of users, which are run as modules."""

import os
import sys
import traceback
import types
from typing import Union

Found = tuple[str, int, int, str, str]  # file, line, column, message and hint; 0 for an unknown line


def folder_of(path: str) -> str:
    """Returns the folder of a file, from which it imports."""
    return os.path.dirname(os.path.abspath(path))


def files_of(path: str) -> list[str]:
    """Returns a file and those of all modules below its folder, which it may have imported."""
    folder, own = folder_of(path), os.path.abspath(path)
    files = {os.path.abspath(file) for one in list(sys.modules.values())
             if isinstance(file := getattr(one, "__file__", None), str) and file.endswith(".py")}
    return [path, *sorted(file for file in files if file.startswith(folder + os.sep) and file != own)]


def run_file(path: str, register: bool = False) -> Union[types.ModuleType, Found]:
    """Runs a file as a module. Returns the module, or the error of a file that does not run.

    register: other files can import the module by the name of the file.
    """
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__file__ = path
    if folder_of(path) not in sys.path:
        sys.path.insert(0, folder_of(path))
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
        if register:
            sys.modules.setdefault(module.__name__, module)
        exec(code, module.__dict__)
    except SyntaxError as error:
        return error.filename or path, error.lineno or 0, error.offset or 0, error.msg, ""
    except (Exception, SystemExit) as error:  # pylint: disable=broad-except
        inside = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        return path, inside[-1].lineno or 0 if inside else 0, 1 if inside else 0, f"{type(error).__name__}: {error}", ""
    return module
