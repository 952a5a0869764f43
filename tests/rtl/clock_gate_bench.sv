// SPDX-License-Identifier: Apache-2.0
// MAZE_CLOCK_GATE by itself. Inputs change at drawn moments of both phases, never together with the
// clock; what the gate must do is stated from the requirement alone: the value that en_i or test_en_i
// had when the clock rose decides whether its whole high phase is passed on.
`timescale 1ns / 1ps
module clock_gate_bench;
  localparam integer kHalf = 10;  // of a clock, in ns
  localparam integer kCycles = 3000;

  reg clk = 1'b0;
  reg en = 1'b0;
  reg test_en = 1'b0;
  wire gated;
  reg open = 1'b0;  // expected in this high phase
  integer errors = 0;
  integer pulses = 0;   // of clk_o
  integer stopped = 0;  // high phases without a pulse
  integer by_test = 0;  // pulses with en_i at 0
  integer in_high = 0;  // changes of en_i while the clock was 1
  integer in_low = 0;
  integer seed = 1;
  integer cycle, step;
  time rose;

  MAZE_CLOCK_GATE dut (.clk_i(clk), .en_i(en), .test_en_i(test_en), .clk_o(gated));

  task check;
    if (gated !== (clk & open)) begin
      if (errors == 0)
        $display("at %0t clk_o is %b, expected %b: clk_i %b, en_i %b, test_en_i %b", $time, gated,
                 clk & open, clk, en, test_en);
      errors = errors + 1;
    end
  endtask

  // Whole pulses only.
  always @(posedge gated) begin
    rose = $time;
    pulses = pulses + 1;
    if (!en) by_test = by_test + 1;
  end
  always @(negedge gated) if ($time > 0 && $time - rose != kHalf) begin
    if (errors == 0) $display("at %0t a pulse of %0d ns, expected %0d", $time, $time - rose, kHalf);
    errors = errors + 1;
  end

  task phase(input high);
    begin
      clk = high;
      if (high) open = en | test_en;
      for (step = 1; step < kHalf; step = step + 1) begin
        #1 check;
        if ($random(seed) % 6 == 0) begin
          en = $random(seed);
          if (high) in_high = in_high + 1;
          else in_low = in_low + 1;
        end
        if ($random(seed) % 24 == 0) test_en = $random(seed);
        #0 check;
      end
      #1 check;
    end
  endtask

  initial begin
    phase(1'b0);
    for (cycle = 0; cycle < kCycles; cycle = cycle + 1) begin
      phase(1'b1);
      if (!open) stopped = stopped + 1;
      phase(1'b0);
    end
    if (pulses < 300 || stopped < 300 || by_test < 100 || in_high < 1000 || in_low < 1000)
      $display("FAIL too little was seen: %0d pulses, %0d stopped, %0d by test_en_i", pulses, stopped, by_test);
    else if (errors != 0) $display("FAIL %0d errors", errors);
    else $display("PASS %0d pulses, %0d stopped, %0d by test_en_i alone", pulses, stopped, by_test);
    $finish;
  end
endmodule
