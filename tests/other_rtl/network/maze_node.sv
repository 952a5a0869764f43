// SPDX-License-Identifier: Apache-2.0
// A node in one module: packed arrays for all of its state, and functions in place of modules.
module MAZE_NODE #(
  parameter int unsigned HP         = 0,
  parameter int unsigned VP         = 0,
  parameter int unsigned NX         = 8,
  parameter int unsigned NY         = 8,
  parameter int unsigned FLIT_W     = 8,
  parameter int          HIGH_BOUND = 16,
  parameter bit          FIXED      = 1'b0
) (
  input logic                                             clk,
  input logic                                             rst_n,
  input logic                                             pg_en,
  input logic [link_pkg::bits(NX)+link_pkg::bits(NY)-1:0] pg_node,
  pkt_in.mst                                              pkt_i,
  pkt_out.mst                                             pkt_o,
  pkt_con_if.mst                                          pkt_con
);
  localparam int unsigned P  = NX + NY - 1;
  localparam int unsigned A  = P - 1;  // the port of the users
  localparam int unsigned AX = link_pkg::bits(NX);
  localparam int unsigned AY = link_pkg::bits(NY);

  typedef struct packed {
    logic [1:0]        kind;
    logic              qos;
    logic [AY+AX-1:0]  src;
    logic [AY-1:0]     ty;
    logic [AX-1:0]     tx;
    logic [FLIT_W-1:0] data;
  } packet_t;
  localparam int unsigned W = $bits(packet_t);

  packet_t [P-1:0] arriving, chosen, leaving;
  logic    [P-1:0] in_vld, in_rdy, chosen_vld, chosen_rdy, out_vld, out_rdy;

  // Two packets for each port and level, the first at place 0.
  packet_t [P-1:0][1:0][1:0] store, store_d;
  logic    [P-1:0][1:0][1:0] fill, fill_d;
  logic    [P-1:0]           rdy_d;
  // The copies of the first packet that have left.
  logic    [P-1:0][1:0][P-1:0] gone, gone_d;
  // For each output and level: the input at which the search begins. For each output: high grants while low waited.
  logic    [P-1:0][1:0][31:0]  turn, turn_d;
  logic    [P-1:0][31:0]       streak, streak_d;
  // With a failed node: the nodes that the multicast at A has not been sent to.
  logic    [NX*NY-1:0]         todo, todo_d;

  logic off;
  assign off = pg_en && 32'(pg_node) == (VP << AX | HP);

  // --- Interfaces ---

  for (genvar i = 0; i < NX - 1; i++) begin : x
    assign in_vld[i]          = pkt_con.xi_vld[i];
    assign arriving[i]        = {pkt_con.xi_type[i], pkt_con.xi_qos[i], pkt_con.xi_src[i], pkt_con.xi_tgt[i], pkt_con.xi_data[i]};
    assign pkt_con.xi_rdy[i]  = in_rdy[i];
    assign pkt_con.xo_vld[i]  = out_vld[i];
    assign pkt_con.xo_type[i] = leaving[i].kind;
    assign pkt_con.xo_qos[i]  = leaving[i].qos;
    assign pkt_con.xo_src[i]  = leaving[i].src;
    assign pkt_con.xo_tgt[i]  = {leaving[i].ty, leaving[i].tx};
    assign pkt_con.xo_data[i] = leaving[i].data;
    assign out_rdy[i]         = pkt_con.xo_rdy[i];
  end
  for (genvar i = 0; i < NY - 1; i++) begin : y
    localparam int unsigned At = NX - 1 + i;
    assign in_vld[At]         = pkt_con.yi_vld[i];
    assign arriving[At]       = {pkt_con.yi_type[i], pkt_con.yi_qos[i], pkt_con.yi_src[i], pkt_con.yi_tgt[i], pkt_con.yi_data[i]};
    assign pkt_con.yi_rdy[i]  = in_rdy[At];
    assign pkt_con.yo_vld[i]  = out_vld[At];
    assign pkt_con.yo_type[i] = leaving[At].kind;
    assign pkt_con.yo_qos[i]  = leaving[At].qos;
    assign pkt_con.yo_src[i]  = leaving[At].src;
    assign pkt_con.yo_tgt[i]  = {leaving[At].ty, leaving[At].tx};
    assign pkt_con.yo_data[i] = leaving[At].data;
    assign out_rdy[At]        = pkt_con.yo_rdy[i];
  end
  assign in_vld[A]          = pkt_i.pkt_in_vld;
  assign arriving[A]        = {pkt_i.pkt_in_type, pkt_i.pkt_in_qos, pkt_i.pkt_in_src, pkt_i.pkt_in_tgt, pkt_i.pkt_in_data};
  assign pkt_i.pkt_in_rdy   = in_rdy[A] & ~off;
  assign pkt_o.pkt_out_vld  = out_vld[A] & ~off;
  assign pkt_o.pkt_out_type = leaving[A].kind;
  assign pkt_o.pkt_out_qos  = leaving[A].qos;
  assign pkt_o.pkt_out_src  = leaving[A].src;
  assign pkt_o.pkt_out_tgt  = {leaving[A].ty, leaving[A].tx};
  assign pkt_o.pkt_out_data = leaving[A].data;
  assign out_rdy[A]         = pkt_o.pkt_out_rdy;

  // --- Routes ---

  /// The X output to a column, the Y output to a row.
  function automatic logic [P-1:0] along_x(input int unsigned to);
    return P'(1) << ((to + NX - HP - 1) % NX);
  endfunction
  function automatic logic [P-1:0] along_y(input int unsigned to);
    return P'(1) << (NX - 1 + (to + NY - VP - 1) % NY);
  endfunction

  function automatic logic [P-1:0] outputs_of(input int unsigned from, input packet_t p);
    logic [P-1:0] all_x, all_y, b, to_x, to_y;
    logic         here_x, here_y, turns;
    all_x  = (P'(1) << (NX - 1)) - P'(1);
    b      = P'(1) << A;
    all_y  = ~all_x & ~b;
    here_x = 32'(p.tx) == HP;
    here_y = 32'(p.ty) == VP;
    turns  = pg_node == {AY'(VP), p.tx} && !here_x && !here_y;  // the corner has failed
    to_x   = here_x ? b : along_x(32'(p.tx));
    to_y   = here_y ? b : along_y(32'(p.ty));
    if (pg_en) begin
      if (from >= NX - 1 && from != A) return to_x;
      if (from != A || here_x || turns) return to_y;
      return to_x;
    end
    if (from >= NX - 1 && from != A) return b;
    unique case (p.kind)
      2'b00: return from != A || here_x ? to_y : to_x;
      2'b01: return from != A || here_x ? all_y | b : to_x;
      2'b10: return from != A ? to_y : all_x | to_y;
      2'b11: return from != A ? all_y | b : all_x | all_y | b;
    endcase
  endfunction

  /// The nodes that a multicast names and that have not failed.
  function automatic logic [NX*NY-1:0] named(input packet_t p);
    logic [NX*NY-1:0] nodes;
    for (int unsigned n = 0; n < NX * NY; n++) begin
      nodes[n] = (p.kind != 2'b01 || n % NX == 32'(p.tx)) && (p.kind != 2'b10 || n / NX == 32'(p.ty)) &&
                 ((n / NX) << AX | (n % NX)) != 32'(pg_node);
    end
    return nodes;
  endfunction

  function automatic int unsigned first_of(input logic [NX*NY-1:0] nodes);
    for (int unsigned n = 0; n < NX * NY; n++) if (nodes[n]) return n;
    return 0;
  endfunction

  // --- One cycle ---

  packet_t [P-1:0][1:0]        head;
  logic    [P-1:0][1:0][P-1:0] asks, gets;  // by input and level, for each output

  always_comb begin
    for (int unsigned i = 0; i < P; i++) begin
      for (int unsigned l = 0; l < 2; l++) begin
        head[i][l] = store[i][l][0];
        if (i == A && pg_en && head[i][l].kind != 2'b00) begin
          head[i][l].ty = AY'(first_of(todo) / NX);
          head[i][l].tx = AX'(first_of(todo) % NX);
        end
        asks[i][l] = fill[i][l] == 0 ? '0 : outputs_of(i, head[i][l]) & ~gone[i][l];
      end
    end
  end

  // Each output takes one copy: high first, in turn within a level.
  always_comb begin
    gets       = '0;
    chosen     = '0;
    chosen_vld = '0;
    turn_d     = turn;
    streak_d   = streak;
    for (int unsigned o = 0; o < P; o++) begin
      logic        low_waits, high_waits;
      int unsigned level;
      low_waits  = 1'b0;
      high_waits = 1'b0;
      for (int unsigned i = 0; i < P; i++) begin
        low_waits  |= asks[i][0][o];
        high_waits |= asks[i][1][o];
      end
      level = !high_waits || (low_waits && HIGH_BOUND != 0 && streak[o] == 32'(HIGH_BOUND)) ? 0 : 1;
      if (chosen_rdy[o]) begin
        for (int unsigned k = 0; k < P; k++) begin
          int unsigned i;
          i = (turn[o][level] + k) % P;
          if (!chosen_vld[o] && asks[i][level][o]) begin
            chosen_vld[o]     = 1'b1;
            chosen[o]         = head[i][level];
            gets[i][level][o] = 1'b1;
`ifdef BUG_TURN_STAYS
            if (!FIXED) turn_d[o][level] = i;
`else
            if (!FIXED) turn_d[o][level] = (i + 1) % P;
`endif
          end
        end
      end
      if (!low_waits || (chosen_vld[o] && level == 0)) streak_d[o] = '0;
      else if (chosen_vld[o]) streak_d[o] = streak[o] + 1;
    end
  end

  always_comb begin
    logic busy;
    busy    = 1'b0;
    store_d = store;
    fill_d  = fill;
    gone_d  = gone;
    todo_d  = todo;
    for (int unsigned i = 0; i < P; i++) begin
      for (int unsigned l = 0; l < 2; l++) begin
        gone_d[i][l] = gone[i][l] | gets[i][l];
        if (fill[i][l] != 0 && (asks[i][l] & ~gets[i][l]) == 0) begin
          gone_d[i][l] = '0;
          if (i == A && pg_en && store[i][l][0].kind != 2'b00) todo_d = todo & (todo - 1);
          if (i != A || !pg_en || store[i][l][0].kind == 2'b00 || todo_d == 0) begin
            store_d[i][l][0] = store[i][l][1];
            fill_d[i][l]     = fill[i][l] - 1;
          end
        end
        if (in_vld[i] && in_rdy[i] && 32'(arriving[i].qos) == l) begin
          store_d[i][l][fill_d[i][l][0]] = arriving[i];
          fill_d[i][l]                   = fill_d[i][l] + 1;
          if (i == A && pg_en && arriving[i].kind != 2'b00) todo_d = named(arriving[i]);
        end
      end
    end
    for (int unsigned i = 0; i < P; i++) begin
      busy     = i == A && todo_d != 0;
      rdy_d[i] = !busy && ((fill_d[i][0] != 2 && fill_d[i][1] != 2) ||
                           (in_vld[i] && !in_rdy[i] && fill_d[i][arriving[i].qos] != 2));
    end
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      in_rdy <= '1;
      fill   <= '0;
      gone   <= '0;
      turn   <= '0;
      streak <= '0;
      todo   <= '0;
    end else if (!off) begin
      in_rdy <= rdy_d;
      fill   <= fill_d;
      gone   <= gone_d;
      turn   <= turn_d;
      streak <= streak_d;
      todo   <= todo_d;
    end
  end
  always_ff @(posedge clk) store <= store_d;

  for (genvar o = 0; o < P; o++) begin : stage
    IRS_N #(.PYLD_W(W), .IRS_DEEP(1)) irs (
      .clk, .rst_n, .valid_i(chosen_vld[o] & ~off), .ready_o(chosen_rdy[o]), .payload_i(chosen[o]),
      .valid_o(out_vld[o]), .ready_i(out_rdy[o]), .payload_o(leaving[o])
    );
  end
endmodule
