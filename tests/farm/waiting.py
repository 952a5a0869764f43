# SPDX-License-Identifier: Apache-2.0
"""How tests wait for what has to happen. The limit is for hangs: a busy machine takes ten times as long as another."""

import time

HANG_S = 900


def wait_until(test, what, condition):
    """Waits until a condition holds, and fails the test if it does not within HANG_S seconds."""
    end = time.monotonic() + HANG_S
    while not condition():
        if time.monotonic() >= end:
            test.fail(f"{what}: not after {HANG_S} s")
        time.sleep(0.02)
