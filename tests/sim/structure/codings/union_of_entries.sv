// SPDX-License-Identifier: Apache-2.0
// A packed union of an array and a vector.
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
  typedef union packed {
    logic [1:0][PYLD_W-1:0] entry;
    logic [2*PYLD_W-1:0] all;
  } store_t;
  store_t store_q;
  logic [1:0] state_q;
  wire move = !state_q[0] || ready_i;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) state_q <= '0;
    else if (move) state_q <= {1'b0, state_q[1] | valid_i};
    else state_q[1] <= state_q[1] | valid_i;
  always_ff @(posedge clk) begin
    if (move) store_q.all[PYLD_W-1:0] <= state_q[1] ? store_q.entry[1] : payload_i;
    if (!state_q[1]) store_q.entry[1] <= payload_i;
  end
  assign valid_o = state_q[0];
  assign ready_o = ~state_q[1];
  assign payload_o = store_q.entry[0];
endmodule
