# SPDX-License-Identifier: Apache-2.0
"""Commands that get a signal at a drawn moment, and what has to be true afterwards.

After SIGINT and SIGTERM nothing that the command started runs, and it has left no temporary and no half-written file. After
SIGKILL the next run of the same command succeeds and cleans up.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "KERNBENCH_SIGNALS_TEST"  # a variable that all processes below a command inherit
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)

# A shell without job control lets what it starts in the background ignore SIGINT, which the commands here would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclasses.dataclass
class Command:
    """A command line in a folder of its own."""

    name: str
    words: list
    outputs: list = dataclasses.field(default_factory=list)  # patterns of the files that may be there after any end
    seconds: float = 1.0  # the moments of its signals are drawn from this time
    files: dict = dataclasses.field(default_factory=dict)  # inputs: name to text
    serves: bool = False  # runs until it is stopped
    exit_codes: tuple = (0,)
    environment: dict = dataclasses.field(default_factory=dict)  # variables besides those of the test
    inside: str = ""  # pattern of a file that is there during the work that a signal has to meet


@dataclasses.dataclass
class Seen:
    """The faults that are seen after a signal."""

    faults: list = dataclasses.field(default_factory=list)

    def expect(self, holds, text):
        if not holds:
            self.faults.append(text)


def processes_with(mark):
    """Returns the numbers and command lines of the processes that have the mark in their environment."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended, or is a zombie
            continue
    return found


def is_whole(path):
    """Returns False for a file that ends early, as far as its kind tells."""
    if path.suffix == ".json":
        try:
            json.loads(path.read_text())
        except ValueError:
            return False
    if path.suffix == ".html":
        return path.read_text().rstrip().endswith("</html>")
    if path.suffix == ".db":
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return database.execute("pragma integrity_check").fetchone() == ("ok",)
    return True


MODEL_FILES = {"manifest", "settings", "names", "notes", "build.log", "verilate.log", "structure.json"}


def fault_of_model(folder, path):
    """Returns what is wrong with a file in a folder of built models, whose models are folders; nothing if it may be there.

    A model is whole when it has a manifest, and a dump when it has a stamp. One that was never completed may only have its
    lock and the log of its errors.
    """
    name = path.relative_to(folder)
    if len(name.parts) < 2:
        return "beside the models"
    model = folder / name.parts[0]
    if not (model / "manifest").is_file():
        may_stay = name.parts[1] == "build.log"
        if (model / "dump/stamp").is_file():
            may_stay = name.parts[1] in {"build.log", "dump", "names", "structure.json"}
        return "" if may_stay else "of a model that is not whole"
    known = path.suffix == ".so" or name.parts[1] == "dump" or name.parts[1:] in {(file,) for file in MODEL_FILES}
    return "" if known else "of no known kind"


def leftovers(folder, command):
    """Returns the files that are neither inputs, outputs nor locks, and the outputs that are not whole."""
    left = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir() or str(name) in command.files:
            continue
        if ".lock" in path.name and path.stat().st_size == 0:
            continue
        if name.parts[0] == "models" and ".tmp-" not in str(name):
            if fault := fault_of_model(folder / "models", path):
                left.append(f"{name} ({fault})")
            continue
        if ".tmp-" in str(name) or not any(name.match(pattern) for pattern in command.outputs):
            left.append(str(name))
        elif not is_whole(path):
            left.append(f"{name} (half)")
    return left


class Trial:
    """One command in one folder, whose processes have a mark of their own."""

    def __init__(self, program, folder, command, limit, environment=None, linger=None):
        self.program, self.folder, self.command, self.limit = program, folder, command, limit
        self.linger = linger
        self.mark = uuid.uuid4().hex
        for name in ("work", "tmp", "home"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.work = folder / "work"
        for name, text in command.files.items():
            (self.work / name).write_text(text)
        self.environment = {**(environment or os.environ), MARK: self.mark, "TMPDIR": str(folder / "tmp"),
                            "XDG_CACHE_HOME": str(folder / "home"), **command.environment}
        self.inside = lambda: next(self.work.glob(command.inside), None) is not None if command.inside else True
        self.code = None  # of the run that got the signal
        self.met = False  # the signal met a command that ran, inside its work

    def start(self):
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            return subprocess.Popen([self.program, *self.command.words], cwd=self.work, env=self.environment, stdout=log,
                                    stderr=log, stdin=subprocess.DEVNULL)

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def wait_for_nothing(self, limit):
        """Returns the processes that are left after the limit."""
        end = time.monotonic() + limit
        while (left := processes_with(self.mark)) and time.monotonic() < end:
            time.sleep(0.02)
        return left

    def files(self):
        temporary = [str(path.relative_to(self.folder)) for path in (self.folder / "tmp").rglob("*")]
        return leftovers(self.work, self.command) + temporary

    def wait_for_moment(self, process, moment):
        """Returns the exit code of a process that ends before the moment. A text is the file that it writes then."""
        if isinstance(moment, str):
            while process.poll() is None and not (self.work / moment).exists():
                time.sleep(0.01)
            return process.returncode
        try:
            return process.wait(timeout=moment)
        except subprocess.TimeoutExpired:
            return None

    def send(self, number, moment):
        """Sends a signal at a moment after the start. Returns what is wrong, and the seconds that the end took."""
        seen = Seen()
        process = self.start()
        code = self.wait_for_moment(process, moment)
        self.met = code is None and self.inside()
        sent = time.monotonic()
        if code is None:
            process.send_signal(number)
            try:
                process.wait(timeout=self.limit)
            except subprocess.TimeoutExpired:
                seen.expect(False, f"it runs {self.limit} s after the signal")
                process.kill()
                process.wait()
            rest = max(0.0, sent + self.limit - time.monotonic())
            left = self.wait_for_nothing(rest if self.linger is None else self.linger)
            seen.expect(not left, f"still running: {left}")
            code = process.returncode
        self.code = code
        took = time.monotonic() - sent
        if number != signal.SIGKILL:
            allowed = {130, *self.command.exit_codes}  # it may have ended first
            if self.command.serves:
                allowed = {0, 130, -number} if number == signal.SIGTERM else {130}
            # Before main() has begun, the signal ends the process as it does by default.
            seen.expect(code in allowed or code == -number, f"exit code {code}")
            left = self.files()
            seen.expect(not left, f"left: {left}")
        elif not self.command.serves:
            again = self.start()
            seen.expect(again.wait() in self.command.exit_codes, f"the next run: exit code {again.returncode}: {self.log()}")
            left = self.files()
            seen.expect(not left, f"left after the next run: {left}")
        return seen.faults, took


PLAN = """\
command: [run, vector-add, --set=topology.sip.cube_mesh.w=1, --set=topology.sip.cube_mesh.h=1]
parameters:
  bench.rows: {from: 64, to: 640, step: 64}
targets:
  data.end_ps: min
"""


def commands(model):
    """Returns commands of many kinds that take a second or so. `model` is a library that `sim` runs without a build."""
    spec = (ROOT / "configs/topology.yaml").read_text()
    return [
        Command("help", ["sim", "--help"], seconds=0.1),
        Command("doctor", ["doctor"], exit_codes=(0, 2), seconds=0.5),
        Command("run", ["run", "gemm", "--json", "r.json", "--html", "r.html", "--trace", "t.json"],
                ["r.json", "r.html", "t.json"], seconds=0.6),
        Command("topology", ["topology", "export", "--topology", "t.yaml", "-o", "x.json"], ["x.json", "t.cube_mesh.yaml"],
                seconds=0.3, files={"t.yaml": spec}),
        Command("sim", ["sim", "--fabric", "4x3", "--model", model, "--report", "report", "--suite", "endurance"], ["report/*"],
                exit_codes=(1,)),  # VACUOUS: the model has no checkers
        Command("sweep", ["sweep", "plan.yaml", "--output", "s.db", "--jobs", "2"], ["s.db", "s.csv"], files={"plan.yaml": PLAN}),
        Command("web", ["web", "--report", "."], serves=True, seconds=0.5),
    ]


def builds():
    """Returns the commands that build a model: with a compiler that has seen nothing, and with the cache of the user."""
    words = ["sim", "--fabric", "2x2", "--models", "models", "--report", "report", "--waves", "off", "--suite", "uniform"]
    from_cache = Command("build", words, ["report/*"], seconds=0.8, exit_codes=(0, 1), inside="models/*/build.tmp-*")
    if shutil.which("ccache") is None:
        return [from_cache]
    cache = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True, check=True).stdout.strip()
    from_cache.environment = {"CCACHE_DIR": cache}
    cold = dataclasses.replace(from_cache, name="build without a cache", seconds=8.0, environment={"CCACHE_DISABLE": "1"})
    return [from_cache, from_cache, from_cache, cold]
