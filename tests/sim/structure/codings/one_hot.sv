// SPDX-License-Identifier: Apache-2.0
// The number of packets is one-hot, decoded by case (1).
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
  logic [2:0] count_d, count_q;
  logic [PYLD_W-1:0] head_q, tail_q;
  always_comb begin
    count_d = count_q;
    case (1'b1)
      count_q[0]: if (valid_i) count_d = 3'b010;
      count_q[1]: begin
        case ({valid_i, ready_i})
          2'b10: count_d = 3'b100;
          2'b01: count_d = 3'b001;
          default: count_d = 3'b010;
        endcase
      end
      count_q[2]: if (ready_i) count_d = 3'b010;
      default: count_d = 3'b001;
    endcase
  end
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) count_q <= 3'b001;
    else count_q <= count_d;
  always_ff @(posedge clk) begin
    if (count_q[0] || ready_i) head_q <= count_q[2] ? tail_q : payload_i;
    if (!count_q[2]) tail_q <= payload_i;
  end
  assign ready_o = ~count_q[2];
  assign valid_o = count_q[1] | count_q[2];
  assign payload_o = head_q;
endmodule
