#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares runs of examples/python/benches with those of the same benches in C++: processor time and memory.

    python_benches.py KERNBENCH [ROUNDS]

Both sides are processes of the program, in turns, on the shipped system. Prints the medians of the ratios over rounds. Exits
with 1 if one is over its bar.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WHOLE = ["cubes=4x4", "pes=8"]
MODEL = {"hidden": 1024, "layers": 1, "heads": 16, "kv_heads": 8, "head_size": 64, "feed_forward": 2816, "vocabulary": 1000}
PROMPT = ["batch=2", "prompt=512", "page=64"]
# Name, parameters of both, of Python, and of C++.
PAIRS = [("gemm", ["m=1024", "k=1024", "n=1024"], [], ["a=row", "b=row", "c=blocks", *WHOLE]),
         ("softmax", ["rows=16384", "columns=1024", "split=no"], [], WHOLE),
         ("attention", ["queries=4096", "keys=4096"], ["causal=yes"], ["causal=yes", "block_q=64", "block_k=128", "split=no", *WHOLE]),
         ("transformer", PROMPT, [f"{key}={value}" for key, value in MODEL.items()], ["model=model.yaml", "decode=0", *WHOLE])]
BARS = {"flit": 2.0, "message": 4.0}
MEMORY_BAR = 1.5


def run(folder, program, bench, values, fidelity):
    """Processor time in seconds, and the most memory in bytes."""
    words = [program, "run", bench, "--quiet", "--fidelity", fidelity, *(word for value in values for word in ("--set", value))]
    child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, use = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit code {child.returncode}")
    return use.ru_utime + use.ru_stime, use.ru_maxrss * 1024


def main():
    program, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    over = False
    with tempfile.TemporaryDirectory(prefix="kernbench-benches-") as folder:
        (pathlib.Path(folder) / "model.yaml").write_text("name: one-layer\n" + "".join(f"{key}: {value}\n" for key, value in MODEL.items()))
        for fidelity, bar in BARS.items():
            for name, common, of_python, of_cpp in PAIRS:
                ratios = []
                for _ in range(rounds):
                    mine = run(folder, program, ROOT / f"examples/python/benches/{name}.py", common + of_python, fidelity)
                    twin = run(folder, program, name, common + of_cpp, fidelity)
                    ratios.append((mine[0] / twin[0], mine[1] / twin[1], twin[0], twin[1]))
                time, memory, seconds, size = (statistics.median(column) for column in zip(*ratios))
                over = over or time > bar or memory > MEMORY_BAR
                print(f"{name}, {fidelity}: {time:.2f} times the processor time of C++ ({seconds:.2f} s; bar {bar:.1f}), "
                      f"{memory:.2f} times the memory ({size / 2 ** 20:.0f} MiB; bar {MEMORY_BAR})", flush=True)
    sys.exit(over)


if __name__ == "__main__":
    main()
