#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SIGTERM, SIGINT and SIGKILL at drawn moments.

Usage: signals_test.py --program KERNBENCH --model LIBRARY [--moments N] [--builds N] [--jobs N] [--seed N] [--limit SECONDS]

Sends N signals to commands of many kinds (8), inside builds of models (2) and inside sweeps on a Slurm cluster of this
machine (0). A signal that comes before or after the build, or while the cluster has no task, is one more than these.
--limit is the time in which everything has to end after a signal (20). Prints the seed, from which --seed draws the same
again. Exit code 1 after a fault.
"""

import argparse
import pathlib
import random
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "farm"))
import moments  # noqa: E402
import slurm_cluster  # noqa: E402

CLUSTER_PLAN = moments.PLAN.replace("step: 64", "step: 16")


class Tally:
    """Counts trials and prints those that failed."""

    def __init__(self):
        self.trials, self.met, self.failed, self.longest = 0, 0, 0, 0.0

    def add(self, trial, number, moment, faults, took):
        self.trials += 1
        self.met += trial.met
        self.failed += bool(faults)
        if number != moments.signal.SIGKILL:
            self.longest = max(self.longest, took)
        where = f"{trial.command.name}: {number.name} after {moment:.3f} s"
        for fault in faults:
            print(f"FAIL  {where}: {fault}", flush=True)
        if faults:
            print(f"      exit code {trial.code}: {trial.log()[-500:]}", flush=True)


def draw(rng, count, commands, run, first=0):
    """Calls run() with each of `count` draws of a command, a signal and a moment; each signal and command in turn."""
    for i in range(first, first + count):
        command = commands[i % len(commands)]
        number = moments.SIGNALS[(i // len(commands) + i) % len(moments.SIGNALS)]
        run(command, number, rng.uniform(0, command.seconds))


def draw_inside(rng, count, commands, run, tally):
    """Draws until `count` signals have met their commands inside the work. Returns how many it drew."""
    met, drawn = tally.met, 0
    while tally.met - met < count:
        if drawn >= 20 + 4 * count:
            sys.exit(f"error: only {tally.met - met} of {drawn} signals came inside the work of {commands[0].name}")
        draw(rng, 1, commands, run, drawn)
        drawn += 1
    return drawn


def here(options, tally):
    def run(command, number, moment):
        with tempfile.TemporaryDirectory(prefix="kernbench-signals-") as folder:
            trial = moments.Trial(options.program, pathlib.Path(folder), command, options.limit)
            tally.add(trial, number, moment, *trial.send(number, moment))

    return run


def on_cluster(options, tally, rng):
    cluster = slurm_cluster.SlurmCluster(2)
    cluster.start()
    try:
        engine = (moments.ROOT / "configs/engines/slurm.yaml").read_text() + "poll_s: 0.5\nlate_files_s: 1\n"
        command = moments.Command("cluster", ["sweep", "plan.yaml", "--output", "s.db", "--engine", "slurm.yaml"],
                                  # The note of an array whose tasks the controller has not ended yet.
                                  ["s.db", "s.csv", "s.db.jobs/*/job.array"], files={"plan.yaml": CLUSTER_PLAN, "slurm.yaml": engine}, seconds=6.0)

        def tasks():
            return cluster.run("squeue", "--noheader", "--states", "PENDING,RUNNING").stdout

        def run(command, number, moment):
            with tempfile.TemporaryDirectory(prefix="kernbench-signals-") as folder:
                pathlib.Path(folder).chmod(0o755)
                # Tasks outlive a killed sweep until the next one cancels them.
                killed = number == moments.signal.SIGKILL
                trial = moments.Trial(options.program, pathlib.Path(folder), command, options.limit, cluster.environment)
                trial.wait_for_nothing = (lambda limit: {}) if killed else trial.wait_for_nothing
                trial.inside = lambda: bool(tasks())
                faults, took = trial.send(number, moment)
                if left := tasks():
                    faults.append(f"tasks are left: {left}")
                tally.add(trial, number, moment, faults, took)

        drawn = draw_inside(rng, options.jobs, [command], run, tally)
        print(f"{options.jobs} of {drawn} signals came while the cluster had a task")
    finally:
        cluster.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--moments", type=int, default=8)
    parser.add_argument("--builds", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--limit", type=float, default=20.0)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    rng = random.Random(options.seed)
    tally = Tally()
    if options.jobs and slurm_cluster.missing_packages():
        sys.exit("error: Slurm is not installed, so that no job can get a signal")
    draw(rng, options.moments, moments.commands(options.model), here(options, tally))
    drawn = draw_inside(rng, options.builds, moments.builds(), here(options, tally), tally)
    print(f"{options.builds} of {drawn} signals came inside a build", flush=True)
    if options.jobs:
        on_cluster(options, tally, rng)
    if tally.trials == 0:
        sys.exit("error: no signal was sent")
    verdict = "FAIL" if tally.failed else "PASS"
    print(f"{verdict}  {tally.trials - tally.failed} of {tally.trials} moments; the longest end after SIGINT or SIGTERM took "
          f"{tally.longest:.2f} s; seed {options.seed}")
    sys.exit(1 if tally.failed else 0)


if __name__ == "__main__":
    main()
