#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the links and the node of the RTL for all traffic, and the wiring of TOPO for all shapes.

Usage: formal/prove.py [option...]

  --all            all shapes from 2x2 to 16x16; otherwise those with NX and NY in {2, 3, 8, 9, 16}
  --slice          the part that `make test` runs
  --network SPEC   only the proofs of one network: a topology as 'Mesh2D(4,3)', or its file (.yaml)
  --lanes N        with --network: VCs of each class of its routes (1)
  --only TEXT      only the tasks whose name has this text (repeatable)
  --rtl DIR        another folder with the files of rtl/
  --kernbench FILE the program that reads the elaborated design (build/release/cli/kernbench)
  --work DIR       circuits, counterexamples, kept results and reports (build/prove)
  --jobs N         proofs at a time (all processors)
  --limit S        seconds that the solver may look at one property (300)
  --fresh          use no kept result
  --engine E       let the nodes of an engine prove first, as scripts/spread.py says; they share DIR

Writes DIR/proofs.json, proofs.html, proofs.xml (JUnit) and proofs.md, and for every counterexample a waveform (VCD)
and a pin-trace, which `kernbench replay` runs. Exit code: 0 all proven, 1 something is refuted, vacuous or
undecided, 2 wrong usage, 5 a tool failed, 130 interrupted.
"""

import argparse
import os
import pathlib
import shutil
import sys
import threading
import time

sys.dont_write_bytecode = True  # the tree of sources stays as it is
import independence  # noqa: E402
import mutants  # noqa: E402
import network  # noqa: E402
import network_mutants  # noqa: E402
import noc_tables  # noqa: E402
import plain  # noqa: E402
import primitives  # noqa: E402
import reference  # noqa: E402
import report  # noqa: E402
import routes  # noqa: E402
import slices  # noqa: E402
import solver  # noqa: E402
import sources  # noqa: E402
import steering  # noqa: E402
import tasks  # noqa: E402
import twin  # noqa: E402
import wiring  # noqa: E402
import witness  # noqa: E402

FORMAL = pathlib.Path(__file__).resolve().parent
ROOT = FORMAL.parent
sys.path.append(str(ROOT / "scripts"))
import children  # noqa: E402
import spread  # noqa: E402

TASKS_AT_ONCE = 16  # in a process of a node


def tool_versions():
    """What the results depend on besides the sources."""
    return [solver.run_tool(["yosys", "-V"]),
            solver.run_tool(["berkeley-abc", "-h"], accepted=range(256)).split("\n")[0],
            solver.run_tool([os.environ.get("VERILATOR", "verilator"), "--version"]),
            tasks.file_text(*(path for path in sorted(FORMAL.glob("*.py")) if path.name != "report.py"))]


class Circuits:
    """The circuits of a folder of RTL, each built when it is first asked for."""

    def __init__(self, rtl, work, rules):
        self.rtl, self.work, self.rules = rtl, work, rules
        self.lock, self.locks, self.built = threading.Lock(), {}, {}

    def get(self, primitive):
        with self.lock:
            mine = self.locks.setdefault(primitive.name, threading.Lock())
        with mine:
            if primitive.name not in self.built:
                self.built[primitive.name] = primitives.build(
                    primitive, primitives.rules_of(primitive, self.rules), self.rtl, FORMAL, self.work / primitive.name)
            return self.built[primitive.name]


def prove_rule(circuits, primitive, rule, limit):
    """Proves one rule of one primitive, and looks for a cycle in which it has something to decide."""
    circuit = circuits.get(primitive)
    result = tasks.Result(f"primitives/{primitive.name}/{rule}", "primitives", primitive.name, rule, "undecided", "")
    answer = solver.prove_never(circuit, f"broken_{rule}", limit)
    result.engine, result.depth, result.seconds = answer.engine, answer.frames, answer.seconds
    if answer.outcome == "reached":
        result.outcome = "refuted"
        result.note = f"broken in cycle {answer.frames}"
        result.files = witness.keep(circuit, primitive, rule, circuits.work.parent / "counterexamples")
        return result
    if answer.outcome == "undecided":
        result.note = f"no answer within {limit} s; no counterexample of up to {answer.frames} cycles"
        return result
    seen = solver.reach(circuit, f"seen_{rule}", limit=limit)
    result.seconds += seen.seconds
    if seen.outcome == "reached":
        result.outcome, result.cover = "proven", seen.frames
    else:
        result.outcome, result.note = "vacuous", f"nothing to decide within {seen.frames} cycles"
    return result


def primitive_tasks(options, rules):
    circuits = Circuits(options.rtl, options.work / "circuits", rules)
    text = tasks.file_text(*(options.rtl / name for name in primitives.IRS_FILES),
                           *(FORMAL / name for name in primitives.CONTRACT_FILES))
    for primitive in primitives.primitives(options.slice):
        for rule in primitives.rules_of(primitive, rules):
            yield tasks.Task(f"primitives/{primitive.name}/{rule}",
                             [text, primitives.top_text(primitive, primitives.rules_of(primitive, rules))],
                             lambda p=primitive, r=rule: [prove_rule(circuits, p, r, options.limit)],
                             weight=4.0 ** primitive.depth)


def parse(arguments):
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--slice", action="store_true")
    parser.add_argument("--network")
    parser.add_argument("--lanes", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--rtl", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/prove")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--task", action="append", default=[])  # names of what a task of an engine proves
    spread.add_options(parser)
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        sys.exit(0)
    for name in ("jobs", "limit", "lanes"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be 1 or more")
    missing = [name for name in primitives.IRS_FILES if not (options.rtl / name).is_file()]
    if missing:
        parser.error(f"{options.rtl} has no {', '.join(missing)}")
    options.root, options.formal = ROOT, FORMAL
    options.stage_table, options.node_table, options.route_table = (
        options.kernbench.parent.parent / "formal" / name for name in ("stage_table", "node_table", "route_table"))
    options.work = options.work.resolve()
    options.rtl = options.rtl.resolve()
    return options


def groups_of(chosen):
    """Tasks that a process of a node proves: those of one circuit, which it builds once."""
    groups = {}
    for task in chosen:
        circuit = task.name.rsplit("/", 1)[0]
        while len(groups.get(circuit, ())) >= TASKS_AT_ONCE:
            circuit += "+"
        groups.setdefault(circuit, []).append(task)
    return sorted(groups.values(), key=lambda group: -sum(task.weight for task in group))


def prove_elsewhere(chosen, options):
    """Lets an engine prove the tasks. What nodes have proven is kept in the folder that they share."""
    arguments = [word for word in sys.argv[1:] if word != "--fresh"]
    arguments = [word for at, word in enumerate(arguments)
                 if not word.startswith("--engine") and (at == 0 or arguments[at - 1] != "--engine")]
    if options.fresh:
        shutil.rmtree(options.work / "kept", ignore_errors=True)
    commands = [[__file__, *arguments, "--jobs", "1", *(f"--task={task.name}" for task in group)]
                for group in groups_of(chosen)]
    spread.run_tasks(commands, options, options.work)


def main():
    children.end_on_signals()
    options = parse(sys.argv[1:])
    start = time.monotonic()
    rules, assumptions = primitives.load_properties(FORMAL)
    makers = (primitive_tasks, independence.tasks_of, wiring.tasks_of, reference.tasks_of, network.tasks_of, slices.tasks_of,
              steering.tasks_of, routes.tasks_of, twin.tasks_of, plain.tasks_of, mutants.tasks_of, network_mutants.tasks_of, noc_tables.tasks_of)
    if options.network:
        makers = (noc_tables.tasks_of_network,)
    every = [task for make in makers for task in make(options, rules)]
    chosen = [task for task in every if not options.only or any(text in task.name for text in options.only)]
    if not chosen:
        sys.stderr.write(f"error: no task has {' or '.join(options.only)} in its name\n")
        return 2
    kept = options.work / "kept"
    if options.task:
        mine = [task for task in chosen if task.name in options.task]
        tasks.run_all(mine, tool_versions(), kept, options.jobs, lambda *_: None)
        spread.write_result(options, len(mine))
        return 0
    if options.engine:
        prove_elsewhere(chosen, options)
    progress = report.Progress(len(chosen))
    rtl_hash = sources.rtl_hash(options.rtl, [ROOT / "rtl" / name for name in sources.LISTS])
    results = tasks.run_all(chosen, tool_versions(), kept, options.jobs, progress.done, options.fresh and not options.engine)
    return report.write(results, rules, assumptions, options, rtl_hash, time.monotonic() - start)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except spread.EngineError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
    except (solver.ToolFailure, tasks.NoResult) as failure:
        sys.stderr.write(f"error: {failure}\n")
        sys.exit(5)
    except KeyboardInterrupt:
        sys.exit(130)
