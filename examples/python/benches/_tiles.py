# SPDX-License-Identifier: Apache-2.0
"""Tiles of a product, which gemm and transformer share."""

import functools

TILE_BYTES = 160 << 10  # a tile of A and one of B
TILES_IN_FLIGHT = 3


@functools.lru_cache(maxsize=None)
def fit_tiles(m: int, n: int, element_bytes: int, sums: int) -> tuple[int, int, int]:
    """Tiles (m, k, n) of a product on one PE, whose accumulators hold `sums` numbers: those that read the fewest elements."""
    m, n = max(m, 1), max(n, 1)
    fewest, tile_m, tile_n = 1 << 64, 128, 128
    for parts in range(-(-m // sums), m + 1):
        rows = -(-m // parts)
        columns = -(-n // (sums // rows))
        read = m * columns + n * parts
        if n * parts >= fewest:
            break
        if read < fewest:
            fewest, tile_m, tile_n = read, rows, -(-n // columns)
    return tile_m, max(TILE_BYTES // ((tile_m + tile_n) * element_bytes) // 64, 1) * 64, tile_n
