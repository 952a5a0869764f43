#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the RTL as others take it: the file lists of other tools, and the assertions of the link protocol."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, cwd=cwd)
    return done.returncode, done.stdout


class FileLists(unittest.TestCase):
    """Each names the files of rtl/topo.f, in that order, and they elaborate from that list alone."""

    def setUp(self):
        lines = (ROOT / "rtl/topo.f").read_text().splitlines()
        self.expected = [f"rtl/{line}" for line in lines if not line.startswith("//")]

    def elaborate(self, files):
        # The bench's top drives the interfaces, which alone would be undriven.
        return run("verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", "maze_tb_top", "-DKB_NX=4", "-DKB_NY=3",
                   "tb/lint.vlt", *files, "tb/maze_tb_top.sv")

    def check(self, files, simulation):
        self.assertEqual(files, self.expected)
        self.assertEqual(self.elaborate(files), (0, ""))
        self.assertEqual(simulation, ["tb/link_protocol_sva.sv"])
        self.assertEqual(run("verilator", "--lint-only", "--assert", "-Wall", *simulation), (0, ""))

    def check_network(self, files):
        """Checks the files of the network, which are those of rtl/network/maze.f."""
        lines = (ROOT / "rtl/network/maze.f").read_text().splitlines()
        self.assertEqual(files, self.expected + [f"rtl/network/{line}" for line in lines if not line.startswith(("//", "-F"))])
        self.assertEqual(run("verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", "network_tb_top",
                             "-DKB_NX=3", "-DKB_NY=2", "-DKB_FLIT_W=8", "-DKB_HIGH_BOUND=16", "-DKB_FIXED=0", "-DKB_LINKS", "tb/lint.vlt",
                             *files, "tb/network_tb_top.sv", "tb/network_checker.sv"), (0, ""))

    def check_noc(self, files):
        """Checks the files of the nodes of other networks, which are those of rtl/noc/noc.f behind the stages."""
        lines = (ROOT / "rtl/noc/noc.f").read_text().splitlines()
        self.assertEqual(files, [f"rtl/noc/{line}" for line in lines if not line.startswith(("//", "../irs_"))])
        self.assertEqual(run("verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", "NOC_NODE", "tb/lint.vlt",
                             *(file for file in self.expected if "/irs_" in file), *files), (0, ""))

    def test_bender(self):
        package = yaml.safe_load((ROOT / "Bender.yml").read_text())
        self.assertEqual(package["package"]["name"], "maze_topo")
        plain = [source for source in package["sources"] if isinstance(source, str)]
        groups = [source for source in package["sources"] if not isinstance(source, str)]
        self.assertEqual([group["target"] for group in groups], ["network", "noc", "simulation"])
        self.check(plain, groups[2]["files"])
        self.check_noc(groups[1]["files"])
        self.check_network([*plain, *groups[0]["files"]])

    def test_fusesoc(self):
        text = (ROOT / "kernbench.core").read_text()
        self.assertTrue(text.startswith("CAPI=2:\n"))
        core = yaml.safe_load(text)
        sets, targets = core["filesets"], core["targets"]
        self.assertEqual(targets["default"]["filesets"], ["rtl"])
        self.assertEqual(targets["simulation"]["filesets"], ["rtl", "assertions"])
        self.assertEqual(targets["network"]["filesets"], ["rtl", "network"])
        self.assertEqual(targets["noc"]["filesets"], ["rtl", "noc"])
        self.assertEqual({name: target["toplevel"] for name, target in targets.items()},
                         {"default": "TOPO", "network": "MAZE_ARRAY", "noc": "NOC_NODE", "simulation": "TOPO"})
        for name in set(targets) - {"noc"}:
            self.assertEqual(sorted(targets[name]["parameters"]), sorted(core["parameters"]))
        self.check(sets["rtl"]["files"], sets["assertions"]["files"])
        self.check_network([*sets["rtl"]["files"], *sets["network"]["files"]])
        self.check_noc(sets["noc"]["files"])

    def test_a_list_in_another_order_does_not_elaborate(self):
        code, _ = self.elaborate(self.expected[::-1])
        self.assertNotEqual(code, 0)


BENCH = """
module bench;
  logic clk = 0, rst_n = 0, valid = 0, ready = 0;
  logic [22:0] payload = 1;
  link_protocol_sva u_sva (.clk, .rst_n, .valid, .ready, .payload);
  always #5 clk = ~clk;
  initial begin
    #12 rst_n = 1;
    valid = 1;
    #20 if ($test$plusargs("withdraws")) valid = 0;
    if ($test$plusargs("changes")) payload = 2;
    #20 ready = 1;
    #10 $finish;
  end
endmodule
"""


class Assertions(unittest.TestCase):
    """Verilator compiles them; they are silent on a sound sender and report a broken one."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = pathlib.Path(folder.name, "obj/Vbench")
        bench = pathlib.Path(folder.name, "bench.sv")
        bench.write_text(BENCH)
        code, text = run("verilator", "--binary", "--assert", "-Wno-fatal", "--Mdir", cls.program.parent, "--top-module",
                         "bench", ROOT / "tb/link_protocol_sva.sv", bench)
        assert code == 0, text

    def test_a_sound_sender_passes(self):
        code, text = run(self.program)
        self.assertEqual(code, 0, text)
        self.assertNotIn("link_protocol_sva", text)

    def test_a_withdrawn_packet_is_reported(self):
        self.assertIn("link_protocol_sva: a packet that was not accepted was withdrawn", run(self.program, "+withdraws")[1])

    def test_a_changed_packet_is_reported(self):
        self.assertIn("link_protocol_sva: a packet that was not accepted changed", run(self.program, "+changes")[1])


NAMESPACE = {"": "http://www.accellera.org/XMLSchema/IPXACT/1685-2022"}


class IpXact(unittest.TestCase):
    """The component is valid and has exactly the ports of the elaborated TOPO."""

    FILE = ROOT / "rtl/topo.ipxact.xml"

    def validate(self, file):
        schema = os.environ.get("IPXACT_SCHEMA", ROOT / "tests/rtl/ipxact.xsd")
        return run("xmllint", "--noout", "--schema", schema, file)

    def test_it_validates(self):
        self.assertEqual(self.validate(self.FILE), (0, f"{self.FILE} validates\n"))

    def test_a_port_without_a_name_does_not_validate(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(self.FILE.read_text().replace("<ipxact:name>clk</ipxact:name>", ""))
            file.flush()
            self.assertEqual(self.validate(file.name)[0], 3)

    def test_it_names_the_files_of_the_list(self):
        component = xml.etree.ElementTree.parse(self.FILE).getroot()
        lines = (ROOT / "rtl/topo.f").read_text().splitlines()
        self.assertEqual([name.text for name in component.findall(".//file/name", NAMESPACE)],
                         [line for line in lines if not line.startswith("//")])

    def test_its_ports_are_those_of_the_elaborated_module(self):
        for nx, ny, width in ((4, 3, 8), (16, 2, 32), (8, 8, 1)):
            with self.subTest(nx=nx, ny=ny, width=width):
                stated = self.stated_ports(nx, ny, width)
                self.assertEqual(len(stated), 3 + 28)
                self.assertEqual(stated, self.elaborated_ports(nx, ny, width))

    def stated_ports(self, nx, ny, width):
        """Maps "port" or "port.signal" to (direction, range of the vector, ranges of arrays)."""
        component = xml.etree.ElementTree.parse(self.FILE).getroot()
        values = {"NX": nx, "NY": ny, "FLIT_W": width}
        address = component.find("parameters/parameter[@parameterId='AddrW']/value", NAMESPACE)
        values["AddrW"] = self.value(address.text, values)
        ports = {}
        for port in component.findall("model/ports/port", NAMESPACE):
            name = port.find("name", NAMESPACE).text
            structured = port.find("structured", NAMESPACE)
            if structured is None:
                ports[name] = self.stated_port(port, values)
                continue
            kind = [structured.find(f"structPortTypeDefs/structPortTypeDef/{key}", NAMESPACE).text
                    for key in ("typeName", "role")]
            ports[name] = (".".join(kind), None, self.ranges(port, "arrays/array", values))
            for signal in structured.findall("subPorts/subPort", NAMESPACE):
                ports[f"{name}.{signal.find('name', NAMESPACE).text}"] = self.stated_port(signal, values)
        return ports

    def stated_port(self, port, values):
        vector = self.ranges(port, "wire/vectors/vector", values)
        # A vector of one bit is written [0:0], which Verilator shows as a scalar.
        return (port.find("wire/direction", NAMESPACE).text, (vector or [(0, 0)])[0],
                self.ranges(port, "arrays/array", values))

    def ranges(self, port, path, values):
        return [tuple(self.value(one.find(end, NAMESPACE).text, values) for end in ("left", "right"))
                for one in port.findall(path, NAMESPACE)]

    @staticmethod
    def value(expression, values):
        """Evaluates an expression of SystemVerilog."""
        python = re.sub(r"\(([^()?]+)\?([^():]+):((?:[^()]|\([^()]*\))+)\)", r"((\2) if (\1) else (\3))", expression)
        return eval(python.replace("$clog2", "clog2"),  # pylint: disable=eval-used
                    {"clog2": lambda n: (n - 1).bit_length()}, values)

    def elaborated_ports(self, nx, ny, width):
        """Reads the same from Verilator's XML."""
        with tempfile.TemporaryDirectory() as folder:
            files = [f"rtl/{line}" for line in (ROOT / "rtl/topo.f").read_text().splitlines()
                     if not line.startswith("//")]
            code, text = run("verilator", "--xml-only", "--Mdir", folder, "--xml-output", f"{folder}/topo.xml",
                             "--top-module", "maze_tb_top", f"-DKB_NX={nx}", f"-DKB_NY={ny}", f"-DKB_FLIT_W={width}",
                             "tb/lint.vlt", *files, "tb/maze_tb_top.sv")
            self.assertEqual((code, text), (0, ""))
            netlist = xml.etree.ElementTree.parse(f"{folder}/topo.xml").getroot().find("netlist")
        types = {one.get("id"): one for one in netlist.find("typetable")}
        interface = netlist.find("iface[@origName='pkt_con_if']")
        directions = {ref.get("name"): ref.get("direction")
                      for ref in interface.findall("modport[@name='slv']/modportvarref")}
        module = netlist.find("module[@origName='TOPO']")
        ports = {}
        for port in module.findall("var"):
            kind = types[port.get("dtype_id")]
            if port.get("dir"):
                ports[port.get("name")] = (port.get("dir").removesuffix("put"), *self.elaborated(kind, types))
            elif port.get("vartype") == "ifaceref":
                element = types[kind.get("sub_dtype_id")]
                ports[port.get("name")] = (f"pkt_con_if.{element.get('modportname')}", None, [self.bounds(kind)])
                for signal in interface.findall("var"):
                    if signal.get("name") in directions:
                        ports[f"{port.get('name')}.{signal.get('name')}"] = (
                            directions[signal.get("name")], *self.elaborated(types[signal.get("dtype_id")], types))
        return ports

    def elaborated(self, kind, types):
        arrays = []
        while kind.tag == "unpackarraydtype":
            arrays.append(self.bounds(kind))
            kind = types[kind.get("sub_dtype_id")]
        return (int(kind.get("left", 0)), int(kind.get("right", 0))), arrays

    @staticmethod
    def bounds(array):
        return tuple(int(end.get("name").split("'")[1].lstrip("sh"), 16) for end in array.findall("range/const"))


if __name__ == "__main__":
    unittest.main()
