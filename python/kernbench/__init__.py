# SPDX-License-Identifier: Apache-2.0
"""KernBench from Python: topologies, probes, benches, sweeps and reports as pandas frames.

Times are in picoseconds of simulated time. A name that ends in _gbs is in 10^9 bytes per second.
"""

import collections
import json
import os
import pathlib
import sqlite3
import subprocess

import pandas

from kernbench import _native

__all__ = ["BadInput", "Error", "Result", "RunFailed", "Topology", "benches", "load", "read_report", "read_sweep", "sweep"]

Error = collections.namedtuple("Error", "file line column message hint")
Error.__doc__ = "An error of an input file. line and column are 0 where the file as a whole is wrong."


class BadInput(ValueError):
    """An unusable input. `errors` has every error of it."""

    def __init__(self, text, errors=()):
        super().__init__(text)
        self.errors = [Error(*error) for error in errors]


class RunFailed(RuntimeError):
    """A bench that did not end: a kernel failed, all waited for each other, or the time limit was reached."""


class Result:
    """The outcome of a bench.

    end_ps: time when all work was complete. operations, flit_hops: numbers of them. regions: a frame with a row for each
    measured region (name, start_ps, time_ps). wrong: texts of the checks that failed, empty without `verify`.
    """

    def __init__(self, values):
        self.end_ps, self.operations, self.flit_hops = values["end_ps"], values["operations"], values["flit_hops"]
        self.regions, self.wrong = pandas.DataFrame(values["regions"]), values["wrong"]

    def __repr__(self):
        return f"<Result end_ps={self.end_ps} operations={self.operations} flit_hops={self.flit_hops}>"


class Topology:
    """A compiled topology. `nodes` and `edges` are frames; source and target of an edge are rows of nodes."""

    def __init__(self, file, settings=None):
        self._native = _native.Topology(str(file), {key: _text(value) for key, value in (settings or {}).items()})
        self.warnings = self._native.warnings

    @property
    def nodes(self):
        return pandas.DataFrame(self._native.nodes())

    @property
    def edges(self):
        return pandas.DataFrame(self._native.edges())

    def probe(self, sizes=(64, 4096, 262144), jobs=None):
        """Returns a frame with the latency of single transfers: a row for each path and size in bytes.

        jobs: number of threads, all processors by default; the result does not depend on it.
        """
        return pandas.DataFrame(self._native.probe(list(sizes), jobs or os.cpu_count()))

    def run(self, bench, device=0, verify=False, ccl=None, time_limit_us=1e6, **parameters):
        """Runs a bench and returns its Result. Other threads of Python go on meanwhile.

        bench: its name, see benches(). device: the SIP that runs it. verify: compute and check the numbers. ccl: file of the
        collectives. time_limit_us: simulated time after which the run fails. parameters: those of the bench. Raises RunFailed,
        BadInput for a file, and ValueError for a bench or a parameter.
        """
        return Result(self._native.run(bench, {key: _text(value) for key, value in parameters.items()}, device, verify,
                                       str(ccl or _shipped("ccl.yaml")), time_limit_us))


def _text(value):
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _root():
    """The folder with configs/: KERNBENCH_ROOT, or the one that the package was built in or installed to."""
    here = pathlib.Path(__file__).resolve()
    candidates = [pathlib.Path(os.environ["KERNBENCH_ROOT"])] if "KERNBENCH_ROOT" in os.environ else [
        *here.parents, *(parent / "share/kernbench" for parent in here.parents)]
    for folder in candidates:
        if (folder / "configs/topology.yaml").is_file():
            return folder
    raise FileNotFoundError("no folder configs/ of KernBench was found; name its folder by KERNBENCH_ROOT")


def _shipped(name):
    return _root() / "configs" / name


def load(file=None, **settings):
    """Compiles a topology file, the shipped configs/topology.yaml by default.

    settings: keys of the file with __ for dots, such as pe__clock_ghz=2. Raises BadInput.
    """
    return Topology(file or _shipped("topology.yaml"), {key.replace("__", "."): value for key, value in settings.items()})


def benches():
    """Returns the benches and the defaults of their parameters: {name: {parameter: text}}."""
    return _native.benches()


def read_report(file):
    """Reads a report of any command: the envelope as a dictionary, with `data` in it."""
    return json.loads(pathlib.Path(file).read_text())


def _program():
    built = pathlib.Path(__file__).resolve().parents[2] / "cli/kernbench"
    return os.environ.get("KERNBENCH", str(built) if built.is_file() else "kernbench")


def sweep(plan, out=None, *options):
    """Runs `kernbench sweep` on a plan and returns its rows as read_sweep() does. The sweep continues where it was.

    plan: a YAML file. out: the database; by default, the plan's name with .db in the current folder. options: further words
    of the command line. Points that fail are rows. Raises BadInput.
    """
    database = pathlib.Path(out or pathlib.Path(plan).with_suffix(".db").name)
    done = subprocess.run([_program(), "sweep", str(plan), "--out", str(database), *options], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        raise BadInput(done.stderr.rstrip("\n") or f"kernbench sweep ended with {done.returncode}")
    return read_sweep(database)


def read_sweep(database):
    """Returns the rows of a sweep in the order of its plan: parameters, targets and outcome."""
    # A missing file is an error, and a sweep that runs keeps its database.
    connection = sqlite3.connect(f"file:{pathlib.Path(database).resolve()}?mode=ro", uri=True)
    try:
        rows = pandas.read_sql_query("SELECT * FROM points WHERE position IS NOT NULL ORDER BY position", connection)
    finally:
        connection.close()
    return rows.drop(columns=["key", "position"])
