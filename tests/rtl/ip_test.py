#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the RTL as others take it: the file lists of other tools, and the assertions of the link protocol."""

import os
import pathlib
import re
import shutil
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
        self.assertEqual(run("verilator", "--lint-only", "--language", "1800-2017", "--assert", "-Wall", *simulation), (0, ""))

    def check_network(self, files):
        """Checks the files of the network, which are those of rtl/network/maze.f."""
        lines = (ROOT / "rtl/network/maze.f").read_text().splitlines()
        self.assertEqual(files, self.expected + [f"rtl/network/{line}" for line in lines if not line.startswith(("//", "-F"))])
        self.assertEqual(run("verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", "network_tb_top",
                             "-DKB_NX=3", "-DKB_NY=2", "-DKB_FLIT_W=8", "-DKB_HIGH_BOUND=16", "-DKB_FIXED=0", "-DKB_LINKS", "tb/lint.vlt",
                             *files, "tb/network_tb_top.sv", "tb/network_checker.sv"), (0, ""))

    def check_plain(self, files):
        """Checks that `make plain` writes the file of the Verilog-2005. Other tests read it with Yosys and Icarus Verilog."""
        code, text = run("make", "--dry-run", "--assume-old=program", "plain")
        self.assertEqual(code, 0, text)
        self.assertEqual(files, re.findall(r" structure network --write-verilog (\S+)$", text, re.MULTILINE))

    def check_noc(self, files):
        """Checks the files of the nodes of other networks, which are those of rtl/noc/noc.f behind the stages."""
        lines = (ROOT / "rtl/noc/noc.f").read_text().splitlines()
        self.assertEqual(files, [f"rtl/noc/{line}" for line in lines if not line.startswith(("//", "../irs_"))])
        self.assertEqual(run("verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", "NOC_NODE", "tb/lint.vlt",
                             *(file for file in self.expected if "/irs_" in file), *files), (0, ""))

    def test_bender(self):
        package = yaml.safe_load((ROOT / "Bender.yml").read_text())
        self.assertEqual(package["package"]["name"], "maze_topo")
        groups = {group["target"]: group["files"] for group in package["sources"]}
        links, network, plain, noc, simulation = ("not(plain)", "all(network, not(plain))", "plain", "noc", "simulation")
        self.assertEqual(list(groups), [links, network, plain, noc, simulation])
        self.check(groups[links], groups[simulation])
        self.check_network([*groups[links], *groups[network]])
        self.check_plain(groups[plain])
        self.check_noc(groups[noc])

    def test_fusesoc(self):
        text = (ROOT / "kernbench.core").read_text()
        self.assertTrue(text.startswith("CAPI=2:\n"))
        core = yaml.safe_load(text)
        sets, targets = core["filesets"], core["targets"]
        self.assertEqual({name: (target["filesets"], target["toplevel"]) for name, target in targets.items()},
                         {"default": (["rtl"], "TOPO"), "network": (["rtl", "network"], "MAZE_ARRAY"),
                          "plain": (["plain"], "MAZE_TOP"), "noc": (["rtl", "noc"], "NOC_NODE"), "simulation": (["rtl", "assertions"], "TOPO")})
        for name, target in targets.items():
            # The Verilog-2005 has the values of its size, and the nodes of other networks have parameters of their own.
            expected = [] if name in ("plain", "noc") else sorted(core["parameters"])
            self.assertEqual(sorted(target.get("parameters", [])), expected)
        self.check(sets["rtl"]["files"], sets["assertions"]["files"])
        self.check_network([*sets["rtl"]["files"], *sets["network"]["files"]])
        self.assertEqual(sets["plain"]["file_type"], "verilogSource-2005")
        self.check_plain(sets["plain"]["files"])
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
    """The components are valid, and have exactly the ports of the elaborated modules."""

    FILES = {"TOPO": ROOT / "rtl/topo.ipxact.xml", **{name: ROOT / f"rtl/network/{name.lower()}.ipxact.xml"
                                                     for name in ("MAZE_NODE", "MAZE_ARRAY", "MAZE_TOP")}}
    SHAPES = ((4, 3, 8), (16, 2, 32), (8, 8, 1))

    def validate(self, file):
        schema = os.environ.get("IPXACT_SCHEMA", ROOT / "tests/rtl/ipxact.xsd")
        return run("xmllint", "--noout", "--schema", schema, file)

    def test_they_validate(self):
        for file in self.FILES.values():
            self.assertEqual(self.validate(file), (0, f"{file} validates\n"))

    def test_a_port_without_a_name_does_not_validate(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(self.FILES["TOPO"].read_text().replace("<ipxact:name>clk</ipxact:name>", ""))
            file.flush()
            self.assertEqual(self.validate(file.name)[0], 3)

    def test_they_are_those_that_the_script_writes(self):
        self.assertEqual(run("scripts/ipxact.py", "--check"), (0, ""))

    def test_changed_rtl_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder, "rtl")
            shutil.copytree(ROOT / "rtl", rtl)
            changed = {"pkt_in.sv": ("logic              pkt_in_qos;", "logic [1:0]        pkt_in_qos;", 1,
                                     "".join(f"{rtl}/network/{name}.ipxact.xml differs from the RTL: run scripts/ipxact.py\n"
                                             for name in ("maze_node", "maze_array", "maze_top"))),
                       "maze_node.sv": ("parameter bit          FIXED", "parameter bit          FAIR", 2,
                                        f"error: {rtl}/network/maze_node.sv: the parameter FAIR has no description in PARAMETERS of "
                                        "scripts/ipxact.py\n"),
                       "maze_top.sv": ("input logic       pg_en,", "input wire pg_en,", 2,
                                       f"error: {rtl}/network/maze_top.sv: the port 'input wire pg_en'; right would be "
                                       "'input logic [L:R] NAME' or 'INTERFACE.MODPORT NAME [L:R]'\n")}
            for name, (old, new, code, says) in changed.items():
                file = rtl / "network" / name
                text = file.read_text()
                self.assertIn(old, text, "the RTL changed: this test has to be adapted")
                file.write_text(text.replace(old, new, 1))
                self.assertEqual(run("scripts/ipxact.py", "--check", "--root", folder), (code, says))
                file.write_text(text)

    def test_they_name_the_files_of_the_lists(self):
        def listed(name):
            return [line for line in (ROOT / "rtl" / name).read_text().splitlines() if not line.startswith(("//", "-F"))]
        for module, path in self.FILES.items():
            component = xml.etree.ElementTree.parse(path).getroot()
            self.assertEqual([name.text for name in component.findall(".//file/name", NAMESPACE)],
                             listed("topo.f") if module == "TOPO"
                             else [*(f"../{name}" for name in listed("topo.f")), *listed("network/maze.f")])

    def test_the_ports_of_topo_are_those_of_the_elaborated_module(self):
        for nx, ny, width in self.SHAPES:
            with self.subTest(nx=nx, ny=ny, width=width):
                stated = self.stated_ports("TOPO", nx, ny, width)
                self.assertEqual(len(stated), 3 + 28)
                self.assertEqual(stated, self.elaborated_ports(self.links(nx, ny, width), "TOPO"))

    def test_the_ports_of_the_network_are_those_of_the_elaborated_modules(self):
        for nx, ny, width in ((3, 2, 8), (8, 8, 8)):
            root = self.network(nx, ny, width)
            for module, ports in (("MAZE_NODE", 4 + 3 + 7 + 7 + 28), ("MAZE_ARRAY", 5 + 2 + 7 + 7), ("MAZE_TOP", 4 + 64 * (2 + 14))):
                if module == "MAZE_TOP" and (nx, ny) != (8, 8):
                    continue
                with self.subTest(module=module, nx=nx, ny=ny, width=width):
                    stated = self.stated_ports(module, nx, ny, width)
                    self.assertEqual(len(stated), ports)
                    self.assertEqual(stated, self.elaborated_ports(root, module))

    def stated_ports(self, module, nx, ny, width):
        """Maps "port" or "port.signal" to (direction, range of the vector, ranges of arrays)."""
        component = xml.etree.ElementTree.parse(self.FILES[module]).getroot()
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

    def dump(self, top, *arguments):
        """Verilator's XML of the elaborated design."""
        with tempfile.TemporaryDirectory() as folder:
            code, text = run("verilator", "--xml-only", "--language", "1800-2017", "--Mdir", folder, "--xml-output",
                             f"{folder}/dump.xml", "--top-module", top, "tb/lint.vlt", *arguments)
            self.assertEqual((code, text), (0, ""))
            return xml.etree.ElementTree.parse(f"{folder}/dump.xml").getroot()

    def links(self, nx, ny, width):
        return self.dump("maze_tb_top", f"-DKB_NX={nx}", f"-DKB_NY={ny}", f"-DKB_FLIT_W={width}", "-F", "rtl/topo.f",
                         "tb/maze_tb_top.sv")

    def network(self, nx, ny, width):
        top = ["-DKB_SIGN_OFF_SHAPE"] if (nx, ny) == (8, 8) else []
        return self.dump("network_tb_top", f"-DKB_NX={nx}", f"-DKB_NY={ny}", f"-DKB_FLIT_W={width}", "-DKB_HIGH_BOUND=16",
                         "-DKB_FIXED=0", "-DKB_LINKS", *top, "-F", "rtl/network/maze.f", "tb/network_tb_top.sv",
                         "tb/network_checker.sv")

    def elaborated_ports(self, root, name):
        """Reads the same from an elaborated design. All instances of a module have equal ports."""
        netlist = root.find("netlist")
        types = {one.get("id"): one for one in netlist.find("typetable")}
        found = []
        for module in netlist.findall(f"module[@origName='{name}']"):
            ports = {}
            for port in module.findall("var"):
                kind = types[port.get("dtype_id")]
                if port.get("dir"):
                    ports[port.get("name")] = (port.get("dir").removesuffix("put"), *self.elaborated(kind, types))
                elif port.get("vartype") == "ifaceref":
                    arrays = [self.bounds(kind)] if kind.tag == "unpackarraydtype" else []
                    element = types[kind.get("sub_dtype_id")] if arrays else kind
                    role = element.get("modportname")
                    if not role:
                        continue  # an interface in the module
                    interface = self.interface_of(root, element)
                    ports[port.get("name")] = (f"{interface.get('origName')}.{role}", None, arrays)
                    for signal, entry in self.signals(interface, role, types):
                        ports[f"{port.get('name')}.{signal}"] = entry
            found.append(ports)
        self.assertTrue(found and all(ports == found[0] for ports in found))
        return found[0]

    @staticmethod
    def interface_of(root, element):
        """The interface of a port. Verilator states only the place of its name: file, line, columns."""
        name, line, left, _, right = element.get("loc").split(",")
        path = next(file.get("filename") for file in root.findall("files/file") if file.get("id") == name)
        text = (ROOT / path).read_text().splitlines()[int(line) - 1]
        return root.find(f"netlist/iface[@origName='{text[int(left) - 1:int(right) - 1]}']")

    def signals(self, interface, role, types):
        directions = {ref.get("name"): ref.get("direction") for ref in interface.findall(f"modport[@name='{role}']/modportvarref")}
        for signal in interface.findall("var"):
            if signal.get("name") in directions:
                yield signal.get("name"), (directions[signal.get("name")],
                                           *self.elaborated(types[signal.get("dtype_id")], types))

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
