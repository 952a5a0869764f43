// SPDX-License-Identifier: Apache-2.0
// A count of packets and two pointers of one bit.
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
  logic [1:0] count_q;
  logic write_q, read_q;
  logic [1:0][PYLD_W-1:0] mem_q;
  wire push = valid_i && ready_o;
  wire pop = valid_o && ready_i;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      count_q <= 2'd0;
      write_q <= 1'b0;
      read_q <= 1'b0;
    end else begin
      count_q <= count_q + 2'(push) - 2'(pop);
      if (push) write_q <= !write_q;
      if (pop) read_q <= !read_q;
    end
  end
  always_ff @(posedge clk) if (push) mem_q[write_q] <= payload_i;
  assign ready_o = count_q < 2'd2;
  assign valid_o = count_q > 2'd0;
  assign payload_o = mem_q[read_q];
endmodule
