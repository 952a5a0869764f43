#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for ssh: runs the command on this machine. A machine that has a file in the folder SSH_STAND_IN is not reached."""

import os
import pathlib
import sys

words = sys.argv[1:]
while words[0].startswith("-"):
    if words[0] == "-n":
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    del words[:2 if words[0] == "-o" else 1]
machine, command = words
if (pathlib.Path(os.environ["SSH_STAND_IN"]) / machine).exists():
    sys.exit(f"ssh: connect to host {machine} port 22: No route to host")
os.execvp("sh", ["sh", "-c", command])
