# SPDX-License-Identifier: Apache-2.0
"""Shows that the routes of the RTL are those of the requirement, and that no wait can close a circle.

MAZE_ROUTE has no state, so its gates are evaluated for every input: a signal is a number with a bit for each input.
The program route_table has the same bits of the C++ network. From the table of the RTL every packet is then followed
from A to B: it must arrive where its type and target say, and the links that wait for each other must form no circle.
"""

import subprocess

import network
import solver
import tasks

RULES = {
    "equal": "For every position, packet and failed node, MAZE_ROUTE has the outputs of the C++ network.",
    "delivers": "Every packet from every A reaches the nodes that its type and target name, once each, and none that has failed.",
    "no_circle": "No link waits for itself over links that packets need after it: forks and detours included.",
}
X, Y, A = range(3)  # arrivals

TOP = """
module proof_top (
  input logic [{at}:0] row, {ports}
);
  MAZE_ROUTE #(.NX({nx}), .NY({ny}), .AX({ax}), .AY({ay}), .KIND({kind})) dut (
    .tgt_i(row[{a}-1:0]), .type_i(row[{a}+1:{a}]), .pg_node_i(row[2*{a}+1:{a}+2]), .pg_en_i(row[2*{a}+2]),
    .x_i(row[2*{a}+3+:{ax}]), .y_i(row[2*{a}+3+{ax}+:{ay}]), .to_o({{{names}}})
  );
endmodule
"""


class Shape:
    def __init__(self, nx, ny):
        self.nx, self.ny = nx, ny
        self.ax, self.ay = network.address_bits(nx), network.address_bits(ny)
        self.address_bits = self.ax + self.ay
        self.bits = 3 * self.address_bits + 3
        self.ports = nx + ny - 1

    def address(self, node):
        return node // self.nx << self.ax | node % self.nx

    def row(self, node, header, failed):
        """The input of MAZE_ROUTE at a node for a packet: (type, target)."""
        kind, target = header
        after = self.address(target) | kind << self.address_bits
        if failed is not None:
            after |= (self.address(failed) | 1 << self.address_bits) << self.address_bits + 2
        x, y = node % self.nx, node // self.nx
        return after | (x | y << self.ax) << 2 * self.address_bits + 3

    def next_node(self, node, output):
        """(node, arrival) at the other end of a link; None for B."""
        x, y = node % self.nx, node // self.nx
        if output < self.nx - 1:
            return y * self.nx + (x + output + 1) % self.nx, X
        if output < self.ports - 1:
            return (y + output - self.nx + 2) % self.ny * self.nx + x, Y
        return None


def column(bit, bits):
    """The values of input bit `bit` over all 2^bits inputs, as a number."""
    period = 1 << bit
    value, width = ((1 << period) - 1) << period, 2 * period
    while width < 1 << bits:
        value |= value << width
        width *= 2
    return value


def legal_inputs(shape):
    """The inputs whose addresses are nodes, as a number with a bit for each."""
    every = (1 << (1 << shape.bits)) - 1

    def below(limit, at, bits):
        if limit == 1 << bits:
            return every
        found = 0
        for value in range(limit):
            equal = every
            for bit in range(bits):
                one = column(at + bit, shape.bits)
                equal &= one if value >> bit & 1 else every ^ one
            found |= equal
        return found

    result = every
    for at in (0, shape.address_bits + 2, 2 * shape.address_bits + 3):
        result &= below(shape.nx, at, shape.ax) & below(shape.ny, at + shape.ax, shape.ay)
    return result


def netlist_table(shape, rtl, folder):
    """{arrival: [outputs as numbers]} of MAZE_ROUTE for all inputs."""
    every = (1 << (1 << shape.bits)) - 1
    table = {}
    for kind in (X, Y, A):
        place = folder / f"route.{shape.nx}x{shape.ny}.{kind}"
        place.mkdir(parents=True, exist_ok=True)
        names = [f"to_{output}" for output in range(shape.ports)]
        (place / "top.sv").write_text(TOP.format(
            at=shape.bits - 1, ports=", ".join(f"output logic {name}" for name in names), nx=shape.nx, ny=shape.ny, ax=shape.ax,
            ay=shape.ay, a=shape.address_bits, kind=kind, names=", ".join(reversed(names))))
        circuit = solver.build_circuit(place, [rtl / "network/maze_route.sv", place / "top.sv"], names)
        inputs, flops, outputs, gates = solver.read_gates(circuit)
        if flops:
            raise solver.ToolFailure("MAZE_ROUTE has flops")
        values = {0: 0}
        for bit, literal in enumerate(inputs):
            values[literal] = column(bit, shape.bits)

        def value(literal, values=values):
            return values[literal & ~1] ^ (every if literal & 1 else 0)

        for gate, left, right in gates:
            values[gate] = value(left) & value(right)
        table[kind] = [value(outputs[name]) for name in names]
    return table


def reference_table(shape, program):
    done = subprocess.run(solver.ending_with_this([program, shape.nx, shape.ny]), stdout=subprocess.PIPE, check=False)
    size = (1 << shape.bits) // 8
    if done.returncode or len(done.stdout) != 3 * shape.ports * size:
        raise solver.ToolFailure(f"{program} failed with {done.returncode}")
    cut = [int.from_bytes(done.stdout[at:at + size], "little") for at in range(0, len(done.stdout), size)]
    return {kind: cut[kind * shape.ports:(kind + 1) * shape.ports] for kind in (X, Y, A)}


class Router:
    """Looks up the routes of a table."""

    def __init__(self, shape, table):
        self.shape = shape
        size = (1 << shape.bits) // 8 or 1
        self.table = {kind: [number.to_bytes(size, "little") for number in columns] for kind, columns in table.items()}

    def outputs(self, arrival, node, header, failed):
        row = self.shape.row(node, header, failed)
        return [output for output, data in enumerate(self.table[arrival]) if data[row >> 3] >> (row & 7) & 1]


def named(shape, header, failed):
    """The nodes that a packet names, requirement 2.2."""
    kind, target = header
    x, y = target % shape.nx, target // shape.nx
    return [node for node in range(shape.nx * shape.ny) if node != failed
            and (kind == 3 or kind == 1 and node % shape.nx == x or kind == 2 and node // shape.nx == y
                 or kind == 0 and node == target)]


def follow(shape, outputs, source, header, failed, waits):
    """Follows a packet and adds who waits for whom to `waits`. Returns the nodes where it leaves; None if it goes round
    or comes to the failed node."""
    left, open_ends, steps = [], [(source, A, None)], 0
    while open_ends:
        node, arrival, link = open_ends.pop()
        steps += 1
        if node == failed or steps > 4 * shape.nx * shape.ny:
            return None
        for output in outputs(arrival, node, header, failed):
            if link is not None and output != shape.ports - 1:
                waits.setdefault(link, set()).add((node, output))
            following = shape.next_node(node, output)
            if following is None:
                left.append(node)
            else:
                open_ends.append((*following, (node, output)))
    return sorted(left)


def circle(waits):
    """Returns links that wait for each other in a circle; None when there are none."""
    state, path = {}, []
    for start in list(waits):
        if start in state:
            continue
        path, stack = [start], [iter(sorted(waits.get(start, ())))]
        state[start] = "open"
        while stack:
            link = next(stack[-1], None)
            if link is None:
                state[path.pop()] = "done"
                stack.pop()
            elif state.get(link) == "open":
                return path[path.index(link):]
            elif link not in state:
                state[link] = "open"
                path.append(link)
                stack.append(iter(sorted(waits.get(link, ()))))
    return None


def name_of(shape, link):
    node, output = link
    return f"node {node} " + (f"X{output}" if output < shape.nx - 1 else f"Y{output - shape.nx + 1}")


def walk(shape, outputs):
    """Follows every packet without a failed node and, as copies are sent, with each. Returns (packets, wrong deliveries,
    circles) with texts."""
    nodes = range(shape.nx * shape.ny)
    count, wrong, circles = 0, [], []
    for failed in (None, *nodes):
        waits = {}
        kinds = range(4) if failed is None else (0,)
        for source in nodes:
            for header in ((kind, target) for kind in kinds for target in nodes):
                if failed in (source, header[1]) and failed is not None:
                    continue
                count += 1
                left = follow(shape, outputs, source, header, failed, waits)
                if left != named(shape, header, failed):
                    wrong.append(f"failed node {failed}: type {header[0]} from {source} to {header[1]} leaves at {left}")
        found = circle(waits)
        if found:
            circles.append(f"failed node {failed}: " + ", ".join(name_of(shape, link) for link in found))
    return count, wrong, circles


def check(options, rtl, folder, nx, ny):
    shape = Shape(nx, ny)
    table = netlist_table(shape, rtl, folder)
    expected = reference_table(shape, options.route_table)
    legal = legal_inputs(shape)
    names = {X: "X", Y: "Y", A: "A"}
    differ = [f"output {output} of a packet from {names[kind]}" for kind in (X, Y, A) for output in range(shape.ports)
              if (table[kind][output] ^ expected[kind][output]) & legal]
    count, wrong, circles = walk(shape, Router(shape, table).outputs)

    def result(rule, findings, note):
        return tasks.Result(f"routes/{nx}x{ny}/{rule}", "routes", f"MAZE_ROUTE {nx}x{ny}", rule,
                            "refuted" if findings else "proven", "exhaustive", note=findings[0] if findings else note)

    return [result("equal", differ, f"{3 * legal.bit_count()} inputs"), result("delivers", wrong, f"{count} packets"),
            result("no_circle", circles, f"{1 + nx * ny} networks")]


def sources(options):
    return tasks.file_text(options.rtl / "network/maze_route.sv", options.formal / "route_table.cpp",
                           *sorted((options.root / "maze").glob("*.[ch]pp")))


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = sources(options)
    for nx, ny in ((3, 2), (4, 4)) if options.slice else ((2, 2), (3, 2), (2, 3), (3, 3), (3, 4), (4, 4), (8, 3), (8, 8)):
        yield tasks.Task(f"routes/{nx}x{ny}", [text], lambda x=nx, y=ny: check(options, options.rtl, options.work / "circuits", x, y),
                         weight=nx * ny)
