#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every kind of HTML report has its landmarks, contents and contrast, and its tables can be sorted.

KERNBENCH is the program, REFERENCE_MODEL a model of TOPO in C++ that needs no Verilator, NETWORK_MODELS the folder of
the verilated networks.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "formal"), str(ROOT / "tests/reports")]
import page_check  # noqa: E402
import report  # noqa: E402
import tasks  # noqa: E402

SOUND = ('<!DOCTYPE html><html lang="en"><head><title>t</title><style>:root{--text:#000;--page:#fff;--card:#fff}'
         "body{color:var(--text)}@media print{}</style></head><body><header><h1>t</h1></header>"
         '<nav><a href="#a">a</a></nav><main><section id="a" aria-label="a"><h2>a</h2></section></main>'
         "<footer>f</footer></body></html>")


# How the terminal shows a member of the report of a run; "" for what only repeats the command line.
RUN_ON_TERMINAL = {
    "bench": r"(?m)^\w+: ", "topology": "", "parameters": "", "device": "", "uploaded": "", "addresses": "", "end_ps": r" us in all \(", "flit_hops": r" flit-hops\n",
    "operations": r" operations, ", "regions": "(?m)^region, its kernels ", "launches": r"(?m)^  \w+ +0 +\d+ +\d+ ",
    "checks": r"(?m)^PASS  \w+: [\d,]+ elements", "contracts": "(?m)^PASS  contracts of ", "races": "(?m)^PASS  races: ",
    "figures": r"(?m)^time per \w+: ", "choices": " us by its formula", "mapping": "(?m)^mapping ", "reuse": "works simulated|repeats no work", "spread": r"(?m)^spread over \d+ runs",
    "what_if": "(?m)^what if ", "tornado": "(?m)^tornado, % of time", "explanations": "(?m)^critical path of ", "rooflines": "(?m)^launches and their limits", "sip": "", "sources": ""}
# Members that the page of a run shows in another way than as a section or a fact of their name.
RUN_ON_PAGE = {"bench": "<h1>", "topology": "<summary>The system that ran, with all keys</summary>", "explanations": ": critical path</h2>", "sip": "<path class=\"way\"", "rooflines": ">limit</th></tr>", "tornado": "<h2>Tornado</h2>", "sources": "<h2>Files</h2>"}


def kernbench(*arguments, outcome=0):
    done = subprocess.run([os.environ["KERNBENCH"], *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != outcome:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def simulate(folder, *options, outcome=0):
    kernbench("sim", "--fabric", "4x3", "--model", os.environ["REFERENCE_MODEL"], "--no-structure", "--waves", "off",
              "--report", folder, *options, outcome=outcome)
    return (folder / "report.html").read_text()


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.failing = simulate(cls.folder / "failing", "--cycles", "400", "--plusarg", "silent", outcome=1)

    def expect_sound(self, page):
        self.assertEqual(page_check.check(page), [])

    def test_the_report_of_a_failing_regression(self):
        self.expect_sound(self.failing)
        self.assertRegex(self.failing, r'<a href="#\d+-cases-did-not-pass">')

    def test_the_report_of_a_passing_regression(self):
        self.expect_sound(simulate(self.folder / "passing", "--suite", "saturation"))

    def test_the_report_of_faults(self):
        page = simulate(self.folder / "faults", "configs/regressions/faults.yaml", "--fault", "drop")
        self.expect_sound(page)
        self.assertIn('<a href="#kill-matrix-which-checker-notices-which-injected-fault">', page)

    def network(self, model, *options, outcome=0):
        folder = self.folder / "network"
        kernbench("sim", "configs/regressions/network.yaml", "--model", pathlib.Path(os.environ["NETWORK_MODELS"]) / model / "libnetwork_model.so",
                  "--report", folder, "--waves", "off", *options, outcome=outcome)
        return (folder / "report.html").read_text()

    def test_the_page_of_a_network(self):
        page = self.network("4x3", "--suite", "alone", "--suite", "failed-node-1")
        self.expect_sound(page)
        self.assertIn('<a href="report.json">report.json</a>', page)
        self.assertIn("Packets accepted at A", page)

    def test_the_page_of_a_failing_network(self):
        page = self.network("forgetful/model", outcome=1)
        self.expect_sound(page)
        self.assertIn('<a href="#missed-bins">', page)

    def test_the_page_of_a_cosimulation(self):
        page, data = self.folder / "cosim.html", self.folder / "cosim.json"
        kernbench("cosim", "--fabric", "cycle", "--loads", "0.1,0.3", "--cycles", "200", "--html", page, "--json", data)
        self.expect_sound(page.read_text())
        self.assertIn('<a href="cosim.json">cosim.json</a>', page.read_text())

    def test_page_and_terminal_have_every_member_of_a_run(self):
        page, report, seen = self.folder / "run.html", self.folder / "run.json", set()
        small = ["softmax", "--set", "rows=64"]
        for options in ([*small, "--verify", "--races", "--explain", "--what-if", "pe.clock_ghz*2", "--spread", "2"],
                        [*small, "--set", "topology.system.sips.count=1", "--set", "cubes=1", "--spread", "2",
                         "--tornado"],
                        ["collective", "--verify"], ["transformer"], ["examples/python/benches/vector_add.py"], [*small, "--fidelity", "message"]):
            drawn = ["--html", page] if "--fidelity" not in options else []
            text = kernbench("run", *options, *drawn, "--json", report)
            for member, value in json.loads(report.read_text())["data"].items():
                if value == []:
                    continue
                seen.add(member)
                self.assertRegex(text, RUN_ON_TERMINAL[member] or ".", member)
            if drawn:
                self.assertEqual(page_check.missing_members(page.read_text(), json.loads(report.read_text())["data"], RUN_ON_PAGE), [])
                self.assertLess(page.stat().st_size, 300_000)
        # The options above give every member, so one that is added has to be seen on both.
        schema = json.loads(kernbench("schema", "reports/run"))
        self.assertEqual(sorted(seen | {"reuse"}), sorted(schema["properties"]["data"]["properties"]))

    def test_the_page_of_a_server_has_every_member(self):
        page, report, topology = self.folder / "serve.html", self.folder / "serve.json", self.folder / "tiny.yaml"
        topology.write_text("sip: {cube_mesh: {w: 2, h: 1}}\n")
        kernbench("serve", "--topology", topology, "--set", "layers=1", "--set", "page=64", "--prompt", "8", "--output", "8",
                  "--max-batch", "2", "--seconds", "0.01", "--loads", "0.5", "--html", page, "--json", report)
        self.expect_sound(page.read_text())
        self.assertEqual(page_check.missing_members(page.read_text(), json.loads(report.read_text())["data"]), [])
        # The times of an object have its unit, in a table and as facts.
        one = json.loads(report.read_text())["data"]
        self.assertIn(">first token p50 us</th>", page.read_text())
        self.assertIn(f'<td class="n">{one["runs"][0]["first_token_ps"]["p50"] / 1e6:.3f}</td>', page.read_text())
        self.assertIn(f'<dt>full page us</dt><dd>{one["attention_ps"]["full_page"] / 1e6:.3f}</dd>', page.read_text())

    def test_the_page_of_a_sweep(self):
        plan, page, plots = self.folder / "plan.yaml", self.folder / "sweep.html", self.folder / "plots"
        plan.write_text("command: [run, softmax]\nparameters: {bench.rows: [8, 64, many], bench.columns: [64, 128]}\n"
                        "targets: {data.end_ps: min, data.flit_hops: min}\n")
        kernbench("sweep", plan, "--output", self.folder / "plan.db", outcome=1)
        kernbench("sweep", "show", self.folder / "plan.db", "--html", page, "--plots", plots)
        self.expect_sound(page.read_text())
        xml.etree.ElementTree.fromstring(page.read_text())
        self.assertIn('<a href="#2-failed-points">2 failed points</a>', page.read_text())
        names = sorted(path.name for path in plots.iterdir())
        pairs = {"data.end_ps": ("rows", "columns"), "data.flit_hops": ("rows", "columns")}
        expected = [f"{target}-over-bench.{first}{rest}.svg" for target, (first, second) in pairs.items()
                    for rest in ("", f"-and-bench.{second}", f"-by-bench.{second}")]
        expected += [f"{target}-over-bench.{second}.svg" for target, (_, second) in pairs.items()]
        self.assertEqual(names, sorted([*expected, "front.svg"]))
        for path in plots.iterdir():
            xml.etree.ElementTree.parse(path)

    def test_the_page_of_the_proofs(self):
        results = [tasks.Result("primitives/IRS_N.lp.d2.w23/order", "primitives", "IRS_N.lp.d2.w23", "order", "proven", "pdr"),
                   tasks.Result("mutants/a<b", "mutants", "irs_lp.sv", "order", "survived", "bmc", note="a & b")]
        rules = [{"name": "order", "says": "packets leave in order"}]
        assumptions = [{"name": "stable", "says": "a packet waits", "checker": "link_checker"}]
        self.expect_sound(report.html_page(results, rules, assumptions, ["1 of 1 properties proven"], True))

    def test_a_click_on_the_head_of_a_column_sorts_the_table(self):
        chromium = shutil.which("chromium")
        if not chromium:
            self.skipTest("no chromium")
        page = self.folder / "sorted.html"
        clicks = "document.querySelectorAll('#suites th button')[4].click();"
        page.write_text(self.failing.replace("</body>", f"<script>{clicks}</script></body>"))
        dump = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'chromium'}", "--dump-dom",
                page.as_uri()]
        dom = subprocess.run(dump, capture_output=True, text=True, check=True, timeout=120).stdout
        table = dom[dom.index('id="suites"'):]
        table = table[:table.index("</table>")]
        self.assertIn('class="n" aria-sort="descending"><button type="button">cases</button>', table)
        cases = [int(number) for number in re.findall(r'</td><td class="n">(\d+)</td><td class="n">[\d,]+</td>', table)]
        self.assertGreater(len(cases), 10)
        self.assertEqual(cases, sorted(cases, reverse=True))
        self.assertNotEqual(cases, sorted(cases))


class TheCheck(unittest.TestCase):
    """Each problem is found."""

    def test_accepts_a_sound_page(self):
        self.assertEqual(page_check.check(SOUND), [])

    def test_finds_each_defect(self):
        for old, new, problem in (
                ("<main>", "<div>", "0 of <main>"),
                ('id="a"', 'id="b"', "no id 'a' for a link"),
                ("<h2>a</h2>", '<h2 id="a">a</h2>', "the id 'a' is given twice"),
                ("<h2>a</h2>", "<h3>a</h3>", "<h3> follows <h1>"),
                ("<h2>a</h2>", "<h2></h2>", "an empty <h2>"),
                ("<h2>a</h2>", "<h2>a</h2><table></table>", "a <table> is outside of a box that scrolls"),
                ("<h2>a</h2>", '<h2>a</h2><div class="scroll"></div>', "a box that scrolls is not a region that the keyboard reaches"),
                ("<h2>a</h2>", "<h2>a</h2><svg></svg>", "<svg> is not an image to screen readers"),
                (' aria-label="a"', "", "a <section> has no name"),
                ("<footer>f</footer>", "<p>f</p>", "<p> is outside of all landmarks"),
                ("@media print{}", "", "no style for paper"),
                ("--text:#000", "--text:#888", "light: body: --text on --card has a contrast of 3.54"),
                ("@media print{}", "@media print{} @media (a) {:root{--text:#777}}", "dark: body: --text on --page has a contrast of 4.48"),
                ("<footer>f", '<footer><img src="a">', 'the page loads something: src="')):
            with self.subTest(problem):
                self.assertIn(old, SOUND)
                self.assertIn(problem, page_check.check(SOUND.replace(old, new)))


if __name__ == "__main__":
    unittest.main()
