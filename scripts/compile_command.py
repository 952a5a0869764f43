# SPDX-License-Identifier: Apache-2.0
"""Compile commands, as CMake and Ninja list them."""

import os


def without_cache(words):
    """Returns a compile command without the compiler cache that starts it, and without that cache's settings."""
    caches = [i for i, word in enumerate(words) if os.path.basename(word) == "ccache"]
    return words[caches[0] + 1:] if caches else words
