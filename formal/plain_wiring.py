# SPDX-License-Identifier: Apache-2.0
"""Compares each bit of the wiring of TOPO, MAZE_ARRAY and MAZE_TOP in Verilog-2005 with the requirement.

Yosys reads the file and joins what wires join; the modules whose function is proven apart stay black boxes. Two pins are
connected if their bits have one number.
"""

import json

import gates
import solver

FIELDS = ("data", "tgt", "src", "qos", "type")  # of a packet, lowest first
BOXES = ("IRS_N*", "MAZE_CORE", "MAZE_CLOCK_GATE")


class Wrong(Exception):
    """A bit that leads elsewhere."""


class Wiring:
    """The netlist of a top module, and what of it was compared."""

    def __init__(self, file, top, shape, folder):
        self.nx, self.ny, self.flit_w = shape
        self.top, self.nodes = top, self.nx * self.ny
        self.ports_of_node = self.nx + self.ny - 1
        netlist = folder / f"{top}.json"
        boxes = " ".join(BOXES[:1] if top == "TOPO" else BOXES)
        solver.run_tool(["yosys", "-q", "-p", f"read_verilog {file}; hierarchy -check -top {top}; proc; blackbox {boxes}; "
                         f"flatten; simplemap; opt_clean; write_json {netlist}"])
        modules = json.loads(netlist.read_text())["modules"]
        module = modules[top]
        self.ports = {name: port["bits"] for name, port in module["ports"].items()}
        self.cells, self.logic = {}, {}
        for name, cell in module["cells"].items():
            if cell["type"] in gates.GATES:
                pins = {pin: bits[0] for pin, bits in cell["connections"].items()}
                self.logic[pins["Y"]] = gates.GATES[cell["type"]], [pins[pin] for pin in "ABS" if pin in pins]
            else:
                self.cells[name] = cell["type"], cell["connections"]
        self.expected, self.compared, self.port_bits = set(), 0, set()

    def pin(self, cell, pin):
        return self.cells[cell][1][pin]

    def port(self, name, first=0, count=1):
        bits = self.ports[name][first:first + count]
        self.port_bits.update((name, at) for at in range(first, first + count))
        return bits

    def connect(self, what, found, expected):
        for at, (one, other) in enumerate(zip(found, expected, strict=True)):
            self.compared += 1
            if one != other:
                raise Wrong(f"{what}[{at}] leads elsewhere")

    def cell(self, name, kind):
        if name not in self.cells:
            raise Wrong(f"no instance {name}")
        if self.cells[name][0] != kind:
            raise Wrong(f"{name} is a {self.cells[name][0]}, not a {kind}")
        self.expected.add(name)
        return name

    def packet(self, port_of, position):
        """The bits of a packet whose fields are apart, lowest first. port_of: name of the port of a field."""
        widths = {"data": self.flit_w, "qos": 1, "type": 2}
        address = address_bits(self.nx) + address_bits(self.ny)
        return [bit for field in FIELDS
                for bit in self.port(port_of(field), position * widths.get(field, address), widths.get(field, address))]

    def links(self):
        """Yields (path of the IRS_N, sender, receiver, letter of the dimension, port in it, depth)."""
        for y in range(self.ny):
            for x in range(self.nx):
                at = f"g_y[{y}].g_x[{x}]"
                for i in range(self.nx - 1):
                    yield (f"{at}.g_xlink[{i}].u_irs", (y, x), (y, (x + i + 1) % self.nx), "x", i, min(i + 1, self.nx - i - 1) - 1)
                for i in range(self.ny - 1):
                    yield (f"{at}.g_ylink[{i}].u_irs", (y, x), ((y + i + 1) % self.ny, x), "y", i, min(i + 1, self.ny - i - 1) - 1)

    def finish(self):
        extra = set(self.cells) - self.expected
        if extra:
            raise Wrong(f"an instance too many, {min(extra)}")
        for name, bits in self.ports.items():
            for at in range(len(bits)):
                if (name, at) not in self.port_bits:
                    raise Wrong(f"the port {name}[{at}] is none of the requirement")
        return self.compared


def address_bits(nodes):
    return max(3, (nodes - 1).bit_length())


def topo(wiring, kind_of_depth):
    """Compares TOPO. kind_of_depth: the module of each depth."""
    clock, reset = wiring.port("clk"), wiring.port("rst_n")
    for path, source, target, letter, i, depth in wiring.links():
        cell = wiring.cell(path, kind_of_depth[depth])
        size = (wiring.nx if letter == "x" else wiring.ny) - 1
        ends = {"o": (source[0] * wiring.nx + source[1]) * size + i, "i": (target[0] * wiring.nx + target[1]) * size + i}
        for side, (valid, ready, payload) in (("o", ("valid_i", "ready_o", "payload_i")), ("i", ("valid_o", "ready_i", "payload_o"))):
            field = lambda name, s=side: f"node_if_{letter}{s}_{name}"  # noqa: E731
            wiring.connect(f"{cell}.{valid}", wiring.pin(cell, valid), wiring.port(field("vld"), ends[side]))
            wiring.connect(f"{cell}.{ready}", wiring.pin(cell, ready), wiring.port(field("rdy"), ends[side]))
            wiring.connect(f"{cell}.{payload}", wiring.pin(cell, payload), wiring.packet(field, ends[side]))
        wiring.connect(f"{cell}.clk", wiring.pin(cell, "clk"), clock)
        wiring.connect(f"{cell}.rst_n", wiring.pin(cell, "rst_n"), reset)
    return wiring.finish()


def network(wiring, kind_of_depth):
    """Compares MAZE_ARRAY or MAZE_TOP: nodes, links, clock gates and what stands at ports A and B."""
    whole = wiring.top == "MAZE_TOP"
    prefix = "u_array." if whole else ""
    width = 3 + 2 * (address_bits(wiring.nx) + address_bits(wiring.ny)) + wiring.flit_w
    clock, reset, enable = (wiring.port(name) for name in ("clk", "rst_n", "pg_en"))
    failed = wiring.port("pg_node", 0, address_bits(wiring.nx) + address_bits(wiring.ny))
    test = ["0"] if whole else wiring.port("test_en")
    cores = {}
    for y in range(wiring.ny):
        for x in range(wiring.nx):
            at = f"{prefix}g_y[{y}].g_x[{x}]"
            core = cores[y, x] = wiring.cell(f"{at}.u_node.u_core", "MAZE_CORE")
            gate = wiring.cell(f"{at}.u_gate", "MAZE_CLOCK_GATE")
            join = lambda pin, bits, c=core: wiring.connect(f"{c}.{pin}", wiring.pin(c, pin), bits)  # noqa: E731
            join("x_i", number(x, address_bits(wiring.nx)))
            join("y_i", number(y, address_bits(wiring.ny)))
            join("clk", wiring.pin(gate, "clk_o"))
            join("rst_n", reset)
            join("pg_en_i", enable)
            join("pg_node_i", failed)
            wiring.connect(f"{gate}.clk_i", wiring.pin(gate, "clk_i"), clock)
            wiring.connect(f"{gate}.test_en_i", wiring.pin(gate, "test_en_i"), test)
            node, last = y * wiring.nx + x, wiring.ports_of_node - 1
            a = (lambda f, n=node: f"pkt_in_{n}_pkt_in_{f}") if whole else (lambda f: f"pkt_i_pkt_in_{f}")
            b = (lambda f, n=node: f"pkt_out_{n}_pkt_out_{f}") if whole else (lambda f: f"pkt_o_pkt_out_{f}")
            place = 0 if whole else node
            wiring.connect(f"{core} A valid", wiring.pin(core, "valid_i")[last:], wiring.port(a("vld"), place))
            wiring.connect(f"{core} A packet", wiring.pin(core, "payload_i")[last * width:], wiring.packet(a, place))
            wiring.connect(f"{core} B ready", wiring.pin(core, "ready_i")[last:], wiring.port(b("rdy"), place))
            wiring.connect(f"{core} B packet", wiring.pin(core, "payload_o")[last * width:], wiring.packet(b, place))
            # While the node is the failed one, its clock stands, and A ready and B valid are 0.
            address = y << address_bits(wiring.nx) | x
            works = lambda values, n=address: not (values[0] and number_of(values[1:len(failed) + 1]) == n)  # noqa: E731
            inputs = [*enable, *failed]
            logic(wiring, f"{gate}.en_i", wiring.pin(gate, "en_i")[0], inputs, works)
            for what, port, behind in (("A ready", a("rdy"), wiring.pin(core, "ready_o")[last]),
                                       ("B valid", b("vld"), wiring.pin(core, "valid_o")[last])):
                logic(wiring, f"{core} {what}", wiring.port(port, place)[0], [*inputs, behind],
                      lambda values, w=works: w(values) and values[-1])
    for path, source, target, letter, i, depth in wiring.links():
        cell = wiring.cell(f"{prefix}u_topo.{path}", kind_of_depth[depth])
        port = i if letter == "x" else wiring.nx - 1 + i
        packet = slice(port * width, (port + 1) * width)
        for core, (valid, ready, payload), (out, back, data) in (
                (cores[source], ("valid_i", "ready_o", "payload_i"), ("valid_o", "ready_i", "payload_o")),
                (cores[target], ("valid_o", "ready_i", "payload_o"), ("valid_i", "ready_o", "payload_i"))):
            wiring.connect(f"{cell}.{valid}", wiring.pin(cell, valid), [wiring.pin(core, out)[port]])
            wiring.connect(f"{cell}.{ready}", wiring.pin(cell, ready), [wiring.pin(core, back)[port]])
            wiring.connect(f"{cell}.{payload}", wiring.pin(cell, payload), wiring.pin(core, data)[packet])
        wiring.connect(f"{cell}.clk", wiring.pin(cell, "clk"), clock)
        wiring.connect(f"{cell}.rst_n", wiring.pin(cell, "rst_n"), reset)
    return wiring.finish()


def number(value, bits):
    return [str(value >> at & 1) for at in range(bits)]


def number_of(bits):
    return sum(bool(bit) << at for at, bit in enumerate(bits))


def logic(wiring, what, bit, inputs, expected):
    """Evaluates the gates in front of a bit for all values of the inputs, which all that they read have to be."""
    every = (1 << (1 << len(inputs))) - 1
    values = {"0": 0, "1": every}
    for at, one in enumerate(inputs):
        values[one] = sum(1 << case for case in range(1 << len(inputs)) if case >> at & 1)
    cone, waiting = {}, [bit]
    while waiting:
        one = waiting.pop()
        if one in values or one in cone:
            continue
        if one not in wiring.logic:
            raise Wrong(f"{what} depends on other signals")
        cone[one] = wiring.logic[one]
        waiting += cone[one][1]
    for output in gates.in_order(cone):
        function, pins = cone[output]
        values[output] = function(every, *[values[pin] for pin in pins])
    wiring.compared += 1
    for case in range(1 << len(inputs)):
        if (values[bit] >> case & 1) != bool(expected([case >> at & 1 for at in range(len(inputs))])):
            raise Wrong(f"{what} is another function")


def compare(file, top, shape, depths, folder):
    """Returns the number of bits that were compared, or the reason why one is wrong. depths: {module: its IRS_DEEP}."""
    try:
        wiring = Wiring(file, top, shape, folder)
        return (topo if top == "TOPO" else network)(wiring, {depth: name for name, depth in depths.items()}), ""
    except Wrong as wrong:
        return 0, str(wrong)
    except KeyError as missing:
        return 0, f"no port or pin {missing}"
