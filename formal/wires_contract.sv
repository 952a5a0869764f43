// SPDX-License-Identifier: Apache-2.0
// The contract of a chain of depth 0: its outputs are its inputs, in reset too.
module wires_contract #(
  parameter int PYLD_W = 23
) (
  input logic              clk,
  input logic              rst_n,
  input logic              valid_i,
  input logic              ready_o,
  input logic [PYLD_W-1:0] payload_i,
  input logic              valid_o,
  input logic              ready_i,
  input logic [PYLD_W-1:0] payload_o,
  input logic              pick_i,

  output logic broken_wires, seen_wires
);

  // Never 1. The solver's search takes circuits with flops only.
  logic never_q;
  initial never_q = 1'b0;
  always @(posedge clk) never_q <= never_q & pick_i;

  assign broken_wires = (valid_o != valid_i) | (ready_o != ready_i) | (payload_o != payload_i) | never_q;
  assign seen_wires   = (~rst_n & valid_i & ~ready_i & (payload_i != '0)) | never_q;

endmodule
