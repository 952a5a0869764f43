# SPDX-License-Identifier: Apache-2.0
"""The node of networks of any topology takes exactly the cycles of its contract, in Icarus Verilog and in Verilator."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NOC = ROOT / "rtl" / "noc"
SOURCES = [(NOC / line).resolve() for line in (NOC / "noc.f").read_text().splitlines() if not line.startswith("//")]
LINT = ["verilator", "--lint-only", "--language", "1800-2017", "-Wall", "--top-module", "NOC_NODE", ROOT / "tb/lint.vlt"]
# D0, D1, D2, B, M: three links, slots, lanes.
CASES = {"unequal links": (0, 1, 2, 3, 1), "no registers": (0, 0, 0, 4, 1), "two slots": (1, 1, 1, 2, 1),
         "a long link": (1, 0, 3, 8, 1), "one slot": (0, 1, 2, 1, 1), "two lanes": (2, 1, 1, 6, 2)}
# PI, PO, V, B, W, N, M, D: each shape has something that the others have not.
SHAPES = [(5, 5, 2, 8, 40, 64, 1, "20'h11111"), (1, 1, 1, 4, 8, 1, 1, "4'h0"), (3, 4, 4, 4, 40, 24, 2, "12'h010"),
          (3, 2, 3, 3, 70, 200, 1, "12'h321"), (2, 3, 2, 1, 16, 4, 2, "8'h11"), (15, 15, 1, 8, 40, 64, 1, "60'h0")]


def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, cwd=cwd)
    return done.returncode, done.stdout


def simulate(case, change=None, tool="icarus"):
    """Returns the lines that the bench prints; change: (file, old, new) of a broken copy."""
    with tempfile.TemporaryDirectory() as name:
        sources = list(SOURCES)
        if change:
            text = (NOC / change[0]).read_text()
            assert text.count(change[1]) == 1, change
            broken = pathlib.Path(name, change[0])
            broken.write_text(text.replace(*change[1:]))
            sources[sources.index(NOC / change[0])] = broken
        values = dict(zip(("D0", "D1", "D2", "B", "M"), case))
        if tool == "icarus":
            command = ["iverilog", "-g2012", *(f"-Ptiming_bench.{key}={value}" for key, value in values.items()),
                       "-s", "timing_bench", "-o", "bench"]
            program = ["vvp", "-n", "bench"]
        else:
            command = ["verilator", "--binary", "-Wno-fatal", "-Wno-lint", "--Mdir", "obj", "--top-module", "timing_bench",
                       *(f"-G{key}={value}" for key, value in values.items())]
            program = ["obj/Vtiming_bench"]
        code, text = run(*command, HERE / "timing_bench.sv", *sources, cwd=name)
        assert code == 0, text
        return [line for line in run(*program, cwd=name)[1].splitlines() if not line.startswith("- ")]


class Timing(unittest.TestCase):
    def test_takes_two_cycles_and_the_stages_of_each_link(self):
        for name, case in CASES.items():
            with self.subTest(name):
                self.check(case, "icarus")

    def check(self, case, tool):
        lines = simulate(case, tool=tool)
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], rf"^PASS .* {6 + sum(case[:3])} cycles to node 2, loop \d+$")

    def broken(self, expected, file, old, new):
        lines = simulate((0, 1, 2, 3, 1), (file, old, new))
        self.assertRegex(lines[-1], "^FAIL", lines)
        self.assertIn(expected, "\n".join(lines))

    def test_a_lost_slot_is_noticed(self):
        self.broken("B flits take in cycle", "noc_output.sv", "CountW'(B);", "CountW'(B - 1);")

    def test_a_credit_that_returns_too_early_is_noticed(self):
        self.broken("B flits take in cycle x", "noc_router.sv", "else        credit_o <= pop;",
                    "else for (int i = 0; i < R; i++) credit_o[i] <= valid_i[i/V] & vc_i[(i/V)*VW+:VW] == VW'(i % V);")

    def test_a_slow_credit_is_noticed(self):
        self.broken("the first credit returns", "noc_node.sv", ".IRS_DEEP(Depth), .TYPE_NO_READY(1'b1)) u_credit",
                    ".IRS_DEEP(Depth + 1), .TYPE_NO_READY(1'b1)) u_credit")

    def test_a_slow_link_is_noticed(self):
        self.broken("the head arrives in cycle", "noc_node.sv", ".IRS_DEEP(Depth), .TYPE_NO_READY(1'b1)) u_flit",
                    ".IRS_DEEP(Depth + 1), .TYPE_NO_READY(1'b1)) u_flit")


class InVerilator(unittest.TestCase):
    def test_takes_as_long_in_verilator(self):
        Timing.check(self, CASES["unequal links"], "verilator")


class Readers(unittest.TestCase):
    """Verilator has nothing to say about any shape of the node, and Yosys and Icarus read it."""

    def test_verilator_lints_every_shape(self):
        for shape in SHAPES:
            with self.subTest(shape=shape):
                values = [f"-G{key}={value}" for key, value in zip(("PI", "PO", "V", "B", "W", "N", "M", "D"), shape)]
                self.assertEqual(run(*LINT, *values, *SOURCES), (0, ""))

    def test_yosys_finds_no_latch_and_no_open_wire(self):
        sources = " ".join(str(source) for source in SOURCES)
        self.assertEqual(run("yosys", "-q", "-p", f"read_verilog -sv {sources}; chparam -set N 4 -set W 10 -set B 2 NOC_NODE; "
                             "hierarchy -check -top NOC_NODE; proc; flatten; check -assert; opt; memory; opt; check -assert; "
                             "select -assert-none t:$dlatch t:$adlatch"), (0, ""))

    def test_a_bad_parameter_is_named(self):
        for value, text in (("-GM=3", "M must divide V"), ("-GW=4", "W must have room for head, tail and destination"),
                            ("-GN=257", "N must be 1 to 256"),
                            ("-GV=13", "V must be at least 1, and PI*V at most 64")):
            with self.subTest(value):
                code, said = run(*LINT, value, *SOURCES)
                self.assertNotEqual(code, 0)
                self.assertIn(text, said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
