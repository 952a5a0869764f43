# SPDX-License-Identifier: Apache-2.0
"""A sweep of twelve points over an example engine, with stand-ins for the commands of its cluster. KERNBENCH is the program."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from waiting import finish, wait_until

HERE = pathlib.Path(__file__).resolve().parent
# A tenth of the processor time of a whole system.
ONE_CUBE = "--set=topology.sip.cube_mesh.w=1, --set=topology.sip.cube_mesh.h=1"
PLAN = f"""\
command: [run, vector-add, {ONE_CUBE}]
parameters:
  bench.rows: {{from: 64, to: 768, step: 64}}
targets:
  data.end_ps: min
"""
BEST = "least data.end_ps: 3.78556 us with bench.rows=64\n"  # what a sweep of all points says


class OnStandIns(unittest.TestCase):
    engine = ""  # name of configs/engines/*.yaml
    commands = ()  # the commands for which ENGINE_stand_in.py stands in

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix=f"kernbench-{self.engine}-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "plan.yaml").write_text(PLAN)
        engine = (HERE.parents[1] / f"configs/engines/{self.engine}.yaml").read_text()
        (self.folder / f"{self.engine}.yaml").write_text(engine + "poll_s: 0.2\nlate_files_s: 0.5\n")
        (self.folder / "state").mkdir()
        (self.folder / "bin").mkdir()
        for name in self.commands:
            (self.folder / "bin" / name).symlink_to(HERE / f"{self.engine}_stand_in.py")
        self.variables = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
                          f"{self.engine.upper()}_STAND_IN": str(self.folder / "state")}

    def start(self, *words, **environment):
        return subprocess.Popen([os.environ["KERNBENCH"], "sweep", "plan.yaml", *words], cwd=self.folder,
                                env={**self.variables, **environment}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def wait_for(self, path):
        wait_until(self, f"{path} is there", path.exists)

    def sweep(self, *words, **environment):
        return finish(self.start(*words, **environment))
