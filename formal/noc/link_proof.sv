// SPDX-License-Identifier: Apache-2.0
// The link of a NOC_NODE with one input, of KB_D register stages: it delays flits and credits, and loses none, so that the
// credits of the sender, the flits and credits on the way, and the slots of the router keep their sum. What the router
// receives and returns are wires inside NOC_NODE, which network.py joins.
module proof_top (
  input  logic clk, rst_n, valid_i,
  input  logic [`KB_VW-1:0] vc_i,
  input  logic [`KB_W-1:0] flit_i,
  input  logic [2*`KB_V-1:0] credit_i,
  output logic broken_reset,   seen_reset,
  output logic broken_flits,   seen_flits,
  output logic broken_credits, seen_credits,
  output logic broken_sum,     seen_sum
);

  localparam int D  = `KB_D;
  localparam int V  = `KB_V;
  localparam int W  = `KB_W;
  localparam int VW = `KB_VW;
  localparam int CW = $clog2(D + 2);

  logic run, judged;
  judged_cycles u_judged (.clk, .rst_n, .misused(1'b0), .run, .judged);

  logic [V-1:0]  credit_o;
  logic [1:0]      valid_o;
  logic [2*VW-1:0] vc_o;
  logic [2*W-1:0]  flit_o;
  // Two outputs, so that both VCs can get a credit in one cycle.
  NOC_NODE #(.PI(1), .PO(2), .V(V), .B(2), .W(W), .N(2), .M(1), .D(D)) dut (
    .clk, .rst_n(run), .table_i(8'b11_01_10_00), .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i
  );

  logic          there_valid;           // at the router
  logic [VW-1:0] there_vc;
  logic [W-1:0]  there_flit;
  logic [V-1:0]  there_credit;

  // Inputs of the last D cycles; element 0 has those of this cycle.
  logic [D:0]          valid;
  logic [(D+1)*VW-1:0] vc;
  logic [(D+1)*W-1:0]  flit;
  logic [(D+1)*V-1:0]  credit;
  assign valid[0]      = valid_i;
  assign vc[0+:VW]     = vc_i;
  assign flit[0+:W]    = flit_i;
  assign credit[0+:V]  = there_credit;
  for (genvar k = 0; k < D; k++) begin : g_ago
    logic         valid_q;
    logic [VW-1:0] vc_q;
    logic [W-1:0] flit_q;
    logic [V-1:0] credit_q;
    always_ff @(posedge clk or negedge run) begin
      if (!run) begin
        valid_q  <= 1'b0;
        credit_q <= 0;
      end else begin
        valid_q  <= valid[k];
        credit_q <= credit[k*V+:V];
      end
    end
    always_ff @(posedge clk) begin
      vc_q   <= vc[k*VW+:VW];
      flit_q <= flit[k*W+:W];
    end
    assign valid[k+1]          = valid_q;
    assign vc[(k+1)*VW+:VW]    = vc_q;
    assign flit[(k+1)*W+:W]    = flit_q;
    assign credit[(k+1)*V+:V]  = credit_q;
  end

  assign broken_flits = judged & (there_valid != valid[D]
    | there_valid & (there_vc != vc[D*VW+:VW] | there_flit != flit[D*W+:W]));
  assign seen_flits   = judged & valid[D];
  assign broken_credits = judged & credit_o != credit[D*V+:V];
  assign seen_credits   = judged & &credit[D*V+:V];

  // Flits and credits on the way, counted where they enter and leave.
  logic [V-1:0] lost;
  for (genvar v = 0; v < V; v++) begin : g_vc
    logic [CW-1:0] flits_q, credits_q, flits, credits;
    wire sent     = valid_i & vc_i == v;
    wire arrived  = there_valid & there_vc == v;
    always_ff @(posedge clk or negedge run) begin
      if (!run) begin
        flits_q   <= 0;
        credits_q <= 0;
      end else begin
        flits_q   <= flits_q + sent - arrived;
        credits_q <= credits_q + there_credit[v] - credit_o[v];
      end
    end
    always @* begin
      flits   = 0;
      credits = 0;
      for (int k = 1; k <= D; k++) begin
        flits   = flits + (valid[k] & vc[k*VW+:VW] == v);
        credits = credits + credit[k*V + v];
      end
    end
    assign lost[v] = flits_q != flits | credits_q != credits;
  end
  assign broken_sum = judged & |lost;
  assign seen_sum   = judged & valid_i & there_valid & |there_credit & |credit_o;

  logic was_busy_q;
  initial was_busy_q = 1'b0;
  always @(posedge clk) was_busy_q <= judged & there_valid & |credit_o;
  assign broken_reset = ~run & (|credit_o & D > 0 | |valid_o);
  assign seen_reset   = ~run & was_busy_q;

endmodule
