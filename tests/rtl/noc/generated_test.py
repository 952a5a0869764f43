# SPDX-License-Identifier: Apache-2.0
"""The generated RTL of networks: Verilator has nothing to say about it, other tools read its nodes, the same network has the
same bytes, and --check tells what differs."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
ZOO = ROOT / "configs" / "zoo"
FEW = ["hierarchical", "unidirectional_torus_1d", "butterfly"]


def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, cwd=cwd)
    return done.returncode, done.stdout


def kernbench(*words):
    return run(os.environ["KERNBENCH"], *words)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def generate(self, name, *options):
        out = self.folder / name
        code, text = kernbench("topology", "rtl", *options, "-o", out)
        self.assertEqual(code, 0, text)
        return out

    def lint(self, out, module="NOC_TOP"):
        return run("verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", module, "tb/lint.vlt",
                   "-F", out / f"{module.lower()}.f")


class Lint(Folder):
    def check(self, name):
        with self.subTest(name):
            self.assertEqual(self.lint(self.generate(name, "--spec", ZOO / f"{name}.yaml")), (0, ""))

    def test_a_few_kinds(self):
        for name in FEW:
            self.check(name)

    def test_lanes_and_links_of_any_length(self):
        for stages in (0, 3):
            out = self.generate(f"lanes{stages}", "UnidirectionalTorus1D(5)", "--lanes", 2, "--stages", stages, "--module", "ring")
            self.assertEqual(self.lint(out, "ring"), (0, ""))


class LintOfAllKinds(Lint):
    def test_a_few_kinds(self):
        files = sorted(ZOO.glob("*.yaml"))
        kinds = set(re.findall(r"kind: *(\w+)", "".join(file.read_text() for file in files)))
        listed = set(re.findall(r"^(\w+)\(", kernbench("topology", "zoo")[1], re.MULTILINE))
        self.assertGreaterEqual(len(listed), 13)
        self.assertEqual(listed - kinds, set())
        for file in files:
            self.check(file.stem)


class OtherTools(Folder):
    def test_yosys_and_icarus_read_the_nodes(self):
        out = self.generate("ring", "--spec", ZOO / "unidirectional_torus_1d.yaml", "--slots", "2", "--flit-bits", "10")
        sources = [out / line for line in (out / "noc_top.f").read_text().splitlines()
                   if not line.startswith("//") and not line.startswith("noc_top")]
        self.assertEqual(run("iverilog", "-g2012", "-t", "null", "-s", "NOC_NODE", *sources), (0, ""))
        names = " ".join(str(source) for source in sources)
        self.assertEqual(run("yosys", "-q", "-p", f"read_verilog -sv {names}; hierarchy -check -top NOC_NODE -chparam PI 2 "
                             "-chparam PO 2 -chparam N 5 -chparam W 10 -chparam B 2 -chparam D 8'h11; proc; check -assert"), (0, ""))


    def test_bender_fusesoc_and_ipxact_name_the_sources_and_ports(self):
        out = self.generate("butterfly", "--spec", ZOO / "butterfly.yaml", "--lanes", "2", "--module", "Fly")
        files = [line for line in (out / "fly.f").read_text().splitlines() if not line.startswith("//")]
        self.assertEqual(files[-2:], ["fly_pkg.sv", "fly.sv"])
        self.assertEqual(yaml.safe_load((out / "Bender.yml").read_text()), {"package": {"name": "fly"}, "sources": files})
        core = yaml.safe_load((out / "fly.core").read_text())
        self.assertEqual(core["filesets"]["rtl"]["files"], files)
        self.assertEqual(core["targets"]["default"], {"filesets": ["rtl"], "toplevel": "Fly"})
        component = out / "fly.ipxact.xml"
        self.assertEqual(run("xmllint", "--noout", "--schema", "tests/rtl/ipxact.xsd", component), (0, f"{component} validates\n"))
        tree = xml.etree.ElementTree.parse(component).getroot()
        space = {"": "http://www.accellera.org/XMLSchema/IPXACT/1685-2022"}
        self.assertEqual([name.text for name in tree.findall(".//file/name", space)], files)
        header = (out / "fly.sv").read_text().split(");", 1)[0]
        ports = re.findall(r"(in|out)put +logic +(?:\[\w+-1:0\])? *(\w+)", header)
        stated = [(port.find("wire/direction", space).text, port.find("name", space).text)
                  for port in tree.findall("model/ports/port", space)]
        self.assertEqual(stated, ports)
        page = (out / "fly.md").read_text()
        for _, port in ports:
            self.assertIn(f"| `{port}` | ", page)
        self.assertTrue((out / "fly.svg").read_text().startswith("<svg"))


class Bytes(Folder):
    def test_the_same_network_has_the_same_bytes(self):
        one, two = (self.generate(name, "BidirectionalTorus2D(3,3)") for name in ("one", "two"))
        self.assertEqual(sorted(file.name for file in one.iterdir()), sorted(file.name for file in two.iterdir()))
        for file in one.iterdir():
            self.assertEqual(file.read_bytes(), (two / file.name).read_bytes(), file.name)

    def test_check_tells_what_differs(self):
        out = self.generate("mesh", "Mesh2D(2,2)")
        check = ["topology", "rtl", "Mesh2D(2,2)", "--check", "-o", out]
        self.assertEqual(kernbench(*check), (0, f"PASS  {out} is up to date\n"))
        (out / "noc_node.sv").write_text("module NOC_NODE; endmodule\n")
        self.assertEqual(kernbench(*check), (1, f"noc_node.sv: edited by hand\nFAIL  {out} is not up to date\n"))
        code, text = kernbench("topology", "rtl", "Mesh2D(2,2)", "-o", out)
        self.assertEqual(code, 2)
        self.assertIn(f"{out}/noc_node.sv was edited by hand", text)
        self.assertEqual((out / "noc_node.sv").read_text(), "module NOC_NODE; endmodule\n")

    def test_check_notices_another_network(self):
        out = self.generate("mesh", "Mesh2D(2,2)")
        code, text = kernbench("topology", "rtl", "Mesh2D(2,2)", "--slots", "4", "--check", "-o", out)
        self.assertEqual(code, 1)
        self.assertIn("noc_top_pkg.sv: generated from something else\n", text)
        self.assertNotIn("noc_node.sv", text)

    def test_nothing_is_written_for_a_network_that_is_too_large(self):
        out = self.folder / "large"
        code, text = kernbench("topology", "rtl", "Mesh2D(17,16)", "-o", out)
        self.assertEqual((code, text), (2, "error: Mesh2D(17,16): 272 nodes; the RTL has at most 256\n"))
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
