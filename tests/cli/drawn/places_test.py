#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folders that cannot be created are refused before anything is written, and tools keep their files in the build.

Usage: places_test.py KERNBENCH FOLDER-OF-THE-SOURCES
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import world as worlds  # noqa: E402

PROGRAM, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
TOPOLOGY = "sip: {cube_mesh: {w: 2, h: 1}}\ncube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}\n"


class Places(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "t.yaml").write_text(TOPOLOGY)
        (self.folder / "file").write_text("")
        (self.folder / "dangling").symlink_to("nowhere")

    def run_program(self, *words, **variables):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "KERNBENCH_ROOT": str(SOURCE), **variables})

    def test_folders_that_cannot_be_created_are_refused_before_the_run(self):
        reasons = {"file": "Not a directory", "file/below": "Not a directory", "dangling": "No such file or directory"}
        commands = [["topology", "build", "--topology", "t.yaml", "-o"], ["sim", "--fabric", "2x2", "--report"],
                    ["sim", "--fabric", "2x2", "--models"], ["reference", "man", "-o"]]
        for command in commands:
            for path, reason in reasons.items():
                before = worlds.snapshot(self.folder)
                finished = self.run_program(*command, path)
                self.assertEqual((finished.returncode, finished.stderr, finished.stdout),
                                 (2, f"error: cannot create folder '{path}': {reason}\n", ""), command)
                self.assertEqual(worlds.changes(before, worlds.snapshot(self.folder)), {}, command)

    def test_a_prefix_without_a_folder_is_refused_before_the_run(self):
        finished = self.run_program("run", "--topology", "t.yaml", "vector-add", "--export-chakra", "no/such")
        self.assertEqual((finished.returncode, finished.stderr),
                         (2, "error: cannot write 'no/such.0.et': No such file or directory\n"))
        self.assertFalse((self.folder / "t.cube_mesh.yaml").exists())

    def test_a_prefix_that_is_a_folder_is_refused(self):
        for prefix, such in ((".", "./trace"), ("..", "../trace"), ("a/..", "a/../trace"), ("a/", "a/trace")):
            finished = self.run_program("run", "--topology", "t.yaml", "vector-add", "--export-chakra", prefix)
            self.assertEqual((finished.returncode, finished.stderr), (
                2, f"error: --export-chakra: '{prefix}' is a folder; add how file names begin, such as '{such}'\n"
                "Run 'kernbench run --help' for its options.\n"))
            self.assertFalse((self.folder / "t.cube_mesh.yaml").exists())

    def test_a_prefix_that_is_standard_output_is_refused(self):
        finished = self.run_program("run", "--topology", "t.yaml", "vector-add", "--export-chakra", "-")
        self.assertEqual((finished.returncode, finished.stdout, finished.stderr), (
            2, "", "error: --export-chakra: '-' cannot be standard output here; './-' names a file\n"
            "Run 'kernbench run --help' for its options.\n"))
        self.assertFalse((self.folder / "t.cube_mesh.yaml").exists())

    def test_tools_keep_their_temporary_files_in_the_build(self):
        tool = self.folder / "tool"
        tool.write_text(f'#!/bin/sh\ncase $* in *-f*) echo "$TMPDIR" >>"{self.folder}/seen" ;; esac\nexec verilator "$@"\n')
        tool.chmod(0o755)
        finished = self.run_program("structure", "--fabric", "2x2", "--models", "models",
                                    VERILATOR=str(tool))
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual(set((self.folder / "seen").read_text().split("\n")), {".", ""})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
