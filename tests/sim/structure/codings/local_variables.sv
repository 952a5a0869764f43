// SPDX-License-Identifier: Apache-2.0
// Variables of the clocked process hold the steps.
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
  logic a_q, b_q;
  logic [PYLD_W-1:0] pa_q, pb_q;
  always_ff @(posedge clk or negedge rst_n) begin : p_state
    automatic logic a, b;
    if (!rst_n) begin
      a_q <= 1'b0;
      b_q <= 1'b0;
    end else begin
      a = a_q;
      b = b_q;
      if (ready_i) begin
        a = b;
        b = 1'b0;
      end
      if (valid_i && !b_q) begin
        if (a) b = 1'b1;
        else a = 1'b1;
      end
      a_q <= a;
      b_q <= b;
    end
  end
  always_ff @(posedge clk) begin
    if (!a_q || ready_i) pa_q <= b_q ? pb_q : payload_i;
    if (!b_q) pb_q <= payload_i;
  end
  assign valid_o = a_q;
  assign ready_o = !b_q;
  assign payload_o = pa_q;
endmodule
