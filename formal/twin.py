# SPDX-License-Identifier: Apache-2.0
"""Shows that the C++ nodes are those of the RTL: in one cycle NodeGroup does what the netlist of MAZE_CORE does, in every
state of one part of a node, with every input of it.

A part is an output (arbiter, multiplexer and stage) or an input (queue, forks, and expansion at A). The other parts are
in states that make all that this part can see: packets ask for an output in all ways, and outputs grant in all ways.
twin_cases.py lists the cases.

A state of the C++ node is a function of the state of the RTL, read_state():

  C++ node                                      RTL
  ready, fill and entries of queues and stages  their flops; an entry counts if it is filled
  starts of searches, counters                  their flops; the starts of inputs that can ask for the output
  first packet of a queue                       its flops; while a multicast is expanded, with the target of the copy
  wants                                         requests of the forks: where the head goes to, without what is done
  expands                                       busy_q of MAZE_EXPAND

What NodeGroup keeps besides, for speed, is a function of this state, and the program node_table shows that it still is
after the cycle. The netlist makes its step; then read_state() must be the state that NodeGroup has after clock().

States that possible() refuses are left out, and no state that is compared leads to one. So both stay equal from reset on.
Each case runs alone in the group and beside other cases, as the nodes of a group share loops that skip idle nodes.
"""

import subprocess

import gates
import network
import solver
import tasks
import twin_cases

RULES = {
    "twin_outputs": "The C++ node is the RTL in every state of an output, with every set of requests.",
    "twin_inputs": "The C++ node is the RTL in every state of an input, with every packet and every set of grants.",
    "twin_reset": "The C++ node is the RTL after a reset.",
}
CHUNK = 60000  # cases at a time
SPEED = "what the C++ node keeps for speed does not agree with its state"


class Node:
    """The netlist of MAZE_CORE at one data bit."""

    def __init__(self, config, rtl, folder):
        self.config = config
        self.netlist = gates.Netlist(folder / f"twin.{config.name}", "MAZE_CORE", config.parameters(), network.core_files(rtl))

    def known(self, columns):
        return {self.netlist.bit(*place): column for place, column in columns.items()}

    def step(self, columns, every):
        """Evaluates a cycle of cases {(net, bit): number}. Returns the values of all nets before and after the clock."""
        before = self.netlist.evaluate(self.known(columns), every)
        known = {net: value for net, value in self.known(columns).items() if net not in self.netlist.flops}
        return before, self.netlist.evaluate(known | self.netlist.next_state(before), every)

    def reader(self, values):
        return lambda name, at=0: values[self.netlist.bit(name, at)]

    def read_packet(self, read, name, text, counts, net, at=0):
        return [(f"bit {bit} of {text} of {name}", read(net, at + bit), counts) for bit in range(self.config.width)]

    def read_state(self, values, every):
        """The state as the C++ node has it, in the order of NodeGroupProbe: a list of (name, value, where it counts)."""
        config, read = self.config, self.reader(values)
        ports, width = config.ports, config.width
        state = []
        for i in range(ports):
            queue, name = f"g_in[{i}].u_queue.", config.input_name(i)
            state.append((f"ready of {name}", read(queue + "rdy_q"), every))
            for level, word in enumerate(("low", "high")):
                head, following = read(queue + "head_q", level), read(queue + "next_q", level)
                state += [(f"a first {word} packet of {name}", head, every),
                          (f"a second {word} packet of {name}", following, every),
                          *self.read_packet(read, name, f"the first {word} packet", head, word, i * width),
                          *self.read_packet(read, name, f"the second {word} packet", following, f"{queue}{word}_next_q")]
                state += [(f"the {word} request of {name} for {config.output_name(o)}",
                           read(f"{word}_request", i * ports + o), every) for o in range(ports)]
        state.append(("the expansion", read(twin_cases.EXPAND.format(ports - 1) + "busy_q"), every))
        for o in range(ports):
            stage, arbiter, name = twin_cases.STAGE.format(o), f"g_out[{o}].u_arbiter.", config.output_name(o)
            main, skid = read(stage + "main_vld_q"), every ^ read(stage + "skid_free_q")
            state += [(f"a first packet in {name}", main, every), (f"a second packet in {name}", skid, every),
                      *self.read_packet(read, name, "the first packet", main, stage + "main_pyld_q"),
                      *self.read_packet(read, name, "the second packet", skid, stage + "skid_pyld_q")]
            for word in ("low", "high"):
                state += [(f"{config.input_name(i)} in the {word} search of {name}",
                           read(f"{arbiter}{word}_from_q", config.slot(o, i)), every) for i in config.inputs_of(o)]
            state += [(f"bit {bit} of the counter of {name}", read(arbiter + "count_q", bit), every)
                      for bit in range(config.bound.bit_length())]
        return state

    def read_inputs(self, values):
        read = self.reader(values)
        return [read(net, at) for port in range(self.config.ports)
                for net, at in (("valid_i", port), *(("payload_i", port * self.config.width + bit)
                                                     for bit in range(self.config.width)), ("ready_i", port))]

    def read_outputs(self, values, every):
        read, config = self.reader(values), self.config
        outputs = []
        for port in range(config.ports):
            name, valid = config.output_name(port), read("valid_o", port)
            outputs += [(f"valid_o of {name}", valid, every),
                        *self.read_packet(read, name, "payload_o", valid, "payload_o", port * config.width),
                        (f"ready_o of {config.input_name(port)}", read("ready_o", port), every)]
        return outputs

    def possible(self, values, every):
        """The cases whose state can be, as a number. Left out are states
        - with a second packet and no first one, in a queue or a stage;
        - with done bits of no packet, of outputs that it does not go to, or of all that it goes to;
        - with a counter above the bound;
        - with an expansion and a ready input, without its multicast, with two, or with a multicast and no expansion;
        - with an expansion at another type, at a node that it does not name or, before its turn, not at the first.
        """
        read, config, wrong = self.reader(values), self.config, 0
        for i in range(config.ports):
            for level, word in enumerate(("low", "high")):
                head = read(f"g_in[{i}].u_queue.head_q", level)
                wrong |= read(f"g_in[{i}].u_queue.next_q", level) & ~head
                owes = done = 0
                for o in range(config.ports):
                    one = read(f"g_in[{i}].u_{word}_fork.done_q", o)
                    wrong |= one & ~(head & read(f"g_in[{i}].{word}_to", o))
                    owes |= read(f"{word}_request", i * config.ports + o)
                    done |= one
                wrong |= done & ~owes
        for o in range(config.ports):
            stage = twin_cases.STAGE.format(o)
            wrong |= every & ~(read(stage + "main_vld_q") | read(stage + "skid_free_q"))
            counter = f"g_out[{o}].u_arbiter.count_q"
            bits = [read(counter, bit) for bit in range(len(self.netlist.nets[counter]))]
            wrong |= every & ~any_of(equals(bits, count, every) for count in range(config.bound + 1))
        return every & ~(wrong | self.impossible_expansion(read, every))

    def impossible_expansion(self, read, every):
        config, a = self.config, self.config.ports - 1
        shape, queue, expand = config.shape, f"g_in[{a}].u_queue.", twin_cases.EXPAND.format(a)
        busy = read(expand + "busy_q")
        if config.failed is None:
            return busy
        copy = [read(expand + "x_q", bit) for bit in range(shape.ax)]
        copy += [read(expand + "y_q", bit) for bit in range(shape.ay)]
        kind = [read(expand + "type_q", bit) for bit in range(2)]
        at_node = [equals(copy, shape.address(node), every) for node in range(shape.nx * shape.ny)]
        some = several = wrong = 0
        for level, word in enumerate(("low", "high")):
            for entry, held, position in ((word, "head_q", 0), (word + "_next", "next_q", 1)):
                packet = [read(f"{queue}{entry}_q", bit) for bit in range(config.width)]
                multi = read(queue + held, level) & (packet[-1] | packet[-2])
                several |= some & multi
                some |= multi
                wrong |= multi & ((packet[-2] ^ kind[0]) | (packet[-1] ^ kind[1]))
                fits = 0
                for header in config.multicasts():
                    nodes = config.named(header)[:1] if position else config.named(header)
                    one = equals(packet[1:1 + shape.address_bits] + packet[-2:], config.header_bits(header), every)
                    fits |= one & any_of(at_node[node] for node in nodes)
                wrong |= multi & ~fits
        return several | (some ^ busy) | wrong | (busy & read(queue + "rdy_q"))


def any_of(columns):
    result = 0
    for column in columns:
        result |= column
    return result


def lowest(cases):
    """The number of the first case."""
    return (cases & -cases).bit_length() - 1


def equals(bits, value, every):
    """The cases in which bits, the lowest first, are `value`."""
    result = every
    for at, bit in enumerate(bits):
        result &= bit if value >> at & 1 else every ^ bit
    return result


def run_program(program, config, rows, tables):
    """Runs the C++ nodes: tables is {node: columns}. Returns the columns that it prints, one behind the other."""
    size = (rows + 63) // 64 * 8
    command = [str(word) for word in (program, *config.arguments(), rows, *tables)]
    given = b"".join(column.to_bytes(size, "little") for columns in tables.values() for column in columns)
    try:
        done = subprocess.run(solver.ending_with_this(command), input=given, stdout=subprocess.PIPE, check=False)
    except OSError as error:
        raise solver.ToolFailure(f"{program} cannot be started: {error.strerror}") from None
    if done.returncode:
        raise solver.ToolFailure(f"{program} failed with {done.returncode}")
    size = max(size, 8)
    return [int.from_bytes(done.stdout[at:at + size], "little") for at in range(0, len(done.stdout), size)]


def first_difference(expected, found):
    """Returns (case, text) of the first case in which the C++ node differs; None if there is none."""
    wrong = []
    for (name, value, counts), other in zip(expected, found, strict=True):
        differ = (value ^ other) & counts
        if differ:
            case = lowest(differ)
            text = f"{name} is {value >> case & 1} in the netlist, {other >> case & 1} in C++"
            wrong.append((case, name if name == SPEED else text))
    return min(wrong, key=lambda one: one[0], default=None)


def compare(node, families, program):
    """Compares the cases of families {node number: family}. Returns (cases, cases in which the state changes,
    first difference or None)."""
    config, count, changed = node.config, 0, 0
    columns = {number: family.columns() for number, family in families.items()}
    total = max(family.size for family in families.values())
    for start in range(0, total, CHUNK):
        rows = min(CHUNK, total - start)
        every = (1 << rows) - 1
        tables, expected = {}, {}
        for number, family in families.items():
            before, after = node.step({place: column >> start & every for place, column in columns[number].items()}, every)
            state, following = node.read_state(before, every), node.read_state(after, every)
            left_out = every ^ node.possible(before, every)
            if left_out:
                case = family.text(start + lowest(left_out))
                raise twin_cases.NoCase(f"node {number}: {case}: the listed state cannot be")
            tables[number] = [value for _, value, _ in state] + node.read_inputs(before)
            expected[number] = [*node.read_outputs(before, every), *((f"then {name}", *rest) for name, *rest in following),
                                (SPEED, every, every)]
            count += rows
            changed += any_of((one[1] ^ two[1]) & (one[2] | two[2]) for one, two in zip(state, following)).bit_count()
            bad = every ^ node.possible(after, every)
            if bad:
                case = family.text(start + lowest(bad))
                return count, changed, f"node {number}: {case}: the netlist goes to a state that cannot be"
        found = run_program(program, config, rows, tables)
        for place in ("alone", "beside others"):
            for number, family in families.items():
                some, found = found[:len(expected[number])], found[len(expected[number]):]
                difference = first_difference(expected[number], some)
                if difference:
                    case = family.text(start + difference[0])
                    return count, changed, f"node {number} {place}: {case}: {difference[1]}"
    return count, changed, None


def compare_reset(node, program):
    """Compares the states after a reset. Flops without one are 0 in the first case, 1 in the second."""
    reset = node.netlist.reset_state(0b10)
    inputs = {net: 0 for name in ("rst_n", "valid_i", "ready_i", "payload_i", "pg_en_i", "pg_node_i", "x_i", "y_i")
              for net in node.netlist.nets[name]}
    state = node.read_state(node.netlist.evaluate(inputs | reset, 0b11), 0b11)
    found = run_program(program, node.config, 0, {number: [] for number in node.config.nodes()})
    expected = [*((f"after a reset {name}", *rest) for name, *rest in state), (SPEED, 0b11, 0b11)]
    for start in range(0, len(found), len(expected)):
        difference = first_difference(expected, [0b11 * bit for bit in found[start:start + len(expected)]])
        if difference:
            return len(state), difference[1]
    return len(state), None


def compare_all(node, parts, program):
    """Compares the families of all parts up to the first difference; returns as compare() does."""
    total = total_changed = 0
    for families in parts:
        count, changed, difference = compare(node, families, program)
        total, total_changed = total + count, total_changed + changed
        if difference:
            return total, total_changed, difference
    return total, total_changed, None


def check(options, rtl, folder, config, full):
    """Returns the results of one configuration."""
    node, results = Node(config, rtl, folder), []

    def add(rule, outcome, note):
        results.append(tasks.Result(f"twin/{config.name}/{rule}", "twin", f"MAZE_CORE {config.name}", rule, outcome,
                                    "exhaustive", note=note))

    count, difference = compare_reset(node, options.node_table)
    add("twin_reset", "refuted" if difference else "proven", difference or f"{count} bits")
    for rule, parts in (("twin_outputs", "outputs"), ("twin_inputs", "inputs")):
        try:
            cases = twin_cases.Cases(node, full)
            count, changed, difference = compare_all(node, getattr(cases, parts)(), options.node_table)
        except twin_cases.NoCase as wrong:
            add(rule, "undecided", str(wrong))
            continue
        add(rule, "refuted" if difference else "proven" if changed else "vacuous",
            difference or f"{count} cases, {changed} of them change the state")
    return results


def sources(options):
    return tasks.file_text(*network.core_files(options.rtl), options.formal / "node_table.cpp",
                           *sorted((options.root / "maze").glob("*.[ch]pp")))


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = sources(options)
    for config in twin_cases.configs(options.slice):
        yield tasks.Task(f"twin/{config.name}", [text],
                         lambda c=config: check(options, options.rtl, options.work / "circuits", c, not options.slice),
                         weight=30)
