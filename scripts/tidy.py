#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the C++ sources of a compilation database, each only if its result is not known.

Generated sources in the build folder are left out. A file that came out clean leaves a stamp named after everything its result depends on: the
preprocessed text with its comments, the checks, and clang-tidy's version.

Usage: scripts/tidy.py BUILD_DIR STAMP_DIR [JOBS]
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
import compile_command  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def stamp_name(entry, common):
    command = compile_command.without_cache(shlex.split(entry["command"]))
    command[command.index("-o") + 1] = "-"
    text = subprocess.run(command + ["-E", "-C"], cwd=entry["directory"], capture_output=True, check=True).stdout
    return hashlib.sha256(common + entry["file"].encode() + text).hexdigest()


def check(entry, build_dir, stamp_dir, common):
    """Returns what clang-tidy says about one source, or None when it is clean."""
    stamp = stamp_dir / stamp_name(entry, common)
    if stamp.exists():
        return None
    run = subprocess.run(["clang-tidy", "--quiet", "-p", build_dir, entry["file"]],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        return run.stdout
    stamp.touch()
    return None


def main():
    build_dir, stamp_dir = sys.argv[1], pathlib.Path(sys.argv[2])
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count()
    stamp_dir.mkdir(parents=True, exist_ok=True)
    common = (ROOT / ".clang-tidy").read_bytes() + subprocess.check_output(["clang-tidy", "--version"])
    entries = [entry for entry in json.loads(pathlib.Path(build_dir, "compile_commands.json").read_text())
               if pathlib.Path(entry["file"]).is_relative_to(ROOT)
               and not pathlib.Path(entry["file"]).is_relative_to(pathlib.Path(build_dir).resolve())]
    if not entries:
        print(f"error: {build_dir}/compile_commands.json names no source of the repository", file=sys.stderr)
        return 2
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for complaint in pool.map(lambda entry: check(entry, build_dir, stamp_dir, common), entries):
            if complaint is not None:
                failed += 1
                print(complaint, flush=True)
    print(f"clang-tidy: {len(entries)} files, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
