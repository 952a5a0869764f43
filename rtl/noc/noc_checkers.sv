// SPDX-License-Identifier: Apache-2.0
// Checkers that are bound to the nodes and routers of networks of any topology where the macro
// NOC_CHECKERS is defined. One message names all links, or input VCs, that break a rule in a cycle.
//
// A message names its instance, so that a verilated model has a function of its own for each process
// with a message. Therefore flops keep what is seen when a rule is broken, and a process that does
// nothing else has the messages, at an edge of told_q that follows the edge of the clock in the same time
// step. The model of an 8x8 torus takes a third of the time to build.
`ifdef NOC_CHECKERS

// Holds the rules of NOC_LINK_RULES on the links into a node, and on its local output as link PI. The
// other outputs are inputs of other nodes.
module noc_node_checker #(
  parameter int PI = 5,
  parameter int PO = 5,
  parameter int V  = 2,
  parameter int B  = 8,
  parameter int W  = 40,
  parameter int N  = 64,
  parameter int VW = V > 1 ? $clog2(V) : 1
) (
  input logic             clk,
  input logic             rst_n,
  input logic [PI-1:0]    valid_i,
  input logic [PI*VW-1:0] vc_i,
  input logic [PI*W-1:0]  flit_i,
  input logic [PI*V-1:0]  credit_o,
  input logic [PO-1:0]    valid_o,
  input logic [PO*VW-1:0] vc_o,
  input logic [PO*W-1:0]  flit_o,
  input logic [PO*V-1:0]  credit_i
);
  localparam int L  = PI + 1;
  localparam int CW = $clog2(B + 1);

  logic [L-1:0]    valid;
  logic [L*VW-1:0] vc;
  logic [L*W-1:0]  flit;
  logic [L*V-1:0]  credit;
  assign valid  = {valid_o[PO-1], valid_i};
  assign vc     = {vc_o[(PO-1)*VW+:VW], vc_i};
  assign flit   = {flit_o[(PO-1)*W+:W], flit_i};
  assign credit = {credit_i[(PO-1)*V+:V], credit_o};

  logic [L-1:0]   bad_vc, bad_destination;
  logic [L*V-1:0] no_credits, bad_credit, bad_stream;
  for (genvar l = 0; l < L; l++) begin : g_link
    logic [V*CW-1:0] unused_taken;
    logic [V-1:0]    unused_open;
    NOC_LINK_RULES #(.V(V), .B(B), .W(W), .N(N)) u_rules (
      .clk, .rst_n, .valid_i(valid[l]), .vc_i(vc[l*VW+:VW]), .flit_i(flit[l*W+:W]), .credit_i(credit[l*V+:V]),
      .bad_vc_o(bad_vc[l]), .bad_destination_o(bad_destination[l]), .no_credit_o(no_credits[l*V+:V]),
      .bad_credit_o(bad_credit[l*V+:V]), .bad_stream_o(bad_stream[l*V+:V]), .taken_o(unused_taken), .open_o(unused_open)
    );
  end

  logic           broken;
  logic           told_q = 1'b0;
  logic [L-1:0]   bad_vc_q, bad_destination_q;
  logic [L*V-1:0] no_credits_q, bad_credit_q, bad_stream_q;
  assign broken = |{bad_vc, bad_destination, no_credits, bad_credit, bad_stream};
  always @(posedge clk or negedge rst_n) begin
    if (rst_n && broken !== 1'b0) begin
      told_q            <= ~told_q;
      bad_vc_q          <= bad_vc;
      bad_destination_q <= bad_destination;
      no_credits_q      <= no_credits;
      bad_credit_q      <= bad_credit;
      bad_stream_q      <= bad_stream;
    end
  end
  always @(posedge told_q or negedge told_q) begin
    vc_exists:   assert (bad_vc_q == '0) else $error("links %b: a flit on a VC that does not exist", bad_vc_q);
    node_exists: assert (bad_destination_q == '0) else $error("links %b: a head for a node that does not exist", bad_destination_q);
    no_credit:   assert (no_credits_q == '0) else $error("VCs %b of links: a flit without a credit", no_credits_q);
    stream:      assert (bad_stream_q == '0)
                   else $error("VCs %b of links: a head within a packet, or a body without a head", bad_stream_q);
    credit_back: assert (bad_credit_q == '0) else $error("VCs %b of links: a credit for a free slot", bad_credit_q);
  end

  logic unused;
  assign unused = ^{valid_o, vc_o, flit_o, credit_i};
endmodule

// Each flit that leaves a FIFO is sent by one output, and its credit returns. The flits of a FIFO, counted
// where they enter and leave, are at most B and agree with its flag; so they and the credits on the way
// are the slots that its sender cannot use.
module noc_router_checker #(
  parameter int PI = 5,
  parameter int PO = 5,
  parameter int V  = 2,
  parameter int B  = 8,
  parameter int VW = V > 1 ? $clog2(V) : 1,
  parameter int R  = PI * V
) (
  input logic             clk,
  input logic             rst_n,
  input logic [PI-1:0]    valid_i,
  input logic [PI*VW-1:0] vc_i,
  input logic [PO*R-1:0]  grant,  // by output
  input logic [R-1:0]     valid,
  input logic [R-1:0]     pop,
  input logic [R-1:0]     credit_o,
  input logic [PO-1:0]    valid_o
);
  localparam int CW = $clog2(B + 1);

  logic [R-1:0]  pop_q, filled, overflows;
  logic [PO-1:0] sends, sends_q;
  for (genvar o = 0; o < PO; o++) begin : g_out
    assign sends[o] = |grant[o*R+:R];
  end
  for (genvar i = 0; i < R; i++) begin : g_in
    localparam int P = i / V;
    logic [CW-1:0] count_q;
    logic          push;
    assign push         = valid_i[P] & vc_i[P*VW+:VW] == VW'(i % V);
    assign filled[i]    = count_q != '0;
    assign overflows[i] = push & count_q == CW'(B);
    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) count_q <= '0;
      else if (push != pop[i]) count_q <= push ? count_q + CW'(1) : count_q - CW'(1);
    end
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      pop_q   <= '0;
      sends_q <= '0;
    end else begin
      pop_q   <= pop;
      sends_q <= sends;
    end
  end
  typedef struct packed {
    logic [PO*R-1:0] grants;
    logic [R-1:0]    pops, credits, earlier_pops, overflows, valid, filled;
    logic [PO-1:0]   sends, outputs, earlier_sends;
  } seen_t;
  seen_t seen, seen_q;
  logic  broken;
  logic  told_q = 1'b0;
  assign seen   = '{grants: grant, pops: pop, sends: sends, outputs: valid_o, earlier_sends: sends_q, credits: credit_o,
                    earlier_pops: pop_q, overflows: overflows, valid: valid, filled: filled};
  assign broken = $countones(grant) != $countones(pop) || $countones(sends) != $countones(pop) || valid_o != sends_q
    || credit_o != pop_q || |overflows || valid != filled;
  always @(posedge clk or negedge rst_n) begin
    if (rst_n && broken !== 1'b0) begin
      told_q <= ~told_q;
      seen_q <= seen;
    end
  end
  always @(posedge told_q or negedge told_q) begin
    pops:     assert ($countones(seen_q.grants) == $countones(seen_q.pops) && $countones(seen_q.sends) == $countones(seen_q.pops))
                else $error("%0d outputs grant %0d flits, and %0d leave", $countones(seen_q.sends), $countones(seen_q.grants),
                            $countones(seen_q.pops));
    outputs:  assert (seen_q.outputs == seen_q.earlier_sends)
                else $error("flits at the outputs %b after grants of %b", seen_q.outputs, seen_q.earlier_sends);
    credits:  assert (seen_q.credits == seen_q.earlier_pops)
                else $error("credits %b after flits of %b left", seen_q.credits, seen_q.earlier_pops);
    overflow: assert (seen_q.overflows == '0) else $error("a flit enters the full FIFOs %b", seen_q.overflows);
    flags:    assert (seen_q.valid == seen_q.filled) else $error("FIFOs %b offer a flit, and %b hold one", seen_q.valid, seen_q.filled);
  end
endmodule

bind NOC_NODE noc_node_checker #(.PI(PI), .PO(PO), .V(V), .B(B), .W(W), .N(N)) u_checker (.*);
bind NOC_ROUTER noc_router_checker #(.PI(PI), .PO(PO), .V(V), .B(B)) u_checker (.*);
`endif
