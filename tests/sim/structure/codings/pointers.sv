// SPDX-License-Identifier: Apache-2.0
// Pointers of two bits over a memory of two.
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
  logic [PYLD_W-1:0] mem_q [0:1];
  assign ready_o = write_q != {~read_q[1], read_q[0]};
  assign valid_o = write_q != read_q;
  assign payload_o = mem_q[read_q[0]];
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= write_q + 2'd1;
      if (valid_o && ready_i) read_q <= read_q + 2'd1;
    end
  always_ff @(posedge clk) if (valid_i && ready_o) mem_q[write_q[0]] <= payload_i;
endmodule
