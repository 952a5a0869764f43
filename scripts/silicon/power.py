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
  integer cycle, accepted = 0, busy = 0, held = 0;
  wire ready_o, valid_o;
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
      #4 if (cycle >= {warm} && (valid || held != 0)) busy = busy + 1;
      if (cycle >= {warm} && valid && ready_o) accepted = accepted + 1;
      held = rst_n ? held + (valid && ready_o) - (valid_o && ready) : 0;
      #1 clk = 1;
      #5 clk = 0;
    end
    $display("%0d %0d", accepted, busy);
    $finish;
  end
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


def recorded_files(pins, suites):
    """The files of record_pins in a folder, of these suites."""
    files = sorted(pathlib.Path(pins).glob("*.pins"))
    if not any(file.stem == "load-1.0" for file in files):
        raise tools.ToolFailure(f"{pins} has no load-1.0.pins, which record_pins writes of scripts/silicon/{suites}")
    return files


def cases(pins, port):
    """The recorded cases, and those that are made of them."""
    recorded = {file.stem: traffic_of(file, port) for file in recorded_files(pins, "power.yaml")}
    full = recorded["load-1.0"]
    packet = next(row[3] for row in full.rows if row[2])
    return [Traffic("load-0.0", [(row[0], 1, 0, packet) for row in full.rows]), *recorded.values(),
            Traffic("constant", [(*row[:3], packet) for row in full.rows])]


def changes_of(dump, cycles):
    """The changes of each bit of a VCD file in a cycle, by name, or NAME[BIT] of a vector."""
    names, counts, values, dumped, started = {}, {}, {}, False, False
    with open(dump) as lines:
        for line in lines:
            word = line.split()
            if not word:
                continue
            if word[0] == "$var":
                bits = re.fullmatch(r"\[(\d+):0\]", word[5]) if word[5] != "$end" else None
                names.setdefault(word[3], []).append((word[4], int(bits[1]) + 1 if bits else 1))
            elif word[0] == "$dumpvars":
                dumped = True
            elif word[0] == "$end":
                started = dumped  # the values at the start are complete
            elif word[0][0] == "b":
                new, key = word[0][1:], word[1]
                new = new.rjust(names[key][0][1], "0" if new[0] == "1" else new[0])[::-1]
                if started:
                    for bit, (one, other) in enumerate(zip(values[key], new)):
                        if one != other:
                            counts[key, bit] = counts.get((key, bit), 0) + 1
                values[key] = new
            elif word[0][0] in "01xz" and started:
                counts[word[0][1:], 0] = counts.get((word[0][1:], 0), 0) + 1
    return {name if width == 1 else f"{name}[{bit}]": counts.get((key, bit), 0) / cycles
            for key, all_names in names.items() for name, width in all_names for bit in range(width)}


def activities(netlist, traffic, folder):
    """Returns (changes of each net in a cycle by name, packets accepted in a cycle, share of cycles in which the link holds a
    packet or is offered one)."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rows").write_text("\n".join(f"{(((rst << 1 | ready) << 1 | valid) << 23) | payload:x}"
                                           for rst, ready, valid, payload in traffic.rows))
    pins = [".clk(clk)", ".rst_n(rst_n)", ".valid_i(valid)", ".ready_i(ready)", ".ready_o(ready_o)", ".valid_o(valid_o)",
            *(f".\\payload_i[{bit}] (payload[{bit}])" for bit in range(23))]
    (folder / "bench.v").write_text(BENCH.format(cycles=len(traffic.rows), warm=WARM, dut=f"{netlist.top} dut ({', '.join(pins)});"))
    models = netlist.library.liberty.with_suffix(".v")
    tools.run("iverilog", "-g2005", "-o", folder / "bench", folder / "bench.v", netlist.bits, models)
    said = tools.run("sh", "-c", f"cd {folder} && vvp -n bench")
    accepted, busy = map(int, re.search(r"^(\d+) (\d+)$", said, re.MULTILINE).groups())
    cycles = len(traffic.rows) - WARM
    return changes_of(folder / "nets.vcd", cycles), accepted / cycles, busy / cycles


@dataclasses.dataclass
class Power:
    """Power in mW at 100 MHz."""

    internal: float
    switching: float
    leakage: float
    tree: float  # of the buffers of the clock, contained in the others
    cells: dict  # of these buffers and of the cells that were asked for, by name

    @property
    def total(self):
        return self.internal + self.switching + self.leakage


def reported(netlist, clock, lines, folder, cells=()):
    """Returns the report of OpenSTA behind these lines, for a clock at this port, and the totals in milliwatts: internal,
    switching, leakage, all. cells: those that are reported one by one, too."""
    script = folder / "power.tcl"
    script.write_text("\n".join([
        f"read_liberty {netlist.library.liberty}", f"read_verilog {netlist.vectors}", f"link_design {netlist.top}",
        f"create_clock -name clk -period {tools.PERIOD} [get_ports {clock}]", *lines, "report_power -digits 6",
        *([f"report_power -digits 6 -instances [get_cells {{{' '.join(cells)}}}]"] if cells else []), "exit", ""]))
    said = tools.run("sta", "-no_splash", "-exit", script)
    total = re.search(r"^Total +(\S+) +(\S+) +(\S+) +(\S+)", said, re.MULTILINE)
    if not total:
        raise tools.ToolFailure(f"{netlist.top}: OpenSTA reports no power:\n{said.strip()}")
    return said, [float(value) * 1e3 for value in total.groups()]


def power(netlist, changes, folder, wires=None, cells=()):
    """Weighs changes of nets in a cycle. wires: a SPEF file of the layout. cells: those to weigh one by one."""
    lines, buffers = [], netlist.clock_buffers()
    for cell, connections in netlist.cells.items():
        for pin, bit in connections.items():
            if pin != "CLK" and cell not in buffers:
                lines.append(f"sta::set_power_pin_activity [get_pins {cell}/{pin}] {changes.get(netlist.nets.get(bit), 0):.6f} 0.5")
    said, totals = reported(netlist, "clk", [
        *([f"set_propagated_clock [get_clocks clk]\nread_spef {wires}"] if wires else []),
        "set_power_activity -input -activity 0.0 -duty 0.5", *lines], folder, [*buffers, *cells])
    each = {name: float(watts) * 1e3 for watts, name in re.findall(r"^ +\S+ +\S+ +\S+ +(\S+) (\S+)$", said, re.MULTILINE)}
    return Power(*totals[:3], sum(each[buffer] for buffer in buffers), {cell: each[cell] for cell in (*buffers, *cells)})


def of_gate(netlist, folder):
    """Milliwatts of an open clock gate at 100 MHz."""
    _, totals = reported(netlist, "clk_i", [
        "set_propagated_clock [get_clocks clk]", "set_power_activity -input -activity 0.0 -duty 0.5"], folder)
    return totals[3]


@dataclasses.dataclass
class Netlist:
    """A mapped module."""

    top: str
    library: object
    vectors: pathlib.Path  # with ports as the RTL has them
    bits: pathlib.Path     # with a port for each bit
    nets: dict             # bit: name of its net
    cells: dict            # name: {pin: bit}
    module: dict           # as Yosys writes it

    def clock_buffers(self, clock="clk"):
        """The cells between the port of the clock and the flops."""
        reached, found = {self.module["ports"][clock]["bits"][0]}, []
        for _ in range(len(self.cells)):  # ends with a level without a buffer
            level = [cell for cell, pins in self.cells.items() if "A" in pins and "Y" in pins and pins["A"] in reached and cell not in found]
            if not level:
                break
            found += level
            reached |= {self.cells[cell]["Y"] for cell in level}
        return found


def netlist_of(top, library, folder):
    """Reads mapped.v, nets.v and nets.json in a folder."""
    module = json.loads((folder / "nets.json").read_text())["modules"][top]
    nets = {}
    for name, net in module["netnames"].items():
        nets.setdefault(net["bits"][0], name)
    return Netlist(top, library, folder / "mapped.v", folder / "nets.v", nets, {
        name: {pin: bits[0] for pin, bits in cell["connections"].items()} for name, cell in module["cells"].items()}, module)


def line_of(points):
    """The line of least squares through points: (slope, intercept, greatest distance of a point)."""
    mean_x, mean_y = (sum(point[at] for point in points) / len(points) for at in (0, 1))
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points))
    start = mean_y - slope * mean_x
    return slope, start, max(abs(y - start - slope * x) for x, y in points)


def weigh(netlist, name, event, runs, wires=None):
    """Power of a unit in each of its cases, and the line of power over events at loads, in pJ of an event and of an idle cycle.

    event: what the energy is that of, a packet or a hop. runs: (case, its folder, changes of nets in a cycle, events in a cycle,
    more of its row). wires: a SPEF file of its layout.
    """
    rows, points = [], []
    for case, folder, changes, events, more in runs:
        found = power(netlist, changes, folder, wires)
        rows.append({"case": case, f"{event}s_per_cycle": round(events, 4), **more, "internal_mw": found.internal,
                     "switching_mw": found.switching, "leakage_mw": found.leakage, "clock_buffers_mw": found.tree})
        if case.startswith("load"):
            points.append((events, found.total * tools.PERIOD))
    slope, start, off = line_of(points)
    return {"unit": name, "library": netlist.library.name, "cases": rows, f"pj_per_{event}": slope, "idle_pj_per_cycle": start,
            "line_off_pj": off}


def measure(netlist, name, depth, pins, folder, wires=None):
    """Power of a link of a depth over packets. wires: a SPEF file of its layout."""
    def runs():
        for traffic in cases(pins, depth):
            where = folder / traffic.name
            changes, packets, busy = activities(netlist, traffic, where)
            yield traffic.name, where, changes, packets, {"busy": round(busy, 4)}

    return weigh(netlist, name, "packet", runs(), wires)
