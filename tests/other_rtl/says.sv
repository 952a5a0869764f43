// SPDX-License-Identifier: Apache-2.0
// A monitor on the links of a TOPO that ends the simulation, reports errors and prints, as plusargs choose.
module link_monitor (
  input logic clk,
  input logic rst_n,
  input logic valid_i
);
  int unsigned offers_q;
  string at_40, at_start;
  logic [1:0] one_of;

  initial begin
    if (!$value$plusargs("at_40=%s", at_40)) at_40 = "nothing";
    if (!$value$plusargs("at_start=%s", at_start)) at_start = "nothing";
    if (at_start == "fatal") $fatal(1, "this setting is not supported");
    start: assert (at_start != "assert") else $error("a parameter is wrong");
    if ($test$plusargs("verbose")) $display("verbose \033[31mred\033[0m <&>");
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) offers_q <= 0;
    else if (valid_i) offers_q <= offers_q + 1;
  end

  always @(posedge clk) begin
    if (rst_n && valid_i && offers_q == 40) begin
      if (at_40 == "finish") $finish;
      if (at_40 == "stop") $stop;
      if (at_40 == "error") $error("%0d offers", offers_q);
      if (at_40 == "fatal") $fatal(1, "%0d offers are too many", offers_q);
      if (at_40 == "warning") $warning("many offers");
    end
    if (at_40 == "flood" && rst_n && valid_i) $display("one line of more than ninety characters for each offer, so that the text exceeds its limit soon");
  end

  few: assert property (@(posedge clk) disable iff (!rst_n) at_40 == "assert" |-> offers_q < 40);
  // Random flops violate this before the first reset.
  always_comb bounded: assert (offers_q < 32'h8000_0000);

  always_comb begin
    unique case (1'b1)
      at_40 == "unique" && offers_q == 40: one_of = 2'd1;
      offers_q == 40:                      one_of = 2'd2;
      default:                             one_of = 2'd0;
    endcase
  end

  final if (at_40 == "final") $error("%0d is the last number", one_of);
endmodule

bind IRS_N link_monitor u_monitor (.clk, .rst_n, .valid_i);
