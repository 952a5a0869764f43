// SPDX-License-Identifier: Apache-2.0
// casez with don't-cares and the operator inside.
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
  logic [1:0] n_d, n_q;
  logic [PYLD_W-1:0] out_q, wait_q;
  always_comb begin
    n_d = n_q;
    casez ({n_q, valid_i, ready_i})
      4'b001?: n_d = 2'd1;
      4'b0110: n_d = 2'd2;
      4'b0101: n_d = 2'd0;
      4'b10?1: n_d = 2'd1;
      default: ;
    endcase
  end
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) n_q <= '0;
    else n_q <= n_d;
  always_ff @(posedge clk) begin
    if (n_q == 0 || ready_i) out_q <= n_q[1] ? wait_q : payload_i;
    if (n_q inside {2'd0, 2'd1}) wait_q <= payload_i;
  end
  assign ready_o = n_q inside {[0:1]};
  assign valid_o = n_q inside {2'd1, 2'd2};
  assign payload_o = out_q;
endmodule
