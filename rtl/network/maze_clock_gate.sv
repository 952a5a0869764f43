// SPDX-License-Identifier: Apache-2.0
// A clock gate: clk_o follows clk_i while en_i or test_en_i was 1 at its last low phase. Replace it by the cell of
// the technology.
module MAZE_CLOCK_GATE (
  input  logic clk_i,
  input  logic en_i,
  input  logic test_en_i,
  output logic clk_o
);

  logic en_q;

  // verilator lint_off LATCH
  always_latch begin
    if (!clk_i) en_q = en_i | test_en_i;
  end
  // verilator lint_on LATCH
  assign clk_o = clk_i & en_q;

endmodule
