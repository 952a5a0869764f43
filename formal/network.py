# SPDX-License-Identifier: Apache-2.0
"""The parts of MAZE_NODE and the whole of MAZE_CORE, with the contract that each must meet.

A contract stands with its module in network/*_proof.sv, whose macros are the parameters. The parts are proven at their
ports. What the core owes to a packet is proven by induction, from an invariant over its state.
"""

import dataclasses
import re

import induction
import noc
import replay
import solver
import tasks

RULES = {
    "MAZE_ARBITER": {
        "one_grant": "At most one input is granted, in one level.",
        "only_requests": "Only an input that asks is granted, in the level that it asks for.",
        "only_ready": "Nothing is granted while the output is not ready.",
        "grants": "While the output is ready and an input asks, one is granted.",
        "high_first": "A low request is granted only while none is high, or at the bound.",
        "bound": "After HIGH_BOUND grants of high in a row while a low request waits, the next grant is low.",
        "turn": "The first input behind the last winner of the level wins; after reset, and with FIXED, the lowest.",
        "fair": "A request sees at most N - 1 grants of its level to others.",
        "high_waits": "Each cycle with a ready output brings a high request nearer: at most N + 1 + (N - 1) / HIGH_BOUND "
                      "cycles to its grant, N without a bound.",
        "low_waits": "Each cycle with a ready output brings a low request nearer: at most N cycles without high requests, "
                     "N * (HIGH_BOUND + 1) with them.",
    },
    "MAZE_QUEUE": {
        "reset": "In reset it is empty and ready.",
        "ready": "It is ready when both levels have room, or that of a refused packet, and no expansion holds it.",
        "full": "A full level accepts nothing.",
        "offers": "A level has a head as long as it holds a packet.",
        "order": "The head is the oldest packet of its level, unchanged.",
    },
    "MAZE_FORK": {
        "requests": "The packet at the head asks for the copies that were not granted yet, and for nothing else.",
        "last": "It leaves when the last of its copies is granted.",
    },
    "MAZE_EXPAND": {
        "copies": "The copies go to the nodes that the packet names but for the failed one, in order, once each.",
        "last": "The last copy is marked.",
        "busy": "It is busy from the packet's acceptance to its last copy.",
        "invariant": "The state is one of those from which the other rules follow.",
    },
    "MAZE_CLOCK_GATE": {
        "low": "While the clock is low, the gated clock is low.",
        "enabled": "It is high only if the enable or the test enable was high when the clock was last low.",
        "opens": "If the enable was, it is high as long as the clock is.",
        "test": "If the test enable was, it is high as long as the clock is.",
        "whole": "Its pulses are whole: it does not change while the clock is high.",
    },
    "MAZE_CORE": {
        "conserved": "Each copy that a packet owes is at one place: it waits, stands in its output stage, or has left.",
        "unchanged": "A copy leaves as the packet came, but for the target of an expanded one.",
        "order": "A later packet of the same input and level is behind it at every output.",
        "progress": "A packet at the head of its queue waits as many cycles in which its outputs are ready as high_waits and "
                    "low_waits of MAZE_ARBITER say, and not more.",
        "invariant": "The state is one of those from which the other rules follow.",
    },
    **noc.RULES,
}
PROOFS = {"MAZE_ARBITER": "arbiter_proof.sv", "MAZE_QUEUE": "queue_proof.sv", "MAZE_FORK": "fork_proof.sv",
          "MAZE_EXPAND": "expand_proof.sv", "MAZE_CLOCK_GATE": "clock_gate_proof.sv",
          "MAZE_CORE": "node_proof.sv", **noc.PROOFS}
COMMON = "judged.sv"  # of several proofs
GATE_FILE = "maze_clock_gate.sv"
STAGE_FILES = ("irs_half.sv", "irs_lp.sv", "irs_n.sv")
# Networks whose nodes are proven.
SIZES = ((2, 2), (3, 3), (3, 4), (4, 4), (8, 8), (8, 3))
PART_FILES = ("maze_arbiter.sv", "maze_core.sv", "maze_expand.sv", "maze_fork.sv", "maze_queue.sv", "maze_route.sv")


@dataclasses.dataclass(frozen=True)
class Part:
    """A module of the network at one set of parameters."""

    module: str
    label: str       # the parameters, as text
    defines: tuple   # ((macro, value), ...) of its proof
    weight: float = 1.0

    @property
    def name(self):
        return f"{self.module}.{self.label}"

    @property
    def values(self):
        return dict(self.defines)


def arbiter(inputs, bound, fixed=0):
    return Part("MAZE_ARBITER", f"n{inputs}.bound{bound}" + (".fixed" if fixed else ""),
                (("KB_N", inputs), ("KB_HIGH_BOUND", bound), ("KB_FIXED", fixed)), weight=inputs * 2.0)


def queue(width):
    return Part("MAZE_QUEUE", f"w{width}", (("KB_PYLD_W", width),))


def fork(outputs):
    return Part("MAZE_FORK", f"p{outputs}", (("KB_P", outputs),))


def clock_gate():
    return Part("MAZE_CLOCK_GATE", "cell", ())


def address_bits(nodes):
    """Address bits of a row or column of so many nodes, as maze_pkg::addr_w has them."""
    return max(3, (nodes - 1).bit_length())


def expansion(nx, ny):
    return Part("MAZE_EXPAND", f"{nx}x{ny}", (("KB_NX", nx), ("KB_NY", ny), ("KB_AX", address_bits(nx)), ("KB_AY", address_bits(ny))))


def core(nx, ny, port, bound=16):
    """The node of a network of nx x ny nodes, seen from one of its inputs: X links, Y links, and last A."""
    return Part("MAZE_CORE", f"{nx}x{ny}.port{port}" + (f".bound{bound}" if bound != 16 else ""),
                (("KB_NX", nx), ("KB_NY", ny), ("KB_AX", address_bits(nx)), ("KB_AY", address_bits(ny)), ("KB_PORT", port),
                 ("KB_HIGH_BOUND", bound)), weight=float(nx * ny))


def router(shape):
    """The router of networks of any topology; shape: (PI, PO, V, M, B)."""
    return Part("NOC_ROUTER", noc.label(shape), noc.defines(shape), weight=float(shape[0] * shape[1] * shape[2] ** 2 * shape[4]))


def link(depth):
    """A link of the same networks, of so many register stages."""
    return Part("NOC_NODE", f"d{depth}", noc.link_defines(depth))


def parts(fast=False):
    """Returns all parts of `make prove`; with `fast` the slice of `make test`."""
    if fast:
        return [arbiter(4, 2), queue(4), fork(3), expansion(3, 2), clock_gate(), core(2, 2, 0), core(2, 2, 2),
                link(1), *map(router, noc.FAST_SHAPES)]
    arbiters = [arbiter(*one) for one in ((8, 16), (15, 16), (8, 0), (15, 0), (8, 1), (15, 1), (8, 16, 1), (15, 0, 1))]
    expansions = [expansion(nx, ny) for nx, ny in (*SIZES, (16, 16))]
    cores = [core(nx, ny, port) for nx, ny in SIZES for port in range(nx + ny - 1)]
    return [*arbiters, queue(4), queue(23), fork(3), fork(15), *expansions, clock_gate(), *cores, *map(link, noc.DEPTHS), *map(router, noc.SHAPES)]


def outputs_of(proof):
    """The rules of a proof's module as its output ports, in order."""
    ports = proof.read_text().split("\nmodule ", 1)[1].split(");", 1)[0]
    return list(dict.fromkeys(re.findall(r"\b(?:broken|seen)_[a-z_]+", ports)))


def slice_of(signal, index, width):
    return f"{signal}[{index}]" if width == 1 else f"{signal}[{index * width + width - 1}:{index * width}]"


def inside_core(part):
    """Pairs (signal of node_proof.sv, flop of the core) of what its invariant speaks about."""
    values = part.values
    count = values["KB_NX"] + values["KB_NY"] - 1
    width = 5 + 2 * (values["KB_AX"] + values["KB_AY"])
    pairs, arbiters = [], []
    counter = max(1, values["KB_HIGH_BOUND"].bit_length())
    for i in range(count):
        queue, stage = f"g_in[{i}].u_queue.", f"g_out[{i}].u_stage.g_stage[0].g_lp.u_irs."
        pairs += [("heads", i, 2, queue + "head_q"), ("nexts", i, 2, queue + "next_q")]
        pairs += [(entry, i, width, f"{queue}{entry}_q") for entry in ("low", "low_next", "high", "high_next")]
        pairs += [(f"{level}_done", i, count, f"g_in[{i}].u_{level}_fork.done_q") for level in ("low", "high")]
        pairs += [("main_valid", i, 1, stage + "main_vld_q"), ("skid_free", i, 1, stage + "skid_free_q"),
                  ("main", i, width, stage + "main_pyld_q"), ("skid", i, width, stage + "skid_pyld_q")]
        inputs = values["KB_NY"] if i < values["KB_NX"] - 1 else values["KB_NX"] if i < count - 1 else count
        arbiters += [(f"{level}_from[{i * count + inputs - 1}:{i * count}]", f"g_out[{i}].u_arbiter.{level}_from_q")
                     for level in ("low", "high")]
        pairs.append(("counts", i, counter, f"g_out[{i}].u_arbiter.count_q"))
    expand = f"g_in[{count - 1}].g_expand."
    joins = [(slice_of(signal, index, wide), f"u_core.{flop}") for signal, index, wide, flop in pairs]
    joins += [(signal, f"u_core.{flop}") for signal, flop in arbiters]
    return joins + [("high_request", "u_core.high_request"), ("busy", f"u_core.{expand}u_expand.busy_q"), ("copy_type", f"u_core.{expand}u_expand.type_q"),
                    ("copy_target", f"u_core.{expand}copy_tgt")]


def connections_of(part):
    """The flops that a proof speaks about, as build_circuit joins them."""
    if part.module == "MAZE_EXPAND":
        return [("copying", "dut.busy_q"), ("copy_type", "dut.type_q")]
    if part.module == "NOC_ROUTER":
        return noc.joins(part.values)
    if part.module == "NOC_NODE":
        return noc.link_joins()
    return inside_core(part) if part.module == "MAZE_CORE" else []


def core_files(rtl):
    """The sources of MAZE_CORE in the folder `rtl`."""
    return [rtl / name for name in STAGE_FILES] + [rtl / "network" / name for name in PART_FILES]


def sources_of(rtl, formal):
    return core_files(rtl) + noc.files(rtl, "NOC_NODE") + [rtl / "network" / GATE_FILE] + [formal / "network" / name for name in (COMMON, *PROOFS.values())]


def proof_files(part, rtl, formal):
    """The sources of a part and of its contract, which comes last."""
    files = core_files(rtl) if part.module == "MAZE_CORE" else noc.files(rtl, part.module) if part.module in noc.RULES else [rtl / "network" / f"{part.module.lower()}.sv"]
    return [*files, formal / "network" / COMMON, formal / "network" / PROOFS[part.module]]


def build(part, rtl, formal, folder):
    """Elaborates a part of the RTL in the folder `rtl` with its contract."""
    sources = proof_files(part, rtl, formal)
    return solver.build_circuit(folder, sources, outputs_of(sources[-1]), defines=part.values,
                                connections=connections_of(part))


def replay_of(part, circuit, output, rtl, formal, wave=None):
    """Replays the counterexample of an output in Icarus Verilog. Returns the cycle in which it is 1; None if never."""
    return replay.counterexample(circuit, output, proof_files(part, rtl, formal), part.values, connections_of(part), wave)


def broken_outputs(circuit, frames, limit):
    """Returns {output: cycle} of the rules that a search of `frames` cycles sees broken."""
    found = {}
    for output in circuit.outputs:
        if output.startswith("broken_") and output != "broken_any":
            answer = solver.reach(circuit, output, frames, limit)
            if answer.outcome == "reached":
                found[output] = answer.frames
    return found


def rule_of(part, output):
    """The rule that an output of a proof belongs to. Statements of the invariant have outputs of their own."""
    rule = output.removeprefix("broken_")
    return rule if rule in RULES[part.module] else "invariant"


def result_of(part, rule, answer, limit):
    result = tasks.Result(f"network/{part.name}/{rule}", "network", part.name, rule, "proven", answer.engine,
                          depth=answer.frames, seconds=answer.seconds)
    if answer.outcome == "reached":
        result.outcome, result.note = "refuted", f"broken in cycle {answer.frames}"
    elif answer.outcome == "undecided":
        result.outcome = "undecided"
        result.note = f"no answer within {limit} s; no counterexample of up to {answer.frames} cycles"
    return result


def look_for_cover(result, circuit, limit):
    """Looks for a cycle in which a proven rule has something to decide."""
    seen = solver.reach(circuit, f"seen_{result.property}", limit=limit)
    result.seconds += seen.seconds
    if seen.outcome == "reached":
        result.cover = seen.frames
    else:
        result.outcome, result.note = "vacuous", f"nothing to decide within {seen.frames} cycles"


def keep_counterexample(result, part, circuit, output, rtl, formal, folder):
    """Replays the counterexample of a refuted rule in Icarus Verilog, and keeps its waveform."""
    folder.mkdir(parents=True, exist_ok=True)
    wave = folder / f"{part.name}-{result.property}.vcd"
    cycle = replay_of(part, circuit, output, rtl, formal, wave)
    result.files = [str(wave)]
    result.note += "; replayed by Icarus Verilog" if cycle is not None else "; Icarus Verilog does not see it"


def check(part, rtl, formal, folder, limit):
    """Proves all rules of a part. Those with an invariant hold together, so that one proof is theirs."""
    tasks.tell(folder, f"{part.name}: elaborating")
    circuit = build(part, rtl, formal, folder / "circuits" / part.name)
    parts_of_rule = sorted(output for output in circuit.outputs if output.startswith("broken_") and output != "broken_any")
    together = induction.prove(circuit, "broken_any", limit, parts_of_rule if part.module in noc.RULES else (),
                               lambda text: tasks.tell(folder, f"{part.name}: {text}")) \
        if "broken_any" in circuit.outputs else None
    broken = broken_outputs(circuit, together.frames + 1, limit) if together and together.outcome == "reached" else {}
    shown_by = {rule_of(part, output): output for output in broken}
    results = []
    for rule in RULES[part.module]:
        output = shown_by.get(rule, f"broken_{rule}")
        answer = together or solver.prove_never(circuit, output, limit)
        if broken:  # of rules that are proven together, those that no search sees broken are open
            answer = solver.Answer("reached" if rule in shown_by else "undecided", broken.get(output, answer.frames),
                                   answer.seconds, answer.engine)
        result = result_of(part, rule, answer, limit)
        if broken and result.outcome == "undecided":
            result.note = f"proven together with rules that are broken; no counterexample of up to {answer.frames} cycles"
        if result.outcome == "refuted":
            keep_counterexample(result, part, circuit, output, rtl, formal, folder / "counterexamples")
        elif result.good and f"seen_{rule}" in circuit.outputs and (part.module != "NOC_ROUTER" or noc.is_covered(part.values)):
            look_for_cover(result, circuit, limit)
        results.append(result)
    return results


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = tasks.file_text(*sources_of(options.rtl, options.formal))
    for part in parts(options.slice):
        if part.module in noc.RULES and not noc.files(options.rtl):
            continue
        yield tasks.Task(f"network/{part.name}", [text, repr(part)],
                         lambda p=part: check(p, options.rtl, options.formal, options.work, options.limit),
                         weight=part.weight)
