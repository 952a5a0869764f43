// SPDX-License-Identifier: Apache-2.0
// MAZE_ARBITER and its contract, judged at its ports.
//
// `broken_RULE` is 1 in a cycle that breaks a rule, `seen_RULE` in one in which the rule has something to decide.
// The solver chooses one input and level to follow: as the choice is free, what holds of it holds of all.
module proof_top (
  input  logic clk, rst_n, ready_i, pick_i, pick_high_i,
  input  logic [`KB_N-1:0] low_i, high_i, pick_input_i,
  output logic broken_one_grant,     seen_one_grant,
  output logic broken_only_requests, seen_only_requests,
  output logic broken_only_ready,    seen_only_ready,
  output logic broken_grants,        seen_grants,
  output logic broken_high_first,    seen_high_first,
  output logic broken_bound,         seen_bound,
  output logic broken_turn,          seen_turn,
  output logic broken_fair,          seen_fair,
  output logic broken_high_waits,    seen_high_waits,
  output logic broken_low_waits,     seen_low_waits
);

  localparam int N     = `KB_N;
  localparam int Bound = `KB_HIGH_BOUND;
  localparam bit Fixed = `KB_FIXED;
  localparam int W     = $clog2((N + 1) * (Bound + 2)) + 1;  // of counters
  typedef logic [W-1:0] count_t;
  typedef logic [N-1:0] inputs_t;
  localparam count_t  BoundCount = Bound[W-1:0];
  localparam count_t  One        = 1;
  localparam inputs_t First      = 1;

  // A run begins with a reset.
  logic started_q, judged;
  initial started_q = 1'b0;
  always @(posedge clk) started_q <= 1'b1;
  assign judged = rst_n & started_q;

  inputs_t low_o, high_o;
  MAZE_ARBITER #(.N(N), .HIGH_BOUND(Bound), .FIXED(Fixed)) dut (
    .clk, .rst_n(judged), .ready_i, .low_i, .high_i, .low_o, .high_o
  );

  // --- What was granted ---

  wire inputs_t grants = low_o | high_o;
  wire any_low  = low_i != '0;
  wire any_high = high_i != '0;

  inputs_t low_last_q, high_last_q;  // the winner before, 0 after reset
  count_t  highs_q;                  // grants of high in a row while a low request waits
  always_ff @(posedge clk or negedge judged) begin
    if (!judged) begin
      low_last_q  <= '0;
      high_last_q <= '0;
      highs_q     <= '0;
    end else begin
      if (low_o != '0)  low_last_q  <= low_o;
      if (high_o != '0) high_last_q <= high_o;
      if (!any_low | low_o != '0) highs_q <= '0;
      else if (high_o != '0 & Bound != 0) highs_q <= highs_q + One;
    end
  end
  wire at_bound = Bound != 0 & highs_q == BoundCount;

  // --- The request that is followed ---

  logic    following_q, high_q;
  inputs_t input_q;
  wire one_input = pick_input_i != '0 & (pick_input_i & (pick_input_i - First)) == '0;
  always_ff @(posedge clk or negedge judged) begin
    if (!judged) following_q <= 1'b0;
    else if (pick_i & one_input) following_q <= 1'b1;
  end
  always_ff @(posedge clk) begin
    if (~following_q) begin
      input_q <= pick_input_i;
      high_q  <= pick_high_i;
    end
  end

  wire inputs_t wants  = high_q ? high_i : low_i;
  wire inputs_t wins   = high_q ? high_o : low_o;
  wire inputs_t last   = high_q ? high_last_q : low_last_q;
  wire          asks   = judged & following_q & (wants & input_q) != '0;
  wire          waits  = asks & (wins & input_q) == '0;
  // Inputs by their place in the round: those above the last winner come before the others. In a fixed order, and after
  // reset, input 0 is first.
  wire inputs_t above  = Fixed ? '1 : ~(last | (last - First)) | {N{last == '0}};
  wire inputs_t ahead = (input_q & above) != '0 ? above & (input_q - First) : above | (input_q - First);

  // Each cycle in which the output is ready and the request waits brings its grant nearer. High: one of the inputs
  // before it is served, or the low request that the bound calls for, at each bound on the way. Low: one of the inputs
  // before it is served, or one of the Bound grants of high that come before each low one.
  localparam count_t Period = Bound == 0 ? One : BoundCount;
  count_t others_q, before_count;
  wire count_t high_rank = before_count + (Bound == 0 ? '0 : (highs_q + before_count) / Period);

  count_t high_rank_q, before_q, highs_before_q;
  logic   waiting_q, waited_q, waited_alone_q;  // in the cycle before: at all, while ready, and with no high request
  always_ff @(posedge clk or negedge judged) begin
    if (!judged) begin
      others_q       <= '0;
      waiting_q      <= 1'b0;
      waited_q       <= 1'b0;
      waited_alone_q <= 1'b0;
    end else begin
      others_q       <= ~waits ? '0 : wins != '0 ? others_q + One : others_q;
      waiting_q      <= waits;
      waited_q       <= waits & ready_i;
      waited_alone_q <= waits & ready_i & ~any_high;
    end
  end
  always_ff @(posedge clk) begin
    high_rank_q    <= high_rank;
    before_q       <= before_count;
    highs_before_q <= highs_q;
  end
  always_comb begin
    before_count = '0;
    for (int i = 0; i < N; i++) before_count = before_count + {{(W - 1){1'b0}}, ahead[i]};
  end

  // --- The rules ---

  assign broken_one_grant = judged & (grants & (grants - First)) != '0 | judged & low_o != '0 & high_o != '0;
  assign seen_one_grant   = judged & (low_i & (low_i - First)) != '0 & grants != '0;

  assign broken_only_requests = judged & ((low_o & ~low_i) | (high_o & ~high_i)) != '0;
  assign seen_only_requests   = judged & grants != '0 & ~(low_i & high_i) != '0;

  assign broken_only_ready = judged & ~ready_i & grants != '0;
  assign seen_only_ready   = judged & ~ready_i & (any_low | any_high);

  assign broken_grants = judged & ready_i & (any_low | any_high) & grants == '0;
  assign seen_grants   = judged & ready_i & (any_low | any_high);

  assign broken_high_first = judged & low_o != '0 & any_high & ~at_bound;
  assign seen_high_first   = judged & ready_i & any_low & any_high;

  assign broken_bound = judged & high_o != '0 & any_low & at_bound;
  assign seen_bound   = Bound == 0 ? judged & highs_q == '0 : judged & any_high & any_low & at_bound & ready_i;

  assign broken_turn = waits & (wins & ~ahead) != '0;
  assign seen_turn   = waits & wins != '0;

  // The grants to others and the inputs that come before it are together never more than all others.
  assign broken_fair = ~Fixed & waits & others_q + before_count >= N[W-1:0];
  assign seen_fair   = Fixed ? judged : waits & others_q != '0;

  assign broken_high_waits = ~Fixed & waits & high_q & waited_q & high_rank >= high_rank_q;
  assign seen_high_waits   = Fixed ? judged : waits & high_q & waited_q & any_low;

  assign broken_low_waits = ~Fixed & waits & ~high_q & (waiting_q & before_count > before_q
    | before_count == before_q & (waited_alone_q | Bound != 0 & waited_q & highs_q <= highs_before_q));
  assign seen_low_waits   = Fixed ? judged : waits & ~high_q & waited_q & any_high;

endmodule
