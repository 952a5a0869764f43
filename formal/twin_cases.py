# SPDX-License-Identifier: Apache-2.0
"""Lists the states and inputs of MAZE_CORE in which twin.py compares it with the C++ node.

A family of cases is a product of factors. A factor is a list of settings, each of which puts values on flops and inputs.
Entries that hold no packet have all bits 1, so that a look at them is seen. Each entry has a source and data of its own.
"""

import dataclasses
import itertools
import math

import network
import routes

STAGE = "g_out[{}].u_stage.g_stage[0].g_lp.u_irs."
EXPAND = "g_in[{}].g_expand.u_expand."
LEVELS = ("low", "high")


class NoCase(Exception):
    """A node that a family does not fit: it has no route for a packet, or a state that it lists cannot be."""


@dataclasses.dataclass(frozen=True)
class Config:
    """A network, and which of its nodes has failed."""

    nx: int
    ny: int
    bound: int
    fixed: int = 0
    failed: int | None = None

    @property
    def name(self):
        return f"{self.nx}x{self.ny}.bound{self.bound}" + (".fixed" if self.fixed else "") + (
            "" if self.failed is None else f".failed{self.failed}")

    @property
    def shape(self):
        return routes.Shape(self.nx, self.ny)

    @property
    def ports(self):
        return self.shape.ports

    @property
    def width(self):
        return 4 + 2 * self.shape.address_bits  # {type, qos, src, tgt, data}, one data bit

    def parameters(self):
        return {"NX": self.nx, "NY": self.ny, "FLIT_W": 1, "AX": self.shape.ax, "AY": self.shape.ay,
                "HIGH_BOUND": self.bound, "FIXED": self.fixed}

    def arguments(self):
        """Those of node_table."""
        return self.nx, self.ny, -1 if self.failed is None else self.failed, self.bound, self.fixed

    def nodes(self):
        return [number for number in range(self.nx * self.ny) if number != self.failed]

    def input_name(self, port):
        return "A" if port == self.ports - 1 else f"X{port}" if port < self.nx - 1 else f"Y{port - self.nx + 1}"

    def output_name(self, port):
        return self.input_name(port).replace("A", "B")

    def slots(self, output):
        """The inputs that lead to an output in the RTL, in the order of its arbiter."""
        x, y, a = range(self.nx - 1), range(self.nx - 1, self.ports - 1), self.ports - 1
        return [*y, a] if output in x else [*x, a] if output in y else [*x, *y, a]

    def slot(self, output, port):
        return self.slots(output).index(port)

    def inputs_of(self, output):
        """The inputs that can ask for an output: Y links lead to X only behind a detour."""
        along_x = output < self.nx - 1
        return [self.ports - 1] if along_x and self.failed is None else self.slots(output)

    def header_bits(self, header):
        """Type and target of a header (type, target node), type on top."""
        return self.shape.address(header[1]) | header[0] << self.shape.address_bits

    def named(self, header):
        return routes.named(self.shape, header, self.failed)

    def multicasts(self):
        return [(kind, target) for kind in (1, 2, 3) for target in range(self.nx * self.ny)]

    def packet(self, header_bits, level, number):
        """A packet of this type and target; its source and data tell its number."""
        address = self.shape.address_bits
        target, kind = header_bits & (1 << address) - 1, header_bits >> address
        return number & 1 | target << 1 | number >> 1 << 1 + address | level << 1 + 2 * address | kind << 2 + 2 * address


def configs(fast):
    """Returns the networks that are compared; with `fast` those of `make test`."""
    if fast:
        return [Config(2, 2, 2), Config(2, 2, 1, failed=1)]
    return [*(Config(2, 2, bound) for bound in (0, 1, 2, 3)), Config(2, 2, 2, fixed=1), Config(3, 2, 2),
            *(Config(2, 2, 1, failed=failed) for failed in range(4)), Config(2, 3, 1, failed=3)]


@dataclasses.dataclass
class Setting:
    text: str
    values: dict  # {(net, bit): 0 or 1}


def bits(net, value, width, at=0):
    return {(net, at + bit): value >> bit & 1 for bit in range(width)}


@dataclasses.dataclass
class Family:
    """Cases of a node: all products of settings, one of each factor, over a base that has all flops and inputs."""

    base: dict
    factors: list

    @property
    def size(self):
        return math.prod(len(factor) for factor in self.factors)

    def columns(self):
        """The value of each flop and input, as a number with a bit for each case."""
        every = (1 << self.size) - 1
        columns = {place: every * value for place, value in self.base.items()}
        inner = self.size
        for factor in self.factors:
            inner //= len(factor)
            outer = self.size // (inner * len(factor))
            for place in {place: None for setting in factor for place in setting.values}:
                digits = [setting.values.get(place, self.base[place]) for setting in factor]
                columns[place] = int("".join(str(digit) * inner for digit in reversed(digits)) * outer, 2)
        return columns

    def text(self, case):
        """What a case is."""
        words = []
        for factor in reversed(self.factors):
            case, digit = divmod(case, len(factor))
            words.append(factor[digit].text)
        return ", ".join(word for word in reversed(words) if word)


class Cases:
    """The families of a configuration. full: at all nodes in place of two, and with more packets."""

    def __init__(self, node, full):
        self.config, self.full, self.netlist = node.config, full, node.netlist
        self.queues = [f"g_in[{i}].u_queue." for i in range(self.config.ports)]
        nodes = self.config.nodes()
        self.routes = {number: self.find_routes(node, number) for number in (nodes if full else (nodes[0], nodes[-1]))}

    def base(self, number):
        """An empty node that nothing arrives at."""
        config, shape = self.config, self.config.shape
        values = {}
        for name, nets in self.netlist.nets.items():
            if name.endswith("_q") and nets[0] in self.netlist.flops:
                empty = name.endswith(("head_q", "next_q")) and "_next_q" not in name
                zero = empty or name.endswith(("done_q", "count_q", "busy_q", "main_vld_q"))
                values.update({(name, bit): int(not zero) for bit in range(len(nets))})
        for name, value in (("rst_n", 1), ("valid_i", 0), ("ready_i", 0), ("payload_i", -1), ("x_i", number % shape.nx),
                            ("y_i", number // shape.nx), ("pg_en_i", config.failed is not None),
                            ("pg_node_i", shape.address(config.failed or 0))):
            values.update(bits(name, value, len(self.netlist.nets[name])))
        return values

    def find_routes(self, node, number):
        """Of each input {outputs: type and target of a packet that goes there}. A multicast at A with a failed node has no
        route of its own."""
        size = 1 << self.config.shape.address_bits + 2
        columns = {place: (1 << size) - 1 if value else 0 for place, value in self.base(number).items()}
        for queue in self.queues:
            for bit in range(size.bit_length() - 1):
                at = bit + 1 if bit < self.config.shape.address_bits else bit + 2 + self.config.shape.address_bits
                columns[queue + "low_q", at] = routes.column(bit, size.bit_length() - 1)
        values, _ = node.step(columns, (1 << size) - 1)
        found = []
        for i in range(self.config.ports):
            to = [values[net] for net in self.netlist.nets[f"g_in[{i}].low_to"]]
            unicast = i == self.config.ports - 1 and self.config.failed is not None
            found.append({})
            for header in range(size >> 2 if unicast else size):
                found[i].setdefault(tuple(o for o, column in enumerate(to) if column >> header & 1), header)
        return found

    def together(self, make):
        """Groups the families make(number) of all nodes so that those of a group have one size."""
        groups = {}
        for number in self.routes:
            family = make(number)
            groups.setdefault(family.size, {})[number] = family
        yield from groups.values()

    def outputs(self):
        for o in range(self.config.ports):
            yield from self.together(lambda number, o=o: self.output(number, o))

    def inputs(self):
        for i in range(self.config.ports):
            yield from self.together(lambda number, i=i: self.input(number, i))

    def held(self, i, level, entry, packet, done=0):
        """The values of an entry of a queue that holds a packet: 0 the first, 1 the second."""
        word, queue = LEVELS[level], self.queues[i]
        values = {(queue + ("head_q", "next_q")[entry], level): 1,
                  **bits(f"{queue}{word}{'_next' if entry else ''}_q", packet, self.config.width)}
        return values if entry else values | bits(f"g_in[{i}].u_{word}_fork.done_q", done, self.config.ports)

    def output(self, number, o):
        """All states of an output, all sets of requests, and ready or not."""
        config, stage, arbiter = self.config, STAGE.format(o), f"g_out[{o}].u_arbiter."
        slots, name = config.slots(o), config.output_name(o)
        packets = [bits(f"{stage}{entry}_pyld_q", config.packet(0, 0, 60 + k), config.width)
                   for k, entry in enumerate(("main", "skid"))]
        factors = [[Setting(f"{name} searches {word} in {value:0{len(slots)}b}",
                            bits(f"{arbiter}{word}_from_q", value, len(slots)))
                    for value in range(1 << len(slots))] for word in LEVELS]
        factors += [
            [Setting(f"counter {value}", bits(arbiter + "count_q", value, config.bound.bit_length()))
             for value in range(config.bound + 1)],
            [Setting("holds 0", {}), Setting("holds 1", {(stage + "main_vld_q", 0): 1, **packets[0]}),
             Setting("holds 2", {(stage + "main_vld_q", 0): 1, (stage + "skid_free_q", 0): 0, **packets[0], **packets[1]})],
            [Setting("", {}), Setting("ready", {("ready_i", o): 1})]]
        for i in config.inputs_of(o):
            header = self.routes[number][i].get((o,))
            if header is None:
                raise NoCase(f"at node {number} no packet goes from {config.input_name(i)} to {name}")
            low, high = (self.held(i, level, 0, config.packet(header, level, 2 * i + level)) for level in range(2))
            asks = config.input_name(i) + " asks "
            factors.append([Setting("", {}), Setting(asks + "low", low), Setting(asks + "high", high),
                            Setting(asks + "low and high", low | high)])
        return Family(self.base(number), factors)

    def kinds(self, number, i):
        """The packets that an input is compared with: {outputs: header}. In full one for each set of outputs, if there are
        at most four. Otherwise one for each number of copies: up to two, or once up to four."""
        known = sorted(self.routes[number][i].items())
        if self.full and len(known) <= 4:
            return dict(known)
        once = self.full and self.config == Config(2, 2, 2) and number == 0
        by_count = {}
        for to, header in known:
            if len(to) <= (4 if once else 2):
                by_count.setdefault(len(to), (to, header))
        return dict(by_count.values())

    def level(self, i, level, kinds):
        """All states of a level of an input's queue without a multicast to be expanded, with those of its fork."""
        config = self.config
        settings = [Setting("", {})]
        for to, header in kinds.items():
            wanted = sum(1 << o for o in to)
            for done in {0, *(done for done in range(wanted) if done & ~wanted == 0)}:
                first = self.held(i, level, 0, config.packet(header, level, 10 + level), done)
                text = f"{LEVELS[level]} first to {self.names(to)}" + (f" done {done:0{config.ports}b}" if done else "")
                settings.append(Setting(text, first))
                for other, following in kinds.items():
                    second = self.held(i, level, 1, config.packet(following, level, 20 + level))
                    settings.append(Setting(f"{text} second to {self.names(other)}", first | second))
        return settings

    def names(self, to):
        return "+".join(map(self.config.output_name, to)) or "nothing"

    def multicasts(self):
        """The multicasts that are expanded: of every type, in full with two targets."""
        last = self.config.nx * self.config.ny - 1
        return [(1, last), (2, 0), (3, last), *(((1, 0), (2, last)) if self.full else ())]

    def expansions(self, i, kinds):
        """All states of the queues at A that have a multicast: its place, its copy, and all packets beside it."""
        config, expand, ready = self.config, EXPAND.format(i), {(self.queues[i] + "rdy_q", 0): 0}
        plain = [self.level(i, level, kinds) for level in range(2)]
        for header, level in itertools.product(self.multicasts(), range(2)):
            packet = config.packet(config.header_bits(header), level, 30 + level)
            seconds = [Setting("", {})] + [
                Setting(f" second to {self.names(to)}", self.held(i, level, 1, config.packet(bits_of, level, 20 + level)))
                for to, bits_of in kinds.items()]
            firsts = [setting for setting in plain[level] if setting.values and "second" not in setting.text]
            own = []
            for copy in config.named(header):
                shared = {(expand + "busy_q", 0): 1, **ready, **bits(expand + "type_q", header[0], 2),
                          **bits(expand + "x_q", copy % config.nx, config.shape.ax),
                          **bits(expand + "y_q", copy // config.nx, config.shape.ay)}
                text = f"{LEVELS[level]} multicast type {header[0]} of {header[1]} at copy {copy}"
                own += [Setting("first " + text + second.text, shared | self.held(i, level, 0, packet) | second.values)
                        for second in seconds]
                if copy == config.named(header)[0]:
                    own += [Setting(f"{first.text}, second {text}", shared | first.values | self.held(i, level, 1, packet))
                            for first in firsts]
            for mine, other in itertools.product(own, plain[1 - level]):
                yield Setting(", ".join(filter(None, (mine.text, other.text))), mine.values | other.values)

    def input(self, number, i):
        """All states of an input, all packets that may arrive, and for each output that they go to: it is full, or has room
        and takes a low or a high one."""
        config, kinds = self.config, self.kinds(number, i)
        expands = i == config.ports - 1 and config.failed is not None
        low, high = (self.level(i, level, kinds) for level in range(2))
        name = config.input_name(i)
        readies = [Setting(f"{name} not ready", {(self.queues[i] + "rdy_q", 0): 0}), Setting(f"{name} ready", {})]
        new = [(f"to {self.names(to)}", header) for to, header in kinds.items()]
        if expands:
            new += [(f"multicast type {header[0]} of {header[1]}", config.header_bits(header)) for header in self.multicasts()]
            plain = [Setting(", ".join(filter(None, (one.text for one in some))),
                             some[0].values | some[1].values | some[2].values)
                     for some in itertools.product(low, high, readies)]
            contents = [[*plain, *self.expansions(i, kinds)]]
        else:
            contents = [low, high, readies]
        arriving = [Setting("", {})] + [
            Setting(f"{LEVELS[level]} packet {text} arrives",
                    {("valid_i", i): 1} | bits("payload_i", config.packet(header, level, 40), config.width, i * config.width))
            for level in range(2) for text, header in new]
        outputs = range(config.ports) if expands else sorted({o for to in kinds for o in to})
        return Family(self.base(number), [*contents, arriving, *map(self.grants, outputs)])

    def grants(self, o):
        """An output that grants nothing, a high packet first, or a low one first."""
        config, stage = self.config, STAGE.format(o)
        name = config.output_name(o)
        settings = [Setting(f"{name} full", {(stage + "main_vld_q", 0): 1, (stage + "skid_free_q", 0): 0}),
                    Setting(f"{name} takes high first", {})]
        if config.bound:
            settings.append(Setting(f"{name} takes low first",
                                    bits(f"g_out[{o}].u_arbiter.count_q", config.bound, config.bound.bit_length())))
        return settings
