# SPDX-License-Identifier: Apache-2.0
"""Energy of a hop through a node: the core of a node is of cells, the pins that a regression recorded at its links, A and B drive it
in Icarus Verilog, and every change of every net is counted.

The outputs are compared with those of the reference in every cycle, so that the netlist that is weighed is also seen to work. A
case with constant data has the packets of full load, each with the same data; one without load offers none.
"""

import dataclasses
import re

import power
import tools
import units

BENCH = """`timescale 1ns / 1ps
module bench;
  reg clk = 0, rst_n = 1;
  reg [{last_in}:0] in;
  wire [{last_out}:0] out;
  reg [{last_out}:0] want, counts;
  reg [3:0] all_rst_n [0:{cycles} - 1];
  reg [{last_in}:0] all_in [0:{cycles} - 1];
  reg [{last_out}:0] all_want [0:{cycles} - 1], all_counts [0:{cycles} - 1];
  integer cycle, hops = 0, wrong = 0, at;
  MAZE_CORE dut (
{pins}
  );
  initial begin
    $readmemh("rst_n", all_rst_n);
    $readmemh("in", all_in);
    $readmemh("want", all_want);
    $readmemh("counts", all_counts);
    #1;
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      rst_n = all_rst_n[cycle][0];
      in = all_in[cycle];
      want = all_want[cycle];
      counts = all_counts[cycle];
      if (cycle == {warm}) begin
        $dumpfile("nets.vcd");
        $dumpvars(1, dut);
      end
      #4 if (((out ^ want) & counts) !== 0) wrong = wrong + 1;
      // Vectors of inputs: valid, ready, payload; of outputs: ready, valid, payload.
      for (at = 0; at < {ports}; at = at + 1)
        if (cycle >= {warm} && out[{ports} + at] && in[{ports} + at]) hops = hops + 1;
      #1 clk = 1;
      #5 clk = 0;
    end
    $display("%0d %0d", hops, wrong);
    $finish;
  end
endmodule
"""
VECTORS = ["valid_i", "ready_i", "payload_i", "ready_o", "valid_o", "payload_o"]
DATA = 8  # lowest bits of a packet, by which no node decides


@dataclasses.dataclass
class Traffic:
    """The pins of a node in one case: (rst_n, inputs, outputs, which bits of the outputs count) of each cycle."""

    name: str
    pins: list  # (in, out or fixed, name, width or value)
    rows: list

    @property
    def ports(self):
        return int(self.pins[0][2])

    @property
    def bits(self):
        """The bits of a packet."""
        return int(self.pins[2][2]) // self.ports


def held(rows, ports, width):
    """The inputs of the rows with the payload of each port kept while nothing is offered, as the flops in front of it keep it."""
    mask, last, found = (1 << width) - 1, [0] * ports, []
    for row in rows:
        for port in range(ports):
            if row >> port & 1:
                last[port] = row >> 2 * ports + port * width & mask
        found.append(row & (1 << 2 * ports) - 1 | sum(value << 2 * ports + port * width for port, value in enumerate(last)))
    return found


def traffic_of(file):
    """Reads a file of record_pins."""
    header, text = file.read_text().split("pins\n", 1)
    pins = [tuple(line.split()) for line in header.splitlines()]
    if [name for way, name, _ in pins if way != "fixed"] != VECTORS:
        raise tools.ToolFailure(f"{file} has not the pins of a MAZE_CORE, which record_pins writes of a node")
    return Traffic(file.stem, pins, [tuple(int(word, 16) for word in row.split()) for row in text.splitlines()])


def at_rest(full):
    """The case without load: every port is ready, and none offers a packet."""
    ready = (1 << full.ports) - 1
    return Traffic("load-0.0", full.pins, [(rst_n, ready << full.ports, ready, (1 << 2 * full.ports) - 1) for rst_n, *_ in full.rows])


def constant(full):
    """The case in which every packet has the same data, half of whose bits are set."""
    lows = [2 * full.ports + port * full.bits for port in range(full.ports)]
    mask, same = (sum(value << low for low in lows) for value in ((1 << DATA) - 1, 0x55))
    return Traffic("constant", full.pins, [(rst_n, inputs & ~mask | same, outputs & ~mask | same, counts)
                                           for rst_n, inputs, outputs, counts in full.rows])


def cases(pins):
    """The recorded cases, and those that are made of them."""
    recorded = {file.stem: traffic_of(file) for file in power.recorded_files(pins, "node-power.yaml")}
    full = recorded["load-1.0"]
    return [at_rest(full), *recorded.values(), constant(full)]


def write_bench(traffic, folder):
    """Writes the bench of a case."""
    rst_n, inputs, want, counts = zip(*traffic.rows)
    folder.mkdir(parents=True, exist_ok=True)
    for name, column in (("rst_n", rst_n), ("in", held(inputs, traffic.ports, traffic.bits)), ("want", want), ("counts", counts)):
        (folder / name).write_text("\n".join(f"{value:x}" for value in column))
    size, connections = {"in": 0, "out": 0}, ["    .clk(clk)", "    .rst_n(rst_n)"]
    for way, name, value in traffic.pins:
        if way == "fixed":
            connections.append(f"    .{name}({value})")
            continue
        size[way] += int(value)
        connections.append(f"    .{name}({way}[{size[way] - 1}:{size[way] - int(value)}])")
    (folder / "bench.v").write_text(BENCH.format(last_in=size["in"] - 1, last_out=size["out"] - 1, cycles=len(rst_n), warm=power.WARM,
                                                 ports=traffic.ports, pins=",\n".join(connections)))


def activities(netlist, traffic, folder):
    """Returns (changes of each net in a cycle by name, hops in a cycle)."""
    write_bench(traffic, folder)
    tools.run("iverilog", "-g2005", "-o", folder / "bench", folder / "bench.v", netlist.vectors, netlist.library.liberty.with_suffix(".v"))
    hops, wrong = map(int, re.search(r"^(\d+) (\d+)$", tools.run("sh", "-c", f"cd {folder} && vvp -n bench"), re.MULTILINE).groups())
    if wrong:
        raise tools.ToolFailure(f"{traffic.name}: the node in cells differs from the reference in {wrong} cycles")
    cycles = len(traffic.rows) - power.WARM
    return power.changes_of(folder / "nets.vcd", cycles), hops / cycles


def measure(netlist, name, pins, folder, wires=None):
    """Power of a node over hops. wires: a SPEF file of its layout."""
    def runs():
        for traffic in cases(pins):
            where = folder / traffic.name
            yield traffic.name, where, *activities(netlist, traffic, where), {}

    return power.weigh(netlist, name, "hop", runs(), wires)


def measure_parts(unit, library, pins, folder):
    """Power of the parts of a node, in mW at rest and at full load, and in pJ of a hop: the node is mapped part by part, and the
    power of their cells added up. What belongs to no part is the crossbar."""
    tools.synthesize(unit, library, folder, units.NODE_MODULES)
    netlist = power.netlist_of(unit.top, library, folder)
    cells = {part: {} for part in (*units.NODE_MODULES, "crossbar")}
    for name, cell in netlist.module["cells"].items():
        at = int(cell["attributes"]["part"], 2) if "part" in cell["attributes"] else -1
        list(cells.values())[at][name] = cell["type"]

    def watts(case):
        (traffic,) = (one for one in cases(pins) if one.name == case)
        changes, hops = activities(netlist, traffic, folder / case)
        each = power.power(netlist, changes, folder / case, cells=netlist.cells).cells
        return {part: sum(each[name] for name in names) for part, names in cells.items()}, hops

    (rest, _), (full, hops) = watts("load-0.0"), watts("load-1.0")
    return [{"part": part, "library": library.name, "cells": len(names), "area_um2": sum(library.areas[kind] for kind in names.values()),
             "rest_mw": rest[part], "full_mw": full[part], "pj_per_hop": (full[part] - rest[part]) * tools.PERIOD / hops}
            for part, names in cells.items()]
