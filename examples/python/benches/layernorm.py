# SPDX-License-Identifier: Apache-2.0
"""y = (x - mean) / sqrt(variance + epsilon) * gamma + beta for each row of x, computed in f32. Each PE has its own rows."""

from typing import Any

import kernbench
import numpy
from kernbench import Context, TensorView, Tl

EPSILON = 1e-5


@kernbench.kernel
def layernorm(tl: Tl, x: TensorView, gamma: TensorView, beta: TensorView, y: TensorView, at_once: int) -> None:
    mine, out = x.local(tl), y.local(tl)
    if mine.rows == 0:
        return
    scale, shift = tl.load(gamma.local(tl)), tl.load(beta.local(tl))
    for row in range(0, mine.rows, at_once):
        values = tl.cast(tl.load(mine.block(row, 0, at_once, mine.columns)), "f32")
        away = values - tl.sum(values, "columns") / mine.columns
        variance = tl.sum(away * away, "columns") / mine.columns
        normal = away / tl.sqrt(variance + EPSILON)
        tl.store(out.block(row, 0, at_once, mine.columns), tl.cast(normal * scale + shift, out.type))


@kernbench.bench("py-layernorm", "y = x normalised row by row, scaled and shifted", rows=(1024, "rows of x and y"),
                 columns=(512, "columns of x and y; rows_at_once of them are at most 65536 elements"),
                 type=("f16", "f32, f16 or bf16"), rows_at_once=(16, "rows that a PE processes at a time"))
def run(torch: Context, rows: int, columns: int, type: str, rows_at_once: int) -> None:
    if columns * rows_at_once > 65536:
        raise kernbench.BadParameter(f"'columns' is {columns}, but {rows_at_once} rows of more than {65536 // rows_at_once} do not fit")
    random = numpy.random.default_rng(1)
    x_data = random.random((rows, columns), numpy.float32)
    gamma_data, beta_data = (random.random((1, columns), numpy.float32) for _ in range(2))
    x = torch.tensor(lambda: x_data, shape=(rows, columns), dtype=type)
    gamma, beta = (torch.tensor(data, policy="everywhere") for data in (gamma_data, beta_data))
    y = torch.tensor(shape=(rows, columns), dtype=type)
    with torch.measure("layernorm"):
        torch.launch(layernorm, x, gamma, beta, y, rows_at_once)

    def expected() -> Any:
        away = x_data - x_data.mean(1, keepdims=True)
        return away / numpy.sqrt((away * away).mean(1, keepdims=True) + EPSILON) * gamma_data + beta_data

    torch.expect("y", torch.read(y), expected, relative=1e-2, absolute=1e-2)
