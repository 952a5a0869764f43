# SPDX-License-Identifier: Apache-2.0
"""Energy of a hop through a node: the node [1,1] of a network is of cells, the pins that a regression recorded at A and B drive the
network in Icarus Verilog, and every change of every net of that node is counted.

The pins of the network are compared in every cycle, so that the netlist that is weighed is also seen to work.
"""

import pathlib
import re

import power
import tools

CORE = "MAZE_CORE"
MIDDLE = "dut.\\g_y[1].g_x[1].u_node .cells.u_core"
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
  MAZE_ARRAY dut (
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
        $dumpvars(1, {middle});
      end
      #4 if (((out ^ want) & counts) !== 0) wrong = wrong + 1;
      for (at = 0; at < {ports}; at = at + 1)
        if (cycle >= {warm} && {middle}.valid_o[at] && {middle}.ready_i[at]) hops = hops + 1;
      #1 clk = 1;
      #5 clk = 0;
    end
    $display("%0d %0d", hops, wrong);
    $finish;
  end
endmodule
"""


def bench(plain, netlist, pins, folder):
    """Writes a bench of a file of record_pins, and the network with its nodes in cells. Returns the number of cycles."""
    header, rows = pathlib.Path(pins).read_text().split("pins\n", 1)
    rows = [row.split() for row in rows.splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    for name, column in zip(("rst_n", "in", "want", "counts"), zip(*rows)):
        (folder / name).write_text("\n".join(column))
    size, ports = {"in": 0, "out": 0}, ["    .clk(clk)", "    .rst_n(rst_n)"]
    for line in header.splitlines():
        way, name, value = line.split()
        if way == "fixed":
            ports.append(f"    .{name}({value})")
            continue
        size[way] += int(value)
        ports.append(f"    .{name}({way}[{size[way] - 1}:{size[way] - int(value)}])")
    (folder / "bench.v").write_text(BENCH.format(
        last_in=size["in"] - 1, last_out=size["out"] - 1, cycles=len(rows), warm=power.WARM, middle=MIDDLE,
        ports=sum(name.startswith("valid_o") for name in netlist.module["ports"]), pins=",\n".join(ports)))
    cells = re.sub(rf"^module {CORE}\b", f"module {CORE}_CELLS", netlist.vectors.read_text(), flags=re.MULTILINE)
    text, found = re.subn(rf"^  {CORE} u_core \((.*?)\);$", lambda instance:
                          f"  generate if (HP == 1 && VP == 1) begin : cells\n    {CORE}_CELLS u_core ({instance[1]});\n"
                          f"  end else begin : rtl\n  {instance[0]}\n  end endgenerate",
                          pathlib.Path(plain).read_text(), flags=re.MULTILINE | re.DOTALL)
    if found != 1 or MIDDLE.split(".", 1)[1].split(" ")[0] not in text:
        raise tools.ToolFailure(f"{plain} has no {CORE} at [1,1]; right is the Verilog-2005 of a network with such a node")
    (folder / "network.v").write_text(f"{cells}\n{text}")
    return len(rows)


def measure(netlist, name, plain, pins, folder):
    """Power of a node in each case, and the line of power over hops, in pJ of a hop and of an idle cycle."""
    rows, points = [], []
    files = sorted(pathlib.Path(pins).glob("*.pins"))
    if not files:
        raise tools.ToolFailure(f"{pins} has no .pins, which record_pins writes of scripts/silicon/node-power.yaml")
    for file in files:
        where = folder / file.stem
        cycles = bench(plain, netlist, file, where)
        models = netlist.library.liberty.with_suffix(".v")
        tools.run("iverilog", "-g2005", "-o", where / "bench", where / "bench.v", where / "network.v", models)
        hops, wrong = map(int, re.search(r"^(\d+) (\d+)$", tools.run("sh", "-c", f"cd {where} && vvp -n bench"), re.MULTILINE).groups())
        if wrong:
            raise tools.ToolFailure(f"{file.stem}: the network with nodes in cells differs from the reference in {wrong} cycles")
        cycles -= power.WARM
        found = power.power(netlist, power.changes_of(where / "nets.vcd", cycles), where)
        rows.append({"case": file.stem, "hops_per_cycle": round(hops / cycles, 4), "internal_mw": found.internal,
                     "switching_mw": found.switching, "leakage_mw": found.leakage})
        points.append((hops / cycles, found.total * tools.PERIOD))
    slope, start, off = power.line_of(points)
    return {"unit": name, "library": netlist.library.name, "cases": rows, "pj_per_hop": slope, "idle_pj_per_cycle": start,
            "line_off_pj": off}
