# SPDX-License-Identifier: Apache-2.0
"""Runs tasks, each result cached by the hash of all that it depends on."""

import concurrent.futures
import dataclasses
import hashlib
import json
import threading
import time
import typing

import sources


@dataclasses.dataclass
class Result:
    """One row of the report."""

    id: str              # unique, e.g. "primitives/IRS_N.lp.d2.w23/order"
    group: str           # primitives, independence, wiring, reference, network, routes, twin, plain, mutants
    module: str          # what was looked at
    property: str
    outcome: str         # proven, refuted, vacuous, undecided; of mutants: killed, survived
    engine: str
    depth: int = 0       # see solver.Answer
    cover: int = -1      # cycle in which the rule is seen to have something to decide; -1: has no cover
    seconds: float = 0.0
    note: str = ""       # one line
    files: list = dataclasses.field(default_factory=list)  # counterexample: waveform and pin-trace
    cached: bool = False

    @property
    def good(self):
        return self.outcome in ("proven", "killed")


class NoResult(Exception):
    """A task that ended without a result, which proves nothing."""


@dataclasses.dataclass
class Task:
    """A piece of work that gives results."""

    name: str
    inputs: list          # texts that the result depends on
    run: typing.Callable  # () -> list of Result
    weight: float = 1.0   # expected seconds; the longest start first


def file_text(*paths, headers=()):
    """Returns name and contents of files, and of all that they include, for the inputs of a task. headers: folders in
    which a tool looks for included files besides that of the source."""
    return "\n".join(text for path in paths for text in sources.texts(path, headers))


def key_of(task, common):
    digest = hashlib.sha256()
    for text in [task.name, *common, *task.inputs]:
        digest.update(len(text).to_bytes(8, "little") + text.encode())
    return digest.hexdigest()


def recall(path):
    try:
        return [Result(**{**row, "cached": True}) for row in json.loads(path.read_text())] or None
    except (OSError, ValueError, TypeError):
        return None


def tell(folder, text):
    """Leaves what a task is doing in FOLDER/progress, for a program that waits for it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"progress.{threading.get_ident()}.part"
    path.write_text(text + "\n")
    path.replace(folder / "progress")


def run_all(tasks, common, cache, jobs, done, fresh=False):
    """Runs tasks on `jobs` threads and returns their results in the order of the tasks. `common` are texts that
    every result depends on. `done(task, results, seconds)` is called after each. Only good results are kept; with
    `fresh` no kept one is used."""
    cache.mkdir(parents=True, exist_ok=True)

    def one(task):
        start = time.monotonic()
        path = cache / (key_of(task, common) + ".json")
        results = None if fresh else recall(path)
        if results is None:
            results = task.run()
            if not results:
                raise NoResult(f"{task.name} gave no result")
            if not any(result.seconds for result in results):  # work that the results share
                for result in results:
                    result.seconds = (time.monotonic() - start) / len(results)
            if all(result.good for result in results):
                part = path.with_suffix(".part")
                part.write_text(json.dumps([dataclasses.asdict(result) for result in results]))
                part.replace(path)
        done(task, results, time.monotonic() - start)
        return results

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {}
        for task in sorted(tasks, key=lambda task: -task.weight):
            waiting[task.name] = pool.submit(one, task)
        try:
            return [result for task in tasks for result in waiting[task.name].result()]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
