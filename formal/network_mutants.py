# SPDX-License-Identifier: Apache-2.0
"""Shows that the proofs of the node can fail: each mutant of network/mutants.yaml must be refuted.

A mutant of a part is judged by the proof of that part, one of the routes by the table of all of them, any other by
the proof of the core. Refuted means that there is a
counterexample: a proof that only does not end refutes nothing. The comparison with the C++ node sees a mutant, too, and
kills none alone.
"""

import yaml

import mutants
import network
import routes
import steering
import tasks
import twin
import twin_cases

# Parts by the file that a mutant changes, those that show most mutants first.
LOOK_AT = {
    "network/maze_arbiter.sv": [network.arbiter(4, 2)],
    "network/maze_queue.sv": [network.queue(4)],
    "network/maze_fork.sv": [network.fork(3)],
}
CORE = [network.core(2, 2, 2), network.core(2, 2, 0), network.core(3, 2, 3)]
# Cycles of the search for a counterexample.
SEARCH = 9


def result_of(mutant, killers, note):
    return tasks.Result(f"mutants/{mutant['id']}", "mutants", mutant["file"], ", ".join(killers),
                        "killed" if killers else "survived", "contract", note=note)


def broken_twin(rtl, folder, options):
    """The rules of the comparison with the C++ node that a mutant breaks."""
    for config in twin_cases.configs(fast=True):
        results = twin.check(options, rtl, folder, config, full=False)
        broken = [f"MAZE_CORE {result.property}" for result in results if result.outcome == "refuted"]
        if broken:
            return broken
    return []


def judge(mutant, options):
    folder = options.work / "mutants" / mutant["id"]
    mutants.plant(mutant, options.rtl, folder / "rtl")
    if mutant["file"] == "network/maze_route.sv":
        broken = [result for result in routes.check(options, folder / "rtl", folder, 4, 4) if not result.good]
        return [result_of(mutant, [f"MAZE_ROUTE {result.property}" for result in broken], broken[-1].note if broken else "")]
    killers, note = [], ""
    for part in LOOK_AT.get(mutant["file"], CORE):
        circuit = network.build(part, folder / "rtl", options.formal, folder / part.name)
        broken = network.broken_rules(part, circuit, SEARCH, min(options.limit, 20))
        if broken:
            killers = [f"{part.module} {rule}" for rule in sorted(broken)]
            note = f"{part.name}, cycle {min(broken.values())}"
            break
    if not killers and mutant["file"] not in LOOK_AT:
        steers = steering.check(folder / "rtl", folder, 2, 2)[0]
        if not steers.good:
            killers, note = ["MAZE_CORE steering"], steers.note
    if killers:
        killers += broken_twin(folder / "rtl", folder, options)
    return [result_of(mutant, killers, note)]


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    path = options.formal / "network/mutants.yaml"
    every = yaml.safe_load(path.read_text())["mutants"]
    sources = tasks.file_text(*network.sources_of(options.rtl, options.formal))
    for mutant in every[::8] if options.slice else every:
        yield tasks.Task(f"mutants/{mutant['id']}", [sources, routes.sources(options), twin.sources(options), repr(sorted(mutant.items()))],
                         lambda m=mutant: judge(m, options))
