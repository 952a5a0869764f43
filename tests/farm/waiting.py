# SPDX-License-Identifier: Apache-2.0
"""How tests wait for what has to happen. The limit is for hangs: a busy machine takes ten times as long as another."""

import re
import time

HANG_S = 900
ESTIMATE = re.compile(r"^\d+ of \d+ points have run in .*; the others take about .*\n", re.MULTILINE)


def finish(process):
    """Returns exit code, stdout and stderr of a program, without what a sweep that takes minutes says of its duration."""
    out, err = process.communicate(timeout=HANG_S)
    return process.returncode, out, ESTIMATE.sub("", err)


def wait_until(test, what, condition):
    """Waits until a condition holds, and fails the test if it does not within HANG_S seconds."""
    end = time.monotonic() + HANG_S
    while not condition():
        if time.monotonic() >= end:
            test.fail(f"{what}: not after {HANG_S} s")
        time.sleep(0.02)
