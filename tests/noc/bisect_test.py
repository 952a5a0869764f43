#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds by kernbench bisect the commit that breaks the generated RTL of a network, in a repository made for it.

    bisect_test.py --kernbench PROGRAM --work FOLDER
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

RING = "BidirectionalTorus1D(3)"
CASE = f"name: case\ndut: noc\nnetwork: {{topology: '{RING}', slots: 4}}\nsuites:\n  - {{name: busy, cycles: 200}}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    repository = args.work.resolve() / "repository"
    repository.mkdir(parents=True)

    def run(*words):
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=repository)

    def git(*words):
        done = run("git", "-c", "user.name=a", "-c", "user.email=a@b", *words)
        if done.returncode != 0:
            sys.exit(f"git {words}: {done.stderr}")
        return done.stdout

    def commit(title):
        git("add", "-A")
        git("commit", "-m", title)

    git("init", "--quiet")
    generated = run(args.kernbench, "topology", "rtl", RING, "--slots", "4", "-o", "rtl")
    if generated.returncode != 0:
        sys.exit(generated.stdout + generated.stderr)
    (repository / "case.yaml").write_text(CASE)
    commit("sound")
    (repository / "notes.txt").write_text("notes\n")
    commit("notes")
    router = repository / "rtl/noc_router.sv"
    text = router.read_text()
    router.write_text(text.replace("credit_o <= pop;", "credit_o <= pop & ~(pop >> 1);", 1))
    if router.read_text() == text:
        sys.exit("the router has changed: this test has to be adapted")
    commit("loses credits")
    (repository / "notes.txt").write_text("more notes\n")
    commit("more notes")

    out = args.work.resolve() / "out"
    failing = run(args.kernbench, "sim", "case.yaml", "--filelist", "rtl/noc_top.f", "--no-structure", "--waves", "off", "--report", out)
    failure = out / "failures/busy-seed1/failure.json"
    if failing.returncode != 1 or "lockstep credit" not in failing.stdout or not failure.exists():
        sys.exit(f"the planted error is not seen: exit {failing.returncode}\n{failing.stdout}{failing.stderr}")

    done = run(args.kernbench, "bisect", "HEAD~3", "HEAD", "--failure", failure)
    sound, notes, breaks, more = git("log", "--reverse", "--format=%h %s").splitlines()
    wanted = f"passes      {sound}\nfails       {more}\npasses      {notes}\nfails       {breaks}\nfirst that fails: {breaks}\n"
    if (done.returncode, done.stdout) != (0, wanted):
        sys.exit(f"exit {done.returncode}: {done.stdout}{done.stderr}\nin place of\n{wanted}")
    if git("status", "--porcelain") or git("worktree", "list").count("\n") != 1:
        sys.exit("the repository has changed: " + git("status", "--porcelain") + git("worktree", "list"))


if __name__ == "__main__":
    main()
