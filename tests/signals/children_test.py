#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that scripts start end with them (scripts/children.py)."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

sys.dont_write_bytecode = True
import moments  # noqa: E402

SCRIPTS = moments.ROOT / "scripts"
SCRIPT = f"""\
import subprocess, sys
sys.path.insert(0, {str(SCRIPTS)!r})
import children
children.end_on_signals()
print(flush=True)
subprocess.run(children.ending_with_this(["sleep", 1000]), check=False)
"""


class Children(unittest.TestCase):
    def end_of(self, number):
        """Returns the exit code of a script that gets a signal while it waits for a program, which has to end, too."""
        mark = uuid.uuid4().hex
        with subprocess.Popen([sys.executable, "-B", "-c", SCRIPT], env={**os.environ, moments.MARK: mark},
                              stdout=subprocess.PIPE) as script:
            script.stdout.readline()
            while not any("sleep 1000" in line for line in moments.processes_with(mark).values()):
                time.sleep(0.01)
            script.send_signal(number)
            script.wait()
            while moments.processes_with(mark):  # the time limit of the test is that of the wait
                time.sleep(0.01)
            return script.returncode

    def test_end_with_130_on_both_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.assertEqual(self.end_of(number), 130)

    def test_end_when_the_script_is_killed(self):
        self.assertEqual(self.end_of(signal.SIGKILL), -signal.SIGKILL)

    def test_do_not_start_when_the_script_has_ended_before(self):
        sys.path.insert(0, str(SCRIPTS))
        import children  # noqa: PLC0415

        words = children.ending_with_this(["echo", "started"])
        self.assertEqual(subprocess.run(words, check=True, capture_output=True).stdout, b"started\n")
        with_another_parent = ["sh", "-c", '"$@"; :', "sh", *words]
        self.assertEqual(subprocess.run(with_another_parent, check=True, capture_output=True).stdout, b"")

    def test_say_that_a_program_is_missing_as_without(self):
        sys.path.insert(0, str(SCRIPTS))
        import children  # noqa: PLC0415

        with self.assertRaises(FileNotFoundError), tempfile.TemporaryDirectory() as folder:
            subprocess.run(children.ending_with_this([pathlib.Path(folder) / "none"]), check=False)


if __name__ == "__main__":
    unittest.main()
