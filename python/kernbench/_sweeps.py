# SPDX-License-Identifier: Apache-2.0
"""Sweeps, which the program runs."""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any, Optional, Union

import pandas

from kernbench._errors import BadInput, parse_errors
from kernbench._places import Path, program


def sweep(plan: Union[Path, Mapping[str, Any]], out: Optional[Path] = None, *options: str) -> pandas.DataFrame:
    """Runs `kernbench sweep` on a plan and returns its rows as read_sweep() does. The sweep continues where it was.

    plan: a YAML file, or a dictionary with the same keys. out: the database; by default, the plan's name with .db in the
    current folder. options: further words of the command line. Points that fail are rows. Raises BadInput with the errors of
    the plan, OSError if the program cannot be run, and RuntimeError for a sweep that ended otherwise, such as by a signal.
    """
    if isinstance(plan, Mapping):
        if out is None:
            raise ValueError("a plan that is a dictionary needs the name of the database")
        with tempfile.TemporaryDirectory(prefix="kernbench-plan-") as folder:
            file = pathlib.Path(folder) / "plan.yaml"
            file.write_text(json.dumps(plan, indent=1))  # which is YAML
            return sweep(file, out, *options)
    database = pathlib.Path(out or pathlib.Path(plan).with_suffix(".db").name)
    code, errors = _run([program(), "sweep", str(plan), "--output", str(database), *options])
    message = errors.rstrip("\n")
    if code == 2:
        raise BadInput(message, parse_errors(message))
    if code not in (0, 1):
        raise RuntimeError(f"kernbench sweep ended with {code}: {message}")
    return read_sweep(database)


def _run(words: list[str]) -> tuple[int, str]:
    """Runs the program, which ends with this process. Returns its exit code and what it wrote to stderr."""
    setpriv = shutil.which("setpriv")
    if setpriv and shutil.which(words[0]):  # it gets SIGTERM when the thread that waits for it ends
        words = [setpriv, "--pdeathsig", "TERM", "--", *words]
    try:
        process = subprocess.Popen(words, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise type(error)(f"cannot run the program '{words[0]}' ({error.strerror}); name it by KERNBENCH, or add its folder "
                          "to PATH") from None
    with process:
        try:
            _, errors = process.communicate()
        except BaseException:  # such as KeyboardInterrupt: the program cancels tasks and cleans up
            process.terminate()
            process.wait()
            raise
    return process.returncode, errors


def read_sweep(database: Path) -> pandas.DataFrame:
    """Returns the rows of a sweep in the order of its plan: parameters, targets and outcome.

    Raises FileNotFoundError for a missing file, and ValueError for one that is not the database of a sweep.
    """
    file = pathlib.Path(database).resolve(strict=True)
    # A missing file is an error, and a sweep that runs keeps its database.
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        rows = pandas.read_sql_query("SELECT * FROM points WHERE position IS NOT NULL ORDER BY position", connection)
        return rows.drop(columns=["key", "position"])
    except (sqlite3.Error, pandas.errors.DatabaseError, KeyError) as error:
        raise ValueError(f"{database}: not the database of a sweep ({error})") from None
    finally:
        connection.close()
