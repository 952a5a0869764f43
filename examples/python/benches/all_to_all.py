# SPDX-License-Identifier: Apache-2.0
"""Every cube of a SIP writes one block to the memory of every cube."""

from typing import Any

import kernbench
import numpy
from kernbench import Context, DPPolicy, TensorRef, TensorView, Tl


def block(row: TensorRef, cube: int, columns: int) -> TensorRef:
    return row.block(0, cube * columns, 1, columns)


@kernbench.kernel
def fill(tl: Tl, x: TensorView, cubes: int, columns: int) -> None:
    mine = x.local(tl)
    row = tl.program_id(1) * tl.num_programs(0) + tl.program_id(0)
    for to in range(cubes):
        tl.store(block(mine, to, columns), tl.arange(columns, mine.type, row * mine.columns + to * columns))


@kernbench.kernel
def all_to_all(tl: Tl, x: TensorView, y: TensorView, cubes: int, columns: int) -> None:
    pe, me = tl.program_id(0), tl.program_id(1)
    for step in range(cubes):  # each cube starts with itself, so that no cube is the target of all others at once
        to = (me + step) % cubes
        tl.store(block(y.shard(to, pe), me, columns), tl.load(block(x.local(tl), to, columns)))


@kernbench.bench("py-all-to-all", "writes a block from each cube to the memory of every cube of a SIP",
                 bytes=(8192, "bytes sent by each cube"), pes=(2, "sending PEs of each cube"))
def run(torch: Context, bytes: int, pes: int) -> None:
    cubes = torch.cubes
    if not 0 < pes <= torch.pes or bytes % (cubes * pes * 4):
        raise kernbench.BadParameter(f"'bytes' must be a multiple of {cubes * pes * 4}, and 'pes' at most {torch.pes}")
    columns, rows = bytes // (cubes * pes * 4), cubes * pes
    policy = DPPolicy("row_wise", "row_wise", pes=pes)
    x, y = (torch.tensor(shape=(rows, cubes * columns), dtype="i32", policy=policy) for _ in range(2))
    torch.launch(fill, x, cubes, columns, pes=pes)
    with torch.measure("all-to-all"):
        torch.launch(all_to_all, x, y, cubes, columns, pes=pes)

    def expected() -> Any:
        sent = numpy.arange(rows * cubes * columns, dtype=numpy.int32).reshape(cubes, pes, cubes, columns)
        return sent.transpose(2, 1, 0, 3).reshape(rows, cubes * columns)

    torch.expect("blocks", torch.read(y), expected)
