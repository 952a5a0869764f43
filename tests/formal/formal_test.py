#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of formal/: the proofs can fail, and say so. KERNBENCH is the program that they are run with."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KERNBENCH = pathlib.Path(os.environ.get("KERNBENCH", ROOT / "build/release/cli/kernbench"))
sys.path.insert(0, str(ROOT / "formal"))
import independence  # noqa: E402
import induction  # noqa: E402
import network  # noqa: E402
import network_mutants  # noqa: E402
import primitives  # noqa: E402
import reference  # noqa: E402
import replay  # noqa: E402
import report  # noqa: E402
import solver  # noqa: E402
import sources  # noqa: E402
import tasks  # noqa: E402
import wiring  # noqa: E402
import witness  # noqa: E402

RULES, ASSUMPTIONS = primitives.load_properties(ROOT / "formal")


class InAFolder(unittest.TestCase):
    """Has a temporary folder with a copy of rtl/."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rtl = self.folder / "rtl"
        shutil.copytree(ROOT / "rtl", self.rtl)

    def edit(self, path, old, new):
        text = path.read_text()
        self.assertEqual(text.count(old), 1, f"{path.name} changed: this test has to be adapted")
        path.write_text(text.replace(old, new))

    def prove(self, *arguments, path=None):
        command = [ROOT / "formal/prove.py", "--kernbench", KERNBENCH, "--rtl", self.rtl, "--work", self.folder / "work",
                   *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env=os.environ | ({"PATH": path} if path else {}))
        return done.returncode, done.stdout


class RulesAreOneList(unittest.TestCase):
    def names(self, file, pattern):
        return re.findall(pattern, (ROOT / file).read_text(), re.MULTILINE)

    def test_every_rule_of_the_checkers_is_in_the_list(self):
        listed = [one["name"] for one in RULES + ASSUMPTIONS if one["checker"] == "link_checker"]
        struct = re.search(r"typedef struct packed \{(.*?)\} rules_t;", (ROOT / "tb/checker_pkg.sv").read_text(), re.DOTALL)
        checked = re.findall(r"logic (\w+);", struct[1])
        self.assertEqual(sorted(listed), sorted(checked))

    def test_every_contract_has_the_rules_of_the_list(self):
        for contract, file in (("chain", "irs_contract"), ("register", "register_contract"), ("wires", "wires_contract")):
            listed = [rule["name"] for rule in RULES if contract in rule["contracts"]]
            broken = self.names(f"formal/{file}.sv", r"output logic broken_(\w+)")
            self.assertEqual(sorted(listed), sorted(broken), file)

    def test_every_part_of_the_node_has_the_rules_of_its_list(self):
        for module, rules in network.RULES.items():
            ports = network.outputs_of(ROOT / "formal/network" / network.PROOFS[module])
            for rule in set(rules) - {"invariant"}:  # that of the core is several outputs
                self.assertLessEqual({f"broken_{rule}", f"seen_{rule}"}, set(ports), module)

    def test_every_assumption_is_a_rule_that_is_proven_of_outputs(self):
        proven = [rule["name"] for rule in RULES]
        for assumption in ASSUMPTIONS:
            self.assertIn(assumption["shown_of_outputs"], proven)
            self.assertEqual(assumption["checker"], "link_checker")

    def test_every_rule_is_explained_in_the_documentation(self):
        page = (ROOT / "docs/developer/proofs.md").read_text()
        for rule in RULES + ASSUMPTIONS:
            self.assertIn(f"`{rule['name']}`", page)
        for module, rules in report.NODE_RULES.items():
            for rule, says in rules.items():
                self.assertIn(f"| `{rule}` | `{module}` | {says} |", page)


class TheTheoremIsTheList(unittest.TestCase):
    """The sentences of docs/developer/proofs.md about shapes and widths are those of the tasks."""

    PAGE = " ".join((ROOT / "docs/developer/proofs.md").read_text().split())

    def options(self, **chosen):
        return argparse.Namespace(**{"root": ROOT, "formal": ROOT / "formal", "rtl": ROOT / "rtl", "slice": False, "all": False,
                                     **chosen})

    def found(self, pattern):
        found = re.findall(pattern, self.PAGE)
        self.assertEqual(len(found), 1, pattern)
        return found[0]

    @staticmethod
    def numbers(text):
        return [int(number) for number in re.findall(r"\d+", text)]

    def claimed(self):
        low, high, data, shapes, others = self.found(
            r"Let NX and NY be (\d+) to (\d+) with (\d+) data bits, or let the fabric be ([\dx, or]+) with ([\d, or]+) data bits,")
        sizes = range(int(low), int(high) + 1)
        shapes = [tuple(map(int, one)) for one in re.findall(r"(\d+)x(\d+)", shapes)]
        return ({(nx, ny, int(data)) for nx in sizes for ny in sizes}
                | {(*shape, bits) for shape in shapes for bits in self.numbers(others)})

    def proven(self, **chosen):
        names = [task.name for task in wiring.tasks_of(self.options(**chosen), None)]
        return {tuple(self.numbers(name)) for name in names if "network" not in name}

    def test_fabrics(self):
        self.assertEqual(self.claimed(), self.proven(all=True))

    def test_fabrics_of_make_prove(self):
        data, sizes = self.found(r"looks at the shapes with (\d+) data bits whose NX and NY are ([\d, or]+)\.")
        sizes = self.numbers(sizes)
        shapes = {(nx, ny, int(data)) for nx in sizes for ny in sizes}
        self.assertEqual({one for one in self.claimed() if one in shapes or one[2] != int(data)}, self.proven())

    def test_shapes_lie_both_ways(self):
        for fabrics in (self.proven(), {(nx, ny) for nx, ny, _ in wiring.networks(self.options())}, network.SIZES):
            self.assertTrue(any(one[0] < one[1] for one in fabrics) and any(one[0] > one[1] for one in fabrics))

    def test_widths(self):
        widths = self.numbers(self.found(r"each width of a packet in these fabrics: ([\d, and]+) bits"))
        address = network.address_bits
        self.assertEqual(widths, sorted({3 + 2 * (address(nx) + address(ny)) + data for nx, ny, data in self.claimed()}))
        self.assertEqual(widths, sorted([primitives.PACKET, *primitives.OTHER_PACKETS]))
        self.assertEqual(widths, sorted(one.width for one in primitives.primitives()
                                        if one.depth == 0 and one.kind == "lp" and not one.asynchronous))
        chain = primitives.Primitive("IRS_N", "lp", 1)
        self.assertEqual(widths, sorted([chain.width, *independence.widths_of(chain)]))

    def test_depths(self):
        tasks_of = independence.tasks_of(self.options(), None)
        depths = {int(re.search(r"\.d(\d+)\.", task.name)[1]) for task in tasks_of if "IRS_N.lp.d" in task.name}
        deepest = max(max(nx, ny) // 2 - 1 for nx, ny, _ in self.claimed())
        self.assertEqual(depths, set(range(1, deepest + 1)))

    def test_networks(self):
        cores, wide = self.found(r"in networks of ([\dx, and]+) nodes with 8 data bits; the wiring of nodes is looked at in the same "
                                 r"networks, and in ([\dx, and]+)\.")
        self.assertEqual([tuple(map(int, one)) for one in re.findall(r"(\d+)x(\d+)", cores)], list(network.SIZES))
        networks = [(nx, ny, 8) for nx, ny in network.SIZES]
        networks += [tuple(map(int, one)) for one in re.findall(r"(\d+)x(\d+)x(\d+)", wide)]
        names = [task.name for task in wiring.tasks_of(self.options(), None) if "network" in task.name]
        self.assertEqual([tuple(self.numbers(name)) for name in names], networks)


class Refutation(InAFolder):
    def test_bits_above_the_eighth_that_a_stage_crosses_contradict_the_argument(self):
        self.edit(self.rtl / "irs_lp.sv", "if (skid_load) skid_pyld_q <= payload_i;",
                  "if (skid_load) for (int b = 0; b < PYLD_W; b++)\n"
                  "      skid_pyld_q[b] <= payload_i[PYLD_W > 27 && (b == 8 || b == 9) ? 17 - b : b];")
        results = independence.check(primitives.Primitive("IRS_N", "lp", 1), self.rtl, self.folder / "gates")
        self.assertEqual([result.outcome for result in results], ["proven", "proven", "refuted"])
        self.assertRegex(results[2].note, "at 31 bits: payload bits [89] and [89] meet")

    def test_bits_above_the_eighth_that_topo_crosses_are_refuted_by_the_wiring_rules(self):
        self.edit(self.rtl / "topo.sv", "  localparam int unsigned PyldW = maze_pkg::pyld_w(NX, NY, FLIT_W);\n",
                  "  localparam int unsigned PyldW = maze_pkg::pyld_w(NX, NY, FLIT_W);\n"
                  "  function automatic logic [FLIT_W-1:0] crossed(logic [FLIT_W-1:0] d);\n"
                  "    for (int b = 0; b < FLIT_W; b++) crossed[b] = d[FLIT_W > 9 && (b == 8 || b == 9) ? 17 - b : b];\n"
                  "  endfunction\n")
        self.edit(self.rtl / "topo.sv", "node_if[Src].xo_tgt[i], node_if[Src].xo_data[i]})",
                  "node_if[Src].xo_tgt[i], crossed(node_if[Src].xo_data[i])})")
        code, said = self.prove("--only", "wiring/2x3x")
        self.assertEqual(code, 1, said)
        for fabric, outcome in ((1, "proven"), (8, "proven"), (16, "REFUTED"), (32, "REFUTED")):
            with self.subTest(fabric):
                self.assertEqual(f"REFUTED    wiring/2x3x{fabric}/connection: " in said, outcome == "REFUTED", said)

    def test_a_broken_rule_has_a_trace_that_fails_in_the_same_cycle_on_both_benches(self):
        # The main entry forgets that it stalls: the third cycle without reset shows it.
        self.edit(self.rtl / "irs_lp.sv", "assign main_vld_d = stall | ~skid_free_q | valid_i;",
                  "assign main_vld_d = ~skid_free_q | valid_i;")
        code, said = self.prove("--only", "primitives/IRS_N.lp.d1.w23/output_valid_stable")
        self.assertEqual(code, 1, said)
        self.assertIn("REFUTED    primitives/IRS_N.lp.d1.w23/output_valid_stable: broken in cycle 3\n", said)
        traces = sorted((self.folder / "work/counterexamples").glob("*.json"))
        self.assertEqual([trace.name for trace in traces], ["IRS_N.lp.d1.w23-output_valid_stable-primitive.json",
                                                            "IRS_N.lp.d1.w23-output_valid_stable-topo.json"])
        for trace in traces:
            fails = json.loads(trace.read_text())["data"]["fails"]
            self.assertEqual(fails["cycle"], 3)
            done = subprocess.run([KERNBENCH, "replay", trace, "--rtl-dir", self.rtl, "--waves", "off",
                                   "--models", self.folder / "models", "--report", self.folder / "report"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("FAIL  cycle 3:", done.stdout)
            self.assertIn("the trace says cycle 3", done.stdout)

    def test_the_waveform_shows_the_broken_rule_in_that_cycle(self):
        self.edit(self.rtl / "irs_half.sv", "assign ready_o = ~vld_q;", "assign ready_o = 1'b1;")
        code, said = self.prove("--only", "primitives/IRS_HALF.half.d1.w23/overflow")
        self.assertEqual(code, 1, said)
        wave = (self.folder / "work/counterexamples/IRS_HALF.half.d1.w23-overflow.vcd").read_text()
        name = re.search(r"\$var wire 1 (\S+) broken_overflow \$end", wave)[1]
        changes = re.findall(rf"^(?:#(\d+)|b?([01]) ?{re.escape(name)})$", wave, re.MULTILINE)
        time, rises = 0, []
        for moment, value in changes:
            time = int(moment) if moment else time
            if value == "1":
                rises.append(time)
        cycle = int(re.search(r"overflow: broken in cycle (\d+)", said)[1])
        self.assertEqual([rise // 10 for rise in rises], [cycle])

    def test_payload_that_is_computed_with_contradicts_the_argument_for_other_widths(self):
        self.edit(self.rtl / "irs_lp.sv", "assign skid_load = RO_EN ? (stall & valid_i & skid_free_q) : skid_free_q;",
                  "assign skid_load = stall & valid_i & skid_free_q & ~(&payload_i & &main_pyld_q);")
        primitive = primitives.Primitive("IRS_N", "lp", 1)
        results = independence.check(primitive, self.rtl, self.folder / "gates")
        self.assertEqual({result.outcome for result in results}, {"refuted"})
        self.assertIn("is an input of $_AND_", results[0].note)

    def test_one_payload_bit_that_goes_another_way_contradicts_it_too(self):
        self.edit(self.rtl / "irs_lp.sv", "if (skid_load) skid_pyld_q <= payload_i;",
                  "if (skid_load) skid_pyld_q[0] <= payload_i[0]; "
                  "if (stall & valid_i) skid_pyld_q[PYLD_W-1:1] <= payload_i[PYLD_W-1:1];")
        results = independence.check(primitives.Primitive("IRS_N", "lp", 1), self.rtl, self.folder / "gates")
        self.assertEqual([result.outcome for result in results if result.property == "equal_slices"], ["refuted"])

    def test_another_wire_in_topo_is_refuted_by_the_wiring_rules(self):
        self.edit(self.rtl / "topo.sv", ".ready_i  (node_if[Dst].yi_rdy[i])", ".ready_i  (node_if[Src].yi_rdy[i])")
        code, said = self.prove("--slice", "--only", "wiring/3x2x8")
        self.assertEqual(code, 1, said)
        self.assertIn("REFUTED    wiring/3x2x8/connection: ", said)

    def test_a_clock_gate_without_its_latch_its_phase_or_its_enables_is_refuted(self):
        for old, new, rules in (("clk_i & en_q", "clk_i & (en_i | test_en_i)", {"enabled", "opens", "test", "whole"}),
                                ("if (!clk_i)", "if (clk_i)", {"enabled", "opens", "test", "whole"}),
                                ("en_i | test_en_i;", "en_i;", {"test"}),
                                ("en_i | test_en_i;", "test_en_i;", {"opens"}),
                                ("clk_i & en_q", "clk_i", {"enabled"}),
                                ("clk_i & en_q", "clk_i | en_q", {"enabled", "low"})):
            gate = self.rtl / "network/maze_clock_gate.sv"
            sound = gate.read_text()
            self.edit(gate, old, new)
            results = network.check(network.clock_gate(), self.rtl, ROOT / "formal", self.folder / "work", 60)
            self.assertEqual({result.property for result in results if result.outcome == "refuted"}, rules, new)
            for result in results:
                if result.outcome == "refuted":
                    self.assertIn("replayed by Icarus Verilog", result.note)
            gate.write_text(sound)
        results = network.check(network.clock_gate(), self.rtl, ROOT / "formal", self.folder / "work", 60)
        self.assertEqual([result.outcome for result in results], ["proven"] * 5)


class Unfinished(InAFolder):
    def test_a_proof_without_an_answer_is_a_failure_that_names_its_depth(self):
        code, said = self.prove("--limit", "1", "--only", "primitives/IRS_N.lp.d7.w1/order")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"UNDECIDED  primitives/IRS_N\.lp\.d7\.w1/order: no answer within 1 s; "
                               r"no counterexample of up to \d+ cycles\n")
        self.assertIn("FAIL  0 of 1 properties proven", said)

    def test_a_rule_that_never_has_anything_to_decide_is_vacuous(self):
        # Without an input nothing ever waits, so nothing is seen to be kept.
        self.edit(self.rtl / "irs_lp.sv", "assign valid_o   = main_vld_q;", "assign valid_o   = 1'b0;")
        code, said = self.prove("--only", "primitives/IRS_LP.lp.d1.w23/output_valid_stable")
        self.assertEqual(code, 1, said)
        self.assertIn("VACUOUS    primitives/IRS_LP.lp.d1.w23/output_valid_stable: nothing to decide within 60 cycles\n",
                      said)

    def test_a_rule_that_no_mutant_breaks_fails_the_report(self):
        killed = tasks.Result("mutants/a", "mutants", "irs_lp.sv", "order, reset", "killed", "contract")
        rest = report.unkilled_rules([killed], RULES)
        self.assertNotIn("order", rest)
        self.assertIn("wires", rest)
        self.assertIn("wiring latch", rest)

    def test_a_kept_result_is_used_again_only_for_the_same_sources(self):
        what = ("--only", "primitives/IRS_HALF.half.d1.w23/overflow")
        self.assertIn("0 of 1 results kept", self.prove(*what)[1])
        self.assertIn("1 of 1 results kept", self.prove(*what)[1])
        self.edit(self.rtl / "irs_half.sv", "assign ready_o = ~vld_q;", "assign ready_o = ~vld_q | ready_i;")
        code, said = self.prove(*what)
        self.assertEqual(code, 1, said)


class KeptResults(InAFolder):
    """A result is kept by all that a tool reads of the RTL."""

    def text(self):
        return tasks.file_text(self.rtl / "irs_half.sv", headers=[self.rtl])

    def include(self, name):
        path = self.rtl / "irs_half.sv"
        path.write_text(f'`include "{name}"\n' + path.read_text())

    def changes_with(self, path):
        """Returns true if the inputs of a task change with a file, and when it is deleted."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// one\n")
        before = self.text()
        path.write_text("// two\n")
        edited = self.text()
        path.unlink()
        return len({before, edited, self.text()}) == 3

    def test_a_header_counts_wherever_it_is(self):
        for name, path in (("sub/x.svh", self.rtl / "sub/x.svh"), ("x.h", self.rtl / "x.h"), ("../x.inc", self.folder / "x.inc"),
                           (str(self.folder / "far.svh"), self.folder / "far.svh")):
            with self.subTest(name):
                self.include(name)
                self.assertTrue(self.changes_with(path))

    def test_a_header_of_a_header_counts(self):
        self.include("sub/x.svh")
        (self.rtl / "sub").mkdir()
        (self.rtl / "sub/x.svh").write_text('`include "y.svh"\n')
        self.assertTrue(self.changes_with(self.rtl / "sub/y.svh"))
        self.assertTrue(self.changes_with(self.rtl / "y.svh"), "in the folder of headers")

    def test_a_file_that_would_be_found_earlier_counts(self):
        self.include("sub/x.svh")
        (self.rtl / "sub").mkdir()
        (self.rtl / "sub/x.svh").write_text("// late\n")
        before, here = self.text(), os.getcwd()
        (self.folder / "sub").mkdir()
        (self.folder / "sub/x.svh").write_text("// early\n")
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        self.assertNotEqual(self.text(), before)

    def test_data_of_memories_counts(self):
        self.edit(self.rtl / "irs_half.sv", "endmodule", 'initial $readmemh ("a.hex", m);\nendmodule')
        self.assertTrue(self.changes_with(self.rtl / "a.hex"))

    def test_a_name_that_a_macro_tells_keeps_nothing(self):
        path = self.rtl / "irs_half.sv"
        self.assertEqual(self.text(), self.text())
        path.write_text("`include `FILE\n" + path.read_text())
        self.assertNotEqual(self.text(), self.text())

    def test_a_comment_reads_nothing(self):
        path = self.rtl / "irs_half.sv"
        path.write_text("// `include `FILE\n/* $readmemh(m) */\n" + path.read_text())
        self.assertEqual(self.text(), self.text())

    def test_the_same_sources_in_another_folder_are_the_same(self):
        self.include("sub/x.svh")
        (self.rtl / "sub").mkdir()
        (self.rtl / "sub/x.svh").write_text("// here\n")
        moved = shutil.copytree(self.rtl, self.folder / "moved")
        self.assertEqual(tasks.file_text(moved / "irs_half.sv", headers=[moved]), self.text())
        lists = [ROOT / "rtl" / name for name in sources.LISTS]
        self.assertEqual(sources.rtl_hash(moved, lists), sources.rtl_hash(self.rtl, lists))

    def test_the_hash_of_the_rtl_is_that_of_names_and_bytes(self):
        lists = [self.folder / "rtl/topo.f"]
        lists[0].write_text("a.sv\n")
        (self.rtl / "a.sv").write_text('`include "sub/x.svh"\nA')
        (self.rtl / "sub").mkdir()
        (self.rtl / "sub/x.svh").write_bytes(b"X\xff")
        expected = sources.fnv(0xcbf29ce484222325, b'a.sv\n`include "sub/x.svh"\nAsub/x.svh\nX\xff')
        self.assertEqual(sources.rtl_hash(self.rtl, lists), f"{expected:016x}")
        (self.rtl / "a.sv").write_text("`include `FILE\n")
        self.assertEqual(sources.rtl_hash(self.rtl, lists), "0" * 16)

    def test_every_source_of_the_repository_is_in_the_hash(self):
        lists = [ROOT / "rtl" / name for name in sources.LISTS]
        before = sources.rtl_hash(self.rtl, lists)
        for path in sorted(self.rtl.rglob("*.sv")):
            with self.subTest(path.name):
                text = path.read_text()
                path.write_text(text + "\n")
                self.assertNotEqual(sources.rtl_hash(self.rtl, lists), before)
                path.write_text(text)

    def test_an_edited_header_is_proven_again(self):
        self.edit(self.rtl / "irs_half.sv", "assign ready_o = ~vld_q;", '`include "sub/ready.h"')
        (self.rtl / "sub").mkdir()
        header = self.rtl / "sub/ready.h"
        header.write_text("assign ready_o = ~vld_q;\n")
        what = ("--only", "primitives/IRS_HALF.half.d1.w23/overflow")
        self.assertIn("0 of 1 results kept", self.prove(*what)[1])
        self.assertIn("1 of 1 results kept", self.prove(*what)[1])
        header.write_text("assign ready_o = ~vld_q | ready_i;\n")
        code, said = self.prove(*what)
        self.assertEqual(code, 1, said)
        self.assertIn("REFUTED", said)


class BadInput(InAFolder):
    def test_an_unknown_task_is_refused(self):
        self.assertEqual(self.prove("--only", "nothing"), (2, "error: no task has nothing in its name\n"))

    def test_a_missing_tool_is_named(self):
        tools = self.folder / "bin"
        tools.mkdir()
        for name in ("python3", "env", "yosys"):
            (tools / name).symlink_to(shutil.which(name))
        code, said = self.prove("--only", "primitives/IRS_LP", path=str(tools))
        self.assertEqual((code, said), (5, "error: berkeley-abc is not installed; run scripts/install-deps.sh prove\n"))

    def test_a_tool_that_fails_refutes_no_mutant(self):
        missing = self.folder / "no_kernbench"
        self.assertEqual(self.prove("--kernbench", missing, "--only", "mutants/topo-one-link-dead"),
                         (5, f"error: {missing} is not installed; run scripts/install-deps.sh prove\n"))

    def test_a_folder_without_the_rtl_is_refused(self):
        (self.rtl / "irs_n.sv").unlink()
        code, said = self.prove("--only", "primitives")
        self.assertEqual(code, 2)
        self.assertIn("has no irs_n.sv", said)


class TheReference(InAFolder):
    def table(self, old, new):
        """The table of a reference with one edit."""
        maze = self.folder / "maze"
        shutil.copytree(ROOT / "maze", maze)
        self.edit(maze / "irs_model.cpp", old, new)
        program = self.folder / "stage_table"
        subprocess.run(["g++", "-std=c++20", "-I", self.folder, "-I", ROOT, ROOT / "formal/stage_table.cpp",
                        *(maze / name for name in ("irs_model.cpp", "topo_model.cpp", "plane_rotation.cpp")), "-lfmt",
                        "-o", program], check=True)
        lines = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        return [line.removeprefix("lp irs_model ") for line in lines if line.startswith("lp irs_model ")]

    def test_with_one_planted_fault_it_differs_from_the_netlist(self):
        table = self.table("if (pop) {\n    first = second;", "if (pop) {\n    first = inputs.payload_i;")
        count, wrong = reference.compare("lp", 1, table, ROOT / "rtl", self.folder / "stages")
        self.assertEqual(count, 192)
        self.assertEqual(wrong[0], "holding 2 00, inputs 1 0 1 1: netlist 0 1 0 | 1 0, reference 0 1 0 | 1 1")

    def test_a_table_that_lacks_a_state_differs(self):
        lines = subprocess.run([KERNBENCH.parent.parent / "formal/stage_table"], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.splitlines()
        table = [line.removeprefix("half irs_model ") for line in lines if line.startswith("half irs_model ")]
        self.assertEqual(reference.compare("half", 1, table, ROOT / "rtl", self.folder / "stages"), (64, []))
        _, wrong = reference.compare("half", 1, table[1:], ROOT / "rtl", self.folder / "stages")
        self.assertEqual(wrong[0], "holding 0 -, inputs 0 0 0 0: netlist 1 0 - | 0 -, reference None")


class ReadTwice(InAFolder):
    """Compares Yosys's circuit of a proof_top with what Icarus Verilog makes of the same sources."""

    def check_agreement(self, name, circuit, sources, pins, cycles, macros=None, joins=()):
        """Compares all cycles, in which no rule may be broken. Returns the outputs that were 1 in any."""
        bits = [(pin, bit) for pin, width in pins.items() for bit in range(width)]
        names = witness.read_names(circuit)
        simulator = witness.Simulator(circuit)
        frames = []
        for cycle in cycles:
            values = dict(zip(bits, cycle))
            frames.append("".join(str(values.get(names[i][0], 0)) if i in names else "0" for i in range(len(simulator.inputs))))
        found = simulator.run(frames)
        self.assertEqual(found, replay.run(circuit, sources, pins, cycles, macros, joins), name)
        seen = set.union(*found)
        self.assertFalse({one for one in seen if one.startswith("broken")}, name)
        return seen


class TwoReaders(ReadTwice):
    """Yosys's circuit of a primitive with its contract does what Icarus Verilog makes of the same sources."""

    def test_no_source_of_a_proof_has_a_cast_of_width(self):
        # Yosys 0.23 reads `a & ~W'(1)` as `a & 1'b1`.
        for path in [self.rtl / name for name in primitives.IRS_FILES] + sorted((ROOT / "formal").glob("*.sv")):
            self.assertNotRegex(path.read_text(), r"\w'\(", path.name)

    def test_agree_in_every_cycle_of_random_inputs(self):
        rng = random.Random(1)
        for primitive in (primitives.Primitive("IRS_N", "lp", 3, width=3), primitives.Primitive("IRS_N", "half", 2, width=3),
                          primitives.Primitive("IRS_N", "no_ready", 3, width=3), primitives.Primitive("IRS_N", "lp", 0, width=3)):
            circuit = primitives.build(primitive, primitives.rules_of(primitive, RULES), self.rtl, ROOT / "formal",
                                       self.folder / primitive.name)
            cycles = []
            for cycle in range(800):
                # Reset begins each run. Every other run has a sender that breaks the protocol sooner or later.
                steady = cycle // 50 % 2 == 0
                pins = [cycle % 50 > 0, steady or rng.random() < 0.7, rng.random() < 0.5, rng.random() < 0.3]
                payload = 5 if steady else rng.randrange(8)
                cycles.append([*map(int, pins), *(payload >> bit & 1 for bit in range(3))])
            sources = [*(self.rtl / name for name in primitives.IRS_FILES),
                       *(ROOT / "formal" / name for name in primitives.CONTRACT_FILES), circuit.folder / "proof_top.sv"]
            seen = self.check_agreement(primitive.name, circuit, sources,
                                        {"rst_n": 1, "valid_i": 1, "ready_i": 1, "pick_i": 1, "payload_i": 3}, cycles)
            self.assertGreater(len(seen), len(circuit.outputs) // 4, f"{primitive.name}: too little happened")


class NodeReaders(ReadTwice):
    """Yosys's circuit of a part of the node with its contract does what Icarus Verilog makes of the same sources."""

    @staticmethod
    def is_legal(part, name, bit, cycle):
        """Returns true for a bit that a sender that keeps to the protocol may set, in a network of 2x2 or 3x2 nodes."""
        if part.module == "MAZE_EXPAND":  # one packet a run, which three steps do not end too often
            return {"start_i": cycle % 50 == 2, "step_i": cycle % 50 in (5, 8, 12), "tgt_i": bit in (0, 3),
                    "pg_node_i": False}.get(name, True)
        if part.module == "MAZE_CORE":  # addresses of 0 and 1, low packets
            return {"payload_i": bit % 17 not in (3, 4, 6, 7, 14), "pick_target_i": bit in (0, 3), "x_i": False, "y_i": False,
                    "pg_node_i": False}.get(name, True)
        if part.module == "NOC_ROUTER":  # two flits of an input, as many as have credits
            return {"valid_i": cycle % 50 in (2, 9), "who_i": bit == cycle // 50 % 4, "credit_i": False}.get(name, True)
        return True

    @staticmethod
    def is_needed(part, name, bit, cycle):
        """Returns true for a bit that such a sender must set: each flit is a whole packet, and one input VC is followed."""
        return part.module == "NOC_ROUTER" and (name == "who_i" and bit == cycle // 50 % 4 or name == "flit_i" and bit % 5 > 2)

    def test_agree_in_every_cycle_of_random_inputs(self):
        rng = random.Random(1)
        for part in network.parts(fast=True):
            circuit = network.build(part, self.rtl, ROOT / "formal", self.folder / part.name)
            pins = replay.pins_of(circuit)
            cycles = []
            for cycle in range(600 if part.module == "MAZE_CORE" else 2000):
                # Every other run has a sender that keeps what it offers; the others break the protocol soon.
                chance = (0.05, 0.3, 0.05, 0.8)[cycle // 50 % 4]
                held = chance < 0.1
                values = {(name, bit): int(rng.random() < chance or (held and name in ("valid_i", "qos_i", "to_i")))
                          for name, width in pins.items() for bit in range(width)}
                if part.module in ("MAZE_CORE", "MAZE_EXPAND", "NOC_ROUTER"):
                    values = {(name, bit): int(self.is_needed(part, name, bit, cycle)
                                               or self.is_legal(part, name, bit, cycle) and (value or rng.random() < 0.3))
                              for (name, bit), value in values.items()}
                values["rst_n", 0] = int(cycle % 50 > 0)  # reset begins each run
                cycles.append(list(values.values()))
            seen = self.check_agreement(part.name, circuit, network.proof_files(part, self.rtl, ROOT / "formal"), pins, cycles,
                                        part.values, network.connections_of(part))
            self.assertGreaterEqual(len(seen), 2, f"{part.name}: too little happened")


class NodeCounterexample(InAFolder):
    def test_is_replayed_from_the_sources_and_leaves_a_waveform(self):
        self.edit(self.rtl / "network/maze_queue.sv", "next_q[0] ? low_next_q : payload_i", "payload_i")
        code, said = self.prove("--only", "network/MAZE_QUEUE.w4", "--only", "network/MAZE_CORE.2x2.port1")
        self.assertEqual(code, 1)
        self.assertIn("REFUTED    network/MAZE_QUEUE.w4/order: broken in cycle 4; replayed by Icarus Verilog\n", said)
        self.assertIn("REFUTED    network/MAZE_CORE.2x2.port1/conserved: broken in cycle 4; replayed by Icarus Verilog\n", said)
        self.assertIn("UNDECIDED  network/MAZE_CORE.2x2.port1/order: proven together with rules that are broken; "
                      "no counterexample of up to 4 cycles\n", said)
        wave = self.folder / "work/counterexamples/MAZE_CORE.2x2.port1-conserved.vcd"
        self.assertIn(f"waves: gtkwave {wave}\n", said)
        self.assertRegex(wave.read_text(), r"\$scope module u_queue \$end\n(\$var .*\n)*\$var reg +2 \S+ head_q")

    def test_that_the_sources_do_not_show_is_named(self):
        """A difference between Yosys and Icarus Verilog would show: here the sources are changed after Yosys read them."""
        part = network.queue(4)
        self.edit(self.rtl / "network/maze_queue.sv", "next_q[0] ? low_next_q : payload_i", "payload_i")
        circuit = network.build(part, self.rtl, ROOT / "formal", self.folder / "circuit")
        self.assertEqual(network.broken_outputs(circuit, 9, 20), {"broken_order": 4})
        self.assertEqual(network.replay_of(part, circuit, "broken_order", self.rtl, ROOT / "formal"), 4)
        self.assertIsNone(network.replay_of(part, circuit, "broken_order", ROOT / "rtl", ROOT / "formal"))


COUNTER = """
module proof_top (input logic clk, rst_n, output logic broken_any);
  logic started_q;
  logic [2:0] count_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  wire run = rst_n & started_q;
  always_ff @(posedge clk or negedge run) begin
    if (!run) count_q <= 3'd0;
    else      count_q <= count_q == 3'd2 ? 3'd0 : count_q + 3'd1;
  end
  assign broken_any = run & (BROKEN);
endmodule
"""


class Induction(InAFolder):
    def prove_counter(self, broken):
        """Returns outcome and engine of a proof by induction about a counter from 0 to 2."""
        (self.folder / "counter.sv").write_text(COUNTER.replace("BROKEN", broken))
        circuit = solver.build_circuit(self.folder / "counter", [self.folder / "counter.sv"], ["broken_any"])
        answer = induction.prove(circuit, "broken_any")
        return answer.outcome, answer.engine

    def test_proves_what_follows_from_the_cycle_before(self):
        self.assertEqual(self.prove_counter("count_q > 3'd2"), ("never", "induction"))

    def test_does_not_call_proven_what_needs_more_than_that(self):
        # 4 cannot be reached, but 5 follows it.
        self.assertEqual(self.prove_counter("count_q == 3'd5"), ("undecided", "induction"))

    def test_finds_what_is_broken_early_and_late(self):
        self.assertEqual(self.prove_counter("count_q == 3'd0"), ("reached", "bmc"))
        self.assertEqual(self.prove_counter("count_q == 3'd2"), ("reached", "bmc"))

    def test_a_node_without_one_statement_of_the_invariant_is_undecided(self):
        """The proof of the core rests on its invariant: it does not pass by something else."""
        formal = self.folder / "formal"
        shutil.copytree(ROOT / "formal", formal)
        self.edit(formal / "network/node_proof.sv", "| later_q & ~following_q", "")
        results = network.check(network.core(2, 2, 0), self.rtl, formal, self.folder / "work", 60)
        self.assertEqual({result.outcome for result in results}, {"undecided"})


class Witness(InAFolder):
    def test_a_cover_trace_passes_in_simulation(self):
        primitive = primitives.Primitive("IRS_N", "lp", 2)
        circuit = primitives.build(primitive, primitives.rules_of(primitive, RULES), self.rtl, ROOT / "formal",
                                   self.folder / "circuit")
        self.assertEqual(solver.reach(circuit, "seen_order").outcome, "reached")
        trace = witness.pin_trace(circuit, "seen_order", list(witness.places(primitive))[0])
        self.assertNotIn("fails", trace["data"])
        path = self.folder / "trace.json"
        witness.write_json(path, trace)
        done = subprocess.run([KERNBENCH, "replay", path, "--waves", "off", "--models", self.folder / "models",
                               "--report", self.folder / "report"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


class KindsOfErrors(InAFolder):
    """The errors that the regression draws from, planted for the proofs of the node."""

    def test_change_nothing_where_none_is_chosen(self):
        options = argparse.Namespace(root=ROOT, rtl=self.rtl)
        kinds, drawn = network_mutants.kinds_of(options)
        self.assertEqual((len(kinds), len(drawn), len({one[0] for one in drawn})), (39, 64, 37))
        for path in {edit["file"] for kind in kinds for edit in kind["edits"]}:
            text = network_mutants.planted(kinds, 0, path, self.rtl, "user", 0)
            self.assertNotEqual(text, (self.rtl / "network" / path).read_text())
            (self.rtl / "network" / path).write_text(text)
        for part in (network.arbiter(4, 2), network.queue(4), network.fork(3), network.expansion(3, 2), network.core(2, 2, 0),
                     network.core(2, 2, 2)):
            results = network.check(part, self.rtl, ROOT / "formal", self.folder / "work", 60)
            self.assertEqual({result.outcome for result in results}, {"proven"}, part.name)


class EveryMutant(InAFolder):
    """The counterexample of each mutant of a stage fails in simulation in the cycle that the prover names. MUTANTS
    chooses some, such as mutants/half."""

    def replay(self, trace):
        done = subprocess.run([KERNBENCH, "replay", trace, "--rtl-dir", trace.parent / "rtl", "--waves", "off",
                               "--models", trace.with_suffix(".models"), "--report", trace.with_suffix(".report")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        shutil.rmtree(trace.with_suffix(".models"), ignore_errors=True)
        cycle = json.loads(trace.read_text())["data"]["fails"]["cycle"]
        return done.returncode == 1 and f"FAIL  cycle {cycle}:" in done.stdout, f"{trace}: {done.stdout}"

    def test_fails_in_the_same_cycle_in_simulation(self):
        code, said = self.prove("--only", os.environ.get("MUTANTS", "mutants/"))
        self.assertEqual(code, 0, said)
        traces = sorted((self.folder / "work/mutants").glob("*/*.json"))
        self.assertGreater(len(traces), 5)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for passed, text in pool.map(self.replay, traces):
                self.assertTrue(passed, text)


if __name__ == "__main__":
    unittest.main()
