# SPDX-License-Identifier: Apache-2.0
"""Energy of a hop through a node: the core of a node is of cells, the pins that a regression recorded at its links, A and B drive it
in Icarus Verilog, and every change of every net is counted.

The outputs are compared with those of the reference in every cycle, so that the netlist that is weighed is also seen to work.
"""

import pathlib
import re

import power
import tools

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


def held(rows, ports, width):
    """The inputs of the rows with the payload of each port kept while nothing is offered, as the flops in front of it keep it."""
    mask, last, found = (1 << width) - 1, [0] * ports, []
    for row in rows:
        for port in range(ports):
            if row >> port & 1:
                last[port] = row >> 2 * ports + port * width & mask
        found.append(row & (1 << 2 * ports) - 1 | sum(value << 2 * ports + port * width for port, value in enumerate(last)))
    return found


def bench(pins, folder):
    """Writes a bench of a file of record_pins. Returns the number of cycles."""
    header, text = pathlib.Path(pins).read_text().split("pins\n", 1)
    lines = [line.split() for line in header.splitlines()]
    if [name for way, name, _ in lines if way != "fixed"] != VECTORS:
        raise tools.ToolFailure(f"{pins} has not the pins of a MAZE_CORE, which record_pins writes of a node")
    ports, bits = (int(lines[at][2]) for at in (0, 2))
    rst_n, inputs, want, counts = zip(*(row.split() for row in text.splitlines()))
    inputs = [f"{row:x}" for row in held([int(row, 16) for row in inputs], ports, bits // ports)]
    folder.mkdir(parents=True, exist_ok=True)
    for name, column in (("rst_n", rst_n), ("in", inputs), ("want", want), ("counts", counts)):
        (folder / name).write_text("\n".join(column))
    size, connections = {"in": 0, "out": 0}, ["    .clk(clk)", "    .rst_n(rst_n)"]
    for way, name, value in lines:
        if way == "fixed":
            connections.append(f"    .{name}({value})")
            continue
        size[way] += int(value)
        connections.append(f"    .{name}({way}[{size[way] - 1}:{size[way] - int(value)}])")
    (folder / "bench.v").write_text(BENCH.format(last_in=size["in"] - 1, last_out=size["out"] - 1, cycles=len(rst_n), warm=power.WARM,
                                                 ports=ports, pins=",\n".join(connections)))
    return len(rst_n)


def measure(netlist, name, pins, folder, wires=None):
    """Power of a node in each case, and the line of power over hops, in pJ of a hop and of an idle cycle. wires: a SPEF file of its
    layout."""
    rows, points = [], []
    files = sorted(pathlib.Path(pins).glob("*.pins"))
    if not files:
        raise tools.ToolFailure(f"{pins} has no .pins, which record_pins writes of scripts/silicon/node-power.yaml")
    for file in files:
        where = folder / file.stem
        cycles = bench(file, where) - power.WARM
        tools.run("iverilog", "-g2005", "-o", where / "bench", where / "bench.v", netlist.vectors, netlist.library.liberty.with_suffix(".v"))
        hops, wrong = map(int, re.search(r"^(\d+) (\d+)$", tools.run("sh", "-c", f"cd {where} && vvp -n bench"), re.MULTILINE).groups())
        if wrong:
            raise tools.ToolFailure(f"{file.stem}: the node in cells differs from the reference in {wrong} cycles")
        found = power.power(netlist, power.changes_of(where / "nets.vcd", cycles), where, wires)
        rows.append({"case": file.stem, "hops_per_cycle": round(hops / cycles, 4), "internal_mw": found.internal,
                     "switching_mw": found.switching, "leakage_mw": found.leakage, "clock_buffers_mw": found.tree})
        if file.stem.startswith("load"):
            points.append((hops / cycles, found.total * tools.PERIOD))
    slope, start, off = power.line_of(points)
    return {"unit": name, "library": netlist.library.name, "cases": rows, "pj_per_hop": slope, "idle_pj_per_cycle": start,
            "line_off_pj": off}
