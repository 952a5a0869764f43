# SPDX-License-Identifier: Apache-2.0
"""y = relu(x W1) W2 over all SIPs: W1 column-parallel, W2 row-parallel, one all-reduce at the end."""

from typing import Any

import kernbench
import numpy
from kernbench import ColumnParallelLinear, Context, RowParallelLinear


@kernbench.bench("py-mlp", "two linear layers, tensor-parallel over all SIPs", batch=(64, "rows of x"), inputs=(256, "columns of x"),
                 hidden=(512, "columns of W1; a multiple of the number of ranks"), outputs=(256, "columns of y"))
def run(torch: Context, batch: int, inputs: int, hidden: int, outputs: int) -> None:
    random = numpy.random.default_rng(1)
    x_data = random.random((batch, inputs), numpy.float32)
    w1, w2 = random.random((inputs, hidden), numpy.float32) - 0.5, random.random((hidden, outputs), numpy.float32) - 0.5

    def expected() -> Any:
        return numpy.maximum(x_data @ w1, 0) @ w2

    def worker(torch: Context) -> None:
        rank = torch.distributed.get_rank()
        up = ColumnParallelLinear(torch, inputs, hidden, lambda: w1)
        down = RowParallelLinear(torch, hidden, outputs, lambda: w2)
        x = torch.tensor(x_data, policy="replicated")
        between, y = up.output(batch), down.output(batch)
        with torch.measure("forward"):
            up.forward(x, between, ("maximum", 0.0))
            down.forward(between, y)
        torch.expect(f"y at rank {rank}", torch.read(y), expected, 1e-4, 1e-2)

    torch.distributed.init_process_group("ahbm")
    torch.spawn(worker)
