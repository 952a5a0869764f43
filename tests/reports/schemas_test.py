#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every JSON report and every input file has a JSON Schema that takes what the program takes and nothing else.

KERNBENCH is the program, KERNBENCH_MISTAKES the same with a bench of mistakes, REFERENCE_MODEL a model of TOPO, 4x3, in
C++ that needs no Verilator, REFERENCE_NOC one of a network of any topology, NETWORK_MODELS the folder of the verilated
networks.
"""

import argparse
import collections
import copy
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import jsonschema
import yaml

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "formal"))
sys.path.insert(0, str(ROOT / "tests/reports"))
import page_check  # noqa: E402
import report  # noqa: E402
import tasks  # noqa: E402

ENVELOPE = {"schema": 1, "outcome": "pass", "seed": None, "config_hash": "", "revision": "", "command": ""}
# Objects whose keys are names and not fixed.
OPEN = {"$.data.parameters": ("reports/run", "reports/kernel-record", "reports/serving"), "$.data.deep": ("reports/coverage",)}
OPEN_KEYS = ("by_checker",)
# Members of reports that are not always there.
ABSENT = ("mapping", "deep", "not_run", "roots", "deviations", "fastest", "steps", "broken")
# Members that the pages of kinds show in another way than as a section or a fact of their names.
ON_PAGES = {"probe": {"cases": "<h2>Latency on an idle machine</h2>"}, "kernel-record": {"launches": "<h2>Kernel softmax on sip0</h2>"},
            "soak": {"link_packets": "<h2>Links with the longest stalls</h2>", "link_longest_stalls": "<h2>Links with the longest stalls</h2>"}}
# How the terminal shows the members of kinds; "" for what only repeats the command line and, with the reason, for what it leaves out.
POINTS, FASTEST = r"(?m)^[a-z-_]+ +\*?[a-z-]+ +", r" takes least, median "
ON_TERMINAL = {
    "traffic": {"topology": r"^Mesh2D\(4,4\): 16 nodes", "routing": ", dimension order XY\n", "fabric": "(?m)^analytic fabric: ", "maze": "", "routers": " routers with ", "pattern": "(?m)^uniform_random: ",
                "senders": ": 16 of 16 endpoints send", "endpoints": ": 16 of 16 endpoints send", "unreachable_pairs": "",  # none
                "bytes": "transfers of 1 flit", "packet_bits": "", "warmup_cycles": " cycles after 1,000", "cycles": "10,000 cycles after", "loads": r"(?m)^ +0\.1 "},
    "probe": {"cases": "(?m)^h2d\n  cube 0 +", "pairs": r"; \d+ pairs compared"},
    "kernel-record": {"bench": "", "parameters": "", "cube": ", cube 0, PE 0: ", "pe": ", cube 0, PE 0: ", "launches": "(?m)^kernel 'softmax' on sip0, "},
    "topology-evaluation": {"base_bits": "a mesh with links of 128 bits", "points": r"(?m)^  Mesh2D\(2,2\) +8 +128 "},
    "gemm-evaluation": {"programs": r"(?m)^16 PEs: ", "peak_gmacs": " GMAC/s at most", "hbm_gbs": "; HBM: ", "knee_macs_per_byte": "; knee at ", "points": "(?m)^square +128 "},
    "all-reduce-evaluation": {"points": "(?m)^intercube-center +ring +tcm ", "roots": ": the centre root takes ", "fastest": FASTEST},
    "collectives-evaluation": {"points": "(?m)^all_gather +", "deviations": r"(?m)^all_gather +\S+ +\d+ +[+-]", "steps": "(?m)^launch +"},
    "chakra": {"traces": r"(?m)^traces \S+: ", "compute": "", "reuse": "", "end_ps": r" us in all \(", "flit_hops": " flit-hops\n", "ranks": r"(?m)^ +0 +\d+\.\d+ ",
               "kinds": r"(?m)^collective +\d+ ", "collectives": r"(?m)^all-reduce of 4096 bytes of all ranks: ", "computations": "",  # warned of where they have no time
               "operations": r" operations simulated, \d+ reused", "choices": "all_reduce", "absent_dependencies": "", "dropped_dependencies": "",
               "unknown_types": "", "unknown_attributes": ""},  # printed where there are any
    "serving": {"parameters": "", "weights": " million parameters", "max_batch": "batches of up to 2", "cache_pages": " tokens in the cache", "page_bytes": "",
                "saturation_requests_per_s": "(?m)^saturation: ", "runs": r"(?m)^0\.50 ", "checks": "steps drawn and simulated whole", "points": r" \d+ steps\s+simulated\n",
                "attention_ps": ""},  # of use for programs only
    "cosim-calibration": {"parameters": r"(?m)^queue_packets +\d+ +\d+$", "tried": " sets of parameters tried", "bars": " are within 5% and 15%", "reason": "",
                          "fit": "", "held_out": "", "patterns": "",  # over sizes and loads; the terminal shows each of them
                          "multicasts": "(?m)^multicasts, in neither half", "rows": r"(?m)^uniform_random +\S+ +1 "},
    "soak": {"config": "", "config_hash": "", "model_hash": "", "shape": "", "first_seed": "(?m)^seed 1: ", "chunks": "(?m)^1 chunk in ", "cases": r" in \d+ cases and ",
             "cycles": " cycles; ", "packets": " packets\n", "failing_cases": " not passed\n", "failures": "(?m)^failed: ", "link_packets": "(?m)^each link: ",
             "link_longest_stalls": "; longest stall "}}


def kernbench(*arguments, outcome=0):
    done = subprocess.run([os.environ["KERNBENCH"], *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != outcome:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


@functools.cache
def schema(name):
    return json.loads(kernbench("schema", name))


def problems(name, instance):
    validator = jsonschema.Draft202012Validator(schema(name))
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(instance)]


def read(path):
    text = pathlib.Path(path).read_text()
    return yaml.safe_load(text) if str(path).endswith(".yaml") else json.loads(text)


def names():
    return [line.split()[0] for line in kernbench("schema").splitlines()]


def parts(value, path="$"):
    """All objects of a document with their paths; of a list the first items of each set of keys."""
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from parts(item, f"{path}.{key}")
    if isinstance(value, list):
        seen = []
        for at, item in enumerate(value):
            shape = sorted(item) if isinstance(item, dict) else type(item)
            if seen.count(shape) < 1:
                seen.append(shape)
                yield from parts(item, f"{path}[{at}]")


def form(value):
    """The types in a value. Values of one form differ in their contents only."""
    if isinstance(value, dict):
        return tuple((key, form(item)) for key, item in sorted(value.items()))
    return frozenset(map(form, value)) if isinstance(value, list) else type(value)


def short(value):
    """The document with two items of each form in a long list, which keeps a validation fast."""
    if isinstance(value, dict):
        return {key: short(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    kept, count = [], collections.Counter()
    for item in value:
        count[form(item)] += 1
        if count[form(item)] <= 2 or len(value) <= 8:
            kept.append(short(item))
    return kept


def input_documents():
    """Pairs of a format, such as "inputs/model", and a document: the files of configs/, and some more."""
    found = []

    def add(name, *documents):
        found.extend((name, document) for document in documents)

    for path in sorted((ROOT / "configs").glob("**/*.yaml")):
        if path.name.endswith(".cube_mesh.yaml") or path.name == "cube_mesh.yaml":
            continue
        kind = {"engines": "engine", "models": "model", "regressions": "regression", "sweeps": "sweep-plan", "zoo": "zoo"}.get(path.parent.name, path.stem.split("-")[0])
        document = read(path)
        dut = document.get("dut") if kind == "regression" else None
        add(f"inputs/{dut}-regression" if dut else f"inputs/{kind}", document)
    packet = {"node": 0, "port": 1, "packet": "0x1a2b3c"}
    cycles = [{"reset": True, "offers": [], "ready": [True]}, {"reset": False, "offers": [{**packet, "valid": False}], "ready": [False]}]
    pins = {"receivers": [{"node": 0, "port": 1}], "cycles": cycles, "fails": {"cycle": 1, "rule": "order"}}
    add("inputs/job", {"schema": 1, "kind": "job", "folder": "/", "results": "/0.results", "targets": ["data.end_ps"],
                            "points": [{"key": "0123456789abcdef", "attempt": 1, "command": ["run", "gemm"]}]})
    add("inputs/sweep-plan",
             {"command": ["probe"], "list": [{"bytes": 64}, {"bytes": 4096}], "targets": {"data.cases[0].results[0].actual_ps": "min"}},
             {"command": ["traffic", "Mesh2D(4,4)"], "parameters": {"loads": {"from": 0.1, "to": 0.3}, "pattern": ["transpose"]},
              "sample": {"kind": "random", "points": 3, "seed": 1}, "targets": {"data.loads[0].accepted": "max"}})
    add("inputs/pin-trace",
             {**ENVELOPE, "kind": "pin-trace", "data": {"bench": "topo", "fabric": {"nx": 4, "ny": 3, "flit_bits": 8}, **pins}},
             {**ENVELOPE, "kind": "pin-trace", "data": {
                 "bench": "primitive", "primitive": {"payload_bits": 23, "depth": 2, "kind": "lp", "ro_en": True}, **pins}})
    add("inputs/known-failures", {"known_failures": [
        {"suite": "a", "checker": "lockstep", "kind": "ready", "reason": "a ticket", "until": "2031-01-31"}]})
    add("inputs/link-trace", {"kind": "link-trace", "data": [{"cycle": 0, "node": 0, "port": "x[0]", "packet": "0x0"}]})
    transfer = {"time_ps": 0, "src": 0, "bytes": 1, "qos": "low"}
    add("inputs/transfer-trace", {"kind": "transfer-trace", "data": [{**transfer, "dst": 1, "type": "unicast"},
                                                                          {**transfer, "type": "broadcast"}]})
    return found


class Documents:
    """One document of every kind, written by the program where it writes them."""

    def __init__(self, folder):
        self.folder, self.all, self.pages, self.printed = folder, {}, {}, {}
        self.simulations()
        self.networks()
        self.cosimulations()
        self.models()
        self.inputs()
        self.proofs()
        self.add("reports/structure", {**ENVELOPE, "kind": "structure", "data": {
            "rules": 7, "links": 896, "nodes": 64, "bits": 554809,
            "findings": [{"rule": "driver", "where": "topo.sv:5", "message": "two drivers"}],
            "notes": [{"rule": "content", "where": "irs_n.sv:6", "message": "more registers"}]}})

    def add(self, name, *documents):
        self.all.setdefault(name, []).extend(map(short, documents))

    def report(self, name, *arguments):
        """Adds the report of a command, its page and what it prints."""
        report, page = self.folder / f"{name}.json", self.folder / f"{name}.html"
        self.printed[name] = kernbench(*arguments, "--json", report, "--html", page)
        self.pages[name] = (page.read_text(), read(report)["data"])
        self.add(f"reports/{name}", read(report))

    def simulate(self, name, *options, outcome=0):
        kernbench("sim", "--fabric", "4x3", "--model", os.environ["REFERENCE_MODEL"], "--no-structure", "--waves", "off",
                  "--report", self.folder / name, *options, outcome=outcome)
        self.add("reports/regression", read(self.folder / name / "report.json"))
        if (self.folder / name / "coverage.json").exists():
            self.add("reports/coverage", read(self.folder / name / "coverage.json"))

    def simulations(self):
        self.simulate("failing", "--cycles", "400", "--plusarg", "silent", outcome=1)
        self.simulate("faults", "configs/regressions/faults.yaml", "--fault", "drop")
        soak = read(ROOT / "configs/regressions/soak.yaml")
        soak["fabric"] = {"nx": 4, "ny": 3}
        for suite in soak["suites"]:
            suite["cycles"] = 1000
        (self.folder / "soak.yaml").write_text(yaml.safe_dump(soak, sort_keys=False))
        self.printed["soak"] = kernbench("sim", self.folder / "soak.yaml", "--packets", "100000000", "--model", os.environ["REFERENCE_MODEL"], "--seeds", "1",
                                         "--report", self.folder / "soak", outcome=1)  # too short for all links
        self.add("reports/soak", read(self.folder / "soak/soak.json"))
        self.pages["soak"] = ((self.folder / "soak/soak.html").read_text(), read(self.folder / "soak/soak.json")["data"])

    def networks(self):
        for model, suites, outcome in (("4x3", ("alone", "failed-node-1"), 0), ("forgetful/model", ("multicast-few", "alone"), 1)):
            kernbench("sim", "configs/regressions/network.yaml", "--model", pathlib.Path(os.environ["NETWORK_MODELS"]) / model / "libnetwork_model.so",
                      "--report", self.folder / "network", "--waves", "off", *(part for suite in suites for part in ("--suite", suite)), outcome=outcome)
            self.add("reports/regression", read(self.folder / "network/report.json"))
            for failure in sorted(self.folder.glob("network/failures/*/failure.json")):
                self.add("reports/failure", read(failure))

    def cosimulations(self):
        topology = (ROOT / "configs/topology-maze-8x8.yaml").read_text()
        small, count = re.subn(r"cube_mesh: \{w: 8, h: 8", "cube_mesh: {w: 4, h: 3", topology)
        if count != 1:
            raise AssertionError("configs/topology-maze-8x8.yaml changed: this test has to be adapted")
        (self.folder / "small.yaml").write_text(small)
        common = ["cosim", "--topology", self.folder / "small.yaml", "--nodes", "ideal",
                  "--model", os.environ["REFERENCE_MODEL"], "--loads", "0.9",
                  "--cycles", "200", "--warmup", "20", "--report", self.folder]
        for name, options, outcome in (
                ("cosim", ["--workload", "uniform_random", "--workload", "multicasts", "--bytes", "64"], 0),
                ("machine", ["--workload", "bench:all-reduce", "--set", "bytes=64"], 0),
                ("fault", ["--fault", "payload_bit_flip", "--bytes", "1"], 1)):
            kernbench(*common, *options, "--json", self.folder / f"{name}.json", outcome=outcome)
            self.add("reports/cosim-report", read(self.folder / f"{name}.json"))
        self.add("inputs/cosim-reproduction", read(self.folder / "cosim-1.json"))
        (self.folder / "routers.yaml").write_text("system: {sips: {count: 1}}\nsip: {cube_mesh: {w: 3, h: 1}, inter_cube: {noc: 'BidirectionalLine(3)'}, noc: {flit_bits: 23, slots: 4}}\n")
        kernbench("cosim", "--topology", self.folder / "routers.yaml", "--fabric", "rtl", "--model", os.environ["REFERENCE_NOC"], "--workload", "all_to_all",
                  "--bytes", "400", "--fault", "drop", "--report", self.folder / "routers", "--json", self.folder / "routers.json", outcome=1)
        self.add("reports/cosim-report", read(self.folder / "routers.json"))
        self.add("inputs/cosim-reproduction", read(self.folder / "routers/cosim-1.json"))
        self.report("cosim-calibration", "cosim", "--topology", self.folder / "small.yaml", "--calibrate", self.folder / "parameters.yaml")
        self.add("inputs/analytic-parameters", read(self.folder / "parameters.yaml"))

    def models(self):
        (self.folder / "tiny.yaml").write_text("sip: {cube_mesh: {w: 2, h: 1}}\n")
        for name, arguments in (("traffic", ["traffic", "Mesh2D(4,4)", "--loads", "0.1"]),
                                ("probe", ["probe"]),
                                ("gemm-evaluation", ["evaluate", "gemm", "--quick", "--topology", self.folder / "tiny.yaml"]),
                                ("all-reduce-evaluation", ["evaluate", "all-reduce", "--quick", "--topology", self.folder / "tiny.yaml", "--spread", "1"]),
                                ("collectives-evaluation", ["evaluate", "collectives", "--quick"]),
                                ("topology-evaluation", ["evaluate", "topologies", "--quick", "--set", "topology.sip.cube_mesh.w=2", "--set", "topology.sip.cube_mesh.h=2"])):
            self.report(name, *arguments)
        kernbench("traffic", "Mesh2D(2,2)", "--loads", "0.1", "--plugin", os.environ["PLUGIN"],
                  "--json", self.folder / "plugin.json")
        self.add("reports/traffic", read(self.folder / "plugin.json"))
        for bench in ("vector-add", "softmax", "gemm", "gemm-epilogue", "gemm-quantized", "rmsnorm", "all-reduce"):
            kernbench("run", bench, "--verify", "--json", self.folder / "run.json", "--oplog", self.folder / "op-log.json")
            self.add("reports/run", read(self.folder / "run.json"))
            self.add("reports/op-log", read(self.folder / "op-log.json"))
        kernbench("run", "transformer", "--set", "prompt=3", "--set", "decode=1", "--set", "layers=1",
                  "--json", self.folder / "run.json")
        self.add("reports/run", read(self.folder / "run.json"))
        kernbench("run", "transformer", "--set", "prompt=3", "--set", "decode=1", "--set", "layers=3",
                  "--reuse", "--json", self.folder / "run.json")
        self.add("reports/run", read(self.folder / "run.json"))
        kernbench("run", "collective", "--set", "bytes=4096", "--export-chakra", self.folder / "traces")
        self.report("chakra", "replay", self.folder / "traces.et")
        self.report("serving", "serve", "--set", "layers=1", "--set", "page=64", "--prompt", "8", "--output", "8", "--max-batch", "2", "--seconds", "0.01", "--loads", "0.5",
                    "--topology", self.folder / "tiny.yaml")
        self.report("kernel-record", "kernel", "record", "softmax")
        subprocess.run([os.environ["KERNBENCH_MISTAKES"], "run", "mistakes", "--set", "kind=race", "--races",
                        "--json", self.folder / "run.json"], cwd=ROOT, capture_output=True, check=False)
        self.add("reports/run", read(self.folder / "run.json"))
        kernbench("topology", "zoo", "Mesh2D(3,2)", "--format", "json", "-o", self.folder / "mesh.json")
        self.add("reports/base-topology", read(self.folder / "mesh.json"))
        for topology in ("topology", "topology-maze-8x8"):
            kernbench("topology", "export", "--topology", f"configs/{topology}.yaml", "-o", self.folder / "graph.json")
            self.add("reports/topology", read(self.folder / "graph.json"))

    def inputs(self):
        for name, document in input_documents():
            self.add(name, document)

    def proofs(self):
        results = [tasks.Result("primitives/IRS_N.lp.d2.w23/order", "primitives", "IRS_N.lp.d2.w23", "order", "proven", "pdr")]
        options = argparse.Namespace(only=["order"], slice=False, work=self.folder / "prove", rtl="rtl", kernbench="kernbench")
        with open(os.devnull, "w") as nowhere:
            screen, sys.stdout = sys.stdout, nowhere
            try:
                report.write(results, [], [], options, "0" * 16, 1.0)
            finally:
                sys.stdout = screen
        self.add("reports/proofs", read(self.folder / "prove/part/proofs.json"))


def write():
    """Writes the documents to the folder DOCUMENTS: documents.json for Schemas, and the reports for tests/python/reports_test.py."""
    out = pathlib.Path(os.environ["DOCUMENTS"])
    shutil.rmtree(out, ignore_errors=True)
    (out / "work").mkdir(parents=True)
    written = Documents(out / "work")
    (out / "documents.json").write_text(json.dumps({"all": written.all, "pages": written.pages, "printed": written.printed}))
    for group, reports in written.all.items():
        for number, one in enumerate(reports if group.startswith("reports/") else ()):
            (out / f"{group.replace('/', '-')}-{number}.json").write_text(json.dumps(one))


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        written = read(pathlib.Path(os.environ["DOCUMENTS"]) / "documents.json")
        cls.documents, cls.pages, cls.printed = written["all"], written["pages"], written["printed"]

    def test_there_is_a_document_of_every_kind(self):
        self.assertEqual(sorted(self.documents), names())

    def test_every_document_is_valid(self):
        for name, documents in self.documents.items():
            for document in documents:
                self.assertEqual(problems(name, document), [], name)

    def test_page_and_terminal_have_every_member(self):
        self.assertEqual(sorted(self.pages), sorted(ON_TERMINAL))
        for kind, (page, data) in self.pages.items():
            self.assertEqual(page_check.check(page), [], kind)
            xml.etree.ElementTree.fromstring(page)
            self.assertEqual(page_check.missing_members(page, data, ON_PAGES.get(kind)), [], kind)
            self.assertLess(len(page), 300_000, kind)
            for member, value in data.items():
                self.assertIn(member, ON_TERMINAL[kind], kind)
                with self.subTest(kind=kind, member=member):
                    if value not in (None, []):
                        self.assertRegex(self.printed[kind], ON_TERMINAL[kind][member] or ".")

    def test_a_member_that_a_page_lacks_is_named(self):
        page, data = self.pages["traffic"]
        self.assertEqual(page_check.missing_members(page.replace("<dt>senders</dt>", ""), data), ["senders"])
        self.assertEqual(page_check.missing_members(page.replace("<h2>Loads</h2>", ""), data), ["loads"])

    def test_races_are_part_of_a_run(self):
        document = copy.deepcopy(next(one for one in self.documents["reports/run"] if "races" in one["data"]))
        self.assertEqual(document["data"]["races"]["count"], 1)
        self.assertEqual(problems("reports/run", document), [])
        document["data"]["races"]["shown"][0]["surplus"] = 1
        self.assertTrue(problems("reports/run", document))

    def test_plugins_are_part_of_any_report(self):
        document = copy.deepcopy(self.documents["reports/traffic"][1])
        self.assertEqual([plugin["name"] for plugin in document["plugins"]], ["crashing"])
        document["plugins"][0]["surplus"] = 1
        self.assertTrue(problems("reports/traffic", document))
        document["plugins"] = [{"name": "a", "version": "1"}]
        self.assertTrue(problems("reports/traffic", document))

    def test_a_key_too_many_is_refused_anywhere(self):
        for name, documents in self.documents.items():
            damaged = 0
            for path, _ in parts(documents[0]):
                if name in OPEN.get(path, ()) or path.rsplit(".", 1)[-1] in OPEN_KEYS or (name == "reports/run" and path.startswith("$.data.topology")):
                    continue
                document = copy.deepcopy(documents[0])
                dict(parts(document))[path]["surplus"] = 1
                self.assertTrue(problems(name, document), f"{name}: {path}")
                damaged += 1
            self.assertGreater(damaged, 0, name)

    def test_a_report_without_one_of_its_keys_is_refused(self):
        for name, documents in self.documents.items():
            if not name.startswith("reports/"):
                continue
            whole = documents[0]
            for part in (whole, whole["data"]):
                for key in part:
                    if key in ABSENT and name != "reports/regression" or (name, key) in (("reports/regression", "shape"), ("reports/soak", "shape")):
                        continue  # a network of any topology has no shape
                    document = copy.deepcopy(whole)
                    del (document if part is whole else document["data"])[key]
                    self.assertTrue(problems(name, document), f"{name}: {key}")

    def test_wrong_values_are_refused(self):
        for name, at, value in (
                ("inputs/analytic-parameters", ["analytic", "queue_packets"], 0),
                ("inputs/ccl", ["algorithms", "all_reduce"], "circle"),
                ("inputs/cosim-reproduction", ["data", "order"], "zz"),
                ("inputs/engine", ["cancel"], "scancel"),
                ("inputs/job", ["points"], [{}]),
                ("inputs/known-failures", ["known_failures", 0, "reason"], ""),
                ("inputs/link-trace", ["data", 0, "port"], "z[0]"),
                ("inputs/model", ["type"], "f8"),
                ("inputs/model", ["experts"], 0),
                ("inputs/pin-trace", ["data", "bench"], "primitive"),
                ("inputs/regression", ["suites", 0, "name"], 7),
                ("inputs/sweep-plan", ["targets", "data.end_ps"], "least"),
                ("inputs/topology", ["system"], []),
                ("inputs/transfer-trace", ["data", 1, "type"], "unicast"),
                ("inputs/zoo", ["topology", "kind"], "Moebius"),
                ("reports/all-reduce-evaluation", ["data", "points", 0, "sips"], 0),
                ("reports/cosim-calibration", ["data", "tried"], -1),
                ("reports/cosim-report", ["data", "workloads", 0, "runs", 0, "fabric"], "copper"),
                ("reports/base-topology", ["data", "channels", 0], [1]),
                ("reports/chakra", ["data", "kinds", 0, "kind"], "compute"),
                ("reports/collectives-evaluation", ["data", "points", 0, "rank"], "tray"),
                ("reports/coverage", ["data", "schema"], 1),
                ("reports/failure", ["data", "cycle"], -1),
                ("reports/gemm-evaluation", ["data", "points"], []),
                ("reports/kernel-record", ["data", "launches", 0, "operations", 0, "dependencies"], [-1]),
                ("reports/op-log", ["data", "records", 0, "params"], {"source": 1}),
                ("reports/probe", ["data", "cases", 0, "results", 0, "bytes"], 0.5),
                ("reports/proofs", ["data", "rtl_hash"], "?"),
                ("reports/regression", ["kind"], "coverage"),
                ("reports/run", ["data", "parameters", "rows"], 1024),
                ("reports/serving", ["data", "runs", 0, "utilization"], 2),
                ("reports/soak", ["data", "first_seed"], 2**64),
                ("reports/structure", ["data", "findings", 0, "rule"], "taste"),
                ("reports/topology", ["data", "edges", 0, "kind"], "string"),
                ("reports/topology-evaluation", ["data", "points", 0, "equal"], "area"),
                ("reports/traffic", ["seed"], None)):
            document = copy.deepcopy(self.documents[name][0])
            part = document
            for key in at[:-1]:
                part = part[key]
            self.assertEqual(problems(name, document), [], name)
            part[at[-1]] = value
            self.assertTrue(problems(name, document), f"{name}: {at} = {value!r}")


class TheFiles(unittest.TestCase):
    def test_every_file_is_a_schema_and_is_printed(self):
        printed = {"inputs/topology", "envelope"} | {name for name in names() if name != "inputs/topology"}
        files = {str(path.relative_to(ROOT / "schemas")).removesuffix(".schema.json") for path in (ROOT / "schemas").rglob("*.json")}
        self.assertEqual(files | {"inputs/topology"}, printed)
        for name in names():
            jsonschema.Draft202012Validator.check_schema(schema(name))
            self.assertEqual(schema(name)["$schema"], "https://json-schema.org/draft/2020-12/schema")
            references = re.findall(r'"\$ref": "([^"]*)"', json.dumps(schema(name)))
            self.assertEqual([one for one in references if not one.startswith("#/$defs/")], [], name)

    def test_an_unknown_name_is_refused(self):
        self.assertEqual(kernbench("schema", "reports/coverag", outcome=2),
                         "error: there is no schema 'reports/coverag'; did you mean 'reports/coverage'?\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write()
        sys.exit()
    unittest.main()
