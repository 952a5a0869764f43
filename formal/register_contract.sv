// SPDX-License-Identifier: Apache-2.0
// The contract of a chain of IRS_HALF stages without ready, judged at its ports alone: a delay line. Every
// valid input is captured. It is offered in one cycle, DEPTH cycles later, and lost unless the receiver is
// ready in that cycle. Rules are reported as in irs_contract.
module register_contract #(
  parameter int PYLD_W = 23,
  parameter int DEPTH  = 1   // 1 or more
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

  output logic broken_reset,        seen_reset,
  output logic broken_always_ready, seen_always_ready,
  output logic broken_too_early,    seen_too_early,
  output logic broken_too_late,     seen_too_late,
  output logic broken_order,        seen_order,
  output logic broken_loss,         seen_loss
);

  logic trusted_q;
  logic judged;

  initial trusted_q = 1'b0;
  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) trusted_q <= 1'b1;
    else        trusted_q <= judged;
  end

  assign judged = rst_n & trusted_q;

  // Valid inputs of the last DEPTH cycles, the latest in bit 0.
  logic [DEPTH-1:0] valids_q, valids;
  logic held_q;

  assign valids[0] = valid_i;
  if (DEPTH > 1) begin : g_older
    assign valids[DEPTH-1:1] = valids_q[DEPTH-2:0];
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) valids_q <= '0;
    else        valids_q <= valids;
  end

  initial held_q = 1'b0;
  always @(posedge clk) held_q <= judged & (valids_q != '0);

  wire due = valids_q[DEPTH-1];

  // The packet that is followed. Bit i of age_q: it was captured i + 1 cycles ago.
  logic [DEPTH-1:0] age_q, age;
  logic [PYLD_W-1:0] packet_q;
  wire follow = valid_i & pick_i & (age_q == '0);

  assign age[0] = follow;
  if (DEPTH > 1) begin : g_age
    assign age[DEPTH-1:1] = age_q[DEPTH-2:0];
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) age_q <= '0;
    else        age_q <= age;
  end

  always_ff @(posedge clk) if (follow) packet_q <= payload_i;

  wire followed_leaves = age_q[DEPTH-1];

  // The input of the cycle after the followed packet was captured.
  logic next_valid_q;
  logic [PYLD_W-1:0] next_q;
  always_ff @(posedge clk) begin
    if (age_q[0]) begin
      next_valid_q <= valid_i;
      next_q       <= payload_i;
    end
  end

  // The followed packet was not accepted in the cycle in which it was offered.
  logic lost_q;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) lost_q <= 1'b0;
    else        lost_q <= followed_leaves & ~ready_i;
  end

  assign broken_reset = ~rst_n & (valid_o | ~ready_o);
  assign seen_reset   = ~rst_n & held_q;

  assign broken_always_ready = judged & ~ready_o;
  assign seen_always_ready   = judged & valid_i & valid_o & ~ready_i;

  assign broken_too_early = judged & valid_o & ~due;
  assign seen_too_early   = judged & ~valid_o & ((DEPTH == 1) | (valids_q != '0));

  assign broken_too_late = judged & ~valid_o & due;
  assign seen_too_late   = judged & valid_o & due;

  assign broken_order = judged & followed_leaves & (payload_o != packet_q);
  assign seen_order   = judged & followed_leaves & (payload_o != payload_i) & (payload_o != '0);

  // A packet that was not accepted is gone: the next input has its place, if it was valid.
  assign broken_loss = judged & lost_q & ((valid_o != next_valid_q) | (valid_o & (payload_o != next_q)));
  assign seen_loss   = judged & lost_q & valid_o & (payload_o != packet_q);

endmodule
