// SPDX-License-Identifier: Apache-2.0
// The cycles in which a contract of the node judges: after a reset, with which every run begins, until a neighbour breaks
// its promise. The next reset begins another run.
module judged_cycles (
  input  logic clk, rst_n, misused,
  output logic run,    // reset of the module that is proven
  output logic judged
);

  logic started_q, trusted_q;
  initial started_q = 1'b0;
  always @(posedge clk) started_q <= 1'b1;
  assign run    = rst_n & started_q;
  assign judged = run & trusted_q & ~misused;

  always_ff @(posedge clk or negedge run) begin
    if (!run) trusted_q <= 1'b1;
    else      trusted_q <= judged;
  end

endmodule
