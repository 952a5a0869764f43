// SPDX-License-Identifier: Apache-2.0
// The copies of a packet at the head of a queue of MAZE_NODE: one for each output that it goes to.
//
// An output takes its copy when it grants it, in any cycle. A done bit for each output remembers that.
module MAZE_FORK #(
  parameter int P = 15
) (
  input  logic         clk,
  input  logic         rst_n,
  input  logic         valid_i,
  input  logic [P-1:0] to_i,
  output logic [P-1:0] request_o,
  input  logic [P-1:0] grant_i,
  output logic         last_o   // the last copies are granted
);

  logic [P-1:0] done_q;

  assign request_o = {P{valid_i}} & to_i & ~done_q;
  assign last_o    = valid_i & ~|(request_o & ~grant_i);

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) done_q <= '0;
    else done_q <= last_o ? '0 : done_q | grant_i;
  end

endmodule
