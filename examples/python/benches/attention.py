# SPDX-License-Identifier: Apache-2.0
"""O = softmax(Q K^T / sqrt(d)) V as flash attention: keys block by block, with a running maximum and sum of each row.

Rows of Q and O are spread over all PEs. Each PE computes its own queries, and each cube has a copy of K and V.
"""

import collections
import math
from typing import Any

import kernbench
import numpy
from kernbench import Context, TensorRef, TensorView, Tile, Tl

from _flash import MASKED, Running, visible

BLOCKS_AHEAD = 2


def leap_over(blocks: int) -> int:
    """A step that visits each of `blocks` blocks once, near their golden section."""
    leap = max(blocks * 618 // 1000, 1)
    while math.gcd(leap, blocks) != 1:
        leap += 1
    return leap


def attend(tl: Tl, queries: TensorRef, k: TensorView, v: TensorView, first: int, keys: int, block_k: int, causal: bool) -> Tile:
    loading = tl.iload(queries)
    blocks = max(-(-keys // block_k), 1)
    # PEs begin at different keys and go on by leaps, so that they rarely meet at a slice for long.
    turn, leap = blocks * tl.program_id(0) // tl.num_programs(0), leap_over(blocks)
    fetched = collections.deque[tuple[int, kernbench.PendingTile, kernbench.PendingTile]]()

    def fetch(number: int) -> None:
        if number < blocks:
            key = (turn + number * leap) % blocks * block_k
            some = [tensor.whole().block(key, 0, min(block_k, keys - key), queries.columns) for tensor in (k, v)]
            fetched.append((key, tl.iload(some[0]), tl.iload(some[1])))

    for ahead in range(BLOCKS_AHEAD):
        fetch(ahead)
    loaded = tl.wait(loading)
    running = Running(tl)
    for number in range(blocks):
        fetch(number + BLOCKS_AHEAD)
        key, pending_keys, pending_values = fetched.popleft()
        some_keys = tl.wait(pending_keys)
        scores = tl.dot(loaded, tl.trans(some_keys)) * (1.0 / math.sqrt(queries.columns))
        if causal and key + some_keys.rows > first + 1:
            scores = tl.where(visible(tl, scores.rows, first, scores.columns, key), scores, MASKED)
        weights = running.weigh(scores)
        running.add(weights, tl.wait(pending_values))
    return running.result()


@kernbench.kernel
def attention(tl: Tl, q: TensorView, k: TensorView, v: TensorView, o: TensorView, block_q: int, block_k: int, causal: bool) -> None:
    mine, out, first = q.local(tl), o.local(tl), q.local_part(tl)[0]
    for row in range(0, mine.rows, block_q):
        queries = mine.block(row, 0, block_q, mine.columns)
        keys = min(k.rows, first + row + queries.rows) if causal else k.rows
        part = attend(tl, queries, k, v, first + row, keys, block_k, causal)
        tl.store(out.block(row, 0, queries.rows, mine.columns), tl.cast(part, out.type))


@kernbench.bench("py-attention", "flash attention of one head, over all PEs", queries=(1024, "rows of Q and the output"),
                 keys=(1024, "rows of K and V"), size=(64, "head size: columns of Q, K, V and the output"),
                 type=("f16", "f32, f16 or bf16; sums are f32"), causal=(False, "yes: a query sees no later key"),
                 block_q=(64, "queries at a time"), block_k=(128, "keys at a time"))
def run(torch: Context, queries: int, keys: int, size: int, type: str, causal: bool, block_q: int, block_k: int) -> None:
    def numbers(seed: int, rows: int) -> Any:
        return numpy.random.default_rng(seed).random((rows, size), numpy.float32)

    q = torch.tensor(lambda: numbers(1, queries), shape=(queries, size), dtype=type)
    k = torch.tensor(lambda: numbers(2, keys), shape=(keys, size), dtype=type, policy="replicated")
    v = torch.tensor(lambda: numbers(3, keys), shape=(keys, size), dtype=type, policy="replicated")
    out = torch.tensor(shape=(queries, size), dtype=type)
    with torch.measure("attention"):
        torch.launch(attention, q, k, v, out, block_q, block_k, causal)

    def expected() -> Any:
        scores = numbers(1, queries) @ numbers(2, keys).T / math.sqrt(size)
        if causal:
            scores[numpy.arange(keys)[None, :] > numpy.arange(queries)[:, None]] = -numpy.inf
        powers = numpy.exp(scores - scores.max(1, keepdims=True))
        return (powers / powers.sum(1, keepdims=True)) @ numbers(3, keys)

    torch.expect("out", torch.read(out), expected, 1e-2, 1e-2)
