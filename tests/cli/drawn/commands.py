# SPDX-License-Identifier: Apache-2.0
"""The commands of the program, read from its reference, and what the drawn runs know about their options.

A command that is not described here is drawn too, with all its options. An option that takes a text and has no row is an
error: whether it names a path decides what may change on the disk.
"""

import dataclasses
import re


@dataclasses.dataclass
class Option:
    names: list
    value: str  # "", "N", "VALUE" or "a|b"
    required: bool

    @property
    def positional(self):
        return not self.names[0].startswith("-")


@dataclasses.dataclass
class Command:
    words: tuple  # () is the program
    options: list = dataclasses.field(default_factory=list)
    has_commands: bool = False


def read(reference):
    """Returns all commands of what `kernbench reference markdown` prints."""
    commands = []
    for line in reference.splitlines():
        if line.startswith("## kernbench"):
            commands.append(Command(tuple(line.split()[2:])))
        elif line.startswith("| [`kernbench"):
            commands[-1].has_commands = True
        elif line.startswith("| `"):
            cell, text = re.match(r"\| (.*?) \| (.*)", line.replace("\\|", "/")).groups()
            names = re.findall(r"`([^`]*)`", cell)
            value = cell.rsplit("`", 1)[1].strip().replace("/", "|")
            commands[-1].options.append(Option(names, value, "(required)" in text))
    common = [option for option in commands[0].options if option.names[-1] in ("--quiet", "--verbose")]
    for command in commands[1:]:
        command.options += common
    return [command for command in commands if not command.has_commands or command.words == ("sweep",)]


# The use of an option's path. "in:KIND" is an input, for which the world has valid files of that kind.
FILE, PREFIX, FOLDER, MODELS = "out:file", "out:prefix", "out:folder", "out:models"
ROLES = {
    "--json": FILE, "--plot": FILE, "--trace": FILE, "--html": FILE, "--oplog": FILE, "--output": FILE, "--svg": FILE,
    "--routes": FILE, "--csv": FILE, "--write-verilog": FILE, "--served": FILE, "--calibrate": FILE, "sweep --output": "out:database", "--history": "out:database", "--export-chakra": PREFIX,
    "topology build --output": FOLDER, "topology rtl --output": FOLDER, "topology prove --output": FOLDER, "reference man --output": FOLDER, "--report": FOLDER, "--code-coverage": FOLDER,
    "evaluate --json": "out:evaluation",
    "--plots": FOLDER, "--models": MODELS, "model --output": "out:model", "web --report": "in:folder",
    "--topology": "in:topology", "regression": "in:regression", "--model": "in:model", "--rtl": "in:source",
    "--filelist": "in:filelist", "--rtl-dir": "in:rtl", "-I": "in:folder", "--dpi": "in:dpi", "replay file": "in:pins",
    "--list": "in:list", "--spec": "in:zoo", "--ccl": "in:ccl", "--requests": "in:requests",
    "--figures": "in:figures", "--workload": "in:transfers", "--parameters": "in:parameters", "--engine": "in:engine",
    "--plugin": "in:plugin", "plan": "in:plan", "database": "in:database", "before": "in:database", "after": "in:database",
    "files": "in:coverage", "job run file": "in:job", "shrink failure": "in:failure", "--failure": "in:failure",
    "--known": "in:known", "compare a": "in:report", "compare b": "in:report", "rerun report": "in:report",
}
# Texts that name no path.
TEXTS = {
    "--noc": ["Mesh2D(2,2)"], "--allow-host": ["a.example"], "bench": ["vector-add", "gemm", "1"], "--bind": ["127.0.0.1"], "--fabric": ["2x2"],
    "run --fabric": ["cycle", "analytic"], "serve --fabric": ["cycle"], "traffic --fabric": ["analytic", "cycle"], "probe --fabric": ["cycle", "analytic"],
    "--fault": ["drop"], "--from": ["sip0.cube0.pe0"], "--to": ["sip0.cube0.m_cpu"], "--hotspot-share": ["0.5"],
    "--loads": ["0.1", "0.1,0.2"], "--node": ["sip0.cube0.m_cpu"], "--nodes": ["maze", "ideal"],
    "--part": ["points.0:part"], "--pattern": ["uniform_random"],
    "--suite": ["uniform"], "--trace-window": ["0:10"], "--view": ["sip"], "--waves": ["off", "window", "0:5"],
    "--what-if": ["pe.clock_ghz*2"], "-D": ["A=1"], "--plusarg": ["a=1"], "--set": ["topology.pe.clock_ghz=2"],
    "help command": ["sim", "topology route"], "keys": ["0"], "name": ["reports/run"], "topology": ["Mesh2D(2,2)"], "--module": ["NOC_TOP"],
    "SETTING": ["NX=2"], "good": ["HEAD~1"], "bad": ["HEAD"], "--over": ["cycles=1..9"], "--fail-if": ["end_ps > 2%"],
}
# Not drawn by chance: they take minutes, or need a cluster.
LEFT_OUT = {"--help", "--node-checkers", "--calibrate", "--engine", "--trace-detail", "--part", "--tornado"}
# The words with which a command does little work, and does it. "@KIND" is a valid input.
RECIPES = {
    "sim": [["@regression"], ["@regression", "--model", "@model"], ["@regression", "--rtl-dir", "@rtl"], ["@regression", "--list"],
            ["@regression", "--packets", "1"]],
    "structure": [["--fabric", "2x2"], ["network", "--fabric", "2x2"], ["--fabric", "2x2", "--rtl-dir", "@rtl"]],
    "replay": [["@pins"], ["@chakra", "--topology", "@topology"]],
    "model": [["NX=2", "NY=2", "CHECKERS=0"], ["NX=2", "NY=2", "--design"]],
    "coverage merge": [["@coverage"], ["--list", "@list"]],
    "coverage report": [["@coverage"], ["--list", "@list"]],
    "topology build": [["--topology", "@topology"]], "topology show": [["--topology", "@topology"]],
    "topology export": [["--topology", "@topology"]], "topology check": [["--topology", "@topology"]],
    "topology route": [["--topology", "@topology", "--from", "sip0.cube0.pe0", "--to", "sip0.cube0.m_cpu"]],
    "topology zoo": [["Mesh2D(2,2)"], ["--spec", "@zoo"]],
    "topology rtl": [["Mesh2D(2,2)"], ["--spec", "@zoo"]],
    "probe": [["--topology", "@topology", "--bytes", "64"]],
    "run": [["--topology", "@topology", "vector-add"]],
    "kernel record": [["--topology", "@topology", "vector-add"]],
    "serve": [["--topology", "@topology", "--set", "layers=1", "--prompt", "4", "--output", "2", "--seconds", "0.01", "--loads",
               "0.5", "--check", "0"]],
    "evaluate": [["gemm", "--figures", "@figures"], ["all-reduce", "--quick", "--engine", "slurm:dry-run"],
                 ["collectives", "--quick", "--engine", "slurm:dry-run"]],
    "traffic": [["Mesh2D(2,2)", "--loads", "0.1", "--cycles", "100"], ["--spec", "@zoo", "--loads", "0.1", "--cycles", "100"]],
    "cosim": [["--fabric", "analytic", "--workload", "@transfers"], ["--fabric", "cycle", "--workload", "all_to_all"]],
    "sweep": [["@plan"]], "sweep show": [["@database"]], "sweep compare": [["@database", "@database"]],
    "sweep rm": [["@database", "--failed"]],
    "compare": [["@report", "@report"]], "rerun": [["@report"]],
    "job run": [["@job"]],
    "web": [["--topology", "@topology"]], "schema": [[], ["reports/run"]],
    "completion": [["bash"], ["fish"]], "doctor": [[]], "list": [[]],
}


def role_of(command, option):
    """Returns what the option's path is for, "text" for one that is not a path, and nothing for an option of another kind."""
    if option.value != "VALUE":
        return None
    name = option.names[-1]
    if (full := " ".join([*command.words, name])) in ROLES or full in TEXTS:
        return ROLES.get(full, "text")
    return ROLES.get(name, "text" if name in TEXTS else "unknown")


def unknown_options(commands):
    """Returns the options that take a text without a row here."""
    return [f"{' '.join(command.words)} {option.names[-1]}" for command in commands for option in command.options
            if role_of(command, option) == "unknown"]
