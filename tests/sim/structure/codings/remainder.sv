// SPDX-License-Identifier: Apache-2.0
// Places in a packed array of three, one of them always free. The next place is a remainder.
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
  logic [2:0][PYLD_W-1:0] mem_q;
  function automatic int after(input logic [1:0] place);
    return (32'(place) + 1) % 3;
  endfunction
  assign ready_o = after(write_q) != 32'(read_q);
  assign valid_o = write_q != read_q;
  assign payload_o = mem_q[after(read_q)];
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= 2'(after(write_q));
      if (valid_o && ready_i) read_q <= 2'(after(read_q));
    end
  always_ff @(posedge clk) if (valid_i && ready_o) mem_q[after(write_q)] <= payload_i;
endmodule
