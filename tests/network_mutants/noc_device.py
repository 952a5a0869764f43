# SPDX-License-Identifier: Apache-2.0
"""Networks of any topology as network_mutants.py breaks them: places of errors, generated RTL, and its model."""

import pathlib
import random
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "formal"))
import noc_tables  # noqa: E402

LIST = ROOT / "tests/network_mutants/noc.yaml"
QUICK = ["overload", "slow_receivers", "cold_starts"]  # suites that notice most
EACH = 1  # mutants of a kind in each network
# Networks by name: topology, and the keys of a regression.
NETWORKS = {
    "mesh": {"topology": "Mesh2D(3,2)", "slots": 4},
    "torus": {"topology": "BidirectionalTorus1D(5)", "slots": 4, "stages": 2},
    "irregular": {"topology": "CustomTopology(6,0->1,1->0,1->2,2->1,2->3,3->2,3->1,1->3,3->4,4->3,0->5,5->0,4->0,0->4)", "slots": 3, "lanes": 2},
}
# The smallest one, for a few errors.
NETWORKS["ring"] = {"topology": "UnidirectionalTorus1D(3)", "slots": 2}
DEFAULT_SIZES = "mesh,torus,irregular"
# Signals of the inputs of a node, whose wires an error exchanges.
WIRES = ("valid_i", "vc_i", "flit_i", "credit_i")


class Broken(Exception):
    """The RTL of a network does not fit the list of errors."""


def bound_checkers():
    """The labels of all assertions that are bound to the nodes."""
    return set(re.findall(r"^ +(\w+): +assert", (ROOT / "rtl/noc/noc_checkers.sv").read_text(), re.MULTILINE))


class Routes:
    """The VCs of a generated network that packets use."""

    def __init__(self, text, channels):
        walk = noc_tables.Walk(text, channels)
        for src in range(text.nodes):
            for dst in range(text.nodes):
                for vc in range(text.vcs):
                    walk.follow(src, dst, vc)
        self.text = text
        self.entries = sorted(walk.used)
        self.inputs = sorted({(node, port, vc) for node, port, vc, _ in walk.used})
        asking, vcs, classes = {}, {}, {}
        for node, port, vc, dst in walk.used:
            output, kind = divmod(text.tables[node][port * text.vcs + vc][dst], text.classes)
            for lane in range(text.lanes):
                asking.setdefault((node, output, kind * text.lanes + lane), set()).add(port)
                vcs.setdefault((node, output), set()).add(kind * text.lanes + lane)
                classes.setdefault((node, output), set()).add(kind)
        self.outputs = sorted(asking)
        self.among = {"": self.outputs, "contended": [place for place in self.outputs if len(asking[place]) > 1],
                      "shared": [place for place in self.outputs if len(vcs[place[:2]]) > 1],
                      "classes": [place for place in self.outputs if len(classes[place[:2]]) > 1]}

    def places(self, kind):
        """Places of a kind of error: node, port, and VC or bit of a table."""
        needs = kind.get("needs", "")
        if needs == "vcs" and self.text.vcs == 1 or needs == "lanes" and self.text.lanes == 1:
            return []
        if kind["at"] == "table_i":
            found = []
            for node, port, vc, dst in self.entries:
                width = max(1, (self.text.sizes[node][1] * self.text.classes - 1).bit_length())
                found.append((node, 0, ((port * self.text.vcs + vc) * self.text.nodes + dst) * width))
            return found
        if kind["at"] == "node":
            return [(node, 0, 0) for node in range(self.text.nodes)]
        if kind["at"] == "credit_i" or kind["at"] == "out":
            return self.among.get(needs, self.outputs)
        return self.inputs


def generate(options, size, folder):
    """Writes the RTL of a network. Returns its text and its channels."""
    network = NETWORKS[size]
    words = [word for key in ("slots", "lanes", "stages") if key in network for word in (f"--{key}", str(network[key]))]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for command in (["rtl", network["topology"], *words, "-o", folder / "rtl"], ["zoo", network["topology"], "-o", folder / "topology.json"]):
        done = subprocess.run([options.kernbench, "topology", *command], text=True, capture_output=True)
        if done.returncode not in (0, 1):
            raise Broken(done.stderr)
    topology = yaml.safe_load((folder / "topology.json").read_text())["data"]
    return noc_tables.Network(folder / "rtl"), [tuple(channel) for channel in topology["channels"]]


def draw(kinds, options, work):
    """Draws the mutants of each kind in each network: tuples (name, kind, number, size, place)."""
    mutants = []
    for size in options.sizes:
        routes = Routes(*generate(options, size, work / size / "sound"))
        for number, kind in enumerate(kinds, 1):
            if options.only and kind["kind"] != options.only:
                continue
            rng = random.Random(f"{options.seed} {size} {kind['kind']}")
            places = routes.places(kind)
            for place in rng.sample(places, min(options.each or EACH, len(places))):
                mutants.append((f"{kind['kind']}-{size}-{place[0]}.p{place[1]}.{place[2]}", kind, number, size, place))
    return mutants


def plant_top(path, kinds):
    """Puts the errors of tables and wires into the generated top, and hands the number of an error to the nodes."""
    number_of = {kind["at"]: number for number, kind in enumerate(kinds, 1) if "edits" not in kind}
    text = path.read_text()

    def node(found):
        n, body = found[1], found[2]

        def wires(port):
            every = port[2].split(", ")
            some = [f"(mut[0] == {number_of[port[1]]} && mut[1] == {n} && mut[2] == {len(every) - 1 - at} ? {every[(at + 1) % len(every)]} : {one})"
                    for at, one in enumerate(every)]
            return f".{port[1]}({{{', '.join(some)}}})"

        body = re.sub(rf"\.({'|'.join(WIRES)})\(\{{(.*?)\}}\)", wires, body)
        body = body.replace(f".table_i(Table{n})", f".table_i(Table{n} ^ ($bits(Table{n})'(mut[0] == {number_of['table_i']} && mut[1] == {n}) << mut[3])),\n"
                            f"    .m(mut[1] == {n} ? mut[0][7:0] : 8'd0), .mut_port(mut[2][7:0]), .mut_vc(mut[3][7:0])")
        return f" u_node{n} ({body}\n  );"

    text, nodes = re.subn(r" u_node(\d+) \((.*?)\n  \);", node, text, flags=re.DOTALL)
    edited = text.replace("  /*verilator no_inline_module*/\n", '  /*verilator no_inline_module*/\n  int unsigned mut [0:3];\n  initial $readmemh("mutant.hex", mut);\n')
    if nodes == 0 or edited == text:
        raise Broken(f"{path}: there is no place for the number of an error")
    path.write_text(edited)


def plant(options, size, folder, plumbing, kinds, edit):
    """Generates the RTL of a network with all errors. edit(path, text, kinds' edits) plants those of a file."""
    generate(options, size, folder)
    for name in sorted({one["file"] for one in plumbing}):
        path = folder / "rtl" / name
        path.write_text(edit(name, path.read_text()))
    plant_top(folder / "rtl/noc_top.sv", kinds)


def build(options, size, work, plumbing, kinds, edit):
    """Builds the model of a network with all errors. Returns the words of `kernbench sim` that run it."""
    folder = work / size
    plant(options, size, folder / "planted", plumbing, kinds, edit)
    spec = yaml.safe_load((ROOT / "configs/regressions/noc.yaml").read_text())
    spec["network"] = NETWORKS[size]
    spec["full_coverage"] = False
    (folder / "noc.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
    (folder / "mutant.hex").write_text("0 0 0 0\n")
    done = subprocess.run([options.kernbench, "sim", folder / "noc.yaml", "--filelist", folder / "planted/rtl/noc_top.f", "--models", folder / "models",
                           "--no-structure", "--suite", "uniform", "--cycles", "100", "--waves", "off", "--report", folder / "report"],
                          cwd=folder, text=True, capture_output=True)
    if done.returncode != 0:
        raise Broken(f"{size} does not build, or fails without an error:\n{done.stdout}{done.stderr}")
    return words(size, work)


def words(size, work):
    """The words of `kernbench sim` that run the built model of a network."""
    library = next((work / size / "models").glob("noc-*/libnoc_model.so"))
    return [work / size / "noc.yaml", "--model", library]
