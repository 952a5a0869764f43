# SPDX-License-Identifier: Apache-2.0
"""Traffic on base topologies, and co-simulation on several fabrics."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy
import pandas

from kernbench import _native
from kernbench._places import root, shipped, text
from kernbench._reports import Report

# Chunks of transfers: anything from which pandas makes a frame with the columns of a transfer-trace.
Chunks = Iterable[Union[pandas.DataFrame, Mapping[str, Any], Sequence[Mapping[str, Any]]]]
Source = Union[Chunks, Callable[[], Chunks]]

_QOS = {"low": 0, "high": 1}
_TYPES = {"unicast": 0, "x_multicast": 1, "y_multicast": 2, "broadcast": 3}
_LOADS = (0.05, 0.1, 0.3, 0.5, 0.7, 0.9)


def traffic(topology: str, pattern: str = "uniform_random", *, loads: Iterable[float] = _LOADS, bytes: int = 1,
            packet_bits: int = 8, warmup: int = 1000, cycles: int = 10000, seed: int = 1, maze: bool = False,
            hotspot_node: int = 0, hotspot_share: float = 0.5, fabric: str = "", lanes: int = 1, slots: int = 8, stages: int = 1,
            packet_flits: int = 16) -> Report:
    """Measures latency over load of synthetic traffic on a base topology, as `kernbench traffic` does.

    topology: a text such as "Mesh2D(4,4)", or a YAML file. loads: packets per sending node and cycle, 0 to 1. warmup, cycles:
    before and of the measurement. maze: the nodes and links of a MAZE, for a FlattenedButterfly. fabric: "analytic", an
    estimate, or "cycle", the cycle-accurate reference; by default analytic, with maze cycle. lanes, slots, stages, packet_flits:
    sizes of the routers. Returns a Report with the frame "loads". Raises BadInput for a topology, and ValueError for anything else.
    """
    loads = [float(load) for load in loads]
    for load in loads:
        if not 0 <= load <= 1:
            raise ValueError(f"load {load} is not between 0 and 1")
    if min(bytes, packet_bits, cycles) < 1 or min(warmup, seed, hotspot_node) < 0:
        raise ValueError("bytes, packet_bits and cycles are at least 1, warmup, seed and hotspot_node at least 0")
    data, outcome = _native.traffic(topology, pattern, loads, bytes, packet_bits, warmup, cycles, seed, maze, hotspot_node,
                                    hotspot_share, fabric, (lanes, slots, stages, packet_flits))
    return Report({"kind": "traffic", "outcome": outcome, "seed": seed, "data": json.loads(data)})


def play(topology: str, source: Source, *, packet_bits: int = 8, maze: bool = False) -> pandas.DataFrame:
    """Carries the transfers of a source over the analytic fabric of a base topology, with a clock period of 1000 ps.

    Returns a frame with a row for each transfer: time_ps, src, dst, bytes, qos, type and done_ps. Raises ValueError for a
    transfer that cannot be carried.
    """
    transfers = _transfers(source, _native.nodes_of_base(topology))
    return pandas.DataFrame(_native.play(topology, transfers, packet_bits, maze))


class CosimReport(Report):
    """The report of a co-simulation, and the times of its transfers."""

    def __init__(self, envelope: Mapping[str, Any], native: _native.CosimResults) -> None:
        super().__init__(envelope)
        self._native = native

    def transfers(self, workload: int = 0) -> pandas.DataFrame:
        """Returns a row for each transfer of a workload, given by its row in frame("workloads").

        The columns are those of a transfer-trace, and done_ps.FABRIC for each fabric: -1 for what was not delivered.
        """
        return pandas.DataFrame(self._native.transfers(workload))


def cosim(topology: _native.Topology, workloads: Union[str, Source, Sequence[Union[str, Source]]],
          settings: Mapping[str, Any]) -> CosimReport:
    values: dict[str, Any] = {
        "fabric": "all", "nodes": "maze", "failed_node": None, "loads": _LOADS, "bytes": 1, "count": 100, "warmup": 200,
        "cycles": 2000, "seed": 1, "parameters": {}, "ccl": "configs/ccl.yaml", "jobs": os.cpu_count() or 1, "models": "",
        "model": "", "checkers": True, "analytic_parameters": ""}
    unknown = sorted(set(settings) - set(values))
    if unknown:
        raise TypeError(f"cosim() has no setting {', '.join(unknown)}; it has {', '.join(values)}")
    values.update(settings)
    values["loads"] = [float(load) for load in values["loads"]]
    values["parameters"] = {key: text(value) for key, value in values["parameters"].items()}
    values["ccl"] = shipped(values["ccl"])
    for name in ("models", "model", "analytic_parameters"):
        values[name] = str(values[name])
    values["root"] = str(root())
    if isinstance(workloads, (str, os.PathLike)) or callable(workloads) or not _is_list_of_workloads(workloads):
        workloads = [workloads]
    if not workloads:
        raise ValueError("cosim() needs at least one workload")
    chosen = [_workload(one, topology) for one in workloads]
    native = _native.cosim(topology, chosen, values)
    return CosimReport({"kind": "cosim-report", "outcome": native.outcome, "seed": values["seed"],
                        "config_hash": native.config_hash, "data": json.loads(native.data)}, native)


def _is_list_of_workloads(workloads: Any) -> bool:
    """A list of names and sources, and no source itself, whose items are chunks."""
    return isinstance(workloads, (list, tuple)) and all(
        isinstance(one, (str, os.PathLike)) or callable(one) or hasattr(one, "__next__") for one in workloads)


def _workload(workload: Any, topology: _native.Topology) -> Union[str, tuple[str, _native.Transfers]]:
    if isinstance(workload, (str, os.PathLike)):
        return shipped(workload)
    return getattr(workload, "__name__", "source"), _transfers(workload, _native.maze_nodes(topology))


def _transfers(source: Source, nodes: int) -> _native.Transfers:
    transfers = _native.Transfers(nodes)
    for chunk in source() if callable(source) else source:
        frame = chunk if isinstance(chunk, pandas.DataFrame) else pandas.DataFrame(chunk)
        known = ("time_ps", "src", "dst", "bytes", "qos", "type")
        unknown, missing = set(frame) - set(known), {"time_ps", "src", "bytes"} - set(frame)
        if unknown or missing:
            raise ValueError(f"a chunk of transfers has the columns {', '.join(frame)}; needed are time_ps, src, dst and bytes, "
                             "and there may be qos and type")
        count = len(frame)
        times, sources, targets, sizes = (_whole(frame, name) if name in frame else numpy.zeros(count, numpy.int64)
                                          for name in known[:4])
        transfers.extend(times, sources, targets, sizes, _numbers(frame, "qos", _QOS), _numbers(frame, "type", _TYPES))
    if len(transfers) == 0:
        raise ValueError("the source has no transfers")
    return transfers


def _whole(frame: pandas.DataFrame, name: str) -> Any:
    """The whole numbers of a column. That of a broadcast may have no dst."""
    given = frame[name].fillna(0) if name == "dst" else frame[name]
    whole = given.to_numpy(numpy.int64)
    if not numpy.array_equal(whole, given.to_numpy()):
        raise ValueError(f"{name} has values that are not whole numbers")
    return whole


def _numbers(frame: pandas.DataFrame, name: str, numbers: Mapping[str, int]) -> Any:
    """The numbers of words, 0 where there is no column."""
    if name not in frame:
        return numpy.zeros(len(frame), numpy.uint8)
    values = frame[name].map(numbers)
    if values.isna().any():
        wrong = frame[name][values.isna()].iloc[0]
        raise ValueError(f"{name} '{wrong}' does not exist; one of {', '.join(numbers)}")
    return values.to_numpy(numpy.uint8)
