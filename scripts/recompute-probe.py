#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recomputes the latencies of `kernbench probe --json` from a topology export alone.

Usage: scripts/recompute-probe.py [--max-bytes N] EXPORT.json PROBE.json

EXPORT.json   from `kernbench topology export --json`: wires, overheads, memory (docs/topology.md)
PROBE.json    from `kernbench probe --json` on the same topology: names of the nodes of each path, and latencies

Recomputes every row of every case flit by flit and wire by wire, by the recurrence of docs/model.md, and shares no code
with the simulator. Exit code: 0 all rows equal, to the picosecond; 1 some differ (a line each), or nothing was
compared; 2 invalid files or arguments.
"""

import argparse
import json
import math
import sys

# The probe's contract: the access of each family at the end of its path, with addresses from 0 of the slice.
WRITES = {"h2d": True, "d2h": False, "pe_dma": False}
PS_PER_NS = 1000


class BadInput(Exception):
    """An invalid file; the text says which one and why."""


def member(owner, key, kind, where):
    """Returns owner[key]; it must exist and have this kind (int, float, str, list or dict)."""
    if not isinstance(owner, dict) or key not in owner:
        raise BadInput(f"{where}: '{key}' is missing")
    value = owner[key]
    kinds = (int, float) if kind is float else kind
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise BadInput(f"{where}: '{key}' must be of type {kind.__name__}, not {json.dumps(value)}")
    return value


def at_least(owner, key, kind, smallest, where):
    value = member(owner, key, kind, where)
    if not value >= smallest:
        raise BadInput(f"{where}: '{key}' must be at least {smallest}, not {value}")
    return value


def positive(owner, key, where):
    value = member(owner, key, float, where)
    if not 0 < value < math.inf:
        raise BadInput(f"{where}: '{key}' must be above 0, not {value}")
    return value


def read_report(path, kind):
    """Returns the `data` of an artefact and the hash of its inputs."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{path}: no JSON: {error}") from None
    if not isinstance(report, dict) or report.get("schema") != 1 or report.get("kind") != kind:
        raise BadInput(f"{path}: not a '{kind}' file of schema 1")
    return member(report, "data", dict, path), report.get("config_hash")


def hashed(flit, channels):
    """Returns the channel of a flit: its place in its group of `channels`, rotated by a hash of the group's number."""
    bits = (1 << 64) - 1
    x = flit // channels
    x ^= x >> 30
    x = x * 0xbf58476d1ce4e5b9 & bits
    x ^= x >> 27
    x = x * 0x94d049bb133111eb & bits
    x ^= x >> 31
    return (flit + x % channels) % channels


INTERLEAVES = {"hash": hashed, "modulo": lambda flit, channels: flit % channels}


class Wire:
    """A directed edge for data."""

    def __init__(self, edge, where):
        self.bw_gbs = positive(edge, "bw_gbs", where)
        self.propagation_ps = at_least(edge, "propagation_ps", int, 0, where)


class Machine:
    """The parameters of an export that decide times."""

    def __init__(self, data, path):
        system = member(data, "system", dict, path)
        self.flit_bytes = at_least(system, "flit_bytes", int, 1, f"{path}: system")
        self.request_bytes = at_least(system, "request_bytes", int, 1, f"{path}: system")
        where = f"{path}: components"
        hbm = member(member(data, "components", dict, path), "hbm_ctrl", dict, where)
        self.channels = at_least(hbm, "channels", int, 1, f"{where}: hbm_ctrl")
        interleave = member(hbm, "interleave", str, f"{where}: hbm_ctrl")
        if interleave not in INTERLEAVES:
            raise BadInput(f"{where}: hbm_ctrl: unknown interleave {json.dumps(interleave)}; known are "
                           f"{', '.join(INTERLEAVES)}")
        self.channel = INTERLEAVES[interleave]
        self.slice_bw_gbs = positive(hbm, "slice_bw_gbs", f"{where}: hbm_ctrl")
        self.overhead_ps = {}
        self.controllers = set()
        for node in member(data, "nodes", list, path):
            name = member(node, "name", str, f"{path}: a node")
            self.overhead_ps[name] = at_least(node, "overhead_ps", int, 0, f"{path}: node {name}")
            if node.get("kind") == "hbm_ctrl":
                self.controllers.add(name)
        self.wires = {}
        for edge in member(data, "edges", list, path):
            ends = tuple(member(edge, end, str, f"{path}: an edge") for end in ("from", "to"))
            if edge.get("kind") != "command":  # memory traffic takes the data edge of two parallel edges
                self.wires[ends] = Wire(edge, f"{path}: edge {ends[0]} -> {ends[1]}")

    def flits(self, total):
        """Returns the number of flits of `total` bytes and the size of the last flit."""
        count = -(-total // self.flit_bytes)
        return count, total - (count - 1) * self.flit_bytes

    def latency_ps(self, path, write, total):
        """Returns the time from submission to the arrival of the last flit of the response."""
        source_ps = [self.overhead_ps[node] for node in path[:-1]]
        back = path[::-1]
        # The controller's overhead is paid before it serves a flit, not again when the response leaves.
        back_ps = [0] + [self.overhead_ps[node] for node in back[1:-1]]
        control = self.request_bytes
        if write:
            arrivals = self.carry([0] * self.flits(total)[0], path, source_ps, total)
            done = self.serve(arrivals, path[-1], total)[-1]
            return self.carry([done] * self.flits(control)[0], back, back_ps, control)[-1]
        asked = self.carry([0] * self.flits(control)[0], path, source_ps, control)[-1]
        left = self.serve([asked] * self.flits(total)[0], path[-1], total)
        return self.carry(left, back, back_ps, total)[-1]

    def carry(self, times, path, overheads_ps, total):
        """Returns the times at which flits that are at path[0] at `times` arrive at path[-1]."""
        last_bytes = self.flits(total)[1]
        for node, following, overhead_ps in zip(path, path[1:], overheads_ps):
            wire = self.wires[node, following]
            propagation_ps = wire.propagation_ps
            full_ps = occupancy_ps(self.flit_bytes, wire.bw_gbs)
            free = 0
            arrivals = []
            for time in times[:-1]:
                time += overhead_ps
                free = (time if time > free else free) + full_ps
                arrivals.append(free + propagation_ps)
            free = max(times[-1] + overhead_ps, free) + occupancy_ps(last_bytes, wire.bw_gbs)
            arrivals.append(free + propagation_ps)
            times = arrivals
        return times

    def serve(self, times, controller, total):
        """Returns the times at which flits that arrive at a controller at `times` leave it: served by channel, in address order."""
        overhead_ps = self.overhead_ps[controller]
        full_ps = occupancy_ps(self.flit_bytes * self.channels, self.slice_bw_gbs)
        last_ps = occupancy_ps(self.flits(total)[1] * self.channels, self.slice_bw_gbs)
        free = [0] * self.channels
        latest = 0
        left = []
        for index, time in enumerate(times):
            channel = self.channel(index, self.channels)
            service_ps = full_ps if index + 1 < len(times) else last_ps
            free[channel] = max(time + overhead_ps, free[channel]) + service_ps
            latest = max(latest, free[channel])
            left.append(latest)
        return left


def occupancy_ps(size, bw_gbs):
    """Returns the occupancy of a wire or channel by so many bytes, rounded up to a picosecond."""
    return math.ceil(size * PS_PER_NS / bw_gbs)


def checked_path(machine, case, where):
    """Returns the nodes of a case. The export must have each, and wires between them in both directions."""
    path = member(case, "path", list, where)
    if len(path) < 2:
        raise BadInput(f"{where}: a path has at least two nodes")
    for node in path:
        if not isinstance(node, str) or node not in machine.overhead_ps:
            raise BadInput(f"{where}: the export has no node {json.dumps(node)}")
    for a, b in zip(path, path[1:]):
        for ends in ((a, b), (b, a)):
            if ends not in machine.wires:
                raise BadInput(f"{where}: the export has no wire {ends[0]} -> {ends[1]}")
    if path[-1] not in machine.controllers:
        raise BadInput(f"{where}: the path ends at {path[-1]}, which is not an hbm_ctrl")
    return path


def compare(machine, data, probe_file, max_bytes):
    """Returns the number of compared rows, of rows left out for their size, and a line for each that differs."""
    compared = left_out = 0
    differences = []
    for case in member(data, "cases", list, probe_file):
        family = member(case, "family", str, f"{probe_file}: a case")
        what = f"{family} {member(case, 'case', str, f'{probe_file}: a case')}"
        where = f"{probe_file}: {what}"
        if family not in WRITES:
            raise BadInput(f"{where}: unknown family; known are {', '.join(WRITES)}")
        path = checked_path(machine, case, where)
        known = {}  # the summary's size usually occurs in the sweep
        for row in member(case, "results", list, where):
            total = at_least(row, "bytes", int, 1, where)
            actual_ps = member(row, "actual_ps", int, where)
            if max_bytes is not None and total > max_bytes:
                left_out += 1
                continue
            if total not in known:
                known[total] = machine.latency_ps(path, WRITES[family], total)
            compared += 1
            if known[total] != actual_ps:
                differences.append(f"{what}, {total} bytes: {actual_ps} ps in the probe, "
                                   f"{known[total]} ps from the export")
    return compared, left_out, differences


def main():
    parser = argparse.ArgumentParser(description="Recomputes the latencies of a probe from a topology export alone.")
    parser.add_argument("export", help="file of `kernbench topology export --json`")
    parser.add_argument("probe", help="file of `kernbench probe --json`")
    parser.add_argument("--max-bytes", type=int, help="leave out larger transfers, which take seconds (default: none)")
    args = parser.parse_args()
    try:
        topology, topology_hash = read_report(args.export, "topology")
        probe, probe_hash = read_report(args.probe, "probe")
        if topology_hash != probe_hash:
            print("warning: the two files were made from different topology files", file=sys.stderr)
        compared, left_out, differences = compare(Machine(topology, args.export), probe, args.probe, args.max_bytes)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in differences:
        print(line)
    note = f"; {left_out} above --max-bytes left out" if left_out else ""
    if compared == 0:
        print(f"FAIL  nothing was compared{note}")
        return 1
    if differences:
        print(f"FAIL  {len(differences)} of {compared} rows differ{note}")
        return 1
    print(f"PASS  {compared} rows recomputed, all equal{note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
