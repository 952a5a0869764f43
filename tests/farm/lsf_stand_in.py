#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for bsub, bjobs and bkill, by the name that it is called by.

LSF_STAND_IN is a folder, in which each array of tasks has a file of its processes. A task whose job file has the text
LSF_STAND_IN_DIES in it ends at the start of the point that has it, as if its host were lost; with LSF_STAND_IN_EMPTY every
task but the first four ends before it starts a point. The first LSF_STAND_IN_DEAF calls of bjobs fail. With
LSF_STAND_IN_PENDS no task begins, and bkill waits for the file `release`. With LSF_STAND_IN_BROKEN hostA takes every task but
the first, which hostB runs, and ends it before it starts a point, until there have been that many arrays.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

STATE = pathlib.Path(os.environ["LSF_STAND_IN"])
PENDING = -1  # in place of a process


def dies(job_file):
    """Writes the start of the point at which the host is lost. Returns False when the job has none."""
    text = os.environ.get("LSF_STAND_IN_DIES")
    job = json.loads(pathlib.Path(job_file).read_text())
    broken = int(os.environ.get("LSF_STAND_IN_BROKEN", 0))
    if broken and len(list(STATE.glob("[0-9]*"))) < broken and not job_file.endswith("/1/1.json"):
        return True
    if "LSF_STAND_IN_EMPTY" in os.environ and "/1/" not in job["results"]:
        return True
    for point in job["points"]:
        if text and text in point["command"]:
            with open(job["results"], "a") as results:
                results.write(json.dumps({"key": point["key"], "attempt": point["attempt"]}) + "\n")
            return True
    return False


def bsub(words):
    count = re.fullmatch(r"kernbench-[0-9a-f]{8}\[1-(\d+)\]", words[words.index("-J") + 1])[1]
    log, script = words[words.index("-o") + 1], sys.stdin.read()
    if "-q" in words and words[words.index("-q") + 1] != "normal":
        sys.exit(f"{words[words.index('-q') + 1]}: No such queue. Job not submitted.")
    tasks = {}
    for index in range(1, int(count) + 1):
        job_file = re.search(r"job run (\S*?)\"\$LSB_JOBINDEX\"\.json", script)[1] + f"{index}.json"
        tasks[index] = 0
        if "LSF_STAND_IN_PENDS" in os.environ:
            tasks[index] = PENDING
        elif not dies(job_file):
            with open(log.replace("%I", str(index)), "w") as out:
                tasks[index] = subprocess.Popen(["sh", "-c", script], env={**os.environ, "LSB_JOBINDEX": str(index)},
                                                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True).pid
    job = len(list(STATE.iterdir())) + 100
    (STATE / str(job)).write_text(json.dumps(tasks))
    print(f"Job <{job}> is submitted to queue <normal>.")


def lives(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def bjobs(words):
    deaf = STATE / "deaf"
    calls = int(deaf.read_text()) if deaf.exists() else int(os.environ.get("LSF_STAND_IN_DEAF", 0))
    deaf.write_text(str(max(calls - 1, 0)))
    if calls:
        sys.exit("batch daemon not responding")
    job = words[-1]
    if not (STATE / job).exists():
        print(f"Job <{job}> is not found", file=sys.stderr)
        sys.exit(255)
    for index, process in json.loads((STATE / job).read_text()).items():
        state = "PEND" if process == PENDING else "RUN" if lives(process) else "EXIT" if process == 0 else "DONE"
        host = "hostB" if "LSF_STAND_IN_BROKEN" in os.environ and process else "hostA"
        print(index, state, host, "1", sep="|")


def bkill(words):
    while "LSF_STAND_IN_PENDS" in os.environ and not (STATE / "release").exists():
        time.sleep(0.02)
    if "LSF_STAND_IN_PENDS" in os.environ:
        (STATE / "killed").touch()
        return
    for process in json.loads((STATE / words[-1]).read_text()).values():
        if lives(process):
            os.killpg(process, signal.SIGKILL)


if __name__ == "__main__":
    {"bsub": bsub, "bjobs": bjobs, "bkill": bkill}[pathlib.Path(sys.argv[0]).name](sys.argv[1:])
