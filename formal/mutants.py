# SPDX-License-Identifier: Apache-2.0
"""Shows that the proofs can fail: each mutant of the RTL must be refuted.

The mutants are those that the regression kills (tests/mutants/mutants.yaml) and those of formal/mutants.yaml, for what
TOPO does not use and for faults that need long runs. A mutant of a stage is judged by the contracts, then by the argument
about widths; any other, and what is left, by the wiring rules. A refuted mutant names the rules that refuted it; every
rule must be named by some mutant. A tool that fails refutes nothing: it ends the run.
"""

import shutil

import yaml

import independence
import primitives
import reference
import solver
import tasks
import wiring
import witness

# Cycles of the first search. What needs longer is left to the proof.
SEARCH = 16
# Primitives by the file that a mutant changes, those that show most mutants first.
LOOK_AT = {
    "irs_lp.sv": [("IRS_N", "lp", 1, 1), ("IRS_N", "lp", 2, 1), ("IRS_LP", "lp", 1, 0)],
    "irs_half.sv": [("IRS_HALF", "half", 1, 1), ("IRS_HALF", "no_ready", 1, 1), ("IRS_N", "half", 2, 1),
                    ("IRS_N", "no_ready", 2, 1)],
    "irs_n.sv": [("IRS_N", "lp", 2, 1), ("IRS_N", "lp", 3, 1), ("IRS_N", "lp", 0, 1), ("IRS_N", "half", 2, 1),
                 ("IRS_N", "no_ready", 2, 1)],
}


def load(root):
    """Returns the mutants of both lists that are not explained as equal to the original."""
    every = []
    for path in (root / "tests/mutants/mutants.yaml", root / "formal/mutants.yaml"):
        every += yaml.safe_load(path.read_text())["mutants"]
    return [mutant for mutant in every if "survives" not in mutant]


def plant(mutant, rtl, folder):
    """Copies the RTL to `folder` with the mutant's edit."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(rtl, folder)
    path = folder / mutant["file"]
    text = path.read_text()
    if text.count(mutant["find"]) != 1:
        raise solver.ToolFailure(f"mutant {mutant['id']}: 'find' occurs {text.count(mutant['find'])} times in "
                                 f"{mutant['file']}, must occur exactly once")
    path.write_text(text.replace(mutant["find"], mutant["replace"]))


def refuting_rules(primitive, rules, mutated, folder, options):
    """Returns {rule: cycle} of the rules that the mutated primitive breaks, and its circuit."""
    names = primitives.rules_of(primitive, rules)
    circuit = primitives.build(primitive, names, mutated, options.formal, folder / primitive.name)
    broken = {}
    for rule in names:
        answer = solver.reach(circuit, f"broken_{rule}", SEARCH, options.limit)
        if answer.outcome == "reached":
            broken[rule] = answer.frames
    for rule in names if not broken else ():
        answer = solver.prove_never(circuit, f"broken_{rule}", min(options.limit, 60))
        if answer.outcome == "reached":
            broken[rule] = answer.frames
            break
    return broken, circuit


def judge_stage(mutant, rules, mutated, folder, options):
    """Returns (rules with the primitive, note, files of the counterexample) of a mutant of a stage."""
    for module, kind, depth, ro_en in LOOK_AT[mutant["file"]]:
        primitive = primitives.Primitive(module, kind, depth, ro_en=ro_en)
        try:
            broken, circuit = refuting_rules(primitive, rules, mutated, folder, options)
        except solver.ToolFailure:  # a latch or the like, which the wiring rules name
            return [], "", []
        if broken:
            first = min(broken, key=broken.get)
            files = witness.keep(circuit, primitive, first, folder)
            killers = sorted(broken) + reference_differs(mutated, folder, options)
            return killers, f"{primitive.name}, cycle {broken[first]}", files
    # A mutant that keeps the contract at 23 bits may still contradict the argument for other widths.
    primitive = primitives.Primitive("IRS_N", "lp", 2)
    wrong = [result for result in independence.check(primitive, mutated, folder) if not result.good]
    return [result.property for result in wrong], wrong[0].note if wrong else "", []


def reference_differs(mutated, folder, options):
    """Returns the models of the reference from which the mutated stage differs."""
    results = reference.check(options, mutated, folder)
    return sorted({result.property for result in results if result.outcome == "refuted"})


def judge_wiring(mutant, mutated, folder, options):
    nx, ny = (8, 8) if mutant.get("full_size") else (8, 3)
    by_rule, *_ = wiring.findings_of(options, mutated, nx, ny, folder / "wiring")
    rules = [rule for rule, findings in by_rule.items() if findings]
    return rules, by_rule[rules[0]][0] if rules else ""


def judge(mutant, rules, options):
    folder = options.work / "mutants" / mutant["id"]
    shutil.rmtree(folder, ignore_errors=True)
    plant(mutant, options.rtl, folder / "rtl")
    killers, note, files = [], "", []
    if mutant["file"] in LOOK_AT:
        killers, note, files = judge_stage(mutant, rules, folder / "rtl", folder, options)
    if not killers:
        killers, note = judge_wiring(mutant, folder / "rtl", folder, options)
        killers = [f"wiring {rule}" for rule in killers]
    return [tasks.Result(f"mutants/{mutant['id']}", "mutants", mutant["file"], ", ".join(killers),
                         "killed" if killers else "survived", "contract" if files else "structure", note=note, files=files)]


def tasks_of(options, rules):
    every = load(options.root)
    if options.slice:
        every = every[::12]
    sources = [tasks.file_text(*sorted(options.rtl.glob("*.sv"))), wiring.sources(options),
               tasks.file_text(*(options.formal / name for name in primitives.CONTRACT_FILES)), reference.sources(options)]
    for mutant in every:
        yield tasks.Task(f"mutants/{mutant['id']}", [*sources, repr(sorted(mutant.items()))],
                         lambda m=mutant: judge(m, rules, options))
