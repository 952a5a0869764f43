# SPDX-License-Identifier: Apache-2.0
"""Power of a link from its own traffic: the pins of a regression drive its netlist in Icarus Verilog, every net's changes
are counted, and OpenSTA weighs them.

The pins are those of TOPO at 8x2 that record_pins writes. A link's pins keep their payload while nothing is offered, as the
flops in front of a link do. A case with constant payload offers the first packet again and again; one without load offers
none.
"""

import dataclasses
import json
import pathlib
import re

import tools

BENCH = """`timescale 1ns / 1ps
module bench;
  reg clk = 0, rst_n = 1, valid = 0, ready = 0;
  reg [22:0] payload = 0;
  reg [25:0] rows [0:{cycles} - 1];
  integer cycle;
  {dut}
  initial begin
    $readmemh("rows", rows);
    #1;
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      {{rst_n, ready, valid, payload}} = rows[cycle];
      if (cycle == {warm}) begin
        $dumpfile("nets.vcd");
        $dumpvars(1, dut);
      end
      #4 if (cycle >= {warm} && valid && ready_o) accepted = accepted + 1;
      #1 clk = 1;
      #5 clk = 0;
    end
    $display("%0d", accepted);
    $finish;
  end
  wire ready_o;
  integer accepted = 0;
endmodule
"""
WARM = 20  # cycles before the count: the reset, and the first packets


@dataclasses.dataclass
class Traffic:
    """The pins of one link in one case: (rst_n, ready, valid, payload) of each cycle."""

    name: str
    rows: list


def traffic_of(file, port):
    """Reads the pins of output x[port] of node 0 from a file of record_pins."""
    header, text = pathlib.Path(file).read_text().split("pins\n", 1)
    place, size = {}, {"in": 0, "out": 0}
    for line in header.splitlines():
        way, name, width = line.split()
        place[name] = size[way]
        size[way] += int(width)
    nodes = 16
    widths = {field: int(re.search(rf"^in node_if_xo_{field} (\d+)$", header, re.MULTILINE)[1]) // (nodes * 7)
              for field in ("data", "tgt", "src", "qos", "type")}
    rows, payload = [], 0
    for row in text.splitlines():
        rst_n, pins = row.split()[:2]
        pins = int(pins, 16)
        valid = pins >> place["node_if_xo_vld"] + port & 1
        ready = pins >> place["node_if_xi_rdy"] + (port + 1) * 7 + port & 1
        if valid:
            payload, low = 0, 0
            for field, width in widths.items():
                payload |= (pins >> place[f"node_if_xo_{field}"] + port * width & (1 << width) - 1) << low
                low += width
        rows.append((int(rst_n), ready, valid, payload))
    return Traffic(pathlib.Path(file).stem, rows)


def cases(pins, port):
    """The recorded cases, and those that are made of them."""
    recorded = [traffic_of(file, port) for file in sorted(pathlib.Path(pins).glob("*.pins"))]
    full = next((one for one in recorded if one.name == "load-1.0"), None)
    if full is None:
        raise tools.ToolFailure(f"{pins} has no load-1.0.pins, which record_pins writes of scripts/silicon/power.yaml")
    packet = next(row[3] for row in full.rows if row[2])
    return [Traffic("load-0.0", [(row[0], 1, 0, packet) for row in full.rows]), *recorded,
            Traffic("constant", [(*row[:3], packet) for row in full.rows])]


def activities(netlist, unit, traffic, folder):
    """Returns (changes of each net in a cycle by name, packets accepted in a cycle)."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rows").write_text("\n".join(f"{(((rst << 1 | ready) << 1 | valid) << 23) | payload:x}"
                                           for rst, ready, valid, payload in traffic.rows))
    pins = [".clk(clk)", ".rst_n(rst_n)", ".valid_i(valid)", ".ready_i(ready)", ".ready_o(ready_o)",
            *(f".\\payload_i[{bit}] (payload[{bit}])" for bit in range(23))]
    (folder / "bench.v").write_text(BENCH.format(cycles=len(traffic.rows), warm=WARM, dut=f"{unit.top} dut ({', '.join(pins)});"))
    models = netlist.library.liberty.with_suffix(".v")
    tools.run("iverilog", "-g2005", "-o", folder / "bench", folder / "bench.v", netlist.file, models)
    accepted = int(re.search(r"^(\d+)$", tools.run("sh", "-c", f"cd {folder} && vvp -n bench"), re.MULTILINE)[1])
    names, counts, started = {}, {}, False
    for line in (folder / "nets.vcd").read_text().splitlines():
        variable = re.match(r"\$var \w+ 1 (\S+) (\S+) \$end", line)
        if variable:
            names.setdefault(variable[1], []).append(variable[2])
        elif line == "$end" and not started:
            started = True  # of the values at the start
        elif started and line[:1] in "01" and line[1:] in names:
            counts[line[1:]] = counts.get(line[1:], 0) + 1
    cycles = len(traffic.rows) - WARM
    return {name: counts.get(key, 0) / cycles for key, all_names in names.items() for name in all_names}, accepted / cycles


def power(netlist, unit, changes, folder):
    """Returns (internal, switching, leakage) in mW at 100 MHz."""
    lines = []
    for cell, connections in netlist.cells.items():
        for pin, bit in connections.items():
            if pin != "CLK":
                lines.append(f"sta::set_power_pin_activity [get_pins {cell}/{pin}] {changes.get(netlist.nets.get(bit), 0):.6f} 0.5")
    script = folder / "power.tcl"
    script.write_text("\n".join([
        f"read_liberty {netlist.library.liberty}", f"read_verilog {netlist.file}", f"link_design {unit.top}",
        f"create_clock -name clk -period {tools.PERIOD} [get_ports clk]", "set_power_activity -input -activity 0.0 -duty 0.5",
        *lines, "report_power", "exit", ""]))
    said = tools.run("sta", "-no_splash", "-exit", script)
    total = re.search(r"^Total +(\S+) +(\S+) +(\S+)", said, re.MULTILINE)
    if not total:
        raise tools.ToolFailure(f"{unit.name}: OpenSTA reports no power:\n{said.strip()}")
    return tuple(float(value) * 1e3 for value in total.groups())


@dataclasses.dataclass
class Netlist:
    """A mapped module whose nets are single bits."""

    file: pathlib.Path
    library: object
    nets: dict   # bit: name of its net
    cells: dict  # name: {pin: bit}


def netlist_of(unit, library, folder):
    """Reads the netlist of a mapped unit with a net for each bit from the folder of its synthesis."""
    module = json.loads((folder / "nets.json").read_text())["modules"][unit.top]
    nets = {}
    for name, net in module["netnames"].items():
        nets.setdefault(net["bits"][0], name)
    return Netlist(folder / "nets.v", library, nets, {
        name: {pin: bits[0] for pin, bits in cell["connections"].items()} for name, cell in module["cells"].items()})


def line_of(points):
    """The line of least squares through points: (slope, intercept, greatest distance of a point)."""
    mean_x, mean_y = (sum(point[at] for point in points) / len(points) for at in (0, 1))
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points))
    start = mean_y - slope * mean_x
    return slope, start, max(abs(y - start - slope * x) for x, y in points)


def measure(unit, library, depth, pins, folder):
    """Power of a link of a depth in each case, and the line of power over packets, in pJ of a packet and of an idle cycle."""
    netlist = netlist_of(unit, library, folder.parent)
    rows, points = [], []
    for traffic in cases(pins, depth):
        changes, packets = activities(netlist, unit, traffic, folder / traffic.name)
        internal, switching, leakage = power(netlist, unit, changes, folder / traffic.name)
        rows.append({"case": traffic.name, "packets_per_cycle": round(packets, 4), "internal_mw": internal, "switching_mw": switching,
                     "leakage_mw": leakage})
        if traffic.name.startswith("load"):
            points.append((packets, (internal + switching + leakage) * tools.PERIOD))
    slope, start, off = line_of(points)
    return {"unit": unit.name, "library": library.name, "cases": rows, "pj_per_packet": slope, "idle_pj_per_cycle": start,
            "line_off_pj": off}
