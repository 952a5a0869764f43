#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels and benches in Python take the picoseconds of their twins in C++, and compute the same numbers."""

import importlib.util
import pathlib
import random
import sys
import unittest

import kernbench

BENCHES = pathlib.Path(__file__).resolve().parents[2] / "examples/python/benches"
SMALL = {"system__sips__count": 2, "sip__cube_mesh__w": 2, "sip__cube_mesh__h": 2}
sys.path.insert(0, str(BENCHES))  # files there import from each other
WHOLE = {"cubes": "2x2", "pes": 8}


def example(name):
    """The bench of a file in examples/python/benches/."""
    spec = importlib.util.spec_from_file_location("example_" + name, BENCHES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.run


class Twins(unittest.TestCase):
    topology = kernbench.load(**SMALL)

    def assert_same(self, name, theirs, sizes, common=None, verify=False, **only_theirs):
        mine = self.topology.run(example(name), verify=verify, **sizes)
        twin = self.topology.run(theirs, verify=verify, **sizes, **only_theirs, **(WHOLE if common is None else common))
        self.assertEqual((mine.end_ps, mine.operations, mine.flit_hops), (twin.end_ps, twin.operations, twin.flit_hops), sizes)
        self.assertTrue(mine.regions.equals(twin.regions), (mine.regions, twin.regions))
        # Kernels have names of their own.
        self.assertTrue(mine.launches.drop(columns="kernel").equals(twin.launches.drop(columns="kernel")), (mine.launches, twin.launches))
        self.assertEqual((mine.wrong, twin.wrong), ([], []))

    def drawn(self, name, draw):
        """Three sizes, and the same ones every time; the first one with numbers."""
        source = random.Random(name)
        for i in range(3):
            yield draw(source), i == 0

    def test_vector_add(self):
        for sizes, verify in self.drawn("vector-add", lambda one: {"rows": one.randrange(1, 3000), "columns": one.randrange(1, 300)}):
            self.assert_same("vector_add", "vector-add", sizes, verify=verify)

    def test_gemm(self):
        for (sizes, placed), verify in self.drawn("gemm", lambda one: (
                {"m": one.randrange(1, 300), "k": one.randrange(1, 300), "n": one.randrange(1, 300)},
                one.choice((("row", "row", "blocks"), ("row", "replicated", "row"), ("column", "row", "blocks"))))):
            self.assert_same("gemm", "gemm", {**sizes, **dict(zip("abc", placed))}, verify=verify)

    def test_softmax(self):
        for sizes, verify in self.drawn("softmax", lambda one: {
                "rows": one.randrange(1, 500), "columns": one.randrange(1, 600), "rows_at_once": one.randrange(1, 20)}):
            for split in ("no", "yes"):
                self.assert_same("softmax", "softmax", {**sizes, "split": split}, verify=verify)
        # Long rows are computed chunk by chunk.
        self.assert_same("softmax", "softmax", {"rows": 40, "columns": 9000, "split": "no"})

    def test_layernorm(self):
        for sizes, verify in self.drawn("layernorm", lambda one: {
                "rows": one.randrange(1, 500), "columns": one.randrange(1, 600), "rows_at_once": one.randrange(1, 20)}):
            self.assert_same("layernorm", "layernorm", sizes, verify=verify, split="no")

    def test_attention(self):
        for sizes, verify in self.drawn("attention", lambda one: {
                "queries": one.randrange(1, 300), "keys": one.randrange(300, 500), "size": one.randrange(1, 64), "block_q": 16,
                "block_k": one.randrange(16, 64), "causal": one.choice(("no", "yes"))}):
            mine = {**sizes, "causal": sizes["causal"] == "yes"}
            with self.subTest(sizes):
                run = self.topology.run(example("attention"), verify=verify, **mine)
                twin = self.topology.run("attention", verify=verify, split="no", **sizes, **WHOLE)
                self.assertEqual((run.end_ps, run.operations, run.flit_hops), (twin.end_ps, twin.operations, twin.flit_hops))
                self.assertEqual((run.wrong, twin.wrong), ([], []))

    def test_all_to_all(self):
        for sizes, verify in self.drawn("all-to-all", lambda one: {"bytes": one.randrange(1, 200) * 128, "pes": one.choice((1, 2, 4, 8))}):
            self.assert_same("all_to_all", "all-to-all", sizes, {"cubes": "2x2"}, verify=verify)

    def test_mlp(self):
        for sizes, verify in self.drawn("mlp", lambda one: {
                "batch": one.randrange(1, 100), "inputs": one.randrange(1, 200), "hidden": 2 * one.randrange(1, 200),
                "outputs": one.randrange(1, 200)}):
            self.assert_same("mlp", "mlp", sizes, verify=verify)

    def test_all_reduce(self):
        for sizes, verify in self.drawn("all-reduce", lambda one: {"bytes": one.randrange(1, 3000) * 32}):
            self.assert_same("all_reduce", "all-reduce", sizes, verify=verify)


if __name__ == "__main__":
    unittest.main(verbosity=2)
