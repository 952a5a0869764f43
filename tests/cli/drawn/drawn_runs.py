#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws commands with odd paths, runs them, and looks at everything around them.

Usage: drawn_runs.py --program KERNBENCH --source FOLDER [--runs N] [--builds N] [--seed N] [--only RUN]

Every run has a tree of its own, with neighbours and canaries, an odd current folder, HOME, cache, TMPDIR and checkout or
installation. Afterwards only the outputs of the command may have changed; the exit code is a documented one; bad input has a
line that says what is wrong, and has written nothing. At least --builds runs must have built a model. Prints the seed, from
which --seed draws the same again; --only repeats one run and keeps its tree. Exit code 1 after a fault.
"""

import argparse
import dataclasses
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import commands as cli  # noqa: E402
import world as worlds  # noqa: E402

EXIT_CODES = {0, 1, 2, 3, 4}
LIMIT_S = 300  # of one run; a build waits for its processors on a busy machine
ERROR = re.compile(rb"^(.*: )?error: ", re.M)
CRASHES = (b"internal error", b"Traceback", b"terminate called", b"AddressSanitizer", b"runtime error:")
# The ends of the names of files that a command leaves for the next one, whatever its end.
KEPT = (b".lock", b"build.log", b".cube_mesh.yaml")


@dataclasses.dataclass
class Run:
    """A drawn command: its words, and what it may write."""

    command: tuple
    words: list
    declared: worlds.Declared
    environment: dict
    program: bytes
    builds: bool = False


def cache_of_compiler():
    if shutil.which("ccache") is None:
        return {}
    found = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True, check=True)
    return {"CCACHE_DIR": found.stdout.strip()}


class Stock:
    """Valid inputs of all kinds, each written when a run asks for it first, most of them by the program itself."""

    def __init__(self, program, source, folder):
        self.program, self.source, self.folder = program, source, folder
        self.environment = {**os.environ, "KERNBENCH_ROOT": str(source), **cache_of_compiler()}
        self.kinds = {kind: folder / name for kind, name in {
            "topology": "t.yaml", "regression": "r.yaml", "ccl": "ccl.yaml", "zoo": "z.yaml", "transfers": "w.csv",
            "requests": "q.csv", "dpi": "d.c", "plan": "p.yaml", "engine": "e.yaml", "known": "k.yaml", "pins": "x.json",
            "job": "j.json", "rtl": "rtl", "folder": "rtl", "filelist": "f.f", "source": "s.sv", "list": "l.txt"}.items()}
        self.made = {"model": "models/2x2x8/libmaze_model.so", "coverage": "report/coverage.json", "chakra": "u",
                     "database": "s.db", "figures": "g.json", "report": "n.json"}
        self.write()

    def __contains__(self, kind):
        return kind in self.kinds or kind in self.made

    def __getitem__(self, kind):
        if kind == "list":
            self["coverage"]
        if kind not in self.kinds:
            self.make(kind)
            self.kinds[kind] = self.folder / self.made[kind]
        return self.kinds[kind]

    def make(self, kind):
        if kind in ("model", "coverage"):
            self.run("sim", "r.yaml", "--models", "models", "--report", "report")
        elif kind == "chakra":
            self.run("run", "--topology", "t.yaml", "vector-add", "--export-chakra", "u")
        elif kind == "report":
            self.run("run", "--topology", "t.yaml", "vector-add", "--json", "n.json")
        elif kind == "database":
            self.run("sweep", "p.yaml", "--output", "s.db")
        else:
            self.run("evaluate", "gemm", "--quick", "--topology", "t.yaml", "--json", "g.json")

    def run(self, *words):
        finished = subprocess.run([self.program, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                  check=False)
        if finished.returncode != 0:
            sys.exit(f"error: the inputs could not be made: kernbench {shlex.join(words)}: {finished.stdout}{finished.stderr}")

    def write(self):
        rtl = self.folder / "rtl"
        shutil.copytree(self.source / "rtl", rtl)
        for kind, text in {
                "topology": "sip: {cube_mesh: {w: 2, h: 1}}\n"
                            "cube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}\n",
                "regression": "name: small\nfabric: {nx: 2, ny: 2}\nsuites:\n  - {name: uniform, cycles: 300}\n",
                "ccl": (self.source / "configs/ccl.yaml").read_text(),
                "zoo": (self.source / "configs/zoo/bidirectional_line.yaml").read_text(),
                "transfers": "time_ps,src,dst,bytes,qos,type\n0,0,1,64,low,unicast\n",
                "requests": "arrival_s,prompt,output\n0.001,4,2\n",
                "dpi": "int unused;\n",
                "plan": "command: [probe]\nparameters: {bytes: [64]}\ntargets: {config_hash: none}\n",
                "engine": (self.source / "configs/engines/slurm.yaml").read_text(),
                "known": "known_failures:\n  - {suite: uniform, reason: a ticket, until: 2031-01-31}\n",
                "pins": "{}",
                "job": '{"schema": 1, "kind": "job", "folder": ".", "results": "r", "targets": [], "points": []}',
                "filelist": "".join(f"{rtl}/{line}\n" for line in (rtl / "topo.f").read_text().split() if line.endswith(".sv")),
                "source": "module s; endmodule\n",
                "list": f"{self.folder}/report/coverage.json\n"}.items():
            self.kinds[kind].write_text(text)


class Drawer:
    """Draws one run in a world."""

    def __init__(self, rng, world, tree, program):
        self.rng, self.world, self.tree, self.program = rng, world, tree, program
        self.given = []

    def path_of(self, role, safe=False):
        """Returns an argument for a path of this role."""
        rng, world = self.rng, self.world
        if role.startswith("in:"):
            path = world.input(role[3:], odd=not safe)
        elif safe:
            path = world.spelled(os.path.join(rng.choice((world.here, world.there)), world.name()))
        else:
            path = world.output(self.given)
        self.given.append(path)
        return path

    def declare(self, declared, role, path):
        """Notes what a command may write that has this output."""
        if path in (b"", b"-") or not role.startswith(("out:", "in:figures")):
            return
        where = os.path.join(self.world.here, path)
        for leads in {os.path.normpath(where), worlds.absolute(path, self.world.here)}:
            if role == "out:file":
                declared.files.add(leads)
            elif role == "out:database":
                declared.files |= {leads, os.path.splitext(leads)[0] + b".csv", os.path.splitext(leads)[0] + b".html"}
                declared.prefixes += [leads + b"-", leads + b".jobs", leads + b".lock"]
            elif role == "in:figures":
                declared.folders.append(leads.removesuffix(b".json") + b"-plots")
            elif role == "out:evaluation":
                stem = leads.removesuffix(b".json")
                declared.files |= {leads, stem + b".svg"}
                declared.folders.append(stem + b"-plots")
            elif role == "out:prefix":
                declared.prefixes.append(leads + b".")
            else:
                declared.folders.append(leads)

    def values(self, command, option):
        rng, role = self.rng, cli.role_of(command, option)
        if option.value == "":
            return None
        if option.value == "N":
            return str(rng.choice((1, 1, 2, 3, 0))).encode()
        if "|" in option.value:
            return rng.choice(option.value.split("|")).encode()
        if role == "text":
            known = cli.TEXTS.get(" ".join([*command.words, option.names[-1]])) or cli.TEXTS[option.names[-1]]
            return rng.choice(known).encode() if rng.random() < 0.8 else self.world.name()
        return self.path_of(role)

    def draw(self, building):
        """Returns a run; one that builds a model has no bad paths."""
        rng, world = self.rng, self.world
        builders = (("sim",), ("model",))
        command = rng.choice([command for command in self.tree if not building or command.words in builders])
        call = " ".join(command.words)
        recipe = rng.choice(cli.RECIPES.get(call, [[]]))
        if building:
            recipe = {"sim": ["@regression", "--suite", "uniform"], "model": ["NX=2", "NY=2"]}[call]
        declared = worlds.Declared()
        words = []
        for word in recipe:
            if word.startswith("@"):
                role = "in:" + word[1:]
                words.append(self.path_of(role, safe=building))
                self.declare(declared, role, words[-1])
            else:
                words.append(word.encode())
        for option in command.options:
            name, role = option.names[-1], cli.role_of(command, option)
            if name in cli.LEFT_OUT or name.encode() in words or option.positional and recipe:
                continue
            is_output = (role or "").startswith("out:")
            chance = 1.0 if option.required else 0.45 if is_output else 0.08 if building else 0.2 if role else 0.08
            if building and (not (is_output or option.required) or name == "--code-coverage"):
                continue
            if rng.random() >= chance:
                continue
            value = self.path_of(role, safe=True) if building and is_output else self.values(command, option)
            if value is not None:
                self.declare(declared, role or "", value)
            words += self.spell(name.encode(), value, option.positional)
        environment = {**os.environ, **cache_of_compiler()}
        for variable, place in (("HOME", world.home), ("XDG_CACHE_HOME", world.cache), ("TMPDIR", world.tmp)):
            if variable == "TMPDIR" or rng.random() < 0.8:
                environment[variable] = os.fsdecode(place)
            else:
                environment.pop(variable, None)
        for place in (os.path.join(world.cache, b"kernbench"), os.path.join(world.home, b".cache")):
            declared.folders.append(place)
        if "HOME" not in environment and "XDG_CACHE_HOME" not in environment:
            declared.folders.append(os.path.join(world.here, b"build", b"models"))
        program = self.install(environment, declared)
        self.defaults(declared, call)
        return Run(command.words, [word.encode() for word in command.words] + words, declared, environment, program, building)

    def spell(self, name, value, positional):
        if value is None:
            return [name]
        if positional:
            return [value]
        if name.startswith(b"--") and (value.startswith(b"-") or self.rng.random() < 0.3):
            return [name + b"=" + value]
        return [name, value]

    def install(self, environment, declared):
        """Puts the program where it finds the data: by a variable, in a checkout or in an installation."""
        world, way = self.world, self.rng.choice(("variable", "variable", "checkout", "installation"))
        environment.pop("KERNBENCH_ROOT", None)
        if way == "variable":
            environment["KERNBENCH_ROOT"] = os.fsdecode(world.data)
            program = os.path.join(world.base, b"bin", b"kernbench")
        elif way == "checkout":
            world._write(os.path.join(world.data, b"CMakeLists.txt"), b"")
            program = os.path.join(world.data, b"build", b"release", b"cli", b"kernbench")
            declared.folders.append(os.path.join(world.data, b"build", b"models"))
        else:
            prefix, data = world.data, os.path.join(world.data, b"share", b"kernbench")
            os.rename(prefix, prefix + b".data")
            os.makedirs(os.path.dirname(data))
            os.rename(prefix + b".data", data)
            world.data = data
            program = os.path.join(prefix, b"bin", b"kernbench")
        os.makedirs(os.path.dirname(program), exist_ok=True)
        try:
            os.link(self.program, program)
        except OSError:
            shutil.copy(self.program, program)
        return program

    def defaults(self, declared, call):
        """Declares what commands write without an option for it."""
        world = self.world
        declared.folders += [os.path.join(world.here, b"build", name) for name in (b"reports", b"topology", b"soak")]
        for path in world.inputs | {os.path.join(world.data, b"configs", name) for name in os.listdir(world.data + b"/configs")}:
            for leads in (path, os.path.realpath(path)):
                declared.files.add(os.path.splitext(leads)[0] + b".cube_mesh.yaml")
                if call == "sweep":
                    stem = os.path.join(world.here, os.path.splitext(os.path.basename(leads))[0])
                    declared.files |= {stem + b".db", stem + b".csv"}
                    declared.prefixes += [stem + b".db-", stem + b".db.jobs", stem + b".db.lock"]
        if call == "sweep rm":
            declared.files |= {os.path.realpath(path) for path in world.inputs}
        if call == "job run":
            declared.files |= {os.path.join(os.path.dirname(os.path.realpath(path)), b"r") for path in world.inputs}
            declared.files |= {os.path.join(world.here, b"r")}
        if call not in ("sweep rm",):
            declared.files -= {os.path.realpath(path) for path in world.inputs} | world.inputs


def execute(run, world):
    """Runs the command. Returns its exit code, None after the limit, and what it printed on standard error."""
    process = subprocess.Popen([run.program, *run.words], cwd=world.here, env=run.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        if run.command == ("web",):
            try:
                _, err = process.communicate(timeout=1)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)
                _, err = process.communicate(timeout=LIMIT_S)
                return (0 if process.returncode == -signal.SIGTERM else process.returncode), err
        else:
            _, err = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        _, err = process.communicate()
        return None, err
    return process.returncode, err


def faults_of(run, world, before, after, code, err):
    """Returns what is wrong after a run."""
    faults = []
    if code is None:
        faults.append(f"it runs after {LIMIT_S} s")
    elif code not in EXIT_CODES:
        faults.append(f"exit code {code}")
    for text in CRASHES:
        if text in err:
            faults.append(f"it says {text.decode()!r}")
    if code == 2 and not ERROR.search(err):
        faults.append("exit code 2 without a line 'error: '")
    for path, what in sorted(worlds.changes(before, after).items()):
        shown = os.fsdecode(os.path.relpath(path, world.base))
        base = os.path.basename(path)
        if b".tmp-" in path or base.startswith(worlds.EVIL):
            faults.append(f"{what}: {shown!r}")
        elif not run.declared.allows(path, path not in before):
            faults.append(f"{what}, and is not an output: {shown!r}")
        elif code == 2 and not (path in after and after[path][0] == 0o040000) and not base.endswith(KEPT):
            faults.append(f"{what} in spite of exit code 2: {shown!r}")
    if not worlds.devices_are_whole():
        sys.exit("error: a device has been replaced")
    return faults


def shown_command(run):
    words = " ".join(shlex.quote(os.fsdecode(word)) for word in run.words)
    return "kernbench " + words.encode("utf-8", "backslashreplace").decode()


def has_built(before, after):
    return any(os.path.basename(path) == b"manifest" and path not in before for path in after)


@dataclasses.dataclass
class Totals:
    """The results of the runs."""

    runs: int = 0
    failed: int = 0
    built: int = 0
    codes: dict = dataclasses.field(default_factory=dict)
    commands: set = dataclasses.field(default_factory=set)


def one_run(options, number, building, tree, stock, data, totals):
    rng = random.Random(f"{options.seed}/{number}")
    folder = tempfile.mkdtemp(prefix="kernbench-drawn-")
    try:
        world = worlds.World(rng, folder, stock, data)
        run = Drawer(rng, world, tree, options.program).draw(building)
        before = worlds.snapshot(folder)
        begin = time.monotonic()
        code, err = execute(run, world)
        took = time.monotonic() - begin
        after = worlds.snapshot(folder)
        faults = faults_of(run, world, before, after, code, err)
    finally:
        if options.only is None:
            shutil.rmtree(folder, ignore_errors=True)
    totals.runs += 1
    totals.failed += bool(faults)
    totals.built += has_built(before, after)
    totals.codes[code] = totals.codes.get(code, 0) + 1
    totals.commands.add(run.command)
    if faults or options.only is not None or options.verbose:
        print(f"{'FAIL' if faults else 'ok  '}  run {number} of seed {options.seed}: {shown_command(run)}: {code} after {took:.1f} s",
              flush=True)
        for fault in faults:
            print("      " + fault.encode("utf-8", "backslashreplace").decode(), flush=True)
        if faults or options.only is not None or options.verbose:
            print("      " + err[-600:].decode("utf-8", "backslashreplace").replace("\n", "\n      "), flush=True)
    if totals.runs % 100 == 0:
        print(f"{totals.runs} runs, {totals.built} models built, {totals.failed} failed", flush=True)
    if options.only is not None:
        print(f"in {folder}")


def copy_of_data(source, folder):
    """Copies what an installation has: the data, without what a build has left there."""
    data = folder / "data"
    for name in ("rtl", "tb", "sim", "configs", "maze", "noc", "benchmarks/baseline_rtl"):
        if (source / name).is_dir():
            shutil.copytree(source / name, data / name)
    shutil.copy(source / "Makefile.verilator", data / "Makefile.verilator")
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--builds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--only", type=int)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="kernbench-stock-") as name:
        folder = pathlib.Path(name)
        data = copy_of_data(options.source, folder)
        program = folder / "bin" / "kernbench"
        program.parent.mkdir()
        shutil.copy(options.program, program)
        options.program = str(program)
        (folder / "stock").mkdir()
        stock = Stock(options.program, data, folder / "stock")
        reference = subprocess.run([program, "reference", "markdown"], env=stock.environment, capture_output=True, text=True,
                                   check=True).stdout
        tree = cli.read(reference)
        if unknown := cli.unknown_options(tree):
            sys.exit(f"error: give these options a row in commands.py: {', '.join(unknown)}")
        totals = Totals()
        step = max(1, options.runs // max(1, options.builds + options.builds // 4 + 1))
        for number in [options.only] if options.only is not None else range(options.first, options.first + options.runs):
            one_run(options, number, number % step == step - 1 and options.builds > 0, tree, stock, data, totals)
    built = options.only is not None or totals.built >= options.builds
    verdict = "PASS" if totals.runs and not totals.failed and built else "FAIL"
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(totals.codes.items(), key=str))
    print(f"{verdict}  {totals.runs - totals.failed} of {totals.runs} runs of {len(totals.commands)} of {len(tree)} commands; "
          f"{totals.built} built a model; exit codes {codes}; seed {options.seed}")
    sys.exit(0 if verdict == "PASS" else 1)


if __name__ == "__main__":
    main()
