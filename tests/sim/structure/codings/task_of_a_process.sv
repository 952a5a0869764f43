// SPDX-License-Identifier: Apache-2.0
// A task with output arguments computes the step of a process.
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
  logic v0_q, v1_q, v0_d, v1_d;
  logic [PYLD_W-1:0] p0_q, p1_q;
  task automatic step(input logic a, input logic b, output logic an, output logic bn);
    an = a && !ready_i || b || valid_i && !b;
    bn = b && !ready_i || a && !ready_i && valid_i && !b;
  endtask
  always_comb step(v0_q, v1_q, v0_d, v1_d);
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) {v0_q, v1_q} <= 2'b00;
    else {v0_q, v1_q} <= {v0_d, v1_d};
  always_ff @(posedge clk) begin
    if (!v0_q || ready_i) p0_q <= v1_q ? p1_q : payload_i;
    if (!v1_q) p1_q <= payload_i;
  end
  assign {valid_o, ready_o, payload_o} = {v0_q, !v1_q, p0_q};
endmodule
