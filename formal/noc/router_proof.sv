// SPDX-License-Identifier: Apache-2.0
// NOC_ROUTER and its contract. The neighbours send, take and wait as they like, within their credits.
//
// The table is the identity: a head names the output class that it wants, so that what holds here holds for
// any table. The solver chooses an input VC, and a flit of it; as the choice is free, what holds of them holds
// of all. Signals without a driver are flops and wires of the router, which network.py joins.
module proof_top (
  input  logic clk, rst_n, pick_i,
  input  logic [`KB_PI*`KB_V-1:0] who_i,
  input  logic [`KB_PI-1:0] valid_i,
  input  logic [`KB_PI*`KB_VW-1:0] vc_i,
  input  logic [`KB_PI*`KB_W-1:0] flit_i,
  input  logic [`KB_PO*`KB_V-1:0] credit_i,
  output logic broken_any,
  output logic broken_reset,     seen_reset,
  output logic broken_conserved, seen_conserved,
  output logic broken_unchanged, seen_unchanged,
  output logic broken_route,     seen_route,
  output logic broken_unmixed,   seen_unmixed,
  output logic broken_overflow,  seen_overflow,
  output logic broken_works,     seen_works,
  output logic broken_head_waits, seen_head_waits,
  output logic broken_vc_waits,  seen_vc_waits,
  output logic broken_slots, broken_framing, broken_owners, broken_pointers, broken_credits, broken_place
);

  localparam int PI = `KB_PI;
  localparam int PO = `KB_PO;
  localparam int V  = `KB_V;
  localparam int M  = `KB_M;
  localparam int B  = `KB_B;
  localparam int W  = `KB_W;    // head, tail, a bit of payload, wanted class
  localparam int VW = `KB_VW;
  localparam int KW = `KB_KW;
  localparam int C  = V / M;
  localparam int R  = PI * V;
  localparam int J  = PO * V;
  localparam int N  = PO * C;
  localparam int SW = B > 1 ? $clog2(B) : 1;
  localparam int CW = $clog2(B + 1);
  localparam int OW = $clog2(R + 1);
  localparam int TW = $clog2(V + 1);

  logic run, judged, misused;
  judged_cycles u_judged (.clk, .rst_n, .misused, .run, .judged);

  logic [PI*V*N*KW-1:0] identity;
  for (genvar i = 0; i < R; i++) begin : g_table
    for (genvar d = 0; d < N; d++) begin : g_entry
      assign identity[(i*N + d)*KW+:KW] = d;
    end
  end

  logic [R-1:0]     credit_o;
  logic [PO-1:0]    valid_o;
  logic [PO*VW-1:0] vc_o;
  logic [PO*W-1:0]  flit_o;
  NOC_ROUTER #(.PI(PI), .PO(PO), .V(V), .B(B), .W(W), .N(N), .M(M)) dut (
    .clk, .rst_n(run), .table_i(identity), .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i
  );

  // --- Inside ---

  logic [R-1:0]      full;              // the FIFO holds a flit
  logic [R*SW-1:0]   from_slot, to_slot;  // its pointers
  logic [R*B*W-1:0]  slots;
  logic [PO*R-1:0]   grant;             // by output, then input VC
  logic [J*R-1:0]    owner;
  logic [PO*C*R-1:0] search;            // where the search of a class starts
  logic [PO*V-1:0]   turn;
  logic [J*CW-1:0]   count;

  // --- What each input VC holds ---

  logic [R-1:0]      sent;
  logic [R*CW-1:0]   held;              // flits in a FIFO
  logic [R*W-1:0]    front, newest;
  logic [R*B*W-1:0]  lines;             // its slots, oldest flit first
  logic [R*J-1:0]    owned_by;          // by input VC, then output VC
  logic [R-1:0]      in_order;          // heads follow tails
  logic [R-1:0]      owned;
  logic [R-1:0]      ask;
  logic [R-1:0]      popped;
  for (genvar i = 0; i < R; i++) begin : g_in
    localparam int P = i / V;
    assign sent[i] = valid_i[P] & vc_i[P*VW+:VW] == i % V;
    wire [SW-1:0] r = from_slot[i*SW+:SW];
    wire [SW-1:0] w = to_slot[i*SW+:SW];
    assign held[i*CW+:CW] = ~full[i] ? 0 : w > r ? w - r : B + w - r;
    wire [B*W-1:0] mine = slots[i*B*W+:B*W];
    logic [B*W-1:0] line;
    logic [B-1:0]   agrees;
    for (genvar k = 0; k < B; k++) begin : g_slot
      logic [W-1:0] one;
      always @* begin
        one = 0;
        for (int s = 0; s < B; s++) if (r == (s + B - k) % B) one = mine[s*W+:W];
      end
      assign line[k*W+:W] = one;
      if (k == 0) begin : g_first
        assign agrees[k] = ~full[i] | line[W-1] == ~owned[i];
      end else begin : g_next
        assign agrees[k] = held[i*CW+:CW] <= k | line[k*W + W-1] == line[(k-1)*W + W-2];
      end
    end
    assign lines[i*B*W+:B*W] = line;
    assign in_order[i] = &agrees;
    assign front[i*W+:W] = line[0+:W];
    logic [W-1:0] last;
    always @* begin
      last = 0;
      for (int k = 0; k < B; k++) if (held[i*CW+:CW] == k + 1) last = line[k*W+:W];
    end
    assign newest[i*W+:W] = last;
    assign ask[i] = full[i] & line[W-1];
    logic [J-1:0] by;
    logic [PO-1:0] to;
    for (genvar j = 0; j < J; j++) begin : g_by
      assign by[j] = owner[j*R + i];
    end
    for (genvar o = 0; o < PO; o++) begin : g_to
      assign to[o] = grant[o*R + i];
    end
    assign owned_by[i*J+:J] = by;
    assign owned[i]  = |by;
    assign popped[i] = |to;
  end

  // --- The neighbours: they keep the rules of their links ---

  logic [R*CW-1:0] spent;               // slots that the sender cannot use
  logic [R-1:0]    open;                // the sender is within a packet
  logic [PI-1:0]   bad_vc, bad_destination;
  logic [R-1:0]    no_credit, bad_stream;
  for (genvar p = 0; p < PI; p++) begin : g_sender
    NOC_LINK_RULES #(.V(V), .B(B), .W(W), .N(N)) u_rules (
      .clk, .rst_n(run), .valid_i(valid_i[p]), .vc_i(vc_i[p*VW+:VW]), .flit_i(flit_i[p*W+:W]), .credit_i(credit_o[p*V+:V]),
      .bad_vc_o(bad_vc[p]), .bad_destination_o(bad_destination[p]), .no_credit_o(no_credit[p*V+:V]),
      .bad_stream_o(bad_stream[p*V+:V]), .taken_o(spent[p*V*CW+:V*CW]), .open_o(open[p*V+:V])
    );
  end

  logic [J*CW-1:0] taken;               // slots of the receiver that the router cannot use
  logic [J-1:0]    arrives, bad_credit, in_packet;
  logic [PO-1:0]   wrong_vc;
  logic [J-1:0]    too_many, wrong_stream;
  for (genvar o = 0; o < PO; o++) begin : g_receiver
    NOC_LINK_RULES #(.V(V), .B(B), .W(W), .N(N)) u_rules (
      .clk, .rst_n(run), .valid_i(valid_o[o]), .vc_i(vc_o[o*VW+:VW]), .flit_i(flit_o[o*W+:W]), .credit_i(credit_i[o*V+:V]),
      .bad_vc_o(wrong_vc[o]), .no_credit_o(too_many[o*V+:V]), .bad_credit_o(bad_credit[o*V+:V]),
      .bad_stream_o(wrong_stream[o*V+:V]), .taken_o(taken[o*V*CW+:V*CW]), .open_o(in_packet[o*V+:V])
    );
    for (genvar v = 0; v < V; v++) begin : g_vc
      assign arrives[o*V + v] = valid_o[o] & vc_o[o*VW+:VW] == v;
    end
  end

  // --- The choices of the solver: an input VC, and a flit of it ---

  logic [R-1:0] who_q;                  // chosen in reset
  always_ff @(posedge clk) if (!run) who_q <= who_i;
  wire one_who = who_q != 0 & (who_q & (who_q - 1)) == 0;
  assign misused = |bad_vc | |bad_destination | |no_credit | |bad_stream | |bad_credit | ~one_who;

  // The followed flit.
  logic          following_q, left_q;
  logic [CW-1:0] before_q;              // flits before it
  logic [W-1:0]  word_q;
  logic [CW-1:0] who_held;
  logic [W-1:0]  who_front, who_sends;
  always @* begin
    who_held  = 0;
    who_front = 0;
    who_sends = 0;
    for (int i = 0; i < R; i++) begin
      who_held  = who_held | ({CW{who_q[i]}} & held[i*CW+:CW]);
      who_front = who_front | ({W{who_q[i]}} & front[i*W+:W]);
      who_sends = who_sends | ({W{who_q[i]}} & flit_i[(i/V)*W+:W]);
    end
  end
  wire who_popped = |(who_q & popped);
  wire follow     = |(who_q & sent) & pick_i & ~following_q;
  always_ff @(posedge clk or negedge run) begin
    if (!run) begin
      following_q <= 1'b0;
      left_q      <= 1'b0;
      before_q    <= 0;
    end else begin
      left_q <= following_q & who_popped & before_q == 0;
      if (follow) begin
        following_q <= 1'b1;
        before_q    <= who_held - who_popped;
      end else if (following_q & who_popped) begin
        following_q <= before_q != 0;
        before_q    <= before_q - 1;
      end
    end
  end
  always_ff @(posedge clk) if (follow) word_q <= who_sends;

  // --- What left in the cycle before ---

  logic [PO*R-1:0] moved_q;
  always_ff @(posedge clk or negedge run) begin
    if (!run) moved_q <= 0;
    else      moved_q <= grant;
  end

  // conserved: a flit that leaves its FIFO stands at one output, one at each, and its credit returns.
  logic [R-1:0]  lost;
  logic [PO-1:0] doubled;
  for (genvar i = 0; i < R; i++) begin : g_lost
    logic [PO-1:0] to;
    for (genvar o = 0; o < PO; o++) begin : g_to
      assign to[o] = moved_q[o*R + i];
    end
    assign lost[i] = credit_o[i] != |to | (to & (to - 1)) != 0;
  end
  for (genvar o = 0; o < PO; o++) begin : g_doubled
    wire [R-1:0] by = moved_q[o*R+:R];
    assign doubled[o] = valid_o[o] != |by | (by & (by - 1)) != 0;
  end
  assign broken_conserved = judged & (|lost | |doubled);
  assign seen_conserved   = judged & |valid_o & |credit_o;

  // unchanged: the followed flit stands at an output behind those that came before it.
  logic [PO-1:0] same;
  for (genvar o = 0; o < PO; o++) begin : g_same
    assign same[o] = |(moved_q[o*R+:R] & who_q) & flit_o[o*W+:W] == word_q;
  end
  assign broken_unchanged = judged & left_q & ~|same;
  assign seen_unchanged   = judged & left_q & ~word_q[W-1] & ~word_q[W-2];

  // route: a head leaves through the class that it wants.
  logic [PO-1:0] astray;
  for (genvar o = 0; o < PO; o++) begin : g_route
    assign astray[o] = valid_o[o] & flit_o[o*W + W-1] & flit_o[o*W+:KW] != o*C + vc_o[o*VW+:VW] / M;
  end
  assign broken_route = judged & |astray;
  assign seen_route   = judged & valid_o[PO-1] & flit_o[(PO-1)*W + W-1];

  // unmixed: the flits of a VC are those of one packet, from its head to its tail.
  logic [J*R-1:0] packet_q;             // the input VC of the packet in an output VC
  logic [J*R-1:0] packet;               // the same, with the flit that stands at the output
  logic [J-1:0]   mixed;
  for (genvar j = 0; j < J; j++) begin : g_packet
    localparam int O = j / V;
    wire [R-1:0] source = moved_q[O*R+:R];
    wire head = flit_o[O*W + W-1];
    wire tail = flit_o[O*W + W-2];
    wire free = packet_q[j*R+:R] == 0;
    assign mixed[j] = arrives[j] & (free != head | ~free & source != packet_q[j*R+:R]);
    assign packet[j*R+:R] = ~arrives[j] ? packet_q[j*R+:R] : tail ? 0 : source;
    always_ff @(posedge clk or negedge run) begin
      if (!run) packet_q[j*R+:R] <= 0;
      else      packet_q[j*R+:R] <= packet[j*R+:R];
    end
  end
  assign broken_unmixed = judged & (|mixed | |wrong_stream | |wrong_vc);
  assign seen_unmixed   = judged & |(arrives & ~mixed) & |packet_q;

  // overflow: no receiver gets a flit for which it has no slot, and neither does a FIFO.
  assign broken_overflow = judged & |too_many;
  logic [J-1:0] all_used;
  for (genvar j = 0; j < J; j++) begin : g_used
    assign all_used[j] = taken[j*CW+:CW] == B;
  end
  assign seen_overflow = judged & |all_used;

  // works: an output sends if a flit can leave through it.
  logic [PO-1:0] idle;
  logic [J*R-1:0] can;
  for (genvar j = 0; j < J; j++) begin : g_can
    localparam int Key = (j / V) * C + (j % V) / M;
    wire free = owner[j*R+:R] == 0;
    for (genvar i = 0; i < R; i++) begin : g_from
      assign can[j*R + i] = count[j*CW+:CW] != 0
        & (free ? ask[i] & front[i*W+:KW] == Key : full[i] & owner[j*R + i]);
    end
  end
  for (genvar o = 0; o < PO; o++) begin : g_idle
    assign idle[o] = |can[o*V*R+:V*R] & grant[o*R+:R] == 0;
  end
  assign broken_works = judged & |idle;
  assign seen_works   = judged & |valid_o & |can;

  // head_waits: the chosen input VC's head sees at most R - 1 heads of others granted to its class.
  logic [OW-1:0] others_q, rank;
  logic          other, who_asks;
  logic [R-1:0]  start, nearer, before_who;
  assign who_asks = |(who_q & ask);
  assign before_who = who_q - 1;
  always @* begin
    start = 0;
    other = 1'b0;
    for (int k = 0; k < N; k++) begin
      if (who_front[KW-1:0] == k) begin
        start = search[k*R+:R];
        for (int i = 0; i < R; i++)
          if (grant[(k/C)*R + i] & ask[i] & ~who_q[i] & front[i*W+:KW] == k) other = 1'b1;
      end
    end
  end
  // Input VCs that the search of the class meets before the chosen one.
  assign nearer = |(start & who_q) ? start & before_who : start | before_who;
  always @* begin
    rank = 0;
    for (int i = 0; i < R; i++) rank = rank + nearer[i];
  end
  always_ff @(posedge clk or negedge run) begin
    if (!run) others_q <= 0;
    else if (~who_asks | who_popped) others_q <= 0;
    else if (other) others_q <= others_q + 1;
  end
  assign broken_head_waits = judged & (others_q > R - 1);
  assign seen_head_waits   = judged & others_q == R - 1;

  // vc_waits: an output VC that has a flit and a credit waits at most V - 1 cycles.
  logic [J-1:0]    ready, sends;
  logic [J*TW-1:0] waits_q;
  logic [J-1:0]    too_long, as_long, far;
  for (genvar j = 0; j < J; j++) begin : g_waits
    localparam int O = j / V;
    localparam int First = j - j % M;
    // VCs that the search of the output meets before this one.
    wire [V-1:0] here = 1 << j % V;
    wire [V-1:0] begin_at = turn[O*V+:V];
    wire [V-1:0] sooner = |(begin_at & here) ? begin_at & (here - 1) : begin_at | (here - 1);
    logic [M-1:0] better;               // a VC of the class that the search meets sooner would take a head
    for (genvar l = 0; l < M; l++) begin : g_lane
      assign better[l] = sooner[First%V+l] & owner[(First+l)*R+:R] == 0 & count[(First+l)*CW+:CW] != 0;
    end
    wire free = owner[j*R+:R] == 0;
    assign ready[j] = |can[j*R+:R] & (~free | better == 0);
    // The flit that leaves is that of the VC's packet, or a head.
    wire [R-1:0] leaves = grant[O*R+:R];
    assign sends[j] = free ? ready[j] & |(leaves & ask & can[j*R+:R]) : |(leaves & owner[j*R+:R]);
    always_ff @(posedge clk or negedge run) begin
      if (!run) waits_q[j*TW+:TW] <= 0;
      else      waits_q[j*TW+:TW] <= ready[j] & ~sends[j] ? waits_q[j*TW+:TW] + 1 : 0;
    end
    logic [TW-1:0] distance;
    always @* begin
      distance = 0;
      for (int v = 0; v < V; v++) distance = distance + sooner[v];
    end
    assign too_long[j] = ready[j] & ~sends[j] & waits_q[j*TW+:TW] >= V - 1;
    assign as_long[j]  = sends[j] & waits_q[j*TW+:TW] == V - 1;
    assign far[j]      = {1'b0, waits_q[j*TW+:TW]} + distance > V - 1;
  end
  assign broken_vc_waits = judged & |too_long;
  assign seen_vc_waits   = judged & |as_long;

  // reset: nothing leaves, and no credit returns.
  logic was_busy_q;
  initial was_busy_q = 1'b0;
  always @(posedge clk) was_busy_q <= judged & |valid_o & |credit_o;
  assign broken_reset = ~run & (|valid_o | |credit_o);
  assign seen_reset   = ~run & was_busy_q;

  // --- The invariant ---

  // slots: pointers and flags agree; the flits of an input VC and the credit on the way are the slots that its sender cannot use.
  logic [R-1:0] bad_slots;
  for (genvar i = 0; i < R; i++) begin : g_slots
    assign bad_slots[i] = from_slot[i*SW+:SW] >= B | to_slot[i*SW+:SW] >= B
      | ~full[i] & from_slot[i*SW+:SW] != to_slot[i*SW+:SW]
      | {2'b00, held[i*CW+:CW]} + credit_o[i] != spent[i*CW+:CW] | spent[i*CW+:CW] > B;
  end
  assign broken_slots = judged & |bad_slots;

  // framing: in a FIFO, heads follow tails alone; its front continues the packet that it owns a VC for. Heads name a class.
  logic [R-1:0] bad_framing;
  for (genvar i = 0; i < R; i++) begin : g_framing
    logic [B-1:0] bad_name;
    for (genvar k = 0; k < B; k++) begin : g_name
      assign bad_name[k] = held[i*CW+:CW] > k & lines[(i*B + k)*W + W-1] & lines[(i*B + k)*W+:KW] >= N;
    end
    assign bad_framing[i] = ~in_order[i] | |bad_name
      | open[i] != (full[i] ? ~newest[i*W + W-2] : owned[i]);
  end
  assign broken_framing = judged & |bad_framing;

  // owners: an output VC has one owner, an input VC one output VC; they are the packets that were seen.
  logic [J-1:0] bad_owner;
  logic [R-1:0] bad_owned;
  for (genvar j = 0; j < J; j++) begin : g_owner
    wire [R-1:0] one = owner[j*R+:R];
    assign bad_owner[j] = (one & (one - 1)) != 0 | one != packet[j*R+:R]
      | in_packet[j] != |packet_q[j*R+:R];
  end
  for (genvar i = 0; i < R; i++) begin : g_owned
    assign bad_owned[i] = (owned_by[i*J+:J] & (owned_by[i*J+:J] - 1)) != 0;
  end
  assign broken_owners = judged & (|bad_owner | |bad_owned);

  // pointers: the input VCs of a search are the last ones, and so are the VCs; ranks and waits stay within the bounds.
  logic [PO*C-1:0] bad_search;
  logic [PO-1:0]   bad_turn;
  for (genvar k = 0; k < PO * C; k++) begin : g_search
    wire [R-1:0] from = search[k*R+:R];
    assign bad_search[k] = |(from & ~{1'b1, from[R-1:1]}) & R > 1;
  end
  for (genvar o = 0; o < PO; o++) begin : g_turn
    wire [V-1:0] from = turn[o*V+:V];
    assign bad_turn[o] = V > 1 & |(from & ~({1'b1, from} >> 1));
  end
  assign broken_pointers = judged & (|bad_search | |bad_turn | |(far & ready)
    | who_asks & {1'b0, others_q} + rank > R - 1);

  // credits: those of an output VC, the flit at the output and those of the receiver add up to B.
  logic [J-1:0] bad_count;
  for (genvar j = 0; j < J; j++) begin : g_count
    assign bad_count[j] = {2'b00, count[j*CW+:CW]} + arrives[j] + taken[j*CW+:CW] != B;
  end
  assign broken_credits = judged & |bad_count;

  // place: the followed flit is in the slot that its number says.
  logic [R-1:0] bad_place;
  for (genvar i = 0; i < R; i++) begin : g_place
    logic other;
    always @* begin
      other = 1'b1;
      for (int k = 0; k < B; k++)
        if (before_q == k & held[i*CW+:CW] > k) other = lines[(i*B + k)*W+:W] != word_q;
    end
    assign bad_place[i] = who_q[i] & following_q & other;
  end
  assign broken_place = judged & |bad_place;

  assign broken_any = broken_reset | broken_conserved | broken_unchanged | broken_route | broken_unmixed
    | broken_overflow | broken_works | broken_head_waits | broken_vc_waits
    | broken_slots | broken_framing | broken_owners | broken_pointers | broken_credits | broken_place;

endmodule
