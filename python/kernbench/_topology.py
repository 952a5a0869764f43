# SPDX-License-Identifier: Apache-2.0
"""Topologies and what runs on them."""

import contextvars
import functools
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import pandas

import kernbench._language as _language
from kernbench import _fabrics, _native
from kernbench._benches import Bench
from kernbench._context import Context
from kernbench._places import Path, Value, shipped, text
from kernbench._reports import Report


class Result(Report):
    """The outcome of a bench: a report of kind "run", whose `data` are those of `kernbench run --json`.

    end_ps: time when all work was complete. operations, flit_hops: numbers of them. wrong: texts of the checks that failed,
    empty without `verify`. returned: what the host part in Python returned, else None.
    """

    def __init__(self, values: Mapping[str, Any], returned: Any = None) -> None:
        super().__init__({"kind": "run", "outcome": values["outcome"], "data": json.loads(values["data"])})
        self.end_ps: int = self.data["end_ps"]
        self.operations: int = self.data["operations"]
        self.flit_hops: int = self.data["flit_hops"]
        self.wrong: list[str] = values["wrong"]
        self.returned = returned
        self._columns: Mapping[str, list[str]] = values["columns"]
        self._page: Optional[str] = values.get("page")

    @functools.cached_property
    def regions(self) -> pandas.DataFrame:
        """A row for each measured region."""
        return self._rows("regions")

    @functools.cached_property
    def launches(self) -> pandas.DataFrame:
        """A row for each launch; `region` is a row of `regions`, or -1."""
        rows = self._rows("launches")
        return rows.assign(region=rows["region"].fillna(-1).astype("int64"))

    def _rows(self, name: str) -> pandas.DataFrame:
        return self.frame(name) if self.data[name] else pandas.DataFrame(columns=self._columns[name])

    def page(self) -> Optional[str]:
        """Returns the page as the program writes it by --html: with explain=True also the critical paths, as bars and over time."""
        return self._page or super().page()

    def __repr__(self) -> str:
        return f"<Result end_ps={self.end_ps} operations={self.operations} flit_hops={self.flit_hops}>"


def _words(bench: str, parameters: Mapping[str, Value]) -> dict[str, str]:
    """Returns the texts of parameters, with the paths of shipped files."""
    words = {key: text(value) for key, value in parameters.items()}
    return words | {name: shipped(words.get(name, file)) for name, file in _native.file_parameters(bench).items()}


def _report(values: Mapping[str, Any]) -> Report:
    return Report({"kind": values["kind"], "outcome": values["outcome"], "data": json.loads(values["data"])})


class Topology:
    """A compiled topology."""

    def __init__(self, file: Path, settings: Optional[Mapping[str, Value]] = None) -> None:
        """Compiles a file. settings: keys that are replaced, such as {"pe.clock_ghz": 2}. Raises BadInput."""
        self._native = _native.Topology(shipped(file), {key: text(value) for key, value in (settings or {}).items()})
        self.warnings: list[str] = self._native.warnings

    @property
    def nodes(self) -> pandas.DataFrame:
        """A row for each node."""
        return pandas.DataFrame(self._native.nodes())

    @property
    def edges(self) -> pandas.DataFrame:
        """A row for each edge; `source` and `target` are rows of `nodes`."""
        return pandas.DataFrame(self._native.edges())

    def probe(self, sizes: Iterable[int] = (64, 4096, 262144), jobs: Optional[int] = None) -> pandas.DataFrame:
        """Returns a frame with the latency of single transfers: a row for each path and size in bytes.

        jobs: number of threads, all processors by default; the result does not depend on it.
        """
        return pandas.DataFrame(self._native.probe(list(sizes), jobs or os.cpu_count() or 1))

    def run(self, bench: Union[str, Bench, Callable[..., Any]], device: int = 0, verify: bool = False, ccl: Optional[Path] = None,
            time_limit_us: float = 1e6, explain: bool = False, live: bool = False, **parameters: Value) -> Result:
        """Runs a bench and returns its Result. Other threads of Python run meanwhile.

        bench: its name, see benches(), or a bench in Python: a function below @kernbench.bench, or any function that takes a
        Context and the parameters. device: the SIP that runs it. verify: compute and check the numbers. live: compute them
        while kernels run, which may read them. ccl: file of the collectives. time_limit_us: simulated time after which the run
        fails. explain: the data have the critical path of each region. Raises RunFailed, BadInput for a file, ValueError for a
        bench or a parameter, and what the host part raises.
        """
        groups = shipped(ccl or "configs/ccl.yaml")
        if isinstance(bench, str):
            words = _words(bench, parameters)
            return Result(self._native.run(bench, None, words, device, verify, live, explain, groups, time_limit_us))
        function: Callable[..., Any] = bench
        name: str = getattr(bench, "__name__", type(bench).__name__)
        values = parameters
        if isinstance(bench, Bench):
            function, values = bench.call, bench.values(parameters)
        contexts: list[Context] = []
        returned: list[Any] = []

        def host_part(native: _language.HostContext) -> None:
            contexts.append(Context(native, values))
            returned.append(variables.run(function, contexts[0], **values))

        variables = contextvars.copy_context()  # the host part has a thread state of its own
        result = self._native.run(name, host_part, {}, device, verify, live, explain, groups, time_limit_us)
        contexts[0]._run.copies, contexts[0]._run.ended = result["copies"] if verify else None, True
        return Result(result, returned[0])

    def serve(self, loads: Sequence[float] = (0.1, 0.3, 0.5, 0.7, 0.9), rate: Optional[float] = None, requests: Optional[Path] = None,
              prompt: int = 128, output: int = 128, seconds: float = 60.0, max_batch: int = 8, seed: int = 1, checks: int = 2,
              jobs: Optional[int] = None, ccl: Optional[Path] = None, **parameters: Value) -> Report:
        """Serves requests by the bench transformer, as `kernbench serve` does, and returns the report.

        loads: rates of arrival as fractions of saturation; rate: requests/s in their place. requests: a file (CSV) in place of
        drawn ones of `prompt` and `output` tokens in the mean, which arrive in `seconds`. max_batch: most sequences decoded at a
        time. checks: drawn steps that are simulated whole. jobs: threads, all processors by default. parameters: those of the
        bench, such as model="configs/models/llama-7b.yaml". Raises BadInput for a file or requests that never fit, and
        ValueError for a parameter.
        """
        words = _words("transformer", parameters)
        return _report(self._native.serve(words, shipped(ccl or "configs/ccl.yaml"), list(loads), rate, str(requests or ""), prompt,
                                          output, seconds, max_batch, seed, checks, jobs or os.cpu_count() or 1))

    def evaluate(self, name: str, quick: bool = False, jobs: Optional[int] = None, ccl: Optional[Path] = None) -> Report:
        """Sweeps a bench over sizes and variants, as `kernbench evaluate` does, and returns the report.

        name: "gemm", "all-reduce", "collectives" or "topologies". quick: small sizes and few systems only. ccl: for "collectives", a ccl.yaml
        whose algorithms that are files run too. Raises ValueError for a name, and BadInput for a file.
        """
        return _report(self._native.evaluate(name, quick, jobs or os.cpu_count() or 1, str(ccl or ""),
                                             shipped("configs/models/tiny.yaml")))

    def cosim(self, workloads: Union[str, _fabrics.Source, Sequence[Union[str, _fabrics.Source]]] = "uniform_random",
              **settings: Any) -> "_fabrics.CosimReport":
        """Runs the same transfers on several fabrics and compares them, as `kernbench cosim` does. Returns a CosimReport.

        workloads: one or a list of: a name of `kernbench cosim --help`, a transfer-trace file, or a source of transfers
        (docs/python.md). settings: fabric ("all"), nodes ("maze"), failed_node, loads, bytes, count, warmup, cycles, seed,
        parameters (of benches), ccl, jobs, models (folder), model (library), checkers, analytic_parameters (file). A missing
        model of the RTL is built. Raises BadInput, and ValueError for a transfer.
        """
        return _fabrics.cosim(self._native, workloads, settings)


def load(file: Optional[Path] = None, **settings: Value) -> Topology:
    """Compiles a topology file, the shipped configs/topology.yaml by default.

    settings: keys of the file with __ for dots, such as pe__clock_ghz=2. Raises BadInput.
    """
    return Topology(file or "configs/topology.yaml", {key.replace("__", "."): value for key, value in settings.items()})


def benches() -> dict[str, dict[str, str]]:
    """Returns the benches and the defaults of their parameters: {name: {parameter: text}}."""
    return _native.benches()


def kernels() -> dict[str, str]:
    """Returns the kernels that a host part in Python can launch: {name: signature}."""
    return _native.kernels()


def load_plugin(*files: Path) -> None:
    """Loads plugins, whose benches, kernels, components and traffic are available afterwards.

    To be called while nothing is simulated. Raises BadInput with the errors of all files.
    """
    _native.load_plugins([str(file) for file in files])
