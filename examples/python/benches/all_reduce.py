# SPDX-License-Identifier: Apache-2.0
"""Sums a tensor over all cubes of all SIPs, with one rank for each SIP."""

import kernbench
import numpy
from kernbench import Context, TensorView, Tl

RAMP = 4096


@kernbench.kernel
def fill(tl: Tl, x: TensorView, rank: int) -> None:
    """Element j of a cube's copy is j mod 4096 + cube + 100 rank."""
    mine = x.local(tl)
    for begin in range(0, mine.columns, RAMP):
        part = mine.block(0, begin, 1, RAMP)
        tl.store(part, tl.arange(part.columns, part.type, tl.program_id(1) + 100 * rank))


def worker(torch: Context, columns: int) -> None:
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    assert rank is not None
    x = torch.tensor(shape=(torch.pes, columns), dtype="i32", policy="replicated")
    torch.launch(fill, x, rank)
    with torch.measure("all-reduce"):
        torch.distributed.all_reduce(x)
    copies = ranks * torch.cubes
    begins = ranks * torch.cubes * (torch.cubes - 1) // 2 + 50 * torch.cubes * ranks * (ranks - 1)
    torch.expect(f"sum at rank {rank}", torch.read(x), lambda: numpy.tile(copies * (numpy.arange(columns) % RAMP) + begins, (torch.pes, 1)))


@kernbench.bench("py-all-reduce", "sums over all cubes of all SIPs, one rank per SIP",
                 bytes=(131072, "bytes added by each cube of each rank"))
def run(torch: Context, bytes: int) -> None:
    if bytes % (4 * torch.pes):
        raise kernbench.BadParameter(f"'bytes' must be a multiple of {4 * torch.pes}: {torch.pes} PEs have 4 bytes each")
    torch.distributed.init_process_group("ahbm")
    torch.spawn(worker, bytes // (4 * torch.pes))
