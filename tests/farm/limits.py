# SPDX-License-Identifier: Apache-2.0
"""How long a test waits for what has to happen, in seconds: not a bar, as a busy machine takes ten times as long."""

HANG_S = 900
