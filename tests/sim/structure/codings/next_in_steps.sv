// SPDX-License-Identifier: Apache-2.0
// The next state of two structs, in steps of an always_comb: a packet leaves, one moves up, one arrives.
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
  typedef struct packed {
    logic vld;
    logic [PYLD_W-1:0] pyld;
  } entry_t;
  entry_t first_d, first_q, second_d, second_q;
  always_comb begin
    first_d = first_q;
    second_d = second_q;
    if (first_q.vld && ready_i) first_d.vld = 1'b0;
    if (second_q.vld && !first_d.vld) begin
      first_d = second_q;
      second_d.vld = 1'b0;
    end
    if (valid_i && ready_o) begin
      if (!first_d.vld) begin
        first_d.vld = 1'b1;
        first_d.pyld = payload_i;
      end else begin
        second_d.vld = 1'b1;
        second_d.pyld = payload_i;
      end
    end
  end
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      first_q <= '0;
      second_q <= '0;
    end else begin
      first_q <= first_d;
      second_q <= second_d;
    end
  assign ready_o = !second_q.vld;
  assign valid_o = first_q.vld;
  assign payload_o = first_q.pyld;
endmodule
