# SPDX-License-Identifier: Apache-2.0
"""Prefill of a decoder-only transformer: RMSNorm, rotary embedding, grouped queries, and a gated feed-forward layer.

The heads and the columns of the feed-forward layer are spread over ranks, and within a rank over its cubes. Two all-reduces in
a layer sum over both. The rows of activations are spread over the PEs of a cube.
"""

import collections
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Optional, Union

import kernbench
import numpy
from kernbench import BadParameter, Context, DPPolicy, PendingTile, Tensor, TensorRef, TensorView, Tile, Tl

from _flash import MASKED, Running, visible
from _tiles import TILES_IN_FLIGHT, fit_tiles
from _weights import EPSILON, Shape, Weights, angles, reference

AHEAD = 8  # copies in flight
ELEMENTS = 65536  # of a tile of a result
RESIDENT_BYTES = 1 << 20  # rows of x that stay while weights pass by
ROWS_OF_A_PE = 16  # with this many rows for each PE the PEs share rows, else columns
QUERIES = 64  # tokens of a block of queries
PAGES_AHEAD = 2

Step = Union[str, tuple[str, Any]]


class Heads(NamedTuple):
    """The heads of a rank, over some of its cubes: each has kv_heads groups of queries."""

    cubes: int
    kv_heads: int
    queries: int
    size: int


class Cache(NamedTuple):
    """Where the keys and values of sequences are: pages of `page` tokens, dealt out to the PEs."""

    sequences: int
    tokens: int
    page: int
    pes: int

    @property
    def pages_of_a_pe(self) -> int:
        pages = -(-self.tokens // self.page)
        counts = collections.Counter((one + page) % self.pes for one in range(self.sequences) for page in range(pages))
        return max(counts.values())

    def rows_of_pages(self) -> list[list[int]]:
        """The first row of each page of each sequence."""
        used: collections.Counter[int] = collections.Counter()
        rows: list[list[int]] = []
        for sequence in range(self.sequences):
            rows.append([])
            for page in range(-(-self.tokens // self.page)):
                pe = (sequence + page) % self.pes
                rows[-1].append((pe * self.pages_of_a_pe + used[pe]) * self.page)
                used[pe] += 1
        return rows


@kernbench.kernel
def embedding(tl: Tl, table: TensorView, y: TensorView, tokens: list[int]) -> None:
    first, to, whole = y.local_part(tl)[0], y.local(tl), table.whole()
    loading: collections.deque[PendingTile] = collections.deque()
    storing: collections.deque[kernbench.Pending] = collections.deque()
    for row in range(to.rows + AHEAD):
        if row >= AHEAD:
            storing.append(tl.istore(to.block(row - AHEAD, 0, 1, to.columns), tl.wait(loading.popleft())))
            if len(storing) > AHEAD:
                tl.wait(storing.popleft())
        if row < to.rows:
            loading.append(tl.iload(whole.block(tokens[first + row], 0, 1, to.columns)))
    for pending in storing:
        tl.wait(pending)


def some_rows(tl: Tl, x: TensorRef) -> Iterator[tuple[int, Tile]]:
    """Some rows of x at a time, in f32, and the number of the first; the next ones are loaded meanwhile."""
    at_once = max(ELEMENTS // x.columns, 1)
    following = tl.iload(x.block(0, 0, at_once, x.columns))
    for row in range(0, x.rows, at_once):
        some = tl.wait(following)
        following = tl.iload(x.block(min(row + at_once, x.rows), 0, at_once, x.columns))
        yield row, some if some.type == "f32" else tl.cast(some, "f32")
    tl.wait(following)


def inverse_norms(tl: Tl, x: TensorRef) -> Tile:
    """1 / sqrt(mean(x^2) + epsilon) of each row, as a column."""
    norms = tl.buffer(x.rows, "f32")
    for row, some in some_rows(tl, x):
        mean = tl.sum(some * some, "columns") * (1.0 / some.columns) + EPSILON
        tl.copy_into(tl.part(norms, row, some.rows), tl.trans(1.0 / tl.sqrt(mean)))
    return tl.trans(norms)


class Part(NamedTuple):
    """The part of a product that a PE computes at a time."""

    x: Tile
    row: int
    pe: int  # that holds these columns of the weights
    norm: list[Step]  # scales the rows of the product


def parts_of(tl: Tl, x: TensorRef, normed: bool, widest: int) -> Iterator[Part]:
    pes, me = tl.num_programs(0), tl.program_id(0)
    by_rows = x.rows >= ROWS_OF_A_PE * pes
    share = -(-x.rows // pes) if by_rows else x.rows
    begin = min(x.rows, me * share) if by_rows else 0
    end = min(x.rows, begin + share)
    at_once = max(min(ELEMENTS * 2 // max(widest, 1), RESIDENT_BYTES // (x.columns * 2)), 1)
    for row in range(begin, end, at_once):
        rows = x.block(row, 0, min(at_once, end - row), x.columns)
        loading = tl.iload(rows)
        norm: list[Step] = [("mul", inverse_norms(tl, rows))] if normed else []
        loaded = tl.wait(loading)
        for i in range(pes if by_rows else 1):
            yield Part(loaded, row, (me + i) % pes, norm)


def target_of(y: TensorView, weight: TensorView, cube: int, part: Part) -> TensorRef:
    mine, first = weight.shard_part(cube, part.pe), weight.cube_part(cube)[1]
    return y.in_cube(cube).block(part.row, mine[1] - first, part.x.rows, mine[3])


def tiles_of(tl: Tl, part: Part, weight: TensorRef) -> dict[str, Any]:
    tile_m, tile_k, tile_n = fit_tiles(part.x.rows, weight.columns, 2, tl.accumulator_bytes // 4)
    return {"tile_m": tile_m, "tile_k": tile_k, "tile_n": tile_n, "tiles_in_flight": TILES_IN_FLIGHT}


def multiply(tl: Tl, input: TensorRef, normed: bool, products: list[tuple[TensorView, TensorView]],
             residual: Optional[TensorView] = None) -> None:
    """y = x W for some W, after an RMSNorm of x if `normed`; cube 0 adds `residual`. W has the columns of y in each cube, or
    the rows for the columns of x; then each y is a sum over cubes that is still to be reduced."""
    cube = tl.program_id(1)
    if input.columns == 0:  # a cube without a part of x
        for _, y in products:
            to = y.local(tl)
            at_once = max(ELEMENTS // to.columns, 1)
            for row in range(0, to.rows, at_once):
                some = to.block(row, 0, at_once, to.columns)
                tl.store(some, tl.full(some.rows, some.columns, 0.0, to.type))
        return
    widest = max(weight.shard(cube, 0).columns for weight, _ in products)
    for part in parts_of(tl, input, normed, widest):
        for weight, y in products:
            columns = weight.shard(cube, part.pe)
            if columns.rows * columns.columns == 0:
                continue
            to, epilogue = target_of(y, weight, cube, part), list(part.norm)
            if residual is not None and cube == 0:
                epilogue.append(("add", tl.load(target_of(residual, weight, cube, part))))
            tl.composite(part.x, columns, to, epilogue=epilogue, **tiles_of(tl, part, columns))


@kernbench.kernel
def qkv(tl: Tl, x: TensorView, *products: TensorView) -> None:
    multiply(tl, x.in_cube(tl.program_id(1)), True, list(zip(products[::2], products[1::2])))


@kernbench.kernel
def down(tl: Tl, x: TensorView, weight: TensorView, y: TensorView, *residual: TensorView) -> None:
    multiply(tl, x.in_cube(tl.program_id(1)), False, [(weight, y)], *residual)


output = kernbench.kernel(name="output")(down.function)


@kernbench.kernel
def logits(tl: Tl, x: TensorView, weight: TensorView, y: TensorView, count: int) -> None:
    rows = x.in_cube(tl.program_id(1))
    last = rows.block(count - 1, 0, rows.rows, rows.columns).strided(rows.rows // count, rows.row_stride * count)
    multiply(tl, last, True, [(weight, y)])


@kernbench.kernel
def gate_up(tl: Tl, x: TensorView, gate: TensorView, up: TensorView, y: TensorView) -> None:
    """y = silu(norm(x) G) * (norm(x) U)."""
    cube = tl.program_id(1)
    for part in parts_of(tl, x.in_cube(cube), True, gate.shard(cube, 0).columns):
        weight = gate.shard(cube, part.pe)
        if weight.rows * weight.columns == 0:
            continue
        tiles = tiles_of(tl, part, weight)
        gated = tl.composite(part.x, weight, x.type, epilogue=[*part.norm, "silu"], **tiles)
        tl.composite(part.x, up.shard(cube, part.pe), target_of(y, gate, cube, part), epilogue=[*part.norm, ("mul", gated)], **tiles)


def turn(tl: Tl, x: TensorRef, to: TensorRef, cosines: Tile, sines: Tile) -> None:
    """Rotates the pairs of one head."""
    half = x.columns // 2
    loading = tl.iload(x.block(0, 0, x.rows, half)), tl.iload(x.block(0, half, x.rows, half))
    left, right = (tl.cast(tl.wait(one), "f32") for one in loading)
    left_cosines = left * cosines
    right_sines = right * sines
    stored = tl.istore(to.block(0, 0, x.rows, half), tl.cast(left_cosines - right_sines, x.type))
    right_cosines = right * cosines
    left_sines = left * sines
    tl.store(to.block(0, half, x.rows, half), tl.cast(right_cosines + left_sines, x.type))
    tl.wait(stored)


@kernbench.kernel
def rotate(tl: Tl, cache: Cache, heads: Heads, q: TensorView, k: TensorView, v: TensorView, cosines: TensorView, sines: TensorView,
           keys: TensorView, values: TensorView) -> None:
    """Rotates queries, in place, and keys, and moves keys and values into the cache: rows of one page at a time."""
    cube = tl.program_id(1)
    if cube >= q.cubes:
        return
    of_cube = [one.in_cube(cube) for one in (q, k, v)]
    rows_of_pages, number = cache.rows_of_pages(), 0
    for sequence in range(cache.sequences):
        for at in range(0, cache.tokens, cache.page):
            number += 1
            if (number - 1) % tl.num_programs(0) != tl.program_id(0):
                continue
            count, row = min(cache.page, cache.tokens - at), sequence * cache.tokens + at
            cos, sin = (tl.load(table.in_cube(cube).block(at, 0, count, heads.size // 2)) for table in (cosines, sines))
            cached = rows_of_pages[sequence][at // cache.page]
            for head in range(heads.kv_heads * heads.queries):
                some = of_cube[0].block(row, head * heads.size, count, heads.size)
                turn(tl, some, some, cos, sin)
            for head in range(heads.kv_heads):
                some = of_cube[1].block(row, head * heads.size, count, heads.size)
                turn(tl, some, keys.in_cube(cube).block(cached, head * heads.size, count, heads.size), cos, sin)
            width = heads.kv_heads * heads.size
            tl.store(values.in_cube(cube).block(cached, 0, count, width), tl.load(of_cube[2].block(row, 0, count, width)))


@kernbench.kernel
def attention(tl: Tl, cache: Cache, heads: Heads, q: TensorView, y: TensorView, keys: TensorView, values: TensorView) -> None:
    """Causal attention of blocks of tokens; later blocks see more keys, so they are dealt there and back."""
    cube, pes = tl.program_id(1), tl.num_programs(0)
    if cube >= q.cubes:
        return
    items = [(sequence, head, first) for first in range(0, cache.tokens, QUERIES) for sequence in range(cache.sequences)
             for head in range(heads.kv_heads)]
    rows_of_pages = cache.rows_of_pages()
    for i, (sequence, head, first) in enumerate(items):
        if min(i % (2 * pes), 2 * pes - 1 - i % (2 * pes)) != tl.program_id(0):
            continue
        count, row = min(QUERIES, cache.tokens - first), sequence * cache.tokens + first

        def block_of(tensor: TensorView, number: int) -> TensorRef:
            return tensor.in_cube(cube).block(row, (head * heads.queries + number) * heads.size, count, heads.size)

        loading = [tl.iload(block_of(q, number)) for number in range(heads.queries)]
        queries = [tl.wait(one) for one in loading]
        pages = [(page * cache.page, rows_of_pages[sequence][page]) for page in range(-(-(first + count) // cache.page))]
        fetched = collections.deque[tuple[PendingTile, PendingTile]]()

        def fetch(number: int) -> None:
            if number < len(pages):
                begin, cached = pages[number]
                some = [one.in_cube(cube).block(cached, head * heads.size, min(cache.page, first + count - begin), heads.size)
                        for one in (keys, values)]
                fetched.append((tl.iload(some[0]), tl.iload(some[1])))

        for ahead in range(PAGES_AHEAD):
            fetch(ahead)
        running = [Running(tl) for _ in queries]
        scale = 1.0 / math.sqrt(heads.size)
        for number, (begin, _) in enumerate(pages):
            fetch(number + PAGES_AHEAD)
            some_keys, some_values = (tl.wait(one) for one in fetched.popleft())
            seen = visible(tl, count, first, some_keys.rows, begin) if begin + some_keys.rows > first + 1 else None
            for query, of_query in zip(queries, running):
                scores = tl.dot(query, tl.trans(some_keys)) * scale
                if seen is not None:
                    scores = tl.where(seen, scores, MASKED)
                of_query.add(of_query.weigh(scores), some_values)
        results = [one.result() for one in running]
        for number, result in enumerate(results):
            tl.store(block_of(y, number), tl.cast(result, y.type))


# The host part.

IN_EACH_CUBE = DPPolicy("replicate", "row_wise")
COLUMNS = DPPolicy("column_wise", "column_wise")
ROWS = DPPolicy("row_wise", "column_wise")


def split_heads(shape: Shape, ranks: int, cubes: int) -> Heads:
    """Spreads the heads over most cubes of each rank."""
    for used in range(cubes, 0, -1):
        places = ranks * used
        whole = shape.kv_heads % places == 0
        if shape.heads % places == 0 and (whole or places % shape.kv_heads == 0):
            kv_heads = shape.kv_heads // places if whole else 1
            return Heads(used, kv_heads, shape.heads // places // kv_heads, shape.head_size)
    raise BadParameter(f"'heads' and 'kv_heads' are {shape.heads} and {shape.kv_heads}, which {ranks} ranks cannot share")


class Rank:
    """The tensors of a rank, and its passes."""

    def __init__(self, torch: Context, shape: Shape, tensor: int, cache: Cache, weights: Weights) -> None:
        self.torch, self.shape, self.cache = torch, shape, cache
        self.number = torch.distributed.get_rank() or 0
        self.group = torch.distributed.new_group(range(tensor), "tensor-0-0")
        self.heads = heads = split_heads(shape, tensor, torch.cubes)
        q, kv, wide = (one // tensor for one in (shape.heads * shape.head_size, shape.kv_heads * shape.head_size, shape.feed_forward))
        kv, words = heads.cubes * heads.kv_heads * heads.size, shape.vocabulary // tensor
        first_group = self.number * heads.cubes * heads.kv_heads * heads.queries

        def part(name: str, layer: int, axis: int, size: int) -> Callable[[], Any]:
            return lambda: numpy.take(weights.of(name, layer), range(self.number * size, (self.number + 1) * size), axis)

        def of_keys(name: str, layer: int) -> Callable[[], Any]:
            def build() -> Any:
                group = shape.heads // shape.kv_heads
                chosen = [(first_group + cube * heads.kv_heads * heads.queries) // group + head
                          for cube in range(heads.cubes) for head in range(heads.kv_heads)]
                columns = [head * heads.size + i for head in chosen for i in range(heads.size)]
                return weights.of(name, layer)[:, columns]
            return build

        def make(rows: int, columns: int, policy: DPPolicy, values: Optional[Callable[[], Any]] = None, dtype: str = "f16") -> Tensor:
            return torch.tensor(values, shape=(rows, columns), dtype=dtype, policy=policy)

        over_heads = [policy._replace(cubes=heads.cubes) for policy in (COLUMNS, ROWS, DPPolicy("column_wise", "row_wise"))]
        self.layers: list[dict[str, Tensor]] = []
        for layer in range(shape.layers):
            self.layers.append({
                "gate": make(shape.hidden, wide, COLUMNS, part("gate", layer, 1, wide)),
                "up": make(shape.hidden, wide, COLUMNS, part("up", layer, 1, wide)),
                "down": make(wide, shape.hidden, ROWS, part("down", layer, 0, wide)),
                "query": make(shape.hidden, q, over_heads[0], part("query", layer, 1, q)),
                "key": make(shape.hidden, kv, over_heads[0], of_keys("key", layer)),
                "value": make(shape.hidden, kv, over_heads[0], of_keys("value", layer)),
                "output": make(q, shape.hidden, over_heads[1], part("output", layer, 0, q)),
                "keys": make(cache.pages_of_a_pe * cache.pes * cache.page, kv, over_heads[2]),
                "values": make(cache.pages_of_a_pe * cache.pes * cache.page, kv, over_heads[2])})
        self.embedding = make(shape.vocabulary, shape.hidden, DPPolicy("row_wise", "row_wise"), lambda: weights.of("embedding"))
        self.output = make(shape.hidden, words, COLUMNS, part("logits", 0, 1, words))
        self.cosines, self.sines = (make(cache.tokens, heads.size // 2, IN_EACH_CUBE, table, "f32") for table in (
            lambda: angles(heads.size, cache.tokens, numpy.cos), lambda: angles(heads.size, cache.tokens, numpy.sin)))
        rows = cache.sequences * cache.tokens
        self.x, self.between = (make(rows, shape.hidden, IN_EACH_CUBE) for _ in range(2))
        self.q, self.k, self.v, self.attended = (make(rows, columns, over_heads[2]) for columns in (q, kv, kv, q))
        self.hidden = make(rows, wide, DPPolicy("column_wise", "row_wise"))
        self.logits = make(cache.sequences, words, DPPolicy("column_wise", "row_wise"))

    def forward(self, words: list[int]) -> None:
        self.torch.launch(embedding, self.embedding, self.x, words)
        key = f"layer of {self.cache.sequences} x {self.cache.tokens} tokens from 0"
        for number, layer in enumerate(self.layers):
            self.torch.repeat(key, number, len(self.layers), functools.partial(self.run, layer), self.group)
        self.torch.launch(logits, self.x, self.output, self.logits, self.cache.tokens)

    def run(self, layer: dict[str, Tensor]) -> None:
        torch, first = self.torch, self.number == 0
        torch.launch(qkv, self.x, layer["query"], self.q, layer["key"], self.k, layer["value"], self.v)
        torch.launch(rotate, self.cache, self.heads, self.q, self.k, self.v, self.cosines, self.sines, layer["keys"], layer["values"])
        torch.launch(attention, self.cache, self.heads, self.q, self.attended, layer["keys"], layer["values"])
        torch.launch(output, self.attended, layer["output"], self.between, *([self.x] if first else []))
        torch.distributed.all_reduce(self.between, self.group)
        torch.launch(gate_up, self.between, layer["gate"], layer["up"], self.hidden)
        torch.launch(down, self.hidden, layer["down"], self.x, *([self.between] if first else []))
        torch.distributed.all_reduce(self.x, self.group)

    def free(self) -> None:
        for tensor in (self.x, self.between, self.q, self.k, self.v, self.attended, self.hidden, self.logits):
            self.torch.free(tensor)
        self.torch.synchronize()


def prefill(torch: Context, shape: Shape, tensor: int, words: list[list[int]], page: int, seed: int) -> None:
    """Runs the prompts of all sequences, of as many words each, on the first `tensor` ranks."""
    weights = Weights(shape, seed)
    torch.distributed.init_process_group()

    def worker(torch: Context) -> None:
        number = torch.distributed.get_rank() or 0
        if number >= tensor:
            with torch.measure("prefill"):
                return
        rank = Rank(torch, shape, tensor, Cache(len(words), len(words[0]), page, torch.pes), weights)
        with torch.measure("prefill"):
            rank.forward([word for sequence in words for word in sequence])

        def expected() -> Any:
            rows = numpy.concatenate([reference(shape, weights, sequence) for sequence in words])
            return numpy.split(rows, tensor, 1)[number]

        torch.expect(f"logits at rank {number}", torch.read(rank.logits), expected, 0.0, 16 * 2.0 ** -11 * math.sqrt(shape.layers))
        rank.free()

    torch.spawn(worker)


@kernbench.bench("py-transformer", "prefill of a decoder-only transformer, tensor-parallel", hidden=(256, "columns of activations"),
                 layers=(1, "layers"), heads=(8, "heads of queries"), kv_heads=(2, "heads of keys and values"),
                 head_size=(32, "columns of a head, an even number"), feed_forward=(512, "columns of the feed-forward layer"),
                 vocabulary=(1000, "words"), batch=(2, "sequences"), prompt=(32, "tokens of each sequence, at least 2"),
                 tensor=(1, "ranks that share each layer"), page=(16, "tokens of a page of the key-value cache"),
                 seed=(1, "seed of weights and words"))
def run(torch: Context, hidden: int, layers: int, heads: int, kv_heads: int, head_size: int, feed_forward: int, vocabulary: int,
        batch: int, prompt: int, tensor: int, page: int, seed: int) -> None:
    if prompt < 2 or head_size % 2 or heads % tensor or feed_forward % tensor or vocabulary % tensor:
        raise BadParameter("'prompt' is at least 2, 'head_size' even, and 'tensor' divides 'heads', 'feed_forward' and 'vocabulary'")
    words = numpy.random.default_rng(seed).integers(vocabulary, size=(batch, prompt)).tolist()
    prefill(torch, Shape(hidden, layers, heads, kv_heads, head_size, feed_forward, vocabulary), tensor, words, page, seed)
