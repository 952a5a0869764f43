# SPDX-License-Identifier: Apache-2.0
"""Sums in each member's middle cube, then between members.

The cubes of each member sum towards the middle cube of their mesh; these cubes exchange the sums along a ring, the rings of a
torus, or a tree in a mesh; then they broadcast them along the same paths.
"""

import math
from typing import Any, NamedTuple, Optional

from kernbench import CollectiveCall, Cost, CostQuery, TensorView, Tile, Tl

RING, TORUS, MESH = 0, 1, 2
TOPOLOGY_KINDS = {"ring": RING, "torus": TORUS, "mesh": MESH}
ENDS = "center"

Tiles = list[Optional[Tile]]


class Tree(NamedTuple):
    """The neighbours of a program in a tree, by direction. The root has no parent."""

    parent: str
    children: list[str]


def towards(width: int, element: int, root: int, prefix: str) -> str:
    """The direction from an element of a grid towards the root: along its row, then along the root's column."""
    x, y, root_x, root_y = element % width, element // width, root % width, root // width
    if x != root_x:
        return prefix + ("E" if x < root_x else "W")
    return prefix + ("S" if y < root_y else "N") if y != root_y else ""


def tree_in_grid(width: int, height: int, element: int, root: int, prefix: str = "") -> Tree:
    x, y = element % width, element // width
    neighbors = ((x > 0, element - 1, "W", "E"), (x + 1 < width, element + 1, "E", "W"), (y > 0, element - width, "N", "S"),
                 (y + 1 < height, element + width, "S", "N"))
    return Tree(towards(width, element, root, prefix),
                [prefix + to for there, other, to, back in neighbors if there and towards(width, other, root, prefix) == prefix + back])


def reduce_to_root(tl: Tl, tree: Tree, tiles: Tiles) -> None:
    for i, tile in enumerate(tiles):
        if tile is None:
            continue
        for child in tree.children:
            tile = tile + tl.recv(child, 1, tile.columns, tile.type)
        tiles[i] = tile
        if tree.parent:
            tl.send(tree.parent, tile)


def broadcast(tl: Tl, tree: Tree, tiles: Tiles, sizes: list[int], type: str) -> None:
    for i, size in enumerate(sizes):
        if size == 0:
            continue
        tile = tl.recv(tree.parent, 1, size, type) if tree.parent else tiles[i]
        assert tile is not None
        tiles[i] = tile
        for child in tree.children:
            tl.send(child, tile)


def go_around(tl: Tl, size: int, ahead: str, behind: str, first: int, adds: bool, tiles: Tiles) -> None:
    """Sends a slice to the next place of a ring, then in each step the slice received in the previous one."""
    for step in range(size - 1):
        out = (first + size - step) % size
        into = (out + size - 1) % size
        pending = {}
        for i in range(into, len(tiles), size):
            tile = tiles[i]
            if tile is not None:
                pending[i] = tl.irecv(behind, 1, tile.columns, tile.type)
        for i in range(out, len(tiles), size):
            tile = tiles[i]
            if tile is not None:
                tl.send(ahead, tile)
        for i, receive in pending.items():
            other, mine = tl.wait(receive), tiles[i]
            assert mine is not None
            tiles[i] = mine + other if adds else other


def sum_on_ring(tl: Tl, size: int, index: int, ahead: str, behind: str, tiles: Tiles) -> None:
    go_around(tl, size, ahead, behind, index, True, tiles)
    go_around(tl, size, ahead, behind, index + 1, False, tiles)


def exchange(tl: Tl, kind: int, prefix: str, size: int, index: int, width: int, height: int, tiles: Tiles) -> None:
    """Sums the tiles of all members, in place."""
    if kind == RING:
        sum_on_ring(tl, size, index, prefix + "next", prefix + "prev", tiles)
    elif kind == TORUS:
        sum_on_ring(tl, width, index % width, prefix + "E", prefix + "W", tiles)
        sum_on_ring(tl, height, index // width, prefix + "S", prefix + "N", tiles)
    else:
        tree = tree_in_grid(width, height, index, height // 2 * width + width // 2, prefix)
        sizes = [0 if tile is None else tile.columns for tile in tiles]
        type = next((tile.type for tile in tiles if tile is not None), "f32")
        reduce_to_root(tl, tree, tiles)
        broadcast(tl, tree, tiles, sizes, type)


def exchange_cost(query: CostQuery, bytes: float, pieces: float) -> Cost:
    """The cost of exchange() for pieces of so many bytes."""
    if query.kind == "ring":
        return query.ring_all_reduce(query.members, bytes)
    if query.kind == "mesh":
        return query.reduce(bytes, pieces) + query.broadcast(bytes, pieces)
    width, height = query.grid
    return (query.ring_all_reduce(width, bytes, math.ceil(pieces / width)) +
            query.ring_all_reduce(height, bytes, math.ceil(pieces / height)))


def cost(query: CostQuery) -> Cost:
    return query.in_groups(exchange_cost, query.members)


def kernel_args(call: CollectiveCall, kind: int) -> tuple[Any, ...]:
    return (call.input, call.output, call.cube_width, call.cube_height, call.root_cube, kind, call.prefix, call.slots,
            max(1, min(call.slot_bytes, call.tile_bytes // call.world_size) // call.element_bytes))


def kernel(tl: Tl, source: TensorView, target: TensorView, cube_width: int, cube_height: int, root_cube: int, kind: int, prefix: str,
           slots: int, piece: int, world_size: int, rank: int, sip_width: int, sip_height: int) -> None:
    inputs, outputs = source.local(tl).flat(), target.local(tl).flat()
    tree = tree_in_grid(cube_width, cube_height, tl.program_id(1), root_cube)
    at_once = world_size * piece

    def pieces(group: int) -> list[tuple[int, int]]:
        """The first element and the number of elements of each piece of a group."""
        size = min(at_once, inputs.columns - group * at_once)
        step = -(-size // world_size)
        begins = [min(size, step * i) for i in range(world_size)]
        return [(group * at_once + begin, min(step, size - begin)) for begin in begins]

    def reduce(group: int) -> Tiles:
        tiles: Tiles = [tl.load(inputs.block(0, begin, 1, size)) if size else None for begin, size in pieces(group)]
        reduce_to_root(tl, tree, tiles)
        return tiles

    groups = -(-inputs.columns // at_once)
    # A cube may send a group in advance if the slots of its parent hold all of it.
    ahead = tree.parent != "" and world_size <= slots
    tiles: Tiles = [None] * world_size
    if ahead and groups:
        reduce(0)
    for group in range(groups):
        if not ahead:
            tiles = reduce(group)
        elif group + 1 < groups:
            reduce(group + 1)
        if not tree.parent:
            exchange(tl, kind, prefix, world_size, rank, sip_width, sip_height, tiles)
        broadcast(tl, tree, tiles, [size for _, size in pieces(group)], inputs.type)
        for (begin, size), tile in zip(pieces(group), tiles):
            if tile is not None and size:
                tl.store(outputs.block(0, begin, 1, size), tile)
        tiles = [None] * world_size
