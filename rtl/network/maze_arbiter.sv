// SPDX-License-Identifier: Apache-2.0
// The arbiter of an output of MAZE_NODE: high before low, round robin within a level.
//
// A grant is made only while the output is ready, and is the transfer. After a grant the search of its
// level starts one behind the winner. At HIGH_BOUND grants of high in a row while a low request waits,
// the next grant is low; 0: no bound. With FIXED the lowest input wins.
module MAZE_ARBITER #(
  parameter int N          = 15,
  parameter int HIGH_BOUND = 16,
  parameter bit FIXED      = 1'b0
) (
  input  logic         clk,
  input  logic         rst_n,
  input  logic         ready_i,
  input  logic [N-1:0] low_i,
  input  logic [N-1:0] high_i,
  output logic [N-1:0] low_o,
  output logic [N-1:0] high_o
);

  localparam int CountW = HIGH_BOUND > 0 ? $clog2(HIGH_BOUND + 1) : 1;

  logic [N-1:0] low_from_q, high_from_q;  // the inputs from the start of the search on
  logic [N-1:0] low_ahead, high_ahead, low_first, high_first;
  logic [CountW-1:0] count_q;
  logic any_low, take_low;

  assign low_ahead  = low_i & low_from_q;
  assign high_ahead = high_i & high_from_q;
  // The lowest bit that is set.
  assign low_first  = |low_ahead ? low_ahead & (~low_ahead + N'(1)) : low_i & (~low_i + N'(1));
  assign high_first = |high_ahead ? high_ahead & (~high_ahead + N'(1)) : high_i & (~high_i + N'(1));

  assign any_low  = |low_i;
  assign take_low = any_low & (~|high_i | (HIGH_BOUND != 0 & count_q == CountW'(HIGH_BOUND)));
  assign low_o    = {N{ready_i & take_low}} & low_first;
  assign high_o   = {N{ready_i & ~take_low}} & high_first;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      low_from_q  <= '1;
      high_from_q <= '1;
      count_q     <= '0;
    end else begin
      // All bits above the winner; none above the last input, so that the search starts at the first.
      if (|low_o & !FIXED) low_from_q <= ~(low_o | (low_o - N'(1)));
      if (|high_o & !FIXED) high_from_q <= ~(high_o | (high_o - N'(1)));
      if (!any_low | |low_o) count_q <= '0;
      else if (|high_o & HIGH_BOUND != 0) count_q <= count_q + CountW'(1);
    end
  end

endmodule
