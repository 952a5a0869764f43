// SPDX-License-Identifier: Apache-2.0
// The rules of a link of networks of any topology, from its signals alone. They are the assumptions of
// the proofs (formal/noc/), and noc_checkers.sv holds them in simulations.
//
// Yosys reads a cast inside an expression wrongly, so that there is none.
`ifdef NOC_CHECKERS
module NOC_LINK_RULES #(
  parameter int V  = 2,
  parameter int B  = 8,
  parameter int W  = 40,
  parameter int N  = 64,
  parameter int VW = V > 1 ? $clog2(V) : 1,
  parameter int NA = N > 1 ? $clog2(N) : 1,
  parameter int CW = $clog2(B + 1)
) (
  input  logic            clk,
  input  logic            rst_n,
  input  logic            valid_i,
  input  logic [VW-1:0]   vc_i,
  input  logic [W-1:0]    flit_i,
  input  logic [V-1:0]    credit_i,         // back to the sender
  output logic            bad_vc_o,           // a flit on a VC that does not exist
  output logic            bad_destination_o,  // a head for a node that does not exist
  output logic [V-1:0]    no_credit_o,        // a flit without a credit
  output logic [V-1:0]    bad_credit_o,       // a credit for a slot that is free
  output logic [V-1:0]    bad_stream_o,       // a head within a packet, or a body outside of one
  output logic [V*CW-1:0] taken_o,            // slots of the receiver that the sender cannot use
  output logic [V-1:0]    open_o              // the sender is within a packet
);

  logic [31:0] vc, destination;
  assign vc          = {{(32-VW){1'b0}}, vc_i};
  assign destination = {{(32-NA){1'b0}}, flit_i[NA-1:0]};
  assign bad_vc_o          = valid_i & vc >= V;
  assign bad_destination_o = valid_i & flit_i[W-1] & destination >= N;

  for (genvar v = 0; v < V; v++) begin : g_vc
    logic [CW-1:0] taken_q;
    logic          open_q, sent, full;
    assign sent            = valid_i & vc == v;
    assign full            = {{(32-CW){1'b0}}, taken_q} == B;
    assign no_credit_o[v]  = sent & full;
    assign bad_stream_o[v] = sent & flit_i[W-1] == open_q;
    assign bad_credit_o[v] = credit_i[v] & taken_q == 0 & ~sent;
    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) begin
        taken_q <= 0;
        open_q  <= 1'b0;
      end else begin
        if (sent != credit_i[v]) taken_q <= sent ? taken_q + 1'b1 : taken_q - 1'b1;
        if (sent) open_q <= ~flit_i[W-2];
      end
    end
    assign taken_o[v*CW+:CW] = taken_q;
    assign open_o[v]         = open_q;
  end

endmodule
`endif
