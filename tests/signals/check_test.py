#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of moments.py see what they look for: programs that ignore signals or leave processes and files."""

import pathlib
import signal
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import moments  # noqa: E402


class Checks(unittest.TestCase):
    def faults(self, script, number=signal.SIGTERM, outputs=(), exit_codes=(0,), limit=60, linger=None):
        """Returns what a shell script does wrong that gets a signal once it has written the file `ready`.

        limit: seconds that it has to end; linger: seconds after its end that its processes have, the rest of the limit by default.
        What never ends is seen after any time, so that short ones will do for that.
        """
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            command = moments.Command("script", ["-c", script], ["ready", *outputs], exit_codes=exit_codes)
            trial = moments.Trial("/bin/sh", folder, command, limit, linger=linger)
            found, _ = trial.send(number, "ready")
            for process in moments.processes_with(trial.mark):
                moments.os.kill(process, signal.SIGKILL)
            return found

    def test_accepts_a_program_that_cleans_up(self):
        self.assertEqual(self.faults("trap 'rm half; kill -9 $!; exit 130' TERM; : > half; sleep 100 & : > ready; wait"), [])

    def test_sees_a_program_that_goes_on(self):
        self.assertRegex(" ".join(self.faults("trap '' TERM; : > ready; sleep 100; :", limit=0.5)), "it runs 0.5 s after the signal")

    def test_sees_a_process_that_is_left(self):
        found = " ".join(self.faults("trap 'exit 130' TERM; setsid sleep 100 & : > ready; wait", linger=0.5))
        self.assertRegex(found, "still running: .*sleep 100")

    def test_sees_an_exit_code(self):
        self.assertEqual(self.faults("trap 'kill -9 $!; exit 3' TERM; sleep 100 & : > ready; wait"), ["exit code 3"])

    def test_sees_files_that_are_left_or_half_written(self):
        wait = "trap 'kill -9 $!; exit 130' TERM; sleep 100 & : > ready; wait"
        self.assertEqual(self.faults(f": > x.tmp-1-2; {wait}"), ["left: ['x.tmp-1-2']"])
        self.assertEqual(self.faults(f"printf '{{' > r.json; {wait}", outputs=["r.json"]), ["left: ['r.json (half)']"])
        self.assertEqual(self.faults(f"printf '{{}}' > r.json; {wait}", outputs=["r.json"]), [])
        self.assertEqual(self.faults(f"printf '<html>' > r.html; {wait}", outputs=["r.html"]), ["left: ['r.html (half)']"])
        self.assertEqual(self.faults(f": > $TMPDIR/x; {wait}"), ["left: ['tmp/x']"])
        model = "mkdir -p models/a/dump; cd models/a; : > m.so; : > build.log; : > dump/stamp; : > manifest; cd ../.."
        self.assertEqual(self.faults(f"{model}; {wait}"), [])
        self.assertEqual(self.faults(f"mkdir -p models/a; : > models/a/build.log; : > models/a/.lock; {wait}"), [])
        self.assertEqual(self.faults(f"{model}; : > models/a/x.o; {wait}"), ["left: ['models/a/x.o (of no known kind)']"])
        dump = "mkdir -p models/a/dump; : > models/a/dump/design.xml; : > models/a/names"
        self.assertEqual(self.faults(f"{dump}; : > models/a/dump/stamp; {wait}"), [])
        self.assertEqual(self.faults(f"{dump}; {wait}"), [
            "left: ['models/a/dump/design.xml (of a model that is not whole)', 'models/a/names (of a model that is not whole)']"])
        self.assertEqual(self.faults(f"mkdir -p models/a; : > models/a/m.so; {wait}"),
                         ["left: ['models/a/m.so (of a model that is not whole)']"])
        self.assertEqual(self.faults(f"mkdir -p models; : > models/x; {wait}"), ["left: ['models/x (beside the models)']"])
        self.assertEqual(self.faults(f"{model}; mkdir models/a/build.tmp-1-2; : > models/a/build.tmp-1-2/gen.mk; {wait}"),
                         ["left: ['models/a/build.tmp-1-2/gen.mk']"])

    def test_knows_whether_a_signal_came_inside_the_work(self):
        with tempfile.TemporaryDirectory() as name:
            for i, (script, met) in enumerate({": > work; : > ready; sleep 100": True, ": > ready; sleep 100": False,
                                               ": > work; : > ready": False}.items()):
                command = moments.Command("script", ["-c", script], inside="wor*")
                trial = moments.Trial("/bin/sh", pathlib.Path(name) / str(i), command, limit=5)
                if "sleep" not in script:
                    trial.wait_for_moment = lambda process, moment: process.wait()
                trial.send(signal.SIGTERM, "ready")
                self.assertEqual(trial.met, met, script)

    def test_sees_a_next_run_that_fails_or_does_not_clean_up(self):
        first = "test -e once || { : > once; : > ready; exec sleep 100; }; "
        self.assertEqual(self.faults(first + "exit 3", signal.SIGKILL, ["once"]), ["the next run: exit code 3: "])
        self.assertEqual(self.faults(": > y.tmp-1-2; " + first, signal.SIGKILL, ["once"]),
                         ["left after the next run: ['y.tmp-1-2']"])


if __name__ == "__main__":
    unittest.main()
