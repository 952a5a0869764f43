#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Process groups in Python, and algorithms of collectives as modules, which take the time of their twins in C++."""

import pathlib
import shutil
import unittest

import kernbench
import numpy

from in_a_folder import ROOT, InAFolder

CENTER = ROOT / "examples/python/collectives/center.py"
SMALL = {"system__sips__count": 4, "sip__cube_mesh__w": 2, "sip__cube_mesh__h": 2}


class Modules(InAFolder):
    topology = kernbench.load(**SMALL)

    def ccl(self, algorithm, topology="ring", collective="all_reduce"):
        file = self.folder / "ccl.yaml"
        file.write_text(f"backend: ahbm\ndefaults: {{sip_topology: {topology}}}\nalgorithms: {{{collective}: {algorithm}}}\n")
        return file

    def test_the_center_rooted_all_reduce_takes_the_time_of_the_shipped_one(self):
        name = f"{self.folder.name}.py"
        shutil.copy(CENTER, self.folder / name)
        for topology in ("ring", "torus", "mesh"):
            for size in (32, 32 * 613, 32 * 3001):
                mine = self.topology.run("all-reduce", ccl=self.ccl(name, topology), bytes=size, verify=size == 32 * 613)
                twin = self.topology.run("all-reduce", ccl=self.ccl("intercube-center", topology), bytes=size)
                self.assertEqual((mine.end_ps, mine.operations, mine.flit_hops), (twin.end_ps, twin.operations, twin.flit_hops))
                self.assertTrue(mine.regions.equals(twin.regions))
                self.assertEqual(mine.wrong, [])

    def test_formulas_are_those_of_the_shipped_one(self):
        name = f"formula-{self.folder.name}.py"
        shutil.copy(CENTER, self.folder / name)
        report = self.topology.evaluate("collectives", quick=True, ccl=self.ccl(name))
        points = report.frame("points")
        mine, twin = (points[points["algorithm"] == one].drop(columns=["algorithm", "ran"]).reset_index(drop=True)
                      for one in (name, "intercube-center"))
        self.assertTrue(mine.equals(twin), (mine, twin))
        self.assertGreater(len(mine), 3)
        self.assertTrue((mine["predicted_ps"] > 0).all())
        self.assertIn(name, set(report.frame("deviations")["algorithm"]))

    def test_an_algorithm_of_a_file_is_not_one_of_those_that_auto_chooses_from(self):
        name = "named.py"
        shutil.copy(CENTER, self.folder / name)
        self.topology.run("all-reduce", ccl=self.ccl(name), bytes=3200)
        self.assertNotIn(name, str(self.topology.run("all-reduce", bytes=3200).data["choices"]))

    def test_without_a_formula_or_with_a_wrong_one(self):
        text = CENTER.read_text()
        formula = text[text.index("def cost("):text.index("def kernel_args(")]
        name = "plain.py"
        (self.folder / name).write_text(text.replace(formula, ""))
        points = self.topology.evaluate("collectives", quick=True, ccl=self.ccl(name)).frame("points")
        self.assertTrue(points[points["algorithm"] == name]["predicted_ps"].isna().all())
        (self.folder / name).write_text(text.replace(formula, "def cost(query):\n    return 2 * query.of('load', 1, query.bytes)\n\n\n"))
        report = self.topology.evaluate("collectives", quick=True, ccl=self.ccl(name))
        self.assertEqual(report.outcome, "mismatch")
        self.assertEqual(set(report.frame("points").query("algorithm == @name")["fault"]), {"OFF ITS FORMULA"})
        for formula_of, error, said in (
                ("def cost(query):\n    return query.of('lod', 1, 1)\n", kernbench.RunFailed, "ValueError: of: step 'lod' is not a step: use message between"),
                ("def cost():\n    pass\n", kernbench.BadInput, ":1: error: cost is not a function with one parameter\n")):
            (self.folder / name).write_text(text.replace(formula, formula_of))
            with self.subTest(said), self.assertRaises(error) as raised:
                self.topology.evaluate("collectives", quick=True, ccl=self.ccl(name))
            self.assertIn(said, str(raised.exception))

    def test_an_edited_module_runs_as_it_is(self):
        name = "edited.py"
        (self.folder / name).write_text(CENTER.read_text())
        before = self.topology.run("all-reduce", ccl=self.ccl(name), bytes=3200, verify=True)
        (self.folder / name).write_text(CENTER.read_text().replace("tile = tile + tl.recv(", "tile = tile - tl.recv("))
        after = self.topology.run("all-reduce", ccl=self.ccl(name), bytes=3200, verify=True)
        self.assertEqual(before.wrong, [])
        self.assertRegex(after.wrong[0], "^sum at rank ")
        self.assertEqual((list(before.data["sources"]), list(after.data["sources"])), ([name], [name]))
        self.assertNotEqual(before.data["sources"], after.data["sources"])

    def test_run_on_groups_of_any_ranks(self):
        name = f"any-{self.folder.name}.py"
        shutil.copy(CENTER, self.folder / name)

        def bench(torch):
            def worker(torch):
                rank = torch.distributed.get_rank()
                group = torch.distributed.new_group([3, 1, 0])
                x = torch.tensor(numpy.full((8, 64), rank, numpy.int32), policy="replicated")
                number = torch.distributed.get_rank(group)
                self.assertEqual(number, {3: 0, 1: 1, 0: 2}.get(rank))
                if number is not None:
                    torch.distributed.all_reduce(x, group)
                torch.expect(f"x {rank}", torch.read(x), numpy.full((8, 64), 4 * (3 + 1 + 0) if number is not None else rank))

            torch.distributed.init_process_group()
            self.assertEqual(torch.distributed.get_world_size(), 4)
            torch.spawn(worker)

        mine = self.topology.run(bench, ccl=self.ccl(name), verify=True)
        self.assertEqual((mine.wrong, mine.outcome), ([], "pass"))
        twin = self.topology.run(bench, ccl=self.ccl("intercube-center"))
        self.assertEqual(mine.end_ps, twin.end_ps)

    def test_a_wrong_sum_is_found(self):
        name = f"wrong-{self.folder.name}.py"
        (self.folder / name).write_text(CENTER.read_text().replace("tile = tile + tl.recv(", "tile = tile - tl.recv("))
        result = self.topology.run("all-reduce", ccl=self.ccl(name), bytes=3200, verify=True)
        self.assertRegex(result.wrong[0], "^sum at rank ")

    def test_modules_that_lack_something(self):
        text = CENTER.read_text()
        for number, (old, new, said) in enumerate((
                ("def kernel(", "def kernl(", ": error: the module has no function kernel\n"),
                ("def kernel_args(", "def arguments(", ": error: the module has no function kernel_args\n"),
                ("TOPOLOGY_KINDS =", "KINDS =", ": error: the module has no TOPOLOGY_KINDS\n"),
                ('"mesh": MESH}', '"mesh": 7}', ": error: TOPOLOGY_KINDS: 'mesh' is not one of the module's constants\n"),
                ("(call: CollectiveCall, kind: int)", "(call: CollectiveCall)", ":1: error: kernel_args has 1 parameters\n"),
                ('ENDS = "center"', 'ENDS = "middle"', ": error: ENDS is 'middle'\n"),
                ("RING, TORUS, MESH = 0, 1, 2", "RING, TORUS, MESH = 0, 1", ": error: ValueError: not enough values to unpack (expected 3, got 2)\n"))):
            name = f"lacks-{number}-{self.folder.name}.py"
            (self.folder / name).write_text(text.replace(old, new))
            with self.subTest(said), self.assertRaises(kernbench.BadInput) as raised:
                self.topology.run("all-reduce", ccl=self.ccl(name), bytes=32)
            self.assertIn(name, str(raised.exception))
            self.assertIn(said.strip(), str(raised.exception))

    def test_a_kernel_that_fails_names_its_line(self):
        name = f"fails-{self.folder.name}.py"
        (self.folder / name).write_text(CENTER.read_text().replace("    inputs, outputs =", "    1 / 0\n    inputs, outputs ="))
        line = (self.folder / name).read_text().split("    1 / 0\n")[0].count("\n") + 1
        with self.assertRaisesRegex(kernbench.RunFailed, f"(?s)kernel '{name}' on sip.*ZeroDivisionError: division by zero\n  at .*{name}:{line} in kernel"):
            self.topology.run("all-reduce", ccl=self.ccl(name), bytes=32)


class Groups(unittest.TestCase):
    topology = kernbench.load(**SMALL)

    def test_have_all_collectives_and_messages(self):
        rows, columns = 8, 16

        def bench(torch):
            def worker(torch):
                dist = torch.distributed
                rank, size = dist.get_rank(), dist.get_world_size()

                def filled(value, rows=rows):
                    return torch.tensor(numpy.full((rows, columns), value, numpy.int32), policy=kernbench.DPPolicy(pe="column_wise"))

                def check(name, tensor, values):
                    torch.expect(f"{name} {rank}", torch.read(tensor), numpy.broadcast_to(values, tensor.shape))

                every = numpy.repeat(numpy.arange(size), rows)[:, None]
                gathered = filled(0, rows * size)
                dist.all_gather(gathered, filled(rank))
                check("all_gather", gathered, every)
                spread = filled(rank)
                dist.broadcast(spread, 2)
                check("broadcast", spread, 2)
                part = filled(0)
                dist.scatter(part, gathered if rank == 1 else None, 1)
                check("scatter", part, rank)
                total = filled(0)
                dist.reduce(total if rank == 0 else None, filled(1), 0)
                if rank == 0:
                    check("reduce", total, size * torch.cubes)
                reduced = filled(0, rows)
                dist.reduce_scatter(reduced, filled(1, rows * size))
                check("reduce_scatter", reduced, size * torch.cubes)
                swapped = filled(0, rows * size)
                dist.all_to_all(swapped, gathered)
                check("all_to_all", swapped, rank)
                collected = filled(0, rows * size)
                dist.gather(collected if rank == 3 else None, filled(rank), 3)
                if rank == 3:
                    check("gather", collected, every)
                dist.barrier()
                if rank < 2:
                    token = filled(10 + rank)
                    if rank == 0:
                        dist.send(token, 1)
                    else:
                        dist.recv(token, 0)
                        check("recv", token, 10)

            torch.distributed.init_process_group()
            torch.spawn(worker)

        result = self.topology.run(bench, verify=True)
        self.assertEqual((result.wrong, result.outcome), ([], "pass"))

    def test_have_streams_marks_and_figures(self):
        def bench(torch):
            x, y = torch.tensor(shape=(64, 64)), torch.tensor(shape=(64, 64))
            other, begin = torch.add_stream(), torch.mark()
            with torch.stream(other):
                torch.wait_for(begin)
                torch.launch("vector-add", x, x, x)
                mark = torch.mark()
            torch.wait_for(mark)
            torch.launch("vector-add", y, y, y)
            torch.figure("answer", 42.0, "us")

        result = self.topology.run(bench)
        self.assertEqual([(one["name"], one["value"], one["unit"]) for one in result.data["figures"]], [("answer", 42.0, "us")])
        first, second = result.data["launches"]
        self.assertGreaterEqual(second["start_ps"], first["end_ps"])

    def test_mistakes(self):
        def outside(torch):
            torch.distributed.all_reduce(torch.tensor(shape=(8, 8)))

        def twice(torch):
            torch.distributed.init_process_group()
            torch.distributed.init_process_group()

        def unknown(torch):
            torch.distributed.init_process_group("nccl")

        def no_member(torch):
            torch.distributed.init_process_group()
            torch.spawn(lambda one: one.distributed.all_reduce(one.tensor(shape=(8, 8), policy="replicated"), one.distributed.new_group([1])))

        def of_a_rank(torch):
            torch.distributed.init_process_group()
            torch.spawn(lambda one: [][one.distributed.get_rank()])

        for bench, kind, said in ((outside, ValueError, "a rank exists inside of spawn() only"), (twice, ValueError, "the process group exists already"),
                                  (unknown, ValueError, "unknown backend 'nccl'"), (no_member, ValueError, "rank 0 is not a member of group 'ranks-1'"),
                                  (of_a_rank, IndexError, "list index out of range")):
            with self.subTest(bench.__name__), self.assertRaises(kind) as raised:
                self.topology.run(bench)
            self.assertIn(said, str(raised.exception))


if __name__ == "__main__":
    unittest.main(verbosity=2)
