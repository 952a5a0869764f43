# SPDX-License-Identifier: Apache-2.0
"""Shows that the tables and wires of generated networks are the routes of their topologies, and that no wait closes a circle.

The text of the generated package and top is read, and each packet is followed through both: from the local input of its
source, by the entry of each node, over the wire of each output. `kernbench topology zoo` has the routes of the relation.
"""

import json
import re
import shutil
import time

import network
import noc
import routes
import solver
import tasks

RULES = {
    "tables": "The entries of the tables are the preferred routes of the relation, for every lane, and 0 where no packet goes.",
    "wires": "Each channel is the output of its source and the input of its destination that its number says, and nothing else.",
    "arrives": "Every packet that the tables lead on arrives at its destination.",
    "no_cycle": "No virtual channel waits for itself over those that packets hold and want, as the tables lead them.",
}
# Networks whose tables are checked: files of configs/zoo, and lanes.
NETWORKS = (("mesh_2d", 1), ("bidirectional_torus_2d", 1), ("unidirectional_torus_1d", 2), ("bidirectional_torus_1d", 1),
            ("bidirectional_tree", 1), ("butterfly", 1), ("bidirectional_line", 1), ("unidirectional_line", 1), ("unidirectional_torus_2d", 1),
            ("flattened_butterfly", 1), ("terminal_router", 1), ("hierarchical", 2), ("custom", 1), ("custom_from_csv", 1))
FAST = NETWORKS[5:6]
# Errors of the generated text that a rule must find: (name, file, pattern, replacement, rule), in `hierarchical`.
MUTANTS = (
    ("another-output", "noc_top_pkg.sv", r"(Table0 = \{\s+\d+'h)(\w)", lambda m: m[1] + "0123456789abcdef"[int(m[2], 16) ^ 1], "tables"),
    ("an-entry-too-many", "noc_top_pkg.sv", r"'h0+(,?  // local|,?  // \d)", lambda m: m[0].replace("'h0", "'h1", 1), "tables"),
    *((f"{name}-of-another-input", "noc_top.sv", rf"(\.{name}_i\(\{{a_{name}_i\[\d+\], )(ch\d+_{name}), (ch\d+_{name})", r"\1\3, \2", "wires")
      for name in ("valid", "vc", "flit")),
    ("credits-of-another", "noc_top.sv", r"(\.credit_i\(\{b_credit_i\[\d+\], )(ch\d+_credit), (ch\d+_credit)", r"\1\3, \2", "wires"),
    ("back-again", "noc_top_pkg.sv", r"(Table1 = \{[^}]*?'h)(\w+)(,?  // 0->1, VC 0)", lambda m: m[1] + "0" * len(m[2]) + m[3], "arrives"),
    ("no-dateline", "noc_top_pkg.sv", None, None, "no_cycle"),  # as judge() plants it
)


class Network:
    """The text of a generated folder."""

    def __init__(self, folder):
        package, top = ((folder / name).read_text() for name in ("noc_top_pkg.sv", "noc_top.sv"))
        number = {name: int(value) for name, value in re.findall(r"localparam int (\w+) *= (\d+);", package)}
        self.nodes, self.classes, self.lanes = number["N"], number["C"], number["M"]
        self.vcs = self.classes * self.lanes
        digits = "".join(re.findall(r"\.D\(\d+'h(\w+)\)\) u_node", top))
        self.depths = sorted({int(digit, 16) for digit in digits})  # register stages of links
        found = re.findall(r"NOC_NODE #\(\.PI\((\d+)\), \.PO\((\d+)\).*?\) u_node(\d+) \((.*?)\n  \);", top, re.DOTALL)
        self.sizes = [(int(inputs), int(outputs)) for inputs, outputs, _, _ in found]
        self.ports = [dict(re.findall(r"\.(\w+)\(\{(.*?)\}\)", text)) for *_, text in found]
        self.table_of = [re.search(r"\.table_i\(Table(\d+)\)", text)[1] for *_, text in found]
        self.order = [int(node) for _, _, node, _ in found]
        self.tables = []
        for (inputs, outputs), table in zip(self.sizes, self.table_of):
            bits = max(1, (outputs * self.classes - 1).bit_length())
            rows = re.findall(r"'h(\w+)", re.search(rf"Table{table} = \{{(.*?)\n  \}};", package, re.DOTALL)[1])[::-1]
            if len(rows) != inputs * self.vcs:
                raise solver.ToolFailure(f"{folder}: table {table} has {len(rows)} lines")
            self.tables.append([[int(row, 16) >> at * bits & (1 << bits) - 1 for at in range(self.nodes)] for row in rows])


def expected_wires(channels, node):
    incoming = [c for c, (_, dst) in enumerate(channels) if dst == node]
    outgoing = [c for c, (src, _) in enumerate(channels) if src == node]
    bundles = {"valid_i": ("valid", incoming, "a"), "vc_i": ("vc", incoming, "a"), "flit_i": ("flit", incoming, "a"),
               "credit_o": ("credit", incoming, "a"), "valid_o": ("valid", outgoing, "b"), "vc_o": ("vc", outgoing, "b"),
               "flit_o": ("flit", outgoing, "b"), "credit_i": ("credit", outgoing, "b")}
    return {port: ", ".join([f"{side}_{port}[{node}]", *(f"ch{c}_{signal}" for c in some[::-1])])
            for port, (signal, some, side) in bundles.items()}


def wires_of(text, channels):
    wrong = [] if text.order == list(range(text.nodes)) else ["the nodes are not 0 to N - 1"]
    for node, ports in enumerate(text.ports):
        if text.table_of[node] != str(node):
            wrong.append(f"node {node} has the table of node {text.table_of[node]}")
        for port, names in expected_wires(channels, node).items():
            if ports.get(port) != names:
                wrong.append(f"node {node}: {port} is {ports.get(port)}, not {names}")
    return wrong


class Walk:
    """All packets, followed through the tables."""

    def __init__(self, text, channels):
        self.text, self.channels = text, channels
        self.outgoing = [[c for c, (src, _) in enumerate(channels) if src == node] for node in range(text.nodes)]
        self.input = {c: [k for k, (_, dst) in enumerate(channels) if dst == node].index(c)
                      for node in range(text.nodes) for c, (_, end) in enumerate(channels) if end == node}
        self.used, self.waits, self.lost = set(), {}, []

    def follow(self, src, dst, vc):
        """Follows the packets of one injection VC over all lanes that they may take."""
        start = (src, self.text.sizes[src][0] - 1, vc)
        every, held = [(start, None)], set()
        while every:
            (node, port, vc), channel = every.pop()
            if ((node, port, vc), channel) in held:
                continue
            held.add(((node, port, vc), channel))
            entry = self.text.tables[node][port * self.text.vcs + vc][dst]
            self.used.add((node, port, vc, dst))
            output, kind = divmod(entry, self.text.classes)
            if output >= len(self.outgoing[node]):
                if node != dst or output > len(self.outgoing[node]):
                    self.lost.append(f"a packet from {src} to {dst} leaves at {node}")
                continue
            if node == dst or len(held) > 4 * len(self.channels) * self.text.vcs:
                self.lost.append(f"a packet from {src} to {dst} goes on at {node}")
                return
            following = self.outgoing[node][output]
            for lane in range(self.text.lanes):
                step = (following, kind * self.text.lanes + lane)
                if channel is not None:
                    self.waits.setdefault(channel, set()).add(step)
                every.append(((self.channels[following][1], self.input[following], step[1]), step))


def check(text, topology):
    """Returns {rule: what is wrong} of a network and the report of its topology."""
    channels = [tuple(channel) for channel in topology["channels"]]
    walk = Walk(text, channels)
    wrong = {"tables": [], "wires": wires_of(text, channels), "arrives": walk.lost, "no_cycle": []}
    routed = {(route["src"], route["dst"]): route["hops"] for route in topology["routes"]}
    for (src, dst), hops in routed.items():
        node, port, vcs = src, text.sizes[src][0] - 1, range(text.vcs)
        for channel, kind in hops:
            want = walk.outgoing[node].index(channel) * text.classes + kind
            for vc in vcs:
                entry = text.tables[node][port * text.vcs + vc][dst]
                if entry != want:
                    wrong["tables"].append(f"node {node}, input {port}, VC {vc}, to {dst}: {entry}, not {want}")
            node, port = channels[channel][1], walk.input[channel]
            vcs = range(kind * text.lanes, (kind + 1) * text.lanes)
    pairs = [*routed, *((node, node) for node in range(text.nodes))]
    for src, dst in pairs:
        for vc in range(text.vcs):
            walk.follow(src, dst, vc)
    for node, table in enumerate(text.tables):
        wrong["tables"] += [f"node {node}, input {row // text.vcs}, VC {row % text.vcs}, to {dst}: {entry} without a packet"
                            for row, entries in enumerate(table) for dst, entry in enumerate(entries)
                            if entry and (node, row // text.vcs, row % text.vcs, dst) not in walk.used]
    circle = routes.circle(walk.waits)
    if circle:
        wrong["no_cycle"] = [", ".join(f"channel {channel} VC {vc}" for channel, vc in circle)]
    return wrong


def generate(options, words, lanes, folder):
    """Writes the RTL of a network and returns it with the report of its topology."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = [options.kernbench, "topology"]
    solver.run_tool([*program, "rtl", *words, "--lanes", str(lanes), "-o", folder / "rtl"])
    solver.run_tool([*program, "zoo", *words, "-o", folder / "topology.json"], accepted=(0, 1))
    return json.loads((folder / "topology.json").read_text())["data"]


def words_of(options, name):
    return ["--spec", options.root / "configs/zoo" / f"{name}.yaml"]


def results_of(options, name, lanes):
    folder = options.work / "noc_tables" / name
    topology = generate(options, words_of(options, name), lanes, folder)
    return results_of_tables(name, Network(folder / "rtl"), topology)


def results_of_tables(name, text, topology):
    start = time.monotonic()
    wrong = check(text, topology)
    seconds = (time.monotonic() - start) / len(RULES)
    return [tasks.Result(f"routes/NOC_TOP.{name}/{rule}", "routes", f"NOC_TOP {name}", rule, "refuted" if wrong[rule] else "proven",
                         "exhaustive", seconds=seconds, note=wrong[rule][0] if wrong[rule] else "") for rule in RULES]


def tasks_of_network(options, _rules):
    """The proofs of the network that --network names: its tables and wires, its links, and each of its routers at two slots."""
    words = ["--spec", options.network] if options.network.endswith(".yaml") else [options.network]
    folder = options.work / "noc_tables" / "own"
    topology = generate(options, words, options.lanes, folder)
    own = Network(folder / "rtl")
    text = tasks.file_text(folder / "rtl/noc_top.sv", folder / "rtl/noc_top_pkg.sv", *noc.files(options.rtl, "NOC_NODE"),
                           *sorted((options.formal / "noc").glob("*.sv")))
    yield tasks.Task("routes/NOC_TOP.own", [text], lambda: results_of_tables(topology["name"].replace(" ", ""), own, topology))
    parts = [network.router((*size, own.vcs, own.lanes, noc.PROVEN_SLOTS)) for size in sorted(set(own.sizes))]
    for part in [*map(network.link, own.depths), *parts]:
        yield tasks.Task(f"network/{part.name}", [text, repr(part)],
                         lambda p=part: network.check(p, options.rtl, options.formal, options.work, options.limit), weight=part.weight)


def plant(mutant, folder):
    """Plants an error in the generated text."""
    _, file, pattern, replacement, _ = mutant
    text = (folder / file).read_text()
    edited, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    if count != 1 or edited == text:
        raise solver.ToolFailure(f"mutant {mutant[0]}: the pattern does not occur in {file}")
    (folder / file).write_text(edited)


def judge(mutant, options):
    name = f"noc-tables-{mutant[0]}"
    folder = options.work / "mutants" / name
    if mutant[2] is None:  # a ring whose packets never leave class 0
        topology = generate(options, ["UnidirectionalTorus1D(4)"], 1, folder)
        text = Network(folder / "rtl")
        for node, table in enumerate(text.tables):
            local = text.sizes[node][1] - 1
            for row, entries in enumerate(table):
                table[row] = [entry & ~1 if entry < local * text.classes else entry for entry in entries]
            table[:] = [table[row & ~1][:] for row in range(len(table))]
    else:
        topology = generate(options, words_of(options, "hierarchical"), 1, folder)
        plant(mutant, folder / "rtl")
        text = Network(folder / "rtl")
    wrong = check(text, topology)
    killers = [f"NOC_TOP {rule}" for rule in RULES if wrong[rule]]
    note = wrong[mutant[4]][0] if wrong[mutant[4]] else ""
    return [tasks.Result(f"mutants/{name}", "mutants", mutant[1], ", ".join(killers), "killed" if note else "survived", "exhaustive",
                         note=note)]


def tasks_of(options, _rules):
    if not (options.rtl / "noc").is_dir():
        return
    zoo = options.root / "configs/zoo"
    text = tasks.file_text(*sorted(zoo.glob("*.yaml")), *sorted((options.root / "topology/rtl").glob("*.cpp")),
                           *sorted((options.root / "topology/zoo/routing").glob("*.cpp")))
    for name, lanes in FAST if options.slice else NETWORKS:
        yield tasks.Task(f"routes/NOC_TOP.{name}", [text, repr(lanes)], lambda n=name, l=lanes: results_of(options, n, l))
    for mutant in MUTANTS[:1] if options.slice else MUTANTS:
        yield tasks.Task(f"mutants/noc-tables-{mutant[0]}", [text, repr(mutant[:3])], lambda m=mutant: judge(m, options))
