// SPDX-License-Identifier: Apache-2.0
// A loop shifts the entries down and finds the free one.
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
  logic [1:0] vld_d, vld_q;
  logic [1:0][PYLD_W-1:0] pyld_d, pyld_q;
  always_comb begin
    vld_d = vld_q;
    pyld_d = pyld_q;
    if (vld_q[0] && ready_i) begin
      for (int i = 0; i < 1; i++) begin
        vld_d[i] = vld_d[i+1];
        pyld_d[i] = pyld_d[i+1];
      end
      vld_d[1] = 1'b0;
    end
    if (valid_i && ready_o) begin
      for (int i = 0; i < 2; i++) begin
        if (vld_d[i]) continue;
        vld_d[i] = 1'b1;
        pyld_d[i] = payload_i;
        break;
      end
    end
  end
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      vld_q <= '0;
      pyld_q <= '0;
    end else begin
      vld_q <= vld_d;
      pyld_q <= pyld_d;
    end
  assign ready_o = !vld_q[1];
  assign valid_o = vld_q[0];
  assign payload_o = pyld_q[0];
endmodule
