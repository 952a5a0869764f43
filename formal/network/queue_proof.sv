// SPDX-License-Identifier: Apache-2.0
// MAZE_QUEUE and its contract, judged at its ports.
//
// The solver chooses one accepted packet and follows it: as the choice is free, what holds of it holds of all.
module proof_top (
  input  logic clk, rst_n, hold_i, valid_i, qos_i, pick_i,
  input  logic [1:0] pop_i,
  input  logic [`KB_PYLD_W-1:0] payload_i,
  output logic broken_reset,  seen_reset,
  output logic broken_ready,  seen_ready,
  output logic broken_full,   seen_full,
  output logic broken_offers, seen_offers,
  output logic broken_order,  seen_order
);

  localparam int W = `KB_PYLD_W;
  typedef logic [1:0] count_t;

  logic run, judged, misused;
  judged_cycles u_judged (.clk, .rst_n, .misused, .run, .judged);

  logic ready_o;
  logic [1:0] valid_o;
  logic [W-1:0] low_o, high_o;
  MAZE_QUEUE #(.PYLD_W(W)) dut (
    .clk, .rst_n(run), .hold_i, .valid_i, .ready_o, .qos_i, .payload_i, .valid_o, .pop_i, .low_o, .high_o
  );

  // The sender offers a refused packet again, and a head is popped only where there is one.
  logic refused_q, was_high_q;
  assign misused = refused_q & (~valid_i | qos_i != was_high_q) | (pop_i & ~valid_o) != 2'b00;
  always_ff @(posedge clk or negedge run) begin
    if (!run) refused_q <= 1'b0;
    else      refused_q <= valid_i & ~ready_o;
  end
  always_ff @(posedge clk) was_high_q <= qos_i;

  // --- What it holds ---

  wire push = valid_i & ready_o;
  wire push_low  = push & ~qos_i;
  wire push_high = push & qos_i;
  count_t low_q, high_q;
  wire count_t low_d  = low_q + {1'b0, push_low} - {1'b0, pop_i[0]};
  wire count_t high_d = high_q + {1'b0, push_high} - {1'b0, pop_i[1]};
  // Ready in the next cycle: both levels have room, or that of the packet that is refused now.
  wire room = low_d < 2'd2 & high_d < 2'd2 | valid_i & ~ready_o & (qos_i ? high_d : low_d) < 2'd2;
  logic ready_q;
  always_ff @(posedge clk or negedge run) begin
    if (!run) begin
      low_q   <= 2'd0;
      high_q  <= 2'd0;
      ready_q <= 1'b1;
    end else begin
      low_q   <= low_d;
      high_q  <= high_d;
      ready_q <= room & ~hold_i;
    end
  end

  // --- The packet that is followed ---

  logic following_q, level_q;
  count_t before_q;
  logic [W-1:0] packet_q;
  wire follow = push & pick_i & ~following_q;
  wire pop    = level_q ? pop_i[1] : pop_i[0];
  always_ff @(posedge clk or negedge run) begin
    if (!run) begin
      following_q <= 1'b0;
      before_q    <= 2'd0;
    end else if (follow) begin
      following_q <= 1'b1;
      before_q    <= qos_i ? high_q - {1'b0, pop_i[1]} : low_q - {1'b0, pop_i[0]};
    end else if (following_q & pop) begin
      following_q <= before_q != 2'd0;
      before_q    <= before_q - 2'd1;
    end
  end
  always_ff @(posedge clk) begin
    if (follow) begin
      packet_q <= payload_i;
      level_q  <= qos_i;
    end
  end
  wire is_head = following_q & before_q == 2'd0;

  // --- The rules ---

  logic held_q;
  initial held_q = 1'b0;
  always @(posedge clk) held_q <= judged & valid_o != 2'b00;

  assign broken_reset = ~run & (valid_o != 2'b00 | ~ready_o);
  assign seen_reset   = ~run & held_q;

  assign broken_ready = judged & ready_o != ready_q;
  assign seen_ready   = judged & ready_q & (low_q == 2'd2 | high_q == 2'd2);

  assign broken_full = judged & (push_low & low_q == 2'd2 | push_high & high_q == 2'd2);
  assign seen_full   = judged & valid_i & (low_q == 2'd2 & high_q == 2'd2);

  assign broken_offers = judged & valid_o != {high_q != 2'd0, low_q != 2'd0};
  assign seen_offers   = judged & valid_o == 2'b11;

  assign broken_order = judged & is_head & (level_q ? high_o : low_o) != packet_q;
  assign seen_order   = judged & is_head & held_q;

endmodule
