// SPDX-License-Identifier: Apache-2.0
// The switch of a node of a network of any topology: PI inputs, PO outputs, V virtual channels (VCs)
// with B slots each, wormhole switching with credits. The last port of each kind is the local one.
//
// Flit: bit W-1 is the head, W-2 the tail, the low bits of a head its destination. Input VC i is VC
// i % V of input port i / V. table_i[(i*N + dst)*KW +: KW] is o*C + c: a head at input VC i for node
// dst leaves through class c of output o. It is constant while rst_n is 1.
//
// A flit that is valid in cycle t can be granted in t+1, and then leaves in t+2. A grant in t returns
// the credit in t+1. All outputs come from flops.
//
// Icarus Verilog 11 does not leave time 0 with always_comb here, so the processes are always @*.
module NOC_ROUTER #(
  parameter int PI = 5,
  parameter int PO = 5,
  parameter int V  = 2,
  parameter int B  = 8,
  parameter int W  = 40,
  parameter int N  = 64,
  parameter int M  = 1,
  parameter int VW = V > 1 ? $clog2(V) : 1,
  parameter int KW = PO * V / M > 1 ? $clog2(PO * V / M) : 1
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic [PI*V*N*KW-1:0] table_i,
  input  logic [PI-1:0]        valid_i,
  input  logic [PI*VW-1:0]     vc_i,
  input  logic [PI*W-1:0]      flit_i,
  output logic [PI*V-1:0]      credit_o,
  output logic [PO-1:0]        valid_o,
  output logic [PO*VW-1:0]     vc_o,
  output logic [PO*W-1:0]      flit_o,
  input  logic [PO*V-1:0]      credit_i
);

  localparam int R  = PI * V;
  localparam int C  = V / M;
  localparam int NA = N > 1 ? $clog2(N) : 1;

`ifndef __ICARUS__  // Icarus does not support elaboration-time $error
  if (PI < 1 || PI > 15 || PO < 1 || PO > 15) begin : g_bad_ports
    $error("NOC_ROUTER: PI and PO must be 1 to 15");
  end
  if (V < 1 || PI * V > 64) begin : g_bad_v
    $error("NOC_ROUTER: V must be at least 1, and PI*V at most 64");
  end
  if (M < 1 || V % M != 0) begin : g_bad_m
    $error("NOC_ROUTER: M must divide V");
  end
  if (B < 1) begin : g_bad_b
    $error("NOC_ROUTER: B must be at least 1");
  end
  if (N < 1 || N > 256) begin : g_bad_n
    $error("NOC_ROUTER: N must be 1 to 256");
  end
  if (W < NA + 2) begin : g_bad_w
    $error("NOC_ROUTER: W must have room for head, tail and destination");
  end
`endif

  logic [R-1:0]      valid, tail, pop;
  logic [R*W-1:0]    front;
  logic [R-1:0]      asks;   // the front is a head
  logic [NA-1:0]     dst;
  logic [KW-1:0]     key;    // the entry of the table for a head at the front
  logic [PO*C*R-1:0] ask;    // by output and class: the heads that ask for it
  logic [PO*R-1:0]   grant;  // by output

  for (genvar i = 0; i < R; i++) begin : g_in
    localparam int P = i / V;
    NOC_QUEUE #(.B(B), .W(W)) u_queue (
      .clk, .rst_n,
      .push_i(valid_i[P] & (vc_i[P*VW+:VW] == VW'(i % V))), .flit_i(flit_i[P*W+:W]),
      .valid_o(valid[i]), .flit_o(front[i*W+:W]), .pop_i(pop[i])
    );
  end

  always @* begin
    {asks, tail, dst, key, ask} = '0;
    if (|valid) begin  // changes nothing; saves simulation time
      for (int i = 0; i < R; i++) begin
        asks[i] = valid[i] & front[i*W + W-1];
        tail[i] = front[i*W + W-2];
        if (asks[i]) begin  // saves simulation time, too
          dst = N > 1 ? front[i*W+:NA] : '0;
          key = table_i[(i*N + 32'(dst))*KW +: KW];
          for (int k = 0; k < PO*C; k++) ask[k*R + i] = key == KW'(k);
        end
      end
    end
  end

  for (genvar o = 0; o < PO; o++) begin : g_out
    logic [R-1:0] mine;  // the input VC that this port has granted
    logic [W-1:0] flit;

    NOC_OUTPUT #(.R(R), .V(V), .B(B), .M(M)) u_output (
      .clk, .rst_n,
      .ask_i(ask[o*C*R+:C*R]), .valid_i(valid), .tail_i(tail), .grant_o(mine),
      .valid_o(valid_o[o]), .vc_o(vc_o[o*VW+:VW]), .credit_i(credit_i[o*V+:V])
    );

    assign grant[o*R+:R] = mine;

    always @* begin
      flit = '0;
      if (|mine) begin  // saves simulation time, too
        for (int i = 0; i < R; i++) flit = flit | ({W{mine[i]}} & front[i*W+:W]);
      end
    end

    // The flit needs no reset: it is used only while valid.
    always_ff @(posedge clk) begin
      flit_o[o*W+:W] <= |mine ? flit : flit_o[o*W+:W];
    end
  end

  logic [R-1:0] taken;
  always @* begin
    taken = '0;
    for (int o = 0; o < PO; o++) taken = taken | grant[o*R+:R];
  end
  assign pop = taken;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) credit_o <= '0;
    else        credit_o <= pop;
  end

endmodule
