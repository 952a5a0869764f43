#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of formal/twin.py: the comparison of the C++ node with the RTL is complete, and sees planted faults."""

import shutil
import subprocess
import types
import unittest
import unittest.mock

from formal_test import InAFolder, KERNBENCH, ROOT  # makes formal/ known
import twin
import twin_cases


class TheTwin(InAFolder):
    """The comparison of the C++ node with MAZE_CORE has all states, and sees one planted fault in each part of either."""

    PLAIN, FAILED = twin_cases.Config(2, 2, 2), twin_cases.Config(2, 2, 1, failed=1)

    def setUp(self):
        super().setUp()
        self.program = KERNBENCH.parent.parent / "formal/node_table"

    def check(self, config=PLAIN):
        """{rule: (outcome, note)}."""
        results = twin.check(types.SimpleNamespace(node_table=self.program), self.rtl, self.folder / "twin", config, False)
        return {result.property: (result.outcome, result.note) for result in results}

    def refuted_by(self, module, old, new, config=PLAIN):
        """The rules that a fault in a module breaks, with their notes."""
        self.edit(self.rtl / f"network/{module}.sv", old, new)
        results = self.check(config)
        self.assertEqual({outcome for outcome, _ in results.values()} - {"proven"}, {"refuted"})
        return {rule: note for rule, (outcome, note) in results.items() if outcome == "refuted"}

    def test_of_the_rtl_holds_in_all_cases(self):
        self.assertEqual(self.check(), {"twin_reset": ("proven", "346 bits"),
                                        "twin_outputs": ("proven", "158976 cases, 134336 of them change the state"),
                                        "twin_inputs": ("proven", "222588 cases, 214420 of them change the state")})

    def test_sees_an_arbiter_that_begins_with_the_last_winner(self):
        found = self.refuted_by("maze_arbiter", "~(low_o | (low_o - N'(1)))", "~(low_o - N'(1))")
        self.assertEqual(found["twin_outputs"],
                         "node 0 alone: X0 searches low in 00, X0 searches high in 00, counter 0, holds 0, A asks low: "
                         "then A in the low search of X0 is 1 in the netlist, 0 in C++")

    def test_sees_an_arbiter_that_counts_too_far(self):
        found = self.refuted_by("maze_arbiter", "if (!any_low | |low_o) count_q", "if (|low_o) count_q")
        self.assertEqual(found["twin_outputs"],
                         "node 0: X0 searches low in 00, X0 searches high in 00, counter 2, holds 0, A asks high: "
                         "the netlist goes to a state that cannot be")

    def test_sees_a_queue_in_which_a_packet_overtakes(self):
        found = self.refuted_by("maze_queue", "next_q[1] ? high_next_q : payload_i", "payload_i")
        self.assertEqual(found, {"twin_inputs":
                         "node 0 alone: high first to nothing second to nothing, X0 not ready, Y0 full, B full: "
                         "then bit 1 of the first high packet of X0 is 1 in the netlist, 0 in C++"})

    def test_sees_a_fork_that_forgets_what_is_done(self):
        found = self.refuted_by("maze_fork", "done_q | grant_i", "grant_i")
        self.assertEqual(found, {"twin_inputs":
                         "node 0 alone: high first to Y0+B done 010, X0 not ready, Y0 full, B full: "
                         "then the high request of X0 for Y0 is 1 in the netlist, 0 in C++"})

    def test_sees_an_expansion_that_skips_a_node(self):
        found = self.refuted_by("maze_expand", "assign is_failed_1    = pg_node_i == {y_1, x_1};",
                                "assign is_failed_1    = 1'b0;", self.FAILED)
        self.assertEqual(found, {"twin_inputs":
                         "node 0: first low multicast type 3 of 3 at copy 0, X0 full, Y0 full, B takes high first: "
                         "the netlist goes to a state that cannot be"})

    def test_sees_a_flop_without_reset(self):
        found = self.refuted_by("maze_queue", "      next_q <= '0;\n", "")
        self.assertEqual(found["twin_reset"], "after a reset a second low packet of X0 is 1 in the netlist, 0 in C++")

    def test_sees_a_cpp_node_that_disturbs_its_neighbours(self):
        maze = self.folder / "maze"
        shutil.copytree(ROOT / "maze", maze)
        self.edit(maze / "node_group.cpp", "if (level.wants[row + input] == 0) level.asking", "level.asking")
        self.program = self.folder / "node_table"
        subprocess.run(["g++", "-std=c++20", "-I", self.folder, "-I", ROOT, ROOT / "formal/node_table.cpp",
                        *(maze / name for name in ("node_group.cpp", "node_route.cpp", "packet_layout.cpp")), "-lfmt",
                        "-o", self.program], check=True)
        self.assertEqual(self.check()["twin_outputs"], (
            "refuted", "node 0 beside others: Y0 searches low in 00, Y0 searches high in 00, counter 0, holds 0, "
                       "X0 asks low, A asks low: what the C++ node keeps for speed does not agree with its state"))

    def test_without_cases_is_vacuous(self):
        with unittest.mock.patch.object(twin_cases.Cases, "outputs", lambda _: iter(())):
            self.assertEqual(self.check()["twin_outputs"], ("vacuous", "0 cases, 0 of them change the state"))

    def test_with_a_state_that_cannot_be_is_undecided(self):
        held = twin_cases.Cases.held
        with unittest.mock.patch.object(twin_cases.Cases, "held", lambda self, i, level, entry, packet, done=0: held(
                self, i, level, 1, packet)):
            self.assertEqual(self.check()["twin_inputs"], (
                "undecided", "node 0: high first to nothing, X0 not ready, Y0 full, B full: the listed state cannot be"))

    def count_possible(self, node, factors):
        """The cases of a product whose state can be."""
        family = twin_cases.Family(twin_cases.Cases(node, False).base(0), factors)
        every = (1 << family.size) - 1
        return node.possible(node.step(family.columns(), every)[0], every).bit_count()

    def test_lists_every_state_of_a_queue_with_its_forks(self):
        node = twin.Node(self.PLAIN, self.rtl, self.folder / "twin")
        cases = twin_cases.Cases(node, False)
        for i in range(3):
            kinds = cases.kinds(0, i)
            entries = [[{}, *(cases.held(i, 0, entry, self.PLAIN.packet(header, 0, 0)) for header in kinds.values())]
                       for entry in range(2)]
            dones = [twin_cases.bits(f"g_in[{i}].u_low_fork.done_q", done, 3) for done in range(8)]
            # The done bits come last: they replace those of the first entry.
            factors = [[twin_cases.Setting("", values) for values in some] for some in (*entries, dones)]
            self.assertEqual(self.count_possible(node, factors), len(cases.level(i, 0, kinds)))

    def test_lists_every_state_of_an_expansion(self):
        node = twin.Node(self.FAILED, self.rtl, self.folder / "twin")
        cases = twin_cases.Cases(node, False)
        kinds, expand = cases.kinds(0, 2), twin_cases.EXPAND.format(2)
        headers = [*kinds.values(), *map(self.FAILED.header_bits, cases.multicasts())]
        factors = [[{}, *(cases.held(2, level, entry, self.FAILED.packet(header, level, 0)) for header in headers)]
                   for level in range(2) for entry in range(2)]
        factors += [[{("g_in[2].u_queue.rdy_q", 0): 0}, {}], [{(expand + "busy_q", 0): 1}],
                    [twin_cases.bits(expand + "type_q", kind, 2) for kind in range(4)],
                    [twin_cases.bits(expand + "x_q", x, 3) for x in range(3)],
                    [twin_cases.bits(expand + "y_q", y, 3) for y in range(3)]]
        factors = [[twin_cases.Setting("", values) for values in some] for some in factors]
        self.assertEqual(self.count_possible(node, factors), len(list(cases.expansions(2, kinds))))


if __name__ == "__main__":
    unittest.main()
