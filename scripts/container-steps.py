#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of the Dockerfile in a bare Debian or Ubuntu folder, without Docker, as root.

Usage: scripts/container-steps.py FOLDER [--stage NAME] [--suite SUITE] [--run COMMAND]

FOLDER must not exist. debootstrap fills it with the smallest system; FROM, COPY, RUN, USER and WORKDIR are then carried
out in it up to the end of the stage, the whole file by default. `COPY .` copies a clone of the checkout, so only what is
committed. --suite noble takes Ubuntu 24.04 instead of the Dockerfile's Debian. --run runs a shell command at the end, as
the user and in the folder that the steps left.

Exit code: that of the first step that failed, or of the command.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIRRORS = {"bookworm": "http://deb.debian.org/debian", "noble": "http://archive.ubuntu.com/ubuntu"}
SUITE_OF_IMAGE = {"debian:12": "bookworm", "ubuntu:24.04": "noble"}


def steps_of(text):
    """Returns the steps of a Dockerfile as pairs of an instruction and its text, lines joined."""
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines()]


class Container:
    """A system below a folder."""

    def __init__(self, folder, suite):
        self.folder = folder
        self.suite = suite
        self.user = "root"
        self.workdir = "/"
        self.stages = set()

    def step(self, word, rest):
        print(f"+ {word} {rest}", flush=True)
        getattr(self, f"step_{word.lower()}")(rest)

    def step_from(self, rest):
        image = rest.split()[0]
        if image not in self.stages:
            suite = self.suite or SUITE_OF_IMAGE[image]
            components = "main,universe" if suite == "noble" else "main"
            # Older versions of debootstrap do not know newer suites of Ubuntu; all of them have the script "gutsy".
            script = ["/usr/share/debootstrap/scripts/gutsy"] if suite == "noble" else []
            host("debootstrap", "--variant=minbase", f"--components={components}", suite, self.folder, MIRRORS[suite],
                 *script)
            host("mount", "-t", "proc", "proc", self.folder / "proc")
            shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        self.stages.add(rest.split()[-1])

    def step_copy(self, rest):
        source, target = rest.split()
        target = self.folder / target.lstrip("/")
        if source == ".":
            host("git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", ROOT, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, target)

    def step_run(self, rest):
        self.run(rest)

    def step_user(self, rest):
        self.user = rest

    def step_workdir(self, rest):
        self.workdir = rest
        self.run(f"mkdir -p {shlex.quote(rest)}", workdir="/")

    def step_entrypoint(self, rest):
        """Says what `docker run` starts; nothing is to be done."""

    step_cmd = step_entrypoint

    def run(self, command, workdir=None):
        script = f"cd {shlex.quote(workdir or self.workdir)} && {command}"
        host("chroot", self.folder, "/usr/bin/env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
             "DEBIAN_FRONTEND=noninteractive", "su", "--preserve-environment" if self.user == "root" else "--login",
             self.user, "-c", script)

    def close(self):
        if os.path.ismount(self.folder / "proc"):
            host("umount", self.folder / "proc")


def host(*command):
    """Runs a command; ends the program with its exit code when it fails."""
    done = subprocess.run([str(word) for word in command], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--stage")
    parser.add_argument("--suite", choices=sorted(MIRRORS))
    parser.add_argument("--run")
    options = parser.parse_args()
    if options.folder.exists():
        parser.error(f"{options.folder} exists")
    steps = steps_of((ROOT / "Dockerfile").read_text())
    stages = [rest.split()[-1] for word, rest in steps if word == "FROM"]
    if options.stage and options.stage not in stages:
        parser.error(f"the Dockerfile has no stage '{options.stage}', expected one of {', '.join(stages)}")
    container = Container(options.folder.resolve(), options.suite)
    try:
        stage = None
        for word, rest in steps:
            if word == "FROM":
                if stage is not None and stage == options.stage:
                    break
                stage = rest.split()[-1]
            container.step(word, rest)
        if options.run:
            container.run(options.run)
    finally:
        container.close()


if __name__ == "__main__":
    main()
