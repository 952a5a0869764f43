// SPDX-License-Identifier: Apache-2.0
// Two packets in one vector, read and written by shifts.
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
  logic [1:0] write_q, read_q;
  logic [2*PYLD_W-1:0] mem_q;
  assign ready_o = write_q != {~read_q[1], read_q[0]};
  assign valid_o = write_q != read_q;
  assign payload_o = PYLD_W'(mem_q >> (PYLD_W * 32'(read_q[0])));
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= write_q + 2'd1;
      if (valid_o && ready_i) read_q <= read_q + 2'd1;
    end
  logic [2*PYLD_W-1:0] here;
  assign here = (2 * PYLD_W)'({PYLD_W{1'b1}}) << (PYLD_W * 32'(write_q[0]));
  always_ff @(posedge clk)
    if (valid_i && ready_o)
      mem_q <= (mem_q & ~here) | ((2 * PYLD_W)'(payload_i) << (PYLD_W * 32'(write_q[0])));
endmodule
