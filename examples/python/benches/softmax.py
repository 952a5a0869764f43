# SPDX-License-Identifier: Apache-2.0
"""y = softmax of each row of x, computed in f32. Rows are spread over all PEs, or the columns of few long rows."""

import typing
from collections.abc import Iterator

import kernbench
import numpy
from kernbench import Context, TensorRef, TensorView, Tile, Tl

AT_A_TIME = 65536  # elements of f32 in a tile; the TCM holds a few such tiles
LOWEST = -1e30


class RowSums(typing.NamedTuple):
    """The largest element of each row, and the sum of exp(x - highest): two columns."""

    highest: Tile
    sum: Tile


def chunks(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """The first column and the number of columns of each chunk of some rows."""
    size = max(AT_A_TIME // rows, 1)
    return ((first, min(size, columns - first)) for first in range(0, columns, size))


def sums_of(tl: Tl, rows: TensorRef) -> RowSums:
    sums: RowSums | None = None
    for first, count in chunks(rows.rows, rows.columns):
        values = tl.cast(tl.load(rows.block(0, first, rows.rows, count)), "f32")
        here = tl.max(values, "columns")
        highest = tl.maximum(sums.highest, here) if sums else here
        total = tl.sum(tl.exp(values - highest), "columns")
        if sums:
            total = total + sums.sum * tl.exp(sums.highest - highest)
        sums = RowSums(highest, total)
    assert sums
    return sums


def write(tl: Tl, rows: TensorRef, out: TensorRef, sums: RowSums) -> None:
    for first, count in chunks(rows.rows, rows.columns):
        values = tl.cast(tl.load(rows.block(0, first, rows.rows, count)), "f32")
        shares = tl.exp(values - sums.highest) / sums.sum
        tl.store(out.block(0, first, rows.rows, count), tl.cast(shares, out.type))


@kernbench.kernel(name="softmax")
def own_rows(tl: Tl, x: TensorView, y: TensorView, at_once: int) -> None:
    """Each PE computes its own rows."""
    mine, out = x.local(tl), y.local(tl)
    for row in range(0, mine.rows, at_once):
        some = mine.block(row, 0, at_once, mine.columns)
        target = out.block(row, 0, at_once, mine.columns)
        if some.columns > max(AT_A_TIME // some.rows, 1):
            write(tl, some, target, sums_of(tl, some))
            continue
        values = tl.cast(tl.load(some), "f32")
        powers = tl.exp(values - tl.max(values, "columns"))
        tl.store(target, tl.cast(powers / tl.sum(powers, "columns"), out.type))


@kernbench.kernel(name="sums")
def leave_sums(tl: Tl, x: TensorView, highest: TensorView, total: TensorView, at_once: int) -> None:
    """Each PE leaves the sums of its columns in its slice: a row for each PE, a column for each row of x."""
    mine = x.local(tl)
    for row in range(0, x.rows, at_once):
        rows = min(at_once, x.rows - row)
        if mine.columns == 0:
            sums = RowSums(tl.full(rows, 1, LOWEST, "f32"), tl.full(rows, 1, 0.0, "f32"))
        else:
            sums = sums_of(tl, mine.block(row, 0, rows, mine.columns))
        tl.store(highest.local(tl).block(0, row, 1, rows), tl.trans(sums.highest))
        tl.store(total.local(tl).block(0, row, 1, rows), tl.trans(sums.sum))


@kernbench.kernel(name="softmax")
def finish(tl: Tl, x: TensorView, y: TensorView, highest: TensorView, total: TensorView, at_once: int) -> None:
    """Each PE reads the sums of all PEs, and writes its columns."""
    mine = x.local(tl)
    for row in range(0, mine.rows, at_once):
        some = mine.block(row, 0, at_once, mine.columns)
        if some.columns == 0:
            continue
        loading = tl.iload(total.whole().block(0, row, total.rows, some.rows))
        tops = tl.wait(tl.iload(highest.whole().block(0, row, highest.rows, some.rows)))
        top = tl.max(tops, "rows")
        totals = tl.wait(loading)
        all_sums = tl.sum(totals * tl.exp(tops - top), "rows")
        write(tl, some, y.local(tl).block(row, 0, at_once, mine.columns), RowSums(tl.trans(top), tl.trans(all_sums)))


@kernbench.bench("py-softmax", "y = softmax of each row of x", rows=(1024, "rows of x and y"), columns=(512, "columns of x and y"),
                 type=("f16", "f32, f16 or bf16"), rows_at_once=(16, "rows that a PE processes at a time"),
                 split=("no", "yes: PEs share each row, no: they have rows of their own"))
def run(torch: Context, rows: int, columns: int, type: str, rows_at_once: int, split: str) -> None:
    def numbers() -> typing.Any:
        return numpy.random.default_rng(1).random((rows, columns), numpy.float32)

    policy = "column" if split == "yes" else "row"
    x = torch.tensor(numbers, shape=(rows, columns), dtype=type, policy=policy)
    y = torch.tensor(shape=(rows, columns), dtype=type, policy=policy)
    if split == "yes":
        pes = torch.cubes * torch.pes
        highest, total = (torch.tensor(shape=(pes, rows)) for _ in range(2))
        with torch.measure("softmax"):
            torch.launch(leave_sums, x, highest, total, rows_at_once)
            torch.launch(finish, x, y, highest, total, rows_at_once)
    else:
        with torch.measure("softmax"):
            torch.launch(own_rows, x, y, rows_at_once)

    def expected() -> typing.Any:
        powers = numpy.exp(numbers() - numbers().max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)

    torch.expect("y", torch.read(y), expected)
