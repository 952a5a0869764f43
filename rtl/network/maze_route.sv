// SPDX-License-Identifier: Apache-2.0
// The outputs that a packet at a port of MAZE_NODE goes to: X outputs first, then Y outputs, then B.
//
// A unicast goes along X, then along Y. A multicast without a failed node forks: along X at its source,
// then along Y. With pg_en every packet is a unicast to its tgt, and goes along Y first where the
// corner of the X-first route is the failed node.
module MAZE_ROUTE #(
  parameter int NX   = 8,
  parameter int NY   = 8,
  parameter int AX   = 3,
  parameter int AY   = 3,
  parameter int KIND = 2   // port that the packet came from: 0 X, 1 Y, 2 A
) (
  input  logic [AX-1:0]      x_i,
  input  logic [AY-1:0]      y_i,
  input  logic               pg_en_i,
  input  logic [AY+AX-1:0]   pg_node_i,
  input  logic [1:0]         type_i,
  input  logic [AY+AX-1:0]   tgt_i,
  output logic [NX+NY-2:0]   to_o
);

  logic [AX-1:0] tx;
  logic [AY-1:0] ty;
  logic here_x, here_y, unicast, column, row, all, detour;
  logic all_x, all_y, go_x, go_y;

  assign {ty, tx} = tgt_i;
  assign here_x   = tx == x_i;
  assign here_y   = ty == y_i;
  assign unicast  = pg_en_i | (type_i == 2'b00);
  assign column   = ~pg_en_i & (type_i == 2'b01);
  assign row      = ~pg_en_i & (type_i == 2'b10);
  assign all      = ~pg_en_i & (type_i == 2'b11);
  assign detour   = pg_en_i & ~here_x & ~here_y & (pg_node_i == {y_i, tx});

  if (KIND == 2) begin : g_a
    assign all_x = row | all;
    assign go_x  = (unicast & ~here_x & ~detour) | (column & ~here_x);
    assign all_y = all | (column & here_x);
    assign go_y  = (unicast & ~here_y & (here_x | detour)) | (row & ~here_y);
  end else if (KIND == 0) begin : g_x
    assign all_x = 1'b0;
    assign go_x  = 1'b0;
    logic unused;
    assign all_y  = all | column;
    assign go_y   = (unicast | row) & ~here_y;
    assign unused = detour;
  end else begin : g_y
    logic unused;
    assign all_x  = 1'b0;
    assign go_x   = pg_en_i & ~here_x;  // behind a detour
    assign all_y  = 1'b0;
    assign go_y   = 1'b0;
    assign unused = unicast | column | row | all | detour | here_y;
  end

  for (genvar i = 0; i < NX - 1; i++) begin : g_to_x
    logic [AX:0] sum, number;
    assign sum     = {1'b0, x_i} + (AX + 1)'(i + 1);
    assign number  = sum >= (AX + 1)'(NX) ? sum - (AX + 1)'(NX) : sum;
    assign to_o[i] = all_x | (go_x & ({1'b0, tx} == number));
  end
  for (genvar i = 0; i < NY - 1; i++) begin : g_to_y
    logic [AY:0] sum, number;
    assign sum            = {1'b0, y_i} + (AY + 1)'(i + 1);
    assign number         = sum >= (AY + 1)'(NY) ? sum - (AY + 1)'(NY) : sum;
    assign to_o[NX-1 + i] = all_y | (go_y & ({1'b0, ty} == number));
  end
  // B: the unicast is here; a fork that takes all of Y, or a row's copy that is in its row, ends here, too.
  assign to_o[NX+NY-2] = all_y | (~go_x & ~go_y);

endmodule
