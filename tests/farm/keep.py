#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a daemon in a folder of its own, and leaves neither process nor file of it.

Usage: keep.py FOLDER COMMAND [ARGUMENT...]

Creates FOLDER and runs COMMAND. When standard input is closed or COMMAND ends, it kills all processes below COMMAND,
those that left its session or lost their parents included. Then it removes FOLDER, and the folder above if that is empty.
Who holds the other end of standard input may therefore end in any way, kill -9 included.
"""

import ctypes
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h: orphans become children of this process


def descendants(ancestor):
    """Returns the processes below a process."""
    children = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # has ended
            continue
        children.setdefault(parent, []).append(int(entry.name))
    found = list(children.get(ancestor, ()))
    for process in found:
        found += children.get(process, ())
    return found


def end_all():
    """Kills until no child is left. A process that was forked meanwhile outlives its parent, which is waited for first."""
    while True:
        for process in descendants(os.getpid()):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def wait_for_the_end(daemon, notices):
    """Returns at the end of standard input or of the daemon. Reaps orphans."""
    while True:
        ready, _, _ = select.select([0, notices], [], [])
        if 0 in ready and not os.read(0, 1):
            return
        if notices in ready:
            os.read(notices, 4096)
        while True:
            try:
                ended, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if ended == daemon.pid:
                return
            if not ended:
                break


def main():
    folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    notices, notify = os.pipe()
    os.set_blocking(notify, False)
    signal.set_wakeup_fd(notify)
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # a handler, because the daemon would inherit SIG_IGN
    folder.mkdir(exist_ok=True)
    daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=folder)
    wait_for_the_end(daemon, notices)
    end_all()
    shutil.rmtree(folder)
    try:
        folder.parent.rmdir()
    except OSError:  # not empty, or removed by another
        pass


if __name__ == "__main__":
    main()
