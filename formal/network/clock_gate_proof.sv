// SPDX-License-Identifier: Apache-2.0
// MAZE_CLOCK_GATE and its contract. A step of the proof is a moment: clk counts moments, and the clock that is gated is an
// input like the others. It may rise in the moment in which the enable changes; the enable of the moment before counts.
module proof_top (
  input  logic clk, clk_i, en_i, test_en_i,
  output logic broken_low,     seen_low,
  output logic broken_enabled, seen_enabled,
  output logic broken_opens,   seen_opens,
  output logic broken_test,    seen_test,
  output logic broken_whole,   seen_whole
);

  logic clk_o;
  MAZE_CLOCK_GATE dut (.clk_i, .en_i, .test_en_i, .clk_o);

  // The moment before; and of the last moment in which the clock was low, whether there was one and what it asked for.
  logic clk_q, out_q, low_q, en_q, test_q;
  initial {clk_q, out_q, low_q, en_q, test_q} = '0;
  always @(posedge clk) begin
    clk_q  <= clk_i;
    out_q  <= clk_o;
    low_q  <= low_q | ~clk_i;
    en_q   <= clk_i ? en_q : en_i;
    test_q <= clk_i ? test_q : test_en_i;
  end

  // The clock is high, and was low before.
  wire judged = clk_i & low_q;

  assign broken_low     = ~clk_i & clk_o;
  assign seen_low       = ~clk_i & out_q;

  assign broken_enabled = judged & clk_o & ~(en_q | test_q);
  assign seen_enabled   = judged & ~clk_o & en_i;

  assign broken_opens   = judged & ~clk_o & en_q;
  assign seen_opens     = judged & clk_o & ~en_i & ~test_q;

  assign broken_test    = judged & ~clk_o & test_q;
  assign seen_test      = judged & clk_o & test_q & ~en_q;

  assign broken_whole   = judged & clk_q & clk_o != out_q;
  assign seen_whole     = judged & clk_q & clk_o & ~en_i & ~test_en_i;

endmodule
