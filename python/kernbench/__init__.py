# SPDX-License-Identifier: Apache-2.0
"""KernBench from Python: kernels and benches, topologies, probes, traffic, co-simulation, sweeps and reports as pandas frames.

Times are in picoseconds of simulated time. A name that ends in _gbs is in 10^9 bytes per second.
"""

import sys as _sys
import typing as _typing

# The program brings the module that kernels and benches need. In Python the extension module has it.
_IN_PROGRAM = "kernbench._language" in _sys.modules
if not _IN_PROGRAM:
    from kernbench._version import check_python as _check_python

    _check_python()
    from kernbench import _native  # noqa: F401

from kernbench._benches import Bench, InputFile, bench
from kernbench._collectives import CollectiveCall
from kernbench._context import Context, Copy, DPPolicy, Tensor
from kernbench._distributed import ColumnParallelLinear, Distributed, Group, RowParallelLinear
from kernbench._errors import BadInput, Error, KernelError, RunFailed
from kernbench._kernels import Accumulated, Kernel, kernel
from kernbench._language import BadParameter, Cost, CostQuery, Pending, PendingTile, TensorRef, TensorView, Tile, Tl

if _typing.TYPE_CHECKING or not _IN_PROGRAM:
    from kernbench._fabrics import CosimReport, play, traffic
    from kernbench._reports import Report, read_report
    from kernbench._sweeps import read_sweep, sweep
    from kernbench._topology import Result, Topology, benches, kernels, load, load_plugin
else:
    def __getattr__(name: str) -> _typing.Any:
        raise AttributeError(f"kernbench.{name}: a file that `kernbench run` reads has kernels and benches; what runs them is "
                             "for scripts of Python")

__all__ = [
    "Accumulated", "BadInput", "BadParameter", "Bench", "CollectiveCall", "ColumnParallelLinear", "Context", "Copy", "CosimReport", "Cost", "CostQuery", "DPPolicy",
    "Distributed", "Error", "Group", "InputFile", "Kernel", "KernelError", "Pending", "PendingTile", "Report", "Result", "RowParallelLinear", "RunFailed",
    "Tensor", "TensorRef", "TensorView", "Tile", "Tl", "Topology", "bench", "benches", "kernel", "kernels", "load", "load_plugin",
    "play", "read_report", "read_sweep", "sweep", "traffic",
]
