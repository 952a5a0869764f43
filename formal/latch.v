// SPDX-License-Identifier: Apache-2.0
// A latch as a flop whose next state is what the latch holds next: the state is cut, and an open latch
// has to get the same data in both designs.
module \$dlatch (EN, D, Q);
  parameter WIDTH = 1;
  parameter EN_POLARITY = 1;
  input EN;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1)) flop (.CLK(1'b0), .D(EN == EN_POLARITY ? D : Q), .Q(Q));
endmodule
