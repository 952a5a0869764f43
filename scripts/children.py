# SPDX-License-Identifier: Apache-2.0
"""Programs that end with the script that started them, however it ends."""

import os
import shutil
import signal


def ending_with_this(words, by="KILL"):
    """Returns a command line that runs `words` and gets the signal `by` when the thread that started it ends."""
    words = [str(word) for word in words]
    # Python's own way, a function between fork() and exec(), is not safe beside threads.
    setpriv = shutil.which("setpriv")
    if not setpriv or not shutil.which(words[0]):
        return words
    # This process may end before setpriv has asked for the signal: it is not the parent then.
    return [setpriv, "--pdeathsig", by, "--", "/bin/sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', str(os.getpid()), *words]


def end_on_signals(leave=os._exit):
    """Makes SIGINT and SIGTERM end this script with 130, and with it the programs of ending_with_this().

    leave: by default ends it at once, also beside threads; sys.exit lets it remove its temporary folders.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: leave(130))
