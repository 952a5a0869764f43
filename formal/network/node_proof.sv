// SPDX-License-Identifier: Apache-2.0
// MAZE_CORE, of any position and any failed node, and what it owes to one packet.
//
// The solver chooses a packet at port KB_PORT and a later one of the same level there. Two data bits mark them: no other
// packet has such a bit, and data does not steer anything (formal/steering.py). So the marks are followed through
// queues and output stages. While a node has failed and the packet at A is a multicast, the solver chooses one of its
// copies by its target.
//
// The signals without a driver are flops of the core; formal/network.py connects them.
module proof_top (
  input  logic clk, rst_n, pg_en_i, pick_i, pick_later_i,
  input  logic [`KB_AX-1:0] x_i,
  input  logic [`KB_AY-1:0] y_i,
  input  logic [`KB_AX+`KB_AY-1:0] pg_node_i, pick_target_i,
  input  logic [`KB_NX+`KB_NY-2:0] valid_i, ready_i,
  input  logic [(`KB_NX+`KB_NY-1)*(5+2*(`KB_AX+`KB_AY))-1:0] payload_i,
  output logic broken_conserved, seen_conserved,
  output logic broken_unchanged, seen_unchanged,
  output logic broken_order,     seen_order,
  output logic broken_progress,  seen_progress,
  output logic broken_stages, broken_behind, broken_queues, broken_marks, broken_dones, broken_copies, broken_head, broken_turns,
  output logic broken_any
);

  localparam int NX = `KB_NX;
  localparam int NY = `KB_NY;
  localparam int AX = `KB_AX;
  localparam int AY = `KB_AY;
  localparam int T  = `KB_PORT;
  localparam int P  = NX + NY - 1;
  localparam int A  = P - 1;
  localparam int W  = 5 + 2 * (AX + AY);  // two data bits
  localparam int AddrW = AX + AY;
  localparam int Kind  = T < NX - 1 ? 0 : T < A ? 1 : 2;
  localparam int Bound = `KB_HIGH_BOUND;
  localparam int Period = Bound > 0 ? Bound : 1;
  localparam int CountW = Bound > 0 ? $clog2(Bound + 1) : 1;  // of an arbiter's counter

  // --- A run begins with a reset; position and failed node do not change ---

  logic started_q, pg_en_q;
  logic [AX-1:0] x_q;
  logic [AY-1:0] y_q;
  logic [AddrW-1:0] pg_node_q, target_q;
  initial started_q = 1'b0;
  always @(posedge clk) begin
    started_q <= 1'b1;
    if (~started_q) begin
      x_q       <= x_i;
      y_q       <= y_i;
      pg_en_q   <= pg_en_i;
      pg_node_q <= pg_node_i;
      target_q  <= pick_target_i;
    end
  end
  wire legal_place = x_q < NX & y_q < NY & pg_node_q[AX-1:0] < NX & pg_node_q[AddrW-1:AX] < NY;
  logic run, judged, misused;
  judged_cycles u_judged (.clk, .rst_n, .misused, .run, .judged);

  // --- The core ---

  logic [P-1:0]   ready_o, valid_o;
  logic [P*W-1:0] payload, payload_o;
  MAZE_CORE #(
    .NX(NX), .NY(NY), .FLIT_W(2), .AX(AX), .AY(AY), .HIGH_BOUND(`KB_HIGH_BOUND), .FIXED(1'b0)
  ) u_core (
    .clk, .rst_n(run), .x_i(x_q), .y_i(y_q), .pg_en_i(pg_en_q), .pg_node_i(pg_node_q),
    .valid_i, .ready_o, .payload_i(payload), .valid_o, .ready_i, .payload_o
  );

  // State of the core.
  wire [P*2-1:0] heads, nexts;                               // by input: [0] low, [1] high
  wire [P*W-1:0] low, low_next, high, high_next;             // entries by input
  wire [P*P-1:0] low_done, high_done;                        // by input, then output
  wire [P-1:0]   main_valid, skid_free;                      // output stages
  wire [P*W-1:0] main, skid;
  wire           busy;                                       // expansion
  wire [1:0]     copy_type;
  wire [AddrW-1:0] copy_target;
  wire [P*P-1:0] low_from, high_from;                        // arbiters by output, then place among its inputs
  wire [P*CountW-1:0] counts;
  wire [P*P-1:0] high_request;                               // by input, then output

  // --- What the senders promise: a packet that was not accepted is offered again ---

  logic [P-1:0] refused_q, was_high_q;
  logic [P-1:0] is_high;
  for (genvar i = 0; i < P; i++) begin : g_level
    assign is_high[i] = payload_i[i*W + W-3];
  end
  wire illegal = payload_i[A*W+2+:AX] >= NX | payload_i[A*W+2+AX+:AY] >= NY;
  assign misused = ~legal_place | (refused_q & (~valid_i | (is_high ^ was_high_q))) != '0 | (valid_i[A] & illegal);
  always_ff @(posedge clk or negedge run) begin
    if (!run) refused_q <= '0;
    else      refused_q <= valid_i & ~ready_o;
  end
  always_ff @(posedge clk) was_high_q <= is_high;

  // --- The packets that are followed ---

  logic following_q, later_q;
  logic [W-1:0] packet_q;
  wire [W-1:0] offered = payload_i[T*W+:W];
  wire accepted = valid_i[T] & ready_o[T];
  wire expands  = Kind == 2 & pg_en_q & packet_q[W-1-:2] != 2'b00;
  wire [W-1:0] named_by = following_q ? packet_q : offered;
  wire legal = named_by[2+:AX] < NX & named_by[2+AX+:AY] < NY
             & (~(Kind == 2 & pg_en_q & named_by[W-1-:2] != 2'b00)
                | (named_by[W-1-:2] != 2'b01 | target_q[AX-1:0] == named_by[2+:AX])
                & (named_by[W-1-:2] != 2'b10 | target_q[AddrW-1:AX] == named_by[2+AX+:AY])
                & target_q[AX-1:0] < NX & target_q[AddrW-1:AX] < NY & target_q != pg_node_q);
  wire follow   = accepted & pick_i & ~following_q & legal;
  wire follow_later = accepted & pick_later_i & following_q & ~later_q & offered[W-3] == packet_q[W-3];
  always_ff @(posedge clk or negedge run) begin
    if (!run) begin
      following_q <= 1'b0;
      later_q     <= 1'b0;
    end else begin
      following_q <= following_q | follow;
      later_q     <= later_q | follow_later;
    end
  end
  always_ff @(posedge clk) if (follow) packet_q <= offered;
  for (genvar i = 0; i < P; i++) begin : g_mark
    assign payload[i*W+:W] = {payload_i[i*W+2+:W-2], i == T ? {follow_later, follow} : 2'b00};
  end

  // --- Where they are ---

  // The packet as it leaves: a copy has the target of its own.
  wire [W-1:2] leaving = expands ? {packet_q[W-1:2+AddrW], target_q} : packet_q[W-1:2];
  logic [P-1:0] owed;
  MAZE_ROUTE #(.NX(NX), .NY(NY), .AX(AX), .AY(AY), .KIND(Kind)) u_owed (
    .x_i(x_q), .y_i(y_q), .pg_en_i(pg_en_q), .pg_node_i(pg_node_q), .type_i(leaving[W-1-:2]),
    .tgt_i(leaving[2+:AddrW]), .to_o(owed)
  );

  wire level = packet_q[W-3];
  wire is_head = level ? heads[T*2+1] & high[T*W] : heads[T*2] & low[T*W];
  wire is_next = level ? nexts[T*2+1] & high_next[T*W] : nexts[T*2] & low_next[T*W];
  wire [P-1:0] done = level ? high_done[T*P+:P] : low_done[T*P+:P];
  wire passed  = copy_target > target_q;
  logic [P-1:0] waiting, staged, left_q, leaves, leaves_later, later_staged;
  logic [P-1:0] wrong_stage, wrong_done, wrong_mark, wrong_queue, wrong_later, bad_packet, wrong_count;
  for (genvar o = 0; o < P; o++) begin : g_out
    wire main_mine = main_valid[o] & main[o*W] & (~expands | main[o*W+2+:AddrW] == target_q);
    wire skid_mine = ~skid_free[o] & skid[o*W] & (~expands | skid[o*W+2+:AddrW] == target_q);
    assign staged[o]  = main_mine | skid_mine;
    assign waiting[o] = owed[o] & following_q & (expands ? (is_head | is_next) & ~passed : is_next | (is_head & ~done[o]));
    assign leaves[o]  = valid_o[o] & ready_i[o] & payload_o[o*W] & (~expands | payload_o[o*W+2+:AddrW] == target_q);
    assign leaves_later[o] = valid_o[o] & payload_o[o*W+1];
    assign later_staged[o] = main_valid[o] & main[o*W+1] | ~skid_free[o] & skid[o*W+1];
    assign bad_packet[o]   = leaves[o] & payload_o[o*W+2+:W-2] != leaving;

    // The invariant of an output stage: a skid packet has one before it; one mark at a time; marked packets are those
    // that are followed; the later one stays behind.
    assign wrong_stage[o] = ~skid_free[o] & ~main_valid[o]
                          | main_mine & (skid_mine | main[o*W+2+:W-2] != leaving)
                          | skid_mine & skid[o*W+2+:W-2] != leaving
                          | (main_valid[o] & main[o*W] | ~skid_free[o] & skid[o*W]) & ~following_q
                          | main_valid[o] & main[o*W] & main[o*W+1] | ~skid_free[o] & skid[o*W] & skid[o*W+1];
    assign wrong_later[o] = later_staged[o] & (~later_q | waiting[o])
                          | main_valid[o] & main[o*W+1] & skid_mine;
    wire [1:0] count = {1'b0, waiting[o]} + {1'b0, staged[o]} + {1'b0, left_q[o]};
    assign wrong_count[o] = following_q ? count != {1'b0, owed[o]} : count != 2'b00;
  end
  always_ff @(posedge clk or negedge run) begin
    if (!run) left_q <= '0;
    else      left_q <= left_q | leaves;
  end

  // --- How long it waits ---

  // Cycles at the head of its queue in which the outputs that it asks for were ready: all, and those in which no high
  // packet asked for them.
  localparam int AgeW = $clog2(P * (Bound + 2) + 2) + 1;  // also of age and rank together
  logic [AgeW-1:0] age_q, alone_q;
  logic [P-1:0] asks, rivals, too_old, wrong_turn;
  wire turn = is_head & following_q & (~expands | copy_target == target_q);
  wire all_ready = (asks & ~skid_free) == '0;
  always_ff @(posedge clk or negedge run) begin
    if (!run) begin
      age_q   <= '0;
      alone_q <= '0;
    end else begin
      age_q   <= turn ? age_q + {{(AgeW - 1){1'b0}}, all_ready} : '0;
      alone_q <= turn ? alone_q + {{(AgeW - 1){1'b0}}, all_ready & (asks & rivals) == '0} : '0;
    end
  end
  for (genvar o = 0; o < P; o++) begin : g_wait
    localparam int N     = o < NX - 1 ? NY : o < A ? NX : P;
    localparam int First = o < NX - 1 ? NX - 1 : 0;
    localparam int Last  = o >= NX - 1 && o < A ? NX - 2 : A;
    localparam int Slot  = T == A ? N - 1 : T - First;
    // As many cycles as it may wait, counted from 0: see MAZE_ARBITER's rules of waiting.
    localparam int MostHigh = N - 1 + (Bound > 0 ? (Bound + N - 1) / Period : 0);
    localparam int MostLow  = N * (Bound + 1) - 1;
    logic [P-1:0] highs;
    for (genvar i = 0; i < P; i++) begin : g_rival
      assign highs[i] = high_request[i*P + o];
    end
    assign rivals[o] = highs != '0;
    assign asks[o]   = turn & owed[o] & ~done[o];
    if (T == A || (T >= First && T <= Last)) begin : g_leads
      wire [N-1:0] from = level ? high_from[o*P+:N] : low_from[o*P+:N];
      wire [CountW-1:0] count = Bound > 0 ? counts[o*CountW+:CountW] : '0;
      // The inputs that come before it in this round, and the cycles until its grant that follow from them.
      wire [N-1:0] mine  = {{(N - 1){1'b0}}, 1'b1} << Slot;
      wire [N-1:0] ahead = (from & mine) != '0 ? from & (mine - 1'b1) : from | (mine - 1'b1);
      logic [AgeW-1:0] before_it, high_rank, low_rank;
      always_comb begin
        before_it = '0;
        for (int i = 0; i < N; i++) before_it = before_it + {{(AgeW - 1){1'b0}}, ahead[i]};
      end
      assign high_rank = before_it + (Bound > 0 ? (before_it + count) / Period[AgeW-1:0] : '0);
      assign low_rank  = before_it * (Bound[AgeW-1:0] + 1'b1) + (Bound[AgeW-1:0] - count);
      assign too_old[o] = asks[o] & (level ? age_q > MostHigh[AgeW-1:0]
                                           : alone_q >= N[AgeW-1:0] | Bound > 0 & age_q > MostLow[AgeW-1:0]);
      // The invariant: waiting and rank together do not grow; a round is all inputs from one on; the count ends.
      wire [N-1:0] low_rest  = ~low_from[o*P+:N];
      wire [N-1:0] high_rest = ~high_from[o*P+:N];
      assign wrong_turn[o] = (low_rest & (low_rest + 1'b1)) != '0 | (high_rest & (high_rest + 1'b1)) != '0
        | count > Bound[CountW-1:0]
        | asks[o] & (level ? age_q + high_rank > MostHigh[AgeW-1:0]
                           : alone_q + before_it >= N[AgeW-1:0] | Bound > 0 & age_q + low_rank > MostLow[AgeW-1:0]);
    end else begin : g_never
      assign too_old[o]    = asks[o];
      assign wrong_turn[o] = 1'b0;
    end
  end

  // The invariant of the queues.
  for (genvar i = 0; i < P; i++) begin : g_in
    wire [1:0] low_marks  = {2{heads[i*2]}} & low[i*W+:2];
    wire [1:0] low_waits  = {2{nexts[i*2]}} & low_next[i*W+:2];
    wire [1:0] high_marks = {2{heads[i*2+1]}} & high[i*W+:2];
    wire [1:0] high_waits = {2{nexts[i*2+1]}} & high_next[i*W+:2];
    wire refused_low  = refused_q[i] & ~was_high_q[i];
    wire refused_high = refused_q[i] & was_high_q[i];
    // Ready: both levels have room, or that of the refused packet.
    assign wrong_queue[i] = (nexts[i*2+:2] & ~heads[i*2+:2]) != 2'b00
                          | ready_o[i] & (nexts[i*2] & ~refused_high | nexts[i*2+1] & ~refused_low)
                          | ready_o[i] & (nexts[i*2] & nexts[i*2+1]);
    if (i == T) begin : g_followed
      wire same_low  = low[i*W+2+:W-2] == packet_q[W-1:2];
      wire same_low_next  = low_next[i*W+2+:W-2] == packet_q[W-1:2];
      wire same_high = high[i*W+2+:W-2] == packet_q[W-1:2];
      wire same_high_next = high_next[i*W+2+:W-2] == packet_q[W-1:2];
      wire [1:0] low_any  = low_marks | low_waits;
      wire [1:0] high_any = high_marks | high_waits;
      assign wrong_mark[i] = (low_any[0] | high_any[0]) & ~following_q | (low_any[1] | high_any[1]) & ~later_q
        | low_any != 2'b00 & level | high_any != 2'b00 & ~level
        | (low_marks & low_waits) != 2'b00 | (high_marks & high_waits) != 2'b00
        | low_marks == 2'b11 | low_waits == 2'b11 | high_marks == 2'b11 | high_waits == 2'b11
        | low_marks[1] & low_waits[0] | high_marks[1] & high_waits[0]
        | low_marks[0] & ~same_low | low_waits[0] & ~same_low_next
        | high_marks[0] & ~same_high | high_waits[0] & ~same_high_next;
    end else begin : g_other
      assign wrong_mark[i] = (low_marks | low_waits | high_marks | high_waits) != 2'b00;
    end
    assign wrong_done[i] = ~heads[i*2] & low_done[i*P+:P] != '0 | ~heads[i*2+1] & high_done[i*P+:P] != '0;
  end

  // The invariant of the expansion: one multicast is in the queue while it is busy, and none otherwise.
  logic wrong_copy;
  if (1) begin : g_copy
    wire in_low       = heads[A*2]   & low[A*W + W-1-:2] != 2'b00;
    wire in_low_next  = nexts[A*2]   & low_next[A*W + W-1-:2] != 2'b00;
    wire in_high      = heads[A*2+1] & high[A*W + W-1-:2] != 2'b00;
    wire in_high_next = nexts[A*2+1] & high_next[A*W + W-1-:2] != 2'b00;
    wire any  = in_low | in_low_next | in_high | in_high_next;
    wire two  = in_low & (in_low_next | in_high | in_high_next) | in_low_next & (in_high | in_high_next)
              | in_high & in_high_next;
    wire [W-1:0] it = in_low ? low[A*W+:W] : in_low_next ? low_next[A*W+:W] : in_high ? high[A*W+:W] : high_next[A*W+:W];
    wire [AX-1:0] copy_x = copy_target[AX-1:0];
    wire [AY-1:0] copy_y = copy_target[AddrW-1:AX];
    wire bad = copy_type != it[W-1-:2] | copy_x >= NX | copy_y >= NY | copy_target == pg_node_q
             | copy_type == 2'b01 & copy_x != it[2+:AX] | copy_type == 2'b10 & copy_y != it[2+AX+:AY];
    wire head_done = in_low & low_done[A*P+:P] != '0 | in_high & high_done[A*P+:P] != '0;
    assign wrong_copy = pg_en_q & (two | any != busy | any & bad | busy & ready_o[A] | head_done) | ~pg_en_q & busy;
  end

  // A copy is done where the marked packet goes, and not everywhere.
  wire wrong_head = ~expands & is_head & ((done & ~owed) != '0 | (owed & ~done) == '0);

  // --- The rules ---

  assign broken_conserved = judged & wrong_count != '0;
  assign seen_conserved   = judged & following_q & staged != '0 & (waiting != '0 | Kind == 1);

  assign broken_unchanged = judged & bad_packet != '0;
  assign seen_unchanged   = judged & leaves != '0;

  assign broken_order = judged & (leaves_later & (waiting | staged)) != '0;
  assign seen_order   = judged & (leaves_later & left_q) != '0;

  assign broken_progress = judged & too_old != '0;
  assign seen_progress   = judged & turn & age_q != '0;

  // With these the rules hold by induction over one cycle.
  assign broken_stages = judged & wrong_stage != '0;
  assign broken_behind = judged & (wrong_later != '0 | later_q & ~following_q);
  assign broken_queues = judged & wrong_queue != '0;
  assign broken_marks  = judged & wrong_mark != '0;
  assign broken_dones  = judged & wrong_done != '0;
  assign broken_copies = judged & wrong_copy;
  assign broken_head   = judged & (wrong_head | following_q & ~legal);
  assign broken_turns  = judged & wrong_turn != '0;
  assign broken_any    = broken_conserved | broken_unchanged | broken_order | broken_stages | broken_behind
                       | broken_queues | broken_marks | broken_dones | broken_copies | broken_head
                       | broken_progress | broken_turns;

endmodule
