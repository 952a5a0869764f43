// SPDX-License-Identifier: Apache-2.0
// The next valid bits come from a function that returns early.
module IRS_LP #(
  parameter int PYLD_W = 23,
  parameter bit RO_EN  = 1'b1
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [PYLD_W-1:0] payload_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic [PYLD_W-1:0] payload_o
);
  logic [1:0] vld_q;
  logic [PYLD_W-1:0] pyld_q [2];
  function automatic logic [1:0] next(input logic [1:0] vld, input logic push, input logic pop);
    if (push && pop) return vld;
    if (push) return {vld[0], 1'b1};
    if (pop) return {1'b0, vld[1]};
    return vld;
  endfunction
  wire push = valid_i & ready_o;
  wire pop = valid_o & ready_i;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) vld_q <= 2'b00;
    else vld_q <= next(vld_q, push, pop);
  always_ff @(posedge clk) begin
    if (pop || !vld_q[0]) pyld_q[0] <= vld_q[1] ? pyld_q[1] : payload_i;
    if (push) pyld_q[1] <= payload_i;
  end
  assign ready_o = !vld_q[1];
  assign valid_o = vld_q[0];
  assign payload_o = pyld_q[0];
endmodule
