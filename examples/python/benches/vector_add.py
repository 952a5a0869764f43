# SPDX-License-Identifier: Apache-2.0
"""z = x + y, element by element, rows spread over all PEs."""

from typing import Any

import kernbench
import numpy


@kernbench.kernel
def add(tl: kernbench.Tl, x: kernbench.TensorView, y: kernbench.TensorView, z: kernbench.TensorView) -> None:
    mine, left, right = z.local(tl), x.local(tl), y.local(tl)
    for row in range(0, mine.rows, 64):
        a, b = (tl.load(part.block(row, 0, 64, part.columns)) for part in (left, right))
        tl.store(mine.block(row, 0, 64, mine.columns), a + b)


@kernbench.bench("py-vector-add", "z = x + y, rows over all PEs", rows=(1024, "rows of each tensor"),
                 columns=(256, "columns of each tensor"))
def run(torch: kernbench.Context, rows: int, columns: int) -> None:
    def numbers(seed: int) -> Any:  # made only if the run computes numbers
        return numpy.random.default_rng(seed).random((rows, columns), numpy.float32)

    x, y = torch.tensor(lambda: numbers(1), shape=(rows, columns)), torch.tensor(lambda: numbers(2), shape=(rows, columns))
    z = torch.tensor(shape=(rows, columns))
    with torch.measure("vector-add"):
        torch.launch(add, x, y, z)
    torch.expect("z", torch.read(z), lambda: numbers(1) + numbers(2))
