// SPDX-License-Identifier: Apache-2.0
// The input stage of a port of MAZE_NODE: two entries for each QoS level behind one ready flop.
//
// Ready is 1 when both levels have room. It also becomes 1 for a refused packet whose own level has
// room: its sender holds it, so its level is known. hold_i keeps it at 0.
module MAZE_QUEUE #(
  parameter int PYLD_W = 23
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic              hold_i,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic              qos_i,
  input  logic [PYLD_W-1:0] payload_i,
  // The heads of the levels: [0] low, [1] high.
  output logic [1:0]        valid_o,
  input  logic [1:0]        pop_i,
  output logic [PYLD_W-1:0] low_o,
  output logic [PYLD_W-1:0] high_o
);

  logic       rdy_q;
  logic [1:0] head_q, next_q;  // the entries hold a packet
  logic [1:0] push, head_d, next_d, load_head, load_next;
  logic [PYLD_W-1:0] low_q, low_next_q, high_q, high_next_q;

  assign ready_o = rdy_q;
  assign valid_o = head_q;
  assign low_o   = low_q;
  assign high_o  = high_q;

  assign push      = {2{valid_i & rdy_q}} & {qos_i, ~qos_i};
  assign head_d    = (head_q & ~pop_i) | next_q | push;
  assign next_d    = (next_q & (~pop_i | push)) | (head_q & ~pop_i & push);
  assign load_head = (pop_i | ~head_q) & (next_q | push);
  assign load_next = push & head_q & (~pop_i | next_q);

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      rdy_q  <= 1'b1;
      head_q <= '0;
      next_q <= '0;
    end else begin
      rdy_q  <= ~hold_i & (~|next_d | (valid_i & ~rdy_q & ~next_d[qos_i]));
      head_q <= head_d;
      next_q <= next_d;
    end
  end

  always_ff @(posedge clk) begin
    if (load_head[0]) low_q <= next_q[0] ? low_next_q : payload_i;
    if (load_head[1]) high_q <= next_q[1] ? high_next_q : payload_i;
    if (load_next[0]) low_next_q <= payload_i;
    if (load_next[1]) high_next_q <= payload_i;
  end

endmodule
