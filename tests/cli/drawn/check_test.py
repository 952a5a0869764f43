#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of the drawn runs see what they look for: programs that touch what they were not given."""

import os
import pathlib
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import commands as cli  # noqa: E402
import drawn_runs  # noqa: E402
import world as worlds  # noqa: E402


class Checks(unittest.TestCase):
    def faults(self, script):
        """Returns what a shell script does wrong whose output is the file `out`."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "data/configs").mkdir(parents=True)
            (folder / "base").mkdir()
            world = worlds.World(random.Random(1), folder / "base", {}, folder / "data")
            world.here = os.path.join(world.base, b"here", b"it's here")
            os.makedirs(world.here)
            world._neighbours(world.here)
            declared = worlds.Declared()
            declared.files.add(os.path.join(world.here, b"out"))
            declared.folders.append(os.path.join(world.here, b"report"))
            run = drawn_runs.Run(("script",), [b"-c", script.encode()], declared, dict(os.environ), b"/bin/sh")
            before = worlds.snapshot(world.base)
            code, err = drawn_runs.execute(run, world)
            return drawn_runs.faults_of(run, world, before, worlds.snapshot(world.base), code, err)

    def expect(self, script, text):
        found = self.faults(script)
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], text)

    def test_accepts_a_program_that_writes_its_outputs(self):
        self.assertEqual(self.faults(": > out; mkdir report; : > report/page"), [])
        self.assertEqual(self.faults("echo 'a: error: no' >&2; exit 2"), [])

    def test_sees_what_changes_beside_the_outputs(self):
        self.expect("rm my/deep/canary", "deleted, and is not an output: .*my/deep/canary")
        self.expect("echo x >> existing", "changed, and is not an output: .*existing")
        self.expect("chmod 600 existing", "changed, and is not an output: .*existing")
        self.expect("rm link; ln -s canary link", "changed, and is not an output: .*link")
        self.expect(": > other", "written, and is not an output: .*other")
        self.expect("mkdir other", "written, and is not an output: .*other")
        self.expect("mkdir report; : > report/x.tmp-1-2", "written: .*x.tmp-1-2")
        self.expect("mkdir report; : > report/evil", "written: .*evil")
        self.expect(": > ../beside", "written, and is not an output: 'here/beside'")

    def test_sees_how_a_program_ends(self):
        self.expect("exit 5", "exit code 5")
        self.expect("exit 130", "exit code 130")
        self.expect("kill -SEGV $$", "exit code -11")
        self.expect("exit 2", "exit code 2 without a line 'error: '")
        self.expect("echo 'error: x' >&2; : > out; exit 2", "written in spite of exit code 2: .*out")
        self.assertEqual(self.faults("echo 'error: x' >&2; mkdir report; : > report/build.log; exit 2"), [])
        self.expect("echo 'internal error: x' >&2; exit 1", "it says 'internal error'")

    def test_files_in_folders_of_outputs_stay(self):
        world = worlds.Declared()
        world.folders.append(b"/a/report")
        self.assertTrue(world.allows(b"/a/report/x", new=True))
        self.assertFalse(world.allows(b"/a/report/x", new=False))
        self.assertFalse(world.allows(b"/a/report2", new=True))

    def test_declares_what_a_command_writes_beside_an_input(self):
        tree = [cli.Command(("evaluate",))]
        for seed in range(20):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "data/configs").mkdir(parents=True)
                (folder / "base").mkdir()
                (folder / "g.json").write_text("{}")
                world = worlds.World(random.Random(seed), folder / "base", {"figures": folder / "g.json"}, folder / "data")
                run = drawn_runs.Drawer(random.Random(seed), world, tree, "/bin/true").draw(building=False)
                if run.words[1] == b"gemm" and world.inputs:
                    figures = world.inputs.pop()
                    self.assertTrue(run.declared.allows(figures.removesuffix(b".json") + b"-plots/a.svg", new=True))
                    return
        self.fail("no seed draws the figures of gemm")

    def test_knows_the_options_without_a_row(self):
        text = "## kernbench new\n\n| `-x`, `--brand-new` VALUE | Writes |  |\n| `--count` N | Number |  |\n| `--json` VALUE | Writes |  |\n"
        self.assertEqual(cli.unknown_options(cli.read(text)), ["new --brand-new"])

    def test_reads_the_kind_of_every_option(self):
        text = "## kernbench new\n\n| `-f`, `--format` dot\\|json | Format (required) | `json` |\n| `plan` VALUE | Plan |  |\n"
        option, plan = cli.read(text)[0].options
        self.assertEqual((option.value, option.required, option.positional), ("dot|json", True, False))
        self.assertTrue(plan.positional)


if __name__ == "__main__":
    unittest.main()
