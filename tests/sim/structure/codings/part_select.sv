// SPDX-License-Identifier: Apache-2.0
// One vector holds both entries; part selects with a variable index.
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
  logic [1:0] full_q;
  logic in_q, out_q;
  logic [2*PYLD_W-1:0] store_q;
  wire push = valid_i & ready_o;
  wire pop = valid_o & ready_i;
  always_ff @(posedge clk or negedge rst_n)
    if (~rst_n) begin
      full_q <= 2'b00;
      {in_q, out_q} <= 2'b00;
    end else begin
      if (push) begin
        full_q[in_q] <= 1'b1;
        in_q <= ~in_q;
      end
      if (pop) begin
        full_q[out_q] <= 1'b0;
        out_q <= ~out_q;
      end
    end
  always_ff @(posedge clk) if (push) store_q[in_q*PYLD_W+:PYLD_W] <= payload_i;
  assign ready_o = ~&full_q;
  assign valid_o = |full_q;
  assign payload_o = store_q[out_q*PYLD_W+:PYLD_W];
endmodule
