// SPDX-License-Identifier: Apache-2.0
// A module for each entry, below the stage.
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
  logic [1:0] full;
  logic [PYLD_W-1:0] waiting;
  wire advance = !full[0] | ready_i;
  irs_entry #(.W(PYLD_W)) u_main (.clk, .rst_n, .load(advance), .vld_i(full[1] | valid_i),
                                  .pyld_i(full[1] ? waiting : payload_i), .vld_o(full[0]), .pyld_o(payload_o));
  irs_entry #(.W(PYLD_W)) u_skid (.clk, .rst_n, .load(!full[1] | advance), .vld_i(!full[1] & !advance & valid_i),
                                  .pyld_i(payload_i), .vld_o(full[1]), .pyld_o(waiting));
  assign valid_o = full[0];
  assign ready_o = !full[1];
endmodule
module irs_entry #(parameter int W = 1) (input logic clk, input logic rst_n, input logic load, input logic vld_i,
                                         input logic [W-1:0] pyld_i, output logic vld_o, output logic [W-1:0] pyld_o);
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) vld_o <= 1'b0;
    else if (load) vld_o <= vld_i;
  always_ff @(posedge clk) if (load) pyld_o <= pyld_i;
endmodule
