// SPDX-License-Identifier: Apache-2.0
// States whose codes are the outputs; the next state is one expression with ?:.
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
  localparam logic [1:0] IDLE = 2'b10, BUSY = 2'b11, FULL = 2'b01;
  logic [1:0] code_q;
  logic [PYLD_W-1:0] data_q, next_q;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) code_q <= IDLE;
    else
      code_q <= code_q == IDLE ? (valid_i ? BUSY : IDLE)
              : code_q == BUSY ? (valid_i == ready_i ? BUSY : valid_i ? FULL : IDLE)
              : (ready_i ? BUSY : FULL);
  always_ff @(posedge clk) begin
    if (code_q == IDLE || ready_i) data_q <= code_q == FULL ? next_q : payload_i;
    if (code_q[1]) next_q <= payload_i;
  end
  assign {ready_o, valid_o} = code_q;
  assign payload_o = data_q;
endmodule
