# SPDX-License-Identifier: Apache-2.0
"""C = A B. Each PE computes its part of C; A and B are streamed tile by tile from where they are."""

from typing import Any

import kernbench
import numpy
from kernbench import Context, TensorRef, TensorView, Tl

from _tiles import TILES_IN_FLIGHT, fit_tiles


def first_k_tile(tl: Tl, k_tiles: int) -> int:
    """The tile along k with which a PE begins, so that PEs read different memories."""
    pe, cube, pes, cubes = tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1)
    return k_tiles * ((cube * pes + pe * cubes) % (cubes * pes)) // (cubes * pes)


def cut(whole: tuple[int, int], begins: set[int]) -> list[tuple[int, int]]:
    """The parts (begin, size) of a range between `begins`."""
    edges = sorted(begins) + [whole[0] + whole[1]]
    return [(begin, end - begin) for begin, end in zip(edges, edges[1:])]


def only(tl: Tl, tensor: TensorView, rows: tuple[int, int], columns: tuple[int, int]) -> TensorRef:
    """A part of a tensor that lies in one piece."""
    return tensor.pieces((rows[0], columns[0], rows[1], columns[1]), tl)[0][0]


@kernbench.kernel
def gemm(tl: Tl, a: TensorView, b: TensorView, c: TensorView, element_bytes: int, rotate: bool) -> None:
    row, column, rows, columns = c.local_part(tl)
    tile_m, tile_k, tile_n = fit_tiles(rows, columns, element_bytes, tl.accumulator_bytes // 4)
    tiles: dict[str, Any] = {"tile_m": tile_m, "tile_k": tile_k, "tile_n": tile_n, "tiles_in_flight": TILES_IN_FLIGHT}
    of_a = [part for _, part in a.pieces((row, 0, rows, a.columns), tl)]
    of_b = [part for _, part in b.pieces((0, column, b.rows, columns), tl)]
    ks = cut((0, a.columns), {part[1] for part in of_a} | {part[0] for part in of_b})
    mine = c.local(tl)
    for m in cut((row, rows), {part[0] for part in of_a}):
        left = [only(tl, a, m, k) for k in ks]
        for n in cut((column, columns), {part[1] for part in of_b}):
            out = mine.block(m[0] - row, n[0] - column, m[1], n[1])
            if len(ks) == 1:
                first = first_k_tile(tl, (ks[0][1] - 1) // tile_k + 1) if rotate else 0
                tl.composite(left[0], only(tl, b, ks[0], n), out, first_k_tile=first, **tiles)
                continue
            total = tl.full(out.rows, out.columns, 0.0, "f32")
            for part, k in zip(left, ks):
                product = tl.composite(part, only(tl, b, k, n), "f32", **tiles)
                total = total + product
            tl.store(out, tl.cast(total, out.type))


@kernbench.bench("py-gemm", "C = A B, each PE its part of C", m=(512, "rows of A and C"), k=(512, "columns of A, rows of B"),
                 n=(512, "columns of B and C"), type=("f16", "f32, f16 or bf16"), a=("row", "placement of A"),
                 b=("row", "placement of B"), c=("blocks", "placement of C"), rotate=(True, "PEs begin at different k"))
def run(torch: Context, m: int, k: int, n: int, type: str, a: str, b: str, c: str, rotate: bool) -> None:
    def numbers(seed: int, rows: int, columns: int) -> Any:
        return numpy.random.default_rng(seed).random((rows, columns), numpy.float32)

    left = torch.tensor(lambda: numbers(1, m, k), shape=(m, k), dtype=type, policy=a)
    right = torch.tensor(lambda: numbers(2, k, n), shape=(k, n), dtype=type, policy=b)
    product = torch.tensor(shape=(m, n), dtype=type, policy=c)
    with torch.measure("gemm"):
        torch.launch(gemm, left, right, product, 4 if type == "f32" else 2, rotate)
    torch.expect("c", torch.read(product), lambda: numbers(1, m, k) @ numbers(2, k, n), relative=1e-2)
