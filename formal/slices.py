# SPDX-License-Identifier: Apache-2.0
"""Shows that all data bits of a packet, and its source, go the same way through MAZE_CORE.

The proof of the core follows a mark, which is a data bit. The gates that lead to another bit, at an output or in a
register of packets, must be those of the mark with that bit in its place. The circuit of 8 data bits must also be that of
the 2 bits that the proof has. With steering.py, which says that these bits move nothing else, what is proven of a mark
holds of every bit.
"""

import gates
import network
import tasks

RULES = {
    "slices": "Every data bit and every bit of the source goes through the same gates as the mark of the proof.",
    "any_width": "Control and the mark are the same circuit with 8 data bits as with 2.",
}
DATA = 8  # of the shipped network
PROVEN = 2


class Packets:
    """The bits of a packet in a network: its fields are {type, qos, src, tgt, data}."""

    def __init__(self, nx, ny, data):
        address = network.address_bits(nx) + network.address_bits(ny)
        self.data, self.address = data, address
        self.width = 3 + 2 * address + data
        self.source = range(data + address, data + 2 * address)

    def field(self, bit):
        """The name of a bit, which does not depend on the number of data bits."""
        return f"data {bit}" if bit < self.data else f"header {bit - self.data}"


def rank_of_name(net):
    """Orders the names of a bit: an input or register by its own, not by one that Yosys gave it or that depends on widths."""
    name, _ = net
    return name != "payload_i", not name.endswith("_q"), "$" in name, name.count("."), name


class Core:
    """The gates of MAZE_CORE, with numbers for the functions that lead to a bit."""

    def __init__(self, rtl, folder, nx, ny, data):
        self.packets = Packets(nx, ny, data)
        self.ports = nx + ny - 1
        parameters = {"NX": nx, "NY": ny, "FLIT_W": data, "AX": network.address_bits(nx), "AY": network.address_bits(ny)}
        self.netlist = gates.Netlist(folder / f"MAZE_CORE.{nx}x{ny}x{data}", "MAZE_CORE", parameters, network.core_files(rtl))
        self.gates = {output: (function, pins) for output, function, pins in self.netlist.gates}
        self.names, self.packet_bit, self.registers = {}, {}, {}
        for name, bits in sorted(self.netlist.nets.items(), key=rank_of_name):
            packets = len(bits) if name == "payload_i" else self.packets.width
            is_packet = name == "payload_i" or (name.endswith("_q") and len(bits) == packets)
            for at, bit in enumerate(bits):
                if bit not in self.names:
                    port, place = divmod(at, self.packets.width)
                    self.names[bit] = f"{name} {port} {self.packets.field(place)}" if is_packet else f"{name}[{at}]"
                    if is_packet:
                        self.packet_bit[bit] = f"{name} {port}", place
            if is_packet and name != "payload_i" and all(bit in self.netlist.flops for bit in bits):
                self.registers[name] = bits

    def function(self, start, place, numbers, known):
        """The number of the function that leads to a bit, over flops and inputs. Bit `place` of every packet is "it", the
        others have their names. numbers: of functions, shared by all calls; known: of bits, for this place."""
        waiting = [start]
        while waiting:
            bit = waiting[-1]
            if bit in known:
                waiting.pop()
                continue
            if bit not in self.gates:
                packet, at = self.packet_bit.get(bit, (None, None))
                text = f"{packet} it" if packet and at == place else self.names.get(bit, bit)
                known[bit] = numbers.setdefault(text, len(numbers))
                continue
            gate, pins = self.gates[bit]
            missing = [pin for pin in pins if pin not in known]
            if missing:
                waiting += missing
                continue
            known[bit] = numbers.setdefault((gate, *(known[pin] for pin in pins)), len(numbers))
        return known[start]

    def slice(self, place, numbers):
        """The functions of bit `place` of a packet: {place where it is: number}."""
        known = {}
        found = {f"output {port}": self.function(self.netlist.bit("payload_o", port * self.packets.width + place), place, numbers,
                                                 known) for port in range(self.ports)}
        for name, bits in self.registers.items():
            following, reset = self.netlist.flops[bits[place]]
            found[name] = self.function(following, place, numbers, known), reset
        return found

    def control(self, numbers):
        """The functions of all else, the mark among them as a name: {place where it is: number}."""
        known = {}
        found = {f"{name}[{port}]": self.function(self.netlist.bit(name, port), None, numbers, known)
                 for name in ("ready_o", "valid_o") for port in range(self.ports)}
        for flop, (following, reset) in self.netlist.flops.items():
            _, place = self.packet_bit.get(flop, (None, self.packets.data))
            if place >= self.packets.data or place == 0:
                found[self.names[flop]] = self.function(following, None, numbers, known), reset
        return found


def differences(found, expected):
    return sorted(where for where in found.keys() | expected.keys() if found.get(where) != expected.get(where))


def check(rtl, folder, nx, ny):
    core, proven = Core(rtl, folder, nx, ny, DATA), Core(rtl, folder, nx, ny, PROVEN)
    numbers = {}
    mark = core.slice(0, numbers)
    wrong = []
    for place in (*range(1, DATA), *core.packets.source):
        wrong += [f"{core.packets.field(place)} at {where} does not go as data 0 does"
                  for where in differences(core.slice(place, numbers), mark)]
    width = [f"{where} is another circuit with {DATA} data bits than with {PROVEN}"
             for where in differences(core.control(numbers), proven.control(numbers))
             + differences(mark, proven.slice(0, numbers))]
    name = f"MAZE_CORE.{nx}x{ny}"

    def result(rule, findings, count, note):
        return tasks.Result(f"network/{name}/{rule}", "network", name, rule,
                            "refuted" if findings else "proven" if count else "vacuous", "netlist",
                            note=findings[0] if findings else note)

    return [result("slices", wrong, len(core.registers), f"{DATA + core.packets.address} bits, {len(mark)} places"),
            result("any_width", width, len(core.netlist.flops), f"{len(core.netlist.flops)} flops")]


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = tasks.file_text(*network.core_files(options.rtl))
    for nx, ny in ((2, 2),) if options.slice else network.SIZES:
        yield tasks.Task(f"network/MAZE_CORE.{nx}x{ny}.slices", [text],
                         lambda x=nx, y=ny: check(options.rtl, options.work / "circuits", x, y), weight=nx * ny)
