# SPDX-License-Identifier: Apache-2.0
"""Reads what qflow left of a layout: its netlist with the clock tree, and the resistance and capacitance of its wires.

qrouter writes each net's wires as a tree, a line for each net: NET DRIVERS DRIVER RECEIVERS (OHMS PICOFARADS PART, ...), where
a part is a pin, a tree, or ERROR where it lost the wire: the rest of that net is not in the file. It counts the capacitance of
one edge of a wire; `factor` counts the other, too.
"""

import collections
import json
import re

import pictures
import power
import tools
import wires

HEADER = """*SPEF "IEEE 1481-1998"
*DESIGN "{top}"
*DATE ""
*VENDOR ""
*PROGRAM ""
*VERSION ""
*DESIGN_FLOW ""
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY

"""


def netlist_of(module, library, layout, folder):
    """The netlist of a layout, whose cells have the names of the layout."""
    folder.mkdir(parents=True, exist_ok=True)
    tools.run("yosys", "-q", "-p", "; ".join([
        f"read_liberty -lib {library.liberty}", f"read_verilog {layout}/{module}.rtlnopwr.v", f"hierarchy -top {module}",
        "setundef -zero", f"write_verilog -noattr {folder}/mapped.v", "splitnets -ports",
        f"write_verilog -noattr {folder}/nets.v", f"write_json {folder}/nets.json"]))
    return power.netlist_of(module, library, folder)


def pin_name(name):
    """A pin of qrouter as SPEF has it: CELL:PIN, or the name of a port."""
    return name[4:] if name.startswith("PIN/") else ":".join(name.rsplit("/", 1))


def trees(text):
    """Yields (net, driver, receiver trees) of each net. A tree is (ohms, picofarads, parts)."""
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        parts, rest = parts_of(words[4:])
        if rest or words[1] != "1":
            raise tools.ToolFailure(f"a net of qrouter with {words[1]} drivers, or with unbalanced brackets: {line[:80]}")
        yield words[0], pin_name(words[2]), parts


def parts_of(words):
    """The parts up to the bracket that closes them, and the words behind it."""
    parts = []
    while words and words[0] != ")":
        if words[0] == ",":
            words = words[1:]
        elif words[0] == "(":
            inner, rest = parts_of(words[3:])
            parts.append((float(words[1]), float(words[2]), inner))
            if not rest:
                return parts, ["(" + words[1]]
            words = rest[1:]
        else:
            parts.append(pin_name(words[0]))
            words = words[1:]
    return parts, words


def is_lost(parts):
    """Returns true if qrouter lost a wire of the tree."""
    return any(part == "ERROR" if isinstance(part, str) else is_lost(part[2]) for part in parts)


def spef(netlist, module, text, factor, whole_wire):
    """SPEF of the wires, and their capacitance in pF.

    whole_wire(name): ohms and picofarads of all wires of a net, behind which all its receivers are where qrouter lost one.
    """
    bit_of = {f"{cell}:{pin}": bit for cell, pins in netlist.cells.items() for pin, bit in pins.items()}
    bit_of.update({name: port["bits"][0] for name, port in netlist.module["ports"].items()})
    on_bit = collections.defaultdict(list)
    for pin, bit in bit_of.items():
        on_bit[bit].append(pin)
    lines, whole = [HEADER.format(top=module)], 0.0
    for name, start, parts in trees(text):
        net = netlist.nets.get(bit_of.get(start), start)
        caps, ohms, pins = [], [], []
        if is_lost(parts):
            ohm, farad = whole_wire(name)
            parts = [(ohm, farad / factor, [pin for pin in on_bit[bit_of[start]] if pin != start])]

        def walk(parts, above):
            for part in parts:
                if isinstance(part, str):
                    pins.append(part)
                    ohms.append((above, part, 0.001))
                    continue
                node = f"{net}:{len(caps) + 1}"
                caps.append((node, part[1] * factor))
                ohms.append((above, node, max(part[0], 0.001)))
                walk(part[2], node)

        walk(parts, start)
        total = sum(value for _, value in caps)
        whole += total
        kind = {name: "*I" if ":" in name else "*P" for name in [start, *pins]}
        lines += [f"*D_NET {net} {total:.7f}", "*CONN", f"{kind[start]} {start} {'O' if kind[start] == '*I' else 'I'}",
                  *(f"{kind[name]} {name} {'I' if kind[name] == '*I' else 'O'}" for name in pins), "*CAP",
                  *(f"{at} {node} {value:.7f}" for at, (node, value) in enumerate(caps, 1)), "*RES",
                  *(f"{at} {one} {other} {value:.4f}" for at, (one, other, value) in enumerate(ohms, 1)), "*END", ""]
    return "\n".join(lines), whole


def names_of(text):
    """The signals of the RTL that cells drive, as qrouter names the nets."""
    nets = (line.split()[:3:2] for line in text.splitlines() if line.strip())
    return {driver.rsplit("/", 1)[0]: net for net, driver in nets if not driver.startswith("PIN/") and not re.match(r"_\d+_", net)}


def measure(unit, library, layout, folder):
    """Times the layout of a unit with its wires, which are written to wires.spef, and its clock tree. Returns a row and the
    netlist."""
    netlist = netlist_of(unit.top, library, layout, folder)
    text = (layout / f"{unit.top}.rc").read_text()
    layer = library.wires[wires.layer_of(library)]

    def whole_wire(net):
        length = pictures.wire_length((layout / f"{unit.top}.def").read_text(), net) / 1000
        return layer.kilo_ohms * length * 1000, layer.picofarads * length

    written, farads = spef(netlist, unit.top, text, layer.edge_factor, whole_wire)
    (folder / "wires.spef").write_text(written)
    mapped = tools.mapped_of(netlist.module, unit.clock, folder, names_of(text))
    paths, _, skew = tools.time(unit, mapped, library, folder, folder / "wires.spef")
    pictures.write_paths(paths, f"{unit.name} with its wires", folder)
    slack = {check: path[0] for check, path in paths.items()}
    return {"unit": unit.name, "library": library.name, "wires_pf": farads, "clock_buffers": len(netlist.clock_buffers(unit.clock)), "skew_ns": skew,
            "mhz": tools.megahertz(slack),
            **{f"{check}_ns": slack.get(check) for check in ("setup", "hold", "recovery", "removal")}}, netlist
