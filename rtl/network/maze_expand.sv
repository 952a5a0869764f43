// SPDX-License-Identifier: Apache-2.0
// Expands the multicast at port A into unicast copies while a node has failed.
//
// The copies go to the nodes that the packet names but for the failed one, in the order of their
// numbers. busy_o is the next state: 1 from the packet's acceptance to its last copy. No packet is
// accepted meanwhile, so there is one such packet in the queue at a time.
module MAZE_EXPAND #(
  parameter int NX = 8,
  parameter int NY = 8,
  parameter int AX = 3,
  parameter int AY = 3
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic [AY+AX-1:0] pg_node_i,
  input  logic             start_i,  // a multicast is accepted
  input  logic [1:0]       type_i,
  input  logic [AY+AX-1:0] tgt_i,
  input  logic             step_i,   // the copy at the head is granted
  output logic [AY+AX-1:0] tgt_o,    // target of the copy
  output logic             last_o,   // the copy is the last
  output logic             busy_o
);

  logic             busy_q;
  logic [1:0]       type_q;
  logic [AX-1:0]    x_q, tx;
  logic [AY-1:0]    y_q, ty;
  logic [AX-1:0]    pg_x, x_first, x_start, x_1, x_2, x_last;
  logic [AY-1:0]    pg_y, y_first, y_start, y_1, y_2, y_last;
  logic             is_failed_first, is_failed_1, first_ends_row;

  assign {ty, tx}     = tgt_i;
  assign {pg_y, pg_x} = pg_node_i;
  assign tgt_o        = {y_q, x_q};

  // The first node that is named, or the second if the first has failed.
  assign x_first         = type_i == 2'b01 ? tx : '0;
  assign y_first         = type_i == 2'b10 ? ty : '0;
  assign is_failed_first = pg_node_i == {y_first, x_first};
  assign x_start         = is_failed_first & (type_i != 2'b01) ? x_first + AX'(1) : x_first;
  assign y_start         = is_failed_first & (type_i == 2'b01) ? y_first + AY'(1) : y_first;

  // The next node that is named, or the one behind it if the next has failed.
  assign x_1 = type_q == 2'b01 ? x_q : x_q == AX'(NX - 1) ? '0 : x_q + AX'(1);
  assign y_1 = type_q == 2'b10 ? y_q
             : (type_q == 2'b01) | (x_q == AX'(NX - 1)) ? y_q + AY'(1) : y_q;
  assign is_failed_1    = pg_node_i == {y_1, x_1};
  assign first_ends_row = x_1 == AX'(NX - 1);
  assign x_2 = !is_failed_1 | (type_q == 2'b01) ? x_1 : first_ends_row ? '0 : x_1 + AX'(1);
  assign y_2 = !is_failed_1 | (type_q == 2'b10) ? y_1
             : (type_q == 2'b01) | first_ends_row ? y_1 + AY'(1) : y_1;

  // The last node that is named and has not failed.
  assign x_last = type_q == 2'b01 ? x_q
                : (pg_x == AX'(NX - 1)) & (pg_y == y_last) ? AX'(NX - 2) : AX'(NX - 1);
  assign y_last = type_q == 2'b10 ? y_q
                : (type_q == 2'b01) & (pg_x == x_q) & (pg_y == AY'(NY - 1)) ? AY'(NY - 2) : AY'(NY - 1);
  assign last_o = {y_q, x_q} == {y_last, x_last};
  assign busy_o = start_i | (busy_q & ~(step_i & last_o));

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) busy_q <= 1'b0;
    else busy_q <= busy_o;
  end

  always_ff @(posedge clk) begin
    if (start_i) begin
      type_q <= type_i;
      x_q    <= x_start;
      y_q    <= y_start;
    end else if (step_i) begin
      x_q <= x_2;
      y_q <= y_2;
    end
  end

endmodule
