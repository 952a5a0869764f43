# SPDX-License-Identifier: Apache-2.0
"""KernBench from Python: topologies, probes, benches, traffic, co-simulation, sweeps and reports as pandas frames.

Times are in picoseconds of simulated time. A name that ends in _gbs is in 10^9 bytes per second.
"""

from kernbench._errors import BadInput, Error, RunFailed
from kernbench._fabrics import CosimReport, play, traffic
from kernbench._host import Copy, Host, Tensor
from kernbench._reports import Report, read_report
from kernbench._sweeps import read_sweep, sweep
from kernbench._topology import Result, Topology, benches, kernels, load, load_plugin

__all__ = [
    "BadInput", "Copy", "CosimReport", "Error", "Host", "Report", "Result", "RunFailed", "Tensor", "Topology", "benches",
    "kernels", "load", "load_plugin", "play", "read_report", "read_sweep", "sweep", "traffic",
]
