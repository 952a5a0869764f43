# SPDX-License-Identifier: Apache-2.0
"""Shows that the proofs of the node can fail: each mutant must be refuted.

The mutants are those of network/mutants.yaml and the kinds that the regression draws from, tests/network_mutants. A
mutant of a part is judged by the proof of that part, one of the routes by the table of all of them, one of what is around
the nodes by the check of the wiring, any other by the proof of the core and the arguments about its gates. Refuted means
that there is a counterexample, which Icarus Verilog replays: a proof that only does not end refutes nothing. The comparison with the C++ node sees the mutants of the first
list, too, and kills none alone.
"""

import re
import shutil

import yaml

import mutants
import network
import noc
import routes
import slices
import solver
import steering
import tasks
import twin
import twin_cases
import wiring

# Parts by the file that a mutant changes.
LOOK_AT = {
    "network/maze_arbiter.sv": [network.arbiter(4, 2)],
    "network/maze_queue.sv": [network.queue(4)],
    "network/maze_fork.sv": [network.fork(3)],
    "network/maze_expand.sv": [network.expansion(3, 2)],
    "network/maze_clock_gate.sv": [network.clock_gate()],
    "noc/noc_node.sv": [network.link(1), network.link(2)],
    **{f"noc/{name}": [network.router((2, 2, 2, 1, 2))] for name in noc.FILES},
}
CORE = [network.core(2, 2, 2), network.core(2, 2, 0), network.core(2, 2, 1), network.core(3, 2, 3)]
# Files with the wires around the nodes.
WIRING = ("network/maze_array.sv", "network/maze_node.sv")
# Cycles of the search for a counterexample.
SEARCH = 9
# Of a kind that the regression draws from: its inputs or outputs as the kind names them, the parameter KIND of their
# routes, and one of them in a network of 2x2 nodes.
PORTS = {"x": (0, 0), "y": (1, 1), "user": (2, 2)}


def broken_outputs(circuit, limit):
    """Returns {output: cycle} of what a search sees broken. Rules that are proven together are first searched together, then
    one by one, as some are broken a few cycles after the first."""
    if "broken_any" not in circuit.outputs:
        return network.broken_outputs(circuit, SEARCH, limit)
    answer = solver.reach(circuit, "broken_any", SEARCH, limit)
    if answer.outcome != "reached":
        return {}
    found = network.broken_outputs(circuit, answer.frames + 3, limit)
    late = {"broken_head_waits"} & set(circuit.outputs) - set(found)  # a head starves after grants to all others
    for output in late if len(found) == 1 else ():  # what nothing but the invariant shows
        if (starved := solver.reach(circuit, output, answer.frames + 8, limit)).outcome == "reached":
            found[output] = starved.frames
    return found


def judge_by_parts(file, folder, options):
    """Returns (rules with their module, note) of the first part that a mutant in `folder` breaks."""
    for part in LOOK_AT.get(file, CORE):
        circuit = network.build(part, folder / "rtl", options.formal, folder / part.name)
        broken = broken_outputs(circuit, min(options.limit, 60))
        if broken:
            goal = min(broken, key=broken.get)
            cycle = network.replay_of(part, circuit, goal, folder / "rtl", options.formal, folder / f"{part.name}.vcd")
            if cycle != broken[goal]:
                raise solver.ToolFailure(f"{folder}: Icarus Verilog sees {goal} in cycle {cycle}, Yosys in {broken[goal]}")
            rules = {network.rule_of(part, output) for output in broken}
            return [f"{part.module} {rule}" for rule in sorted(rules)], f"{part.name}, cycle {broken[goal]}"
    return [], ""


def judge(name, file, options):
    """Returns (rules, note) of the mutant whose sources are in the folder of that name."""
    folder = options.work / "mutants" / name
    if file in WIRING:
        found = wiring.findings_of(options, folder / "rtl", 3, 2, folder / "wiring", nodes=True)[0]
        return ([f"wiring {rule}" for rule, findings in found.items() if findings],
                next((findings[0] for findings in found.values() if findings), ""))
    if file == "network/maze_route.sv":
        broken = [result for result in routes.check(options, folder / "rtl", folder, 4, 4) if not result.good]
        killers, note = [f"MAZE_ROUTE {result.property}" for result in broken], broken[-1].note if broken else ""
    else:
        killers, note = judge_by_parts(file, folder, options)
    if not killers and file == "network/maze_core.sv":
        wrong = [result for check in (slices.check, steering.check) for result in check(folder / "rtl", folder, 2, 2)
                 if not result.good]
        killers, note = [f"MAZE_CORE {result.property}" for result in wrong], wrong[0].note if wrong else ""
    return killers, note


def result_of(name, file, killers, note):
    return [tasks.Result(f"mutants/{name}", "mutants", file, ", ".join(killers), "killed" if killers else "survived",
                         "contract", note=note)]


def broken_twin(rtl, folder, options):
    """The rules of the comparison with the C++ node that a mutant breaks."""
    for config in twin_cases.configs(fast=True):
        results = twin.check(options, rtl, folder, config, full=False)
        broken = [f"MAZE_CORE {result.property}" for result in results if result.outcome == "refuted"]
        if broken:
            return broken
    return []


def judge_listed(mutant, options):
    folder = options.work / "mutants" / mutant["id"]
    mutants.plant(mutant, options.rtl, folder / "rtl")
    killers, note = judge(mutant["id"], mutant["file"], options)
    if killers and mutant["file"].startswith("network/") and mutant["file"] not in (*WIRING, "network/maze_clock_gate.sv"):
        killers += broken_twin(folder / "rtl", folder, options)
    return result_of(mutant["id"], mutant["file"], killers, note)


def plain(text, number, here, level):
    """Returns the text of a file with the errors of all kinds planted, so that it has only that of kind `number`.

    here: the condition under which an input (mi), an output (mo) or a part (m_i) is the one with the error.
    """
    def condition(found):
        mine = here[found[1]] if int(found[3]) == number else "1'b0"
        return mine if found[2] == "==" else f"!({mine})"

    text = re.sub(r"\b(m|mi|mo|m_i|mc|ml)(?:\[[^\]]+\])? (==|!=) (\d+)", condition, text)
    # Around the nodes, that at x = 1, y = 0.
    text = re.sub(r"mut\[0\] == (\d+) && mut\[1\] == x && mut\[2\] == y",
                  lambda found: "x == 1 && y == 0" if int(found[1]) == number else "1'b0", text)
    # A flop whose reset depends on more than reset is none for Yosys: it keeps its value in reset instead.
    text = re.sub(r"if \(!rst_n & !\(1'b1\)\) [^;]*;", "if (!rst_n) begin end", text)
    text = re.sub(r"if \(!rst_n & !\(1'b0\)\)", "if (!rst_n)", text)
    text = re.sub(r"\b(level_i|mut_level)\b", f"1'b{level}", text)
    text = re.sub(r"\bmut_port\b", here["port"], text)
    # A genvar alone in the expression of a port is a new net for Icarus Verilog, so that it stands in an index.
    text = text.replace("  localparam int A ", f"  localparam logic [63:0] Mine = 64'd1 << {here['port']};\n  localparam int A ")
    return text.replace("all_ready_i", "&(grant_i | ~to_i)")  # as far as a fork sees what is ready


def folder_of(path):
    """The folder of a file of the network, below rtl/."""
    return "noc" if path.startswith("noc_") else "network"


def planted(kinds, number, path, rtl, ports="", level=0):
    """The text of a file of the network with only the error of kind `number`; 0 is none. In routers of networks of any
    topology it is at every place."""
    route_kind, port = PORTS.get(ports, (2, 2))
    here = {"m": "1'b1", "m_i": f"KIND == {route_kind}" if path == "maze_route.sv" else "1'b1", "mi": "Mine[i]", "mo": "Mine[o]",
            "port": str(port)}
    if path.startswith("noc_"):
        here = {**dict.fromkeys(("m", "mi", "mo", "m_i", "mc", "ml"), "1'b1"), "port": "0"}
    text = (rtl / folder_of(path) / path).read_text()
    for turn, kind in enumerate(kinds, 1):
        for edit in kind.get("edits", ()):
            if edit["file"] == path:
                if text.count(edit["old"]) != 1:
                    raise solver.ToolFailure(f"kind '{kind['kind']}': {path} has {text.count(edit['old'])} times: {edit['old']}")
                text = text.replace(edit["old"], edit["new"].replace("@", str(turn)))
    return plain(text, number, here, level)


def judge_kind(number, kinds, file, ports, level, options):
    """Plants one error of a list of the regression as plain text, and judges it."""
    kind = kinds[number - 1]
    name = "-".join(["kind", kind["kind"].replace(" ", "-").replace("'", ""), *([ports] if ports else []),
                     *([("low", "high")[level]] if kind.get("levels") else [])])
    folder = options.work / "mutants" / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(options.rtl, folder / "rtl")
    for path in sorted({edit["file"] for edit in kind["edits"]}):
        (folder / "rtl" / folder_of(path) / path).write_text(planted(kinds, number, path, options.rtl, ports, level))
    return result_of(name, file, *judge(name, file, options))


def noc_kinds_of(options):
    """The kinds of errors of networks of any topology, and those that a proof refutes, as kinds_of() has them. The others give
    their reason, or are errors of wires and tables, which noc_tables.MUTANTS has."""
    kinds = yaml.safe_load((options.root / "tests/network_mutants/noc.yaml").read_text())["kinds"]
    return kinds, [(number, f"noc/{kind['edits'][0]['file']}", "", 0) for number, kind in enumerate(kinds, 1)
                   if "edits" in kind and "unproven" not in kind]


def kinds_of(options):
    """The kinds of errors that the regression draws from, and of those that can be seen what a proof tells apart: tuples
    (number, file, ports, level)."""
    kinds = yaml.safe_load((options.root / "tests/network_mutants/mutants.yaml").read_text())["kinds"]
    every = []
    for number, kind in enumerate(kinds, 1):
        files = {"network/" + edit["file"] for edit in kind["edits"]}
        file = next((one for one in (*LOOK_AT, "network/maze_route.sv", *WIRING) if one in files), "network/maze_core.sv")
        if "equivalent" in kind:
            continue
        by_port = kind["ports"].split() if file in ("network/maze_core.sv", "network/maze_route.sv") else []
        by_level = kind.get("levels") and file != "network/maze_route.sv"
        every += [(number, file, ports, level) for ports in by_port or [""] for level in ((0, 1) if by_level else (0,))]
    return kinds, every


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    listed = [mutant for folder in ("network", "noc") if (options.rtl / folder).is_dir()
              for mutant in yaml.safe_load((options.formal / folder / "mutants.yaml").read_text())["mutants"]]
    lists = [kinds_of(options), *([noc_kinds_of(options)] if (options.rtl / "noc").is_dir() else [])]
    sources = [tasks.file_text(*network.sources_of(options.rtl, options.formal)), routes.sources(options),
               twin.sources(options)]
    for mutant in listed[::12] if options.slice else listed:
        yield tasks.Task(f"mutants/{mutant['id']}", [*sources, repr(sorted(mutant.items()))],
                         lambda m=mutant: judge_listed(m, options))
    for kinds, drawn in lists:
        for one in drawn[::20] if options.slice else drawn:
            name = "-".join(["noc", str(one[0])] if one[1].startswith("noc/") else map(str, (one[0], *one[2:])))
            yield tasks.Task(f"mutants/kind-{name}", [*sources, repr(kinds)],
                             lambda o=one, k=kinds: judge_kind(o[0], k, *o[1:], options))
