// SPDX-License-Identifier: Apache-2.0
// The contract of a chain of IRS stages, judged at its ports alone.
//
// `broken_RULE` is 1 in a cycle in which the chain breaks a rule, `seen_RULE` in one in which the rule has
// something to decide. formal/properties.yaml says what each rule means. Nothing is judged before the first
// reset, nor from the cycle in which the sender breaks the protocol until the next reset.
//
// Both valid_o and ready_o of a chain are exact functions of what moved at its ports. A packet needs a cycle
// a stage to reach the output, and a freed entry needs a cycle a stage to reach the input. So the chain
// offers a packet when it holds one that entered DEPTH cycles ago or earlier, and accepts one when it has a
// free entry that is as old. A one-entry stage moves at most every second cycle.
//
// The solver chooses one accepted packet by `pick_i` and follows it: as the choice is free, what holds of
// this packet holds of all.
module irs_contract #(
  parameter int PYLD_W = 23,
  parameter int DEPTH  = 1,     // 1 or more
  parameter bit HALF   = 1'b0   // one entry a stage in place of two
) (
  input logic              clk,
  input logic              rst_n,
  input logic              valid_i,
  input logic              ready_o,
  input logic [PYLD_W-1:0] payload_i,
  input logic              valid_o,
  input logic              ready_i,
  input logic [PYLD_W-1:0] payload_o,
  input logic              pick_i,

  output logic broken_reset,                 seen_reset,
  output logic broken_output_valid_stable,   seen_output_valid_stable,
  output logic broken_output_payload_stable, seen_output_payload_stable,
  output logic broken_overflow,              seen_overflow,
  output logic broken_underflow,             seen_underflow,
  output logic broken_ready_when_empty,      seen_ready_when_empty,
  output logic broken_refuses,               seen_refuses,
  output logic broken_accepts,               seen_accepts,
  output logic broken_too_early,             seen_too_early,
  output logic broken_too_late,              seen_too_late,
  output logic broken_order,                 seen_order,
  output logic broken_progress,              seen_progress
);

  localparam int Capacity = HALF ? DEPTH : 2 * DEPTH;
  localparam int CountW   = $clog2(Capacity + 2);
  // Entries of the first stage.
  localparam int StageHas = HALF ? 1 : 2;

  // No casts of width here: Yosys 0.23 forgets the width of some.
  typedef logic [CountW-1:0] count_t;
  localparam count_t All    = Capacity[CountW-1:0];
  localparam count_t Stage  = StageHas[CountW-1:0];
  localparam count_t One    = 1;

  // --- What the sender promises ---

  logic refused_q, trusted_q;
  logic [PYLD_W-1:0] offered_q;
  logic judged;

  // input_valid_stable and input_payload_stable: a packet that was not accepted is offered again.
  wire misused = refused_q & (~valid_i | (payload_i != offered_q));

  initial trusted_q = 1'b0;
  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      trusted_q <= 1'b1;
      refused_q <= 1'b0;
    end else begin
      trusted_q <= judged;
      refused_q <= valid_i & ~ready_o;
    end
  end

  always_ff @(posedge clk) offered_q <= payload_i;

  assign judged = rst_n & trusted_q & ~misused;

  // --- What moved ---

  wire push = valid_i & ready_o;
  wire pop  = valid_o & ready_i;
  wire [CountW-1:0] pushed = {{(CountW - 1){1'b0}}, push};
  wire [CountW-1:0] popped = {{(CountW - 1){1'b0}}, pop};

  // Moves of the last cycles, the latest in bit 0. The packet of one of the last DEPTH - 1 cycles has not
  // reached the output yet, and a free entry as young has not reached the input.
  logic [DEPTH-1:0] pushes_q, pops_q, pushes, pops;
  assign pushes[0] = push;
  assign pops[0]   = pop;
  if (DEPTH > 1) begin : g_older
    assign pushes[DEPTH-1:1] = pushes_q[DEPTH-2:0];
    assign pops[DEPTH-1:1]   = pops_q[DEPTH-2:0];
  end

  count_t count_q, young_packets, young_entries;
  logic stalled_q;
  logic [PYLD_W-1:0] shown_q;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      count_q   <= '0;
      pushes_q  <= '0;
      pops_q    <= '0;
      stalled_q <= 1'b0;
    end else begin
      count_q   <= count_q + pushed - popped;
      pushes_q  <= pushes;
      pops_q    <= pops;
      stalled_q <= valid_o & ~ready_i;
    end
  end

  always_ff @(posedge clk) shown_q <= payload_o;

  always_comb begin
    young_packets = '0;
    young_entries = '0;
    for (int i = 0; i < DEPTH - 1; i++) begin
      young_packets = young_packets + {{(CountW - 1){1'b0}}, pushes_q[i]};
      young_entries = young_entries + {{(CountW - 1){1'b0}}, pops_q[i]};
    end
  end

  wire empty   = count_q == '0;
  wire full    = count_q == All;
  wire arrived = count_q > young_packets;
  wire [CountW-1:0] unused_entries = All - count_q;
  wire room    = unused_entries > young_entries;

  // --- The packet that is followed ---

  logic following_q, behind_q;
  count_t ahead_q;
  logic [PYLD_W-1:0] packet_q;

  wire follow = push & pick_i & ~following_q;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      following_q <= 1'b0;
      behind_q    <= 1'b0;
      ahead_q     <= '0;
    end else if (follow) begin
      following_q <= 1'b1;
      behind_q    <= count_q != popped;
      ahead_q     <= count_q - popped;
    end else if (following_q & pop) begin
      following_q <= ahead_q != '0;
      ahead_q     <= ahead_q - One;
    end
  end

  always_ff @(posedge clk) if (follow) packet_q <= payload_i;

  wire followed_leaves = following_q & (ahead_q == '0) & valid_o;

  // --- How long a ready receiver waits ---

  // Bit i: it has waited for i + 1 cycles or more.
  logic [DEPTH-1:0] waited_q, waited;
  wire waits = ready_i & ~empty & ~valid_o;

  assign waited[0] = waits;
  if (DEPTH > 1) begin : g_waited
    assign waited[DEPTH-1:1] = waited_q[DEPTH-2:0] & {(DEPTH - 1){waits}};
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) waited_q <= '0;
    else        waited_q <= waited;
  end

  // --- The rules ---

  // In the cycle before, a packet was inside, and the chain refused.
  logic held_q, refusing_q;
  initial {held_q, refusing_q} = '0;
  always @(posedge clk) begin
    held_q     <= judged & ~empty;
    refusing_q <= judged & ~ready_o;
  end

  assign broken_reset = ~rst_n & (valid_o | ~ready_o);
  assign seen_reset   = ~rst_n & held_q;

  assign broken_output_valid_stable = judged & stalled_q & ~valid_o;
  assign seen_output_valid_stable   = judged & stalled_q;

  assign broken_output_payload_stable = judged & stalled_q & valid_o & (payload_o != shown_q);
  assign seen_output_payload_stable   = judged & stalled_q & valid_o & (payload_o != payload_i) & ~empty;

  assign broken_overflow = judged & push & full;
  assign seen_overflow   = judged & valid_i & full;

  assign broken_underflow = judged & valid_o & empty;
  assign seen_underflow   = judged & empty & held_q;

  // A link whose first stage must have room. Younger moves cannot matter there.
  assign broken_ready_when_empty = judged & ~ready_o & (count_q < Stage);
  assign seen_ready_when_empty   = judged & ready_o & (count_q == Stage - One) & held_q;

  // One-entry stages accept in no two cycles in a row.
  assign broken_refuses = judged & ~ready_o & room & ~(HALF & pushes_q[0]);
  assign seen_refuses   = judged & ready_o & refusing_q;

  assign broken_accepts = judged & ready_o & ~(room & ~(HALF & pushes_q[0]));
  assign seen_accepts   = judged & ~ready_o & valid_i;

  assign broken_too_early = judged & valid_o & ~(arrived & ~(HALF & pops_q[0]));
  assign seen_too_early   = judged & ~valid_o & ((DEPTH == 1) | ~empty);

  assign broken_too_late = judged & ~valid_o & arrived & ~(HALF & pops_q[0]);
  assign seen_too_late   = judged & valid_o & arrived & ~stalled_q;

  assign broken_order = judged & followed_leaves & (payload_o != packet_q);
  assign seen_order   = judged & followed_leaves & ((DEPTH == 1) | behind_q) & (payload_o != payload_i) & (payload_o != '0);

  assign broken_progress = judged & waited[DEPTH-1];
  assign seen_progress   = judged & pop & ((DEPTH == 1) | (waited_q != '0));

endmodule
