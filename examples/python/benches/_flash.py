# SPDX-License-Identifier: Apache-2.0
"""Attention that sees keys block by block, which attention and transformer share."""

from typing import Optional

from kernbench import Tile, Tl

MASKED = -1e30


class Running:
    """The attention of some queries while keys arrive block by block (T. Dao et al., *FlashAttention*, 2022)."""

    def __init__(self, tl: Tl) -> None:
        self.tl = tl
        self.before: Optional[Tile] = None  # the highest scores before the block that is added next
        self.highest: Optional[Tile] = None
        self.out: Optional[Tile] = None
        self.sum: Optional[Tile] = None

    def weigh(self, scores: Tile) -> Tile:
        """exp(score - highest score) of the next block of keys, for add()."""
        tl = self.tl
        self.before, self.highest = self.highest, tl.max(scores, "columns")
        if self.before is not None:
            self.highest = tl.maximum(self.before, self.highest)
        return tl.exp(scores - self.highest)

    def add(self, weights: Tile, values: Tile) -> None:
        """Adds the values of the block."""
        tl = self.tl
        out, total = tl.dot(tl.cast(weights, values.type), values), tl.sum(weights, "columns")
        if self.before is not None and self.highest is not None and self.out is not None and self.sum is not None:
            correction = tl.exp(self.before - self.highest)
            out = self.out * correction + out
            total = self.sum * correction + total
        self.out, self.sum = out, total

    def result(self) -> Tile:
        """The attention to all blocks so far."""
        assert self.out is not None and self.sum is not None and self.highest is not None
        out = self.out / self.sum
        _ = self.highest + self.tl.log(self.sum)  # the size of this part, which a merge of several parts needs
        return out


def visible(tl: Tl, queries: int, first_query: int, keys: int, first_key: int) -> Tile:
    """1 where a query sees a key, because the key is not after it."""
    rows = tl.trans(tl.arange(queries, "f32", first_query))
    return tl.arange(keys, "f32", first_key) <= rows
