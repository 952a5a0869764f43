// SPDX-License-Identifier: Apache-2.0
// N flops in a row, cleared by an asynchronous reset. Verilog-2001.
module DELAY #(
  parameter W = 1,
  parameter N = 1
) (
  input              clk,
  input              rst_n,
  input      [W-1:0] d,
  output     [W-1:0] q
);
  reg [N*W-1:0] line;

  always @(posedge clk or negedge rst_n)
    if (!rst_n)      line <= {N*W{1'b0}};
    else if (N == 1) line <= d;
    else             line <= {line[(N > 1 ? N - 1 : 1)*W-1:0], d};

  assign q = line[N*W-1 -: W];
endmodule
