# SPDX-License-Identifier: Apache-2.0
"""One link in the cells of a library: its figures are those of the page, and what cannot be used is named."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/silicon"))
import layout  # noqa: E402
import lef  # noqa: E402
import libraries  # noqa: E402
import nodes  # noqa: E402
import pictures  # noqa: E402
import power  # noqa: E402
import routed  # noqa: E402
import tables  # noqa: E402
import tools  # noqa: E402
import units  # noqa: E402

PAGE = ROOT / "docs/lab/silicon.md"
LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
NEEDED = ("sta", "yosys", "iverilog", "qflow", "graywolf", "qrouter", "magic", "netgen-lvs")


class Silicon(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def silicon(self, *arguments, environment=None):
        done = subprocess.run([sys.executable, ROOT / "scripts/silicon/silicon.py", "--work", self.folder / "work", *map(str, arguments)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
        return done.returncode, done.stdout

    def liberty(self, change):
        file = self.folder / "other.lib"
        file.write_text(change(LIBERTY.read_text()))
        return file

    def test_a_link_has_the_figures_of_the_page(self):
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 3", "--compare", PAGE)
        self.assertEqual(code, 0, text)
        self.assertTrue(text.startswith("  1 of 1  osu018 IRS_N lp 3: 27,534 um2, setup 5.55 ns\n"), text)
        self.assertIn("| IRS_N lp 3 | 540 | 144 | 27,534 | 225 | 5.55 | 0.03 | 7.72 | 1.76 | 46.70 |",
                      (self.folder / "work/silicon.md").read_text())

    def test_the_worst_path_has_the_names_of_the_rtl(self):
        self.silicon("--library", "osu018", "--only", "IRS_N lp 1")
        text = (self.folder / "work/osu018/IRS_N-lp-1/paths.txt").read_text()
        self.assertIn("# flops\nStartpoint: g_stage[0].g_lp.u_irs.skid_free_q (", text)
        picture = (self.folder / "work/osu018/IRS_N-lp-1/path.svg").read_text()
        for words in ("slack 5.82 ns at 100 MHz, slow", "required 9.54", ">g_stage[0].g_lp.u_irs.skid_free_q/Q<", ">3.72 MUX2X1<"):
            self.assertIn(words, picture)

    def test_the_power_of_a_link_is_that_of_the_page(self):
        pins = self.folder / "pins"
        subprocess.run([os.environ["RECORD_PINS"], ROOT / "scripts/silicon/power.yaml", pins], check=True)
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 1", "--pins", pins, "--compare", PAGE)
        self.assertEqual(code, 0, text)
        (link,) = json.loads((self.folder / "work/silicon.json").read_text())["power"]
        self.assertEqual([case["packets_per_cycle"] for case in link["cases"]], [0.0, 0.0989, 0.4843, 0.9905, 0.3906, 0.9905])
        self.assertEqual([case["busy"] for case in link["cases"]], [0.0, 0.1882, 0.7409, 0.991, 0.989, 0.991])
        (pins / "load-1.0.pins").unlink()
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 1", "--pins", pins)
        self.assertEqual(code, 5)
        self.assertIn(f"error: {pins} has no load-1.0.pins, which record_pins writes of scripts/silicon/power.yaml\n", text)

    def test_the_layout_of_a_link_is_that_of_the_page(self):
        plain, pins = self.folder / "maze.v", self.folder / "pins"
        subprocess.run([os.environ["KERNBENCH"], "-q", "structure", "network", "--write-verilog", plain], cwd=ROOT, check=True)
        subprocess.run([os.environ["RECORD_PINS"], ROOT / "scripts/silicon/power.yaml", pins], check=True)
        one = ("--library", "osu018", "--only", "IRS_N lp 1", "--only", "MAZE_CLOCK_GATE")
        code, text = self.silicon(*one, "--plain", plain, "--pins", pins, "--compare", PAGE)
        self.assertEqual(code, 0, text)
        page = (self.folder / "work/silicon.md").read_text()
        for row in ("| IRS_N lp 1 | 292 | 12,902 | 5.89 | 0 | 0 | 0 | 0 |", "| IRS_N lp 1 | 0.87 | 6 | 0.01 | 457 | 6.40 | 0.05 | 8.02 | 1.56 |",
                    "| IRS_N lp 1 | 23.66 | 11.32 | 3.39 | 0.01 | 2.70 |", "![osu018 IRS_N lp 1](layout/osu018/IRS_N-lp-1/layout.svg)"):
            self.assertIn(row, page)
        picture = (self.folder / "work/layout/osu018/IRS_N-lp-1/layout.svg").read_text()
        self.assertEqual(picture.count("<rect "), 1 + 292)
        self.assertIn("IRS_N lp 1 in osu018, 134 x 96 um", picture)
        plain.write_text("")
        code, text = self.silicon(*one, "--plain", plain)
        self.assertEqual(code, 5)
        self.assertIn("error: the Verilog-2005 has no module IRS_N_IRS_DEEP_1\n", text)

    def test_a_node_in_cells_behaves_as_the_reference_and_a_hop_is_weighed(self):
        node = self.folder / "node"
        suites = self.folder / "suites.yaml"
        suites.write_text(re.sub(r"  - \{name: (load-0|multicast).*\n", "", (ROOT / "scripts/silicon/node-power.yaml").read_text())
                          .replace("cycles: 500", "cycles: 120"))
        subprocess.run([os.environ["RECORD_PINS"], suites, node / "3x3", "4"], check=True)
        one = ("--library", "osu018", "--only", "MAZE_CORE 3x3", "--node", node)
        code, text = self.silicon(*one)
        self.assertEqual(code, 0, text)
        result = json.loads((self.folder / "work/silicon.json").read_text())
        (found,) = result["nodes"]
        self.assertEqual({case["case"]: case["hops_per_cycle"] for case in found["cases"]},
                         {"load-0.0": 0.0, "load-1.0": 1.1154, "stalled": 0.5, "constant": 1.1154})
        self.assertEqual((round(found["pj_per_hop"], 2), round(found["idle_pj_per_cycle"], 1)), (2.92, 196.0))
        parts = {row["part"]: (row["cells"], round(row["rest_mw"], 2), round(row["pj_per_hop"], 2)) for row in result["node_parts"]}
        self.assertEqual(parts, {"MAZE_QUEUE": (1900, 10.99, 0.95), "MAZE_FORK": (350, 1.61, 0.02), "MAZE_EXPAND": (143, 0.21, 0.0),
                                 "MAZE_ROUTE": (354, 0.0, 0.26), "MAZE_ARBITER": (466, 1.9, 0.03), "IRS_LP": (980, 5.41, 1.84),
                                 "crossbar": (710, 0.0, 0.36)})
        # One bit of the recorded outputs is another.
        pins = node / "3x3/load-1.0.pins"
        header, rows = pins.read_text().split("pins\n")
        rows = rows.splitlines()
        rst_n, inputs, outputs, counts = rows[100].split()
        rows[100] = " ".join([rst_n, inputs, f"{int(outputs, 16) ^ 1:0{len(outputs)}x}", counts])
        pins.write_text(header + "pins\n" + "\n".join(rows) + "\n")
        code, text = self.silicon(*one)
        self.assertEqual(code, 5)
        self.assertIn("error: load-1.0: the node in cells differs from the reference in 1 cycles\n", text)
        pins.write_text((header + "pins\n").replace("ready_i", "other"))
        with self.assertRaisesRegex(tools.ToolFailure, "load-1.0.pins has not the pins of a MAZE_CORE"):
            nodes.traffic_of(pins)
        pins.unlink()
        with self.assertRaisesRegex(tools.ToolFailure, "has no load-1.0.pins, which record_pins writes of scripts/silicon/node-power.yaml"):
            nodes.cases(node / "3x3")

    def test_cases_of_a_node_are_made_of_those_of_full_load(self):
        # Two ports of 9 bits, which have 8 of data each: payload 1, payload 0, ready, valid.
        pins = [("in", "valid_i", "2"), ("in", "ready_i", "2"), ("in", "payload_i", "18")]
        full = nodes.Traffic("load-1.0", pins, [(0, 0, 0, 0b1111), (1, 0b1_11110000_0_00001111_01_10, 0b1_11110000_0_00000000_10_01, 0b0_1111)])
        self.assertEqual(nodes.at_rest(full).rows, [(0, 0b11_00, 0b00_11, 0b1111), (1, 0b11_00, 0b00_11, 0b1111)])
        same = 0b0_01010101_0_01010101_00_00
        self.assertEqual(nodes.constant(full).rows, [(0, same, same, 0b1111), (1, same | 1 << 21 | 0b01_10, same | 1 << 21 | 0b10_01, 0b1111)])

    def test_a_payload_is_kept_while_nothing_is_offered(self):
        # Two ports of 4 bits: payload 1, payload 0, ready, valid.
        rows = [0b1010_0101_11_11, 0b0000_0000_00_00, 0b0000_1100_10_01]
        self.assertEqual(nodes.held(rows, 2, 4), [rows[0], 0b1010_0101_00_00, 0b1010_1100_10_01])

    def test_changes_are_counted_by_bit(self):
        dump = self.folder / "nets.vcd"
        dump.write_text("$date\n  today\n$end\n$var wire 1 ! clk $end\n$var reg 3 # bus [2:0] $end\n$enddefinitions $end\n#0\n"
                        "$dumpvars\n0!\nb101 #\n$end\n#5\n1!\nb11 #\n#10\n0!\nbx1 #\n")
        # 101, 011, xx1
        self.assertEqual(power.changes_of(dump, 2), {"clk": 1.0, "bus[0]": 0.0, "bus[1]": 1.0, "bus[2]": 1.0})

    def test_wires_become_spef(self):
        netlist = power.Netlist("T", None, None, None, {2: "a", 3: "n"}, {"g1": {"A": 2, "Y": 3}, "g2": {"A": 3, "Y": 4}},
                                {"ports": {"a": {"bits": [2]}, "out": {"bits": [3]}}})

        def spef(wires):
            text, farads = routed.spef(netlist, "T", wires, 2.0, {"n": (6.0, 3.0)}.__getitem__)
            return text.split("1 HENRY\n\n")[1].split(), farads

        self.assertEqual(spef("n 1 g1/Y 2 ( 2 0.5 g2/A , ( 4 0.25 PIN/out ) ) \n"), ("""*D_NET n 1.5000000 *CONN *I g1:Y O *I g2:A I *P out O
            *CAP 1 n:1 1.0000000 2 n:2 0.5000000 *RES 1 g1:Y n:1 2.0000 2 n:1 g2:A 0.0010 3 n:1 n:2 4.0000 4 n:2 out 0.0010 *END""".split(), 1.5))
        # All of a net is taken as one wire if a part of it was lost.
        self.assertEqual(spef("n 1 g1/Y 2 ( 2 0.5 ( 4 0.25 ERROR ) ) \n"), ("""*D_NET n 3.0000000 *CONN *I g1:Y O *I g2:A I *P out O
            *CAP 1 n:1 3.0000000 *RES 1 g1:Y n:1 6.0000 2 n:1 g2:A 0.0010 3 n:1 out 0.0010 *END""".split(), 3.0))
        for bad in ("n 2 g1/Y 2 ( 2 0.5 g2/A ) \n", "n 1 g1/Y 1 ( 2 0.5 g2/A \n"):
            with self.assertRaises(tools.ToolFailure):
                spef(bad)

    def test_the_wires_of_a_net_are_measured(self):
        design = ("UNITS DISTANCE MICRONS 10 ;\nNETS 2 ;\n- a\n  ( g1 Y )\n+ ROUTED metal2 ( 0 0 ) ( 0 50 ) M3_M2\n  NEW metal3 ( 0 50 ) ( 20 * ) ;\n"
                  "- b[1]\n+ ROUTED metal1 ( 5 5 ) ( * 8 ) ;\nEND NETS\n")
        self.assertEqual([pictures.wire_length(design, net) for net in ("a", "b[1]", None)], [7.0, 0.3, 7.3])

    def test_a_layout_with_an_error_gives_way_to_one_with_fewer_cells_in_a_row(self):
        unit, library = types.SimpleNamespace(name="X"), types.SimpleNamespace(name="osu050")
        good = {"unit": "X", "technology": "osu050", "failed_routes": 0, "drc": 0, "lvs": 0, "rules": {}}
        close = {**good, "rules": {"Metal2 spacing < 3 (Mosis #9.2)": 3}}
        for rows, taken in (([good], good), ([{**good, "failed_routes": 1}, close, good], good), ([close] * 3, close)):
            with unittest.mock.patch.object(layout, "measure_at", side_effect=rows) as tried:
                self.assertEqual(layout.measure(unit, "", library, self.folder), taken)
            self.assertEqual([call.args[-1] for call in tried.call_args_list], [0.6, 0.55, 0.5][:len(rows)])

    def test_errors_of_a_layout_are_named_unless_they_are_known(self):
        row = {"unit": "X", "technology": "osu018", "failed_routes": 0, "drc": 3, "lvs": 0, "rules": {"Metal2 area < 20 (Mosis #+++)": 3}}
        self.assertEqual(list(layout.faults([row])), [])
        row |= {"failed_routes": 2, "lvs": 4, "rules": {"Poly spacing < 3 (Mosis #3.2)": 5}}
        self.assertEqual(list(layout.faults([row])), ["layout in osu018: X: 2 failed routes", "layout in osu018: X: 4 errors of the netlist",
                                                      "layout in osu018: X: 5 x Poly spacing < 3 (Mosis #3.2)"])

    def test_errors_of_cells_alone_are_told_from_those_of_wires(self):
        library = libraries.shipped("osu050")
        (self.folder / "cells.lef").write_text(lef.completed(library.lef, library.wires))
        shutil.copy(library.lef.parent / "osu050.magicrc", self.folder / ".magicrc")
        # A sliver of an inverter's own metal is narrower than 0.9 um. The wire is 0.6 um wide.
        (self.folder / "t.def").write_text(
            "VERSION 5.6 ;\nDIVIDERCHAR \"/\" ;\nBUSBITCHARS \"[]\" ;\nDESIGN t ;\nUNITS DISTANCE MICRONS 100 ;\n"
            "DIEAREA ( 0 0 ) ( 6000 6000 ) ;\nCOMPONENTS 1 ;\n- g1 INVX1 + PLACED ( 0 0 ) N ;\nEND COMPONENTS\nPINS 0 ;\nEND PINS\n"
            "SPECIALNETS 1 ;\n- n\n+ ROUTED metal2 60 ( 3000 3000 ) ( 4000 * ) ;\nEND SPECIALNETS\nEND DESIGN\n")
        tools.run("sh", "-c", f"cd {self.folder} && printf 'lef read cells.lef\\ndef read t\\nwriteall force t\\nquit\\n' > read.tcl && "
                              "magic -dnull -noconsole read.tcl < /dev/null")
        self.assertEqual(layout.why("t", self.folder), {"Metal2 width < 3 (Mosis #9.1)": 1})

    def test_failed_routes_are_counted(self):
        self.assertEqual([layout.failed_routes(log) for log in ("Final: No failed routes!\n", "Final: Failed net routes: 3\n", "Nets: 3\n")],
                         [0, 3, None])

    def test_rows_without_a_fourth_layer_are_joined_on_the_second(self):
        posts = "+ FIXED metal1 120 ( 3840 150 ) ( * * ) viagen21_post\n" + "".join(
            f"  NEW metal2 180 ( 3840 {y} ) ( * * ) viagen32_post\n  NEW metal3 180 ( 3480 {y} ) ( 4200 {y} )\n" for y in (150, 6150, 6150))
        design = "PINS 1 ;\n- clk + NET clk\nEND PINS\nSPECIALNETS 1 ;\n- vdd\n%s ;\nEND SPECIALNETS\nEND DESIGN\n"
        pin = "- vdd + NET vdd\n  + LAYER metal2 ( -90 -90 ) ( 90 90 )\n  + PLACED ( 3840 150 ) N ;\n"
        self.assertEqual(layout.joined_rows(design % posts), (design % (posts + "  NEW metal2 180 ( 3840 150 ) ( * 6150 )\n")).replace(
            "PINS 1 ;\n", "PINS 2 ;\n" + pin))

    def test_edges_that_a_library_lacks_are_those_of_another_file(self):
        self.assertEqual(lef.edges_of(LIBERTY.parent / "osu018_stdcells.lef")["metal2"], 6e-5)
        for name, edge, factor in (("osu018", 6e-5, 1.913), ("osu035", 6e-5, 1.855), ("osu050", 5.8e-5, 1.801)):
            library = libraries.shipped(name)
            self.assertAlmostEqual(library.wires["metal2"].edge, edge)
            self.assertEqual(round(library.wires["metal2"].edge_factor, 3), factor)
            text = lef.completed(library.lef, library.wires)
            self.assertEqual(text.count("EDGECAPACITANCE"), len(library.wires))
            self.assertEqual(text == library.lef.read_text(), name == "osu018")

    def test_a_gated_link_rests_where_it_holds_no_packet(self):
        case = {"internal_mw": 3.0, "switching_mw": 0.5, "leakage_mw": 0.0, "busy": 0.25}
        # 20 pJ in an idle cycle of 10 ns are 2 mW, which three quarters of the cycles save.
        self.assertEqual(tables.gated({"idle_pj_per_cycle": 20.0}, case, 0.125, 10.0), 3.5 - 1.5 + 0.125)

    def test_a_network_takes_what_its_links_and_nodes_take(self):
        def row(unit, idle, tree, full):
            return {"unit": unit, "idle_pj_per_cycle": idle, "cases": [
                {"case": "load-0.0", "internal_mw": 0.0, "switching_mw": 0.0, "leakage_mw": 0.0, "clock_buffers_mw": tree},
                {"case": "load-1.0", "internal_mw": full, "switching_mw": 0.0, "leakage_mw": 0.0, "clock_buffers_mw": tree}]}

        links = [row(f"IRS_N lp {depth}", 10.0, 0.25, 2.0) for depth in (1, 2, 3)]
        # 640 links with stages, of 1 mW at rest each.
        topo = {"rest_w": 0.64, "clock_buffers_w": 0.16, "full_w": 1.28}
        self.assertEqual(tables.network_power(links, [], 10.0), {"TOPO": topo})
        # A node of 8x8 is four times one of 3x3, whose layout takes 20 mW at rest.
        nodes_of = [row(units.WHOLE_NODE, 100.0, 0.0, 11.0), row(units.ROUTED_NODE, 200.0, 5.0, 22.0), row("MAZE_CORE 8x8", 400.0, 0.0, 44.0)]
        self.assertEqual(tables.network_power(links, nodes_of, 10.0), {
            "TOPO": topo, "MAZE_TOP": {"rest_w": 0.64 + 64 * 0.08, "clock_buffers_w": 0.16 + 64 * 0.02, "full_w": None}})
        self.assertEqual(tables.network_power(links[:2], nodes_of, 10.0), {})

    def test_a_node_is_its_parts_and_the_crossbar(self):
        mapped = {name: 1.0 for name in units.NODE_PARTS} | {"MAZE_CORE 8x8": 200.0}
        placed = {name: 1.5 for name in units.NODE_PARTS}
        # 106 parts; the crossbar has the other 94 um2 of cells.
        self.assertEqual(tables.node_from_parts(mapped, placed), {"parts_um2": 159.0, "crossbar_um2": 141.0, "layout_by_cells": 1.5,
                                                                  "area_um2": 300.0})
        del placed["MAZE_FORK"]
        self.assertIsNone(tables.node_from_parts(mapped, placed))

    def test_a_line_tells_how_far_a_point_is_off(self):
        self.assertEqual(power.line_of([(0, 1.0), (1, 3.0), (2, 5.0)]), (2.0, 1.0, 0.0))
        slope, start, off = power.line_of([(0, 0.0), (1, 3.0), (2, 0.0)])
        self.assertEqual((slope, start, off), (0.0, 1.0, 2.0))

    def test_a_figure_that_differs_from_the_page_is_named(self):
        page = self.folder / "page.md"
        page.write_text(PAGE.read_text().replace("| 540 | 144 | 27,534 |", "| 540 | 144 | 27,900 |", 1))
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 3", "--compare", page)
        self.assertEqual(code, 1)
        self.assertIn("\nosu018: IRS_N lp 3: area, um2 is 27,534, the page has 27,900\n", text)

    def test_a_slack_below_0_is_named(self):
        # A library in which a flop takes 20 ns longer to set up.
        slow = self.liberty(lambda text: re.sub(r"(setup_rising;\s*rise_constraint\(\w+\) \{.*?values \(\s*\\?\s*)\"[^\"]*\"",
                                                lambda found: found[1] + '"' + ", ".join(["20.0"] * 3) + '"', text, flags=re.DOTALL))
        code, text = self.silicon("--liberty", slow, "--only", "IRS_N half 1")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"\nother: IRS_N half 1: setup slack -\d+\.\d+ ns at 100 MHz\n")

    def test_a_library_without_hold_times_has_dashes(self):
        code, text = self.silicon("--liberty", self.liberty(lambda text: text.replace("hold_rising", "setup_rising")), "--only", "IRS_N lp 1")
        self.assertEqual(code, 0, text)
        self.assertIn("note: other has no hold times; the table has a dash for them\n", text)
        self.assertTrue((self.folder / "work/silicon.md").read_text().startswith("note: other has no hold times; the table has a dash for them\n"))
        row = next(line for line in (self.folder / "work/silicon.md").read_text().splitlines() if line.startswith("| IRS_N lp 1 "))
        self.assertEqual(row.split(" | ")[6], "-")

    def test_a_library_without_a_latch_has_no_clock_gate(self):
        other = self.liberty(lambda text: text.replace("cell (LATCH)", "cell (TRANSPARENT)"))
        code, text = self.silicon("--liberty", other, "--only", "MAZE_CLOCK_GATE", "--only", "MAZE_ROUTE Y")
        self.assertEqual(code, 0, text)
        self.assertIn("note: other has no cell LATCH; the clock gate is left out\n", text)
        self.assertNotIn("| MAZE_CLOCK_GATE |", (self.folder / "work/silicon.md").read_text())

    def test_what_cannot_be_used_is_named(self):
        missing = self.folder / "none.lib"
        other = self.liberty(lambda text: "/* a comment\n*/\nmodule x;\n")
        empty = self.folder / "empty.lib"
        empty.write_text("library (empty) {\n}\n")
        cut = self.folder / "cut.lib"
        cut.write_text("library (cut) {\n  cell (A) {\n    area : 1;\n  }\n  cell (B) {\n")
        more = self.folder / "more.lib"
        more.write_text('library (more) {\n  comment : "}";\n}\n}\n')
        behind = self.folder / "behind.lib"
        behind.write_text("library (behind) {\n}\n\nendmodule\n")
        for file, says in ((cut, f"{cut}:5: the group that begins here is not closed by a '}}'"),
                           (more, f"{more}:4: a '}}' without a group that it ends"),
                           (behind, f"{behind}:4: text behind the library; right is one group 'library (NAME) {{ ... }}'"),
                           (missing, f"{missing}: No such file or directory"),
                           (other, f"{other}:3: not a Liberty file, which begins with 'library (NAME) {{'"),
                           (empty, f"{empty}: no flop, a cell with a group 'ff (...)', so nothing with a clock can be mapped to it")):
            self.assertEqual(self.silicon("--liberty", file), (2, f"error: {says}\n"))
        self.assertEqual(self.silicon("--only", "none such"), (2, "error: no unit has none such in its name\n"))

    def test_missing_tools_are_named_before_anything_runs(self):
        folder = self.folder / "bin"
        folder.mkdir()
        for tool in ("yosys", "berkeley-abc"):
            (folder / tool).symlink_to(shutil.which(tool))
        one = ("--library", "osu018", "--only", "IRS_N half 1")
        environment = os.environ | {"PATH": f"{folder}"}
        self.assertEqual(self.silicon(*one, environment=environment), (5, "error: sta is not installed; run scripts/install-deps.sh silicon\n"))
        self.assertEqual(self.silicon(*one, "--plain", "maze.v", environment=environment),
                         (5, "error: sta, qflow, graywolf, qrouter, magic, netgen-lvs are not installed; run scripts/install-deps.sh silicon\n"))

    def test_a_whole_node_needs_its_folder(self):
        self.assertEqual(self.silicon("--whole-node"), (2, "error: --whole-node needs --node DIR\n"))
        code, text = self.silicon("--jobs", "many")
        self.assertEqual(code, 2)
        self.assertIn("error: argument --jobs: invalid int value: 'many'\n", text)


if __name__ == "__main__":
    if not LIBERTY.is_file() or any(shutil.which(tool) is None for tool in NEEDED):
        print("skipped: make silicon installs what this test needs")
        sys.exit(77)
    unittest.main()
