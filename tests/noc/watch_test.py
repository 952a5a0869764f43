#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes the file of a topology, and then a source, while `kernbench sim --watch` looks at them: each is run again.

    watch_test.py --kernbench PROGRAM --work FOLDER
"""

import argparse
import pathlib
import shutil
import signal
import subprocess
import sys

REGRESSION = "name: alone\ndut: noc\nsuites:\n  - {name: alone, pattern: alone}\n"


def topology(nodes):
    return f"topology: {{kind: UnidirectionalLine, n: {nodes}}}\n"


class Watch:
    """A regression that is watched."""

    def __init__(self, args, *words):
        self.process = subprocess.Popen(
            [args.kernbench, "sim", "alone.yaml", "--watch", "--models", "models", "--report", "report", *words],
            cwd=args.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)

    def lines(self):
        """Returns what is printed until it waits for a change, without the times."""
        lines = []
        for line in self.process.stdout:
            if line.startswith("waiting for a change of the sources"):
                return lines
            words = line.split()
            lines.append(" ".join(words[:2]) if words[:1] in (["PASS"], ["FAIL"]) else line.strip())
        sys.exit("it ended:\n" + "\n".join(lines))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    (args.work / "alone.yaml").write_text(REGRESSION)
    network = args.work / "network.yaml"
    network.write_text(topology(2))
    wrong = []

    def expect(watch, lines):
        seen = watch.lines()
        if seen != lines:
            wrong.append(f"expected {lines}, not {seen}")

    watch = Watch(args, "--noc", "network.yaml")
    expect(watch, ["PASS structure", "PASS UnidirectionalLine(2)"])
    network.write_text(topology(3))
    expect(watch, ["PASS structure", "PASS UnidirectionalLine(3)"])
    network.write_text("topology: {kind: UnidirectionalLine, m: 3}\n")
    if not any("network.yaml:1:" in line for line in watch.lines()):
        wrong.append("a broken file is not named")
    network.write_text(topology(2))
    expect(watch, ["PASS UnidirectionalLine(2)"])
    watch.end()

    subprocess.run([args.kernbench, "topology", "rtl", "UnidirectionalLine(2)", "-o", "rtl"], cwd=args.work, check=True,
                   stdout=subprocess.DEVNULL)
    watch = Watch(args, "--noc", "UnidirectionalLine(2)", "--filelist", "rtl/noc_top.f")
    expect(watch, ["PASS structure", "PASS UnidirectionalLine(2)"])
    top = args.work / "rtl/noc_top.sv"
    top.write_text(top.read_text().replace(".vc_i({ch0_vc", ".vc_i({~ch0_vc").replace("ch0_vc})", "~ch0_vc})", 1))
    lines = watch.lines()
    if "FAIL structure" not in lines:
        wrong.append(f"an edited top is not checked again: {lines}")
    watch.end()
    for text in wrong:
        print(text)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
