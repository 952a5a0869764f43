// SPDX-License-Identifier: Apache-2.0
// A node of a network of any topology: the registers of its input links, the local one included,
// before NOC_ROUTER. The link of input port p has D[4*p+:4] register stages; its credits return
// through as many.
module NOC_NODE #(
  parameter int PI = 5,
  parameter int PO = 5,
  parameter int V  = 2,
  parameter int B  = 8,
  parameter int W  = 40,
  parameter int N  = 64,
  parameter int M  = 1,
  parameter logic [4*PI-1:0] D = {PI{4'd1}},
  parameter int VW = V > 1 ? $clog2(V) : 1,
  parameter int KW = PO * V / M > 1 ? $clog2(PO * V / M) : 1
) (
  // In a verilated model all nodes of one kind are one function: the module stays one, and no port is
  // replaced by the wire or the table outside it.
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic [PI*V*N*KW-1:0] table_i  /*verilator public_flat_rd*/,
  input  logic [PI-1:0]        valid_i  /*verilator public_flat_rd*/,
  input  logic [PI*VW-1:0]     vc_i     /*verilator public_flat_rd*/,
  input  logic [PI*W-1:0]      flit_i   /*verilator public_flat_rd*/,
  output logic [PI*V-1:0]      credit_o /*verilator public_flat_rd*/,
  output logic [PO-1:0]        valid_o  /*verilator public_flat_rd*/,
  output logic [PO*VW-1:0]     vc_o     /*verilator public_flat_rd*/,
  output logic [PO*W-1:0]      flit_o   /*verilator public_flat_rd*/,
  input  logic [PO*V-1:0]      credit_i /*verilator public_flat_rd*/
);
  /*verilator no_inline_module*/

  logic [PI-1:0]    valid;
  logic [PI*VW-1:0] vc;
  logic [PI*W-1:0]  flit;
  logic [PI*V-1:0]  credit;

  for (genvar p = 0; p < PI; p++) begin : g_link
    localparam int Depth = 32'(D[4*p+:4]);
    logic         any;
    logic [V-1:0] returned;
    logic         unused_flit_ready, unused_credit_ready;

    IRS_N #(.PYLD_W(VW + W), .IRS_DEEP(Depth), .TYPE_NO_READY(1'b1)) u_flit (
      .clk, .rst_n,
      .valid_i(valid_i[p]), .ready_o(unused_flit_ready),
      .payload_i({vc_i[p*VW+:VW], flit_i[p*W+:W]}),
      .valid_o(valid[p]), .ready_i(1'b1), .payload_o({vc[p*VW+:VW], flit[p*W+:W]})
    );
    IRS_N #(.PYLD_W(V), .IRS_DEEP(Depth), .TYPE_NO_READY(1'b1)) u_credit (
      .clk, .rst_n,
      .valid_i(|credit[p*V+:V]), .ready_o(unused_credit_ready), .payload_i(credit[p*V+:V]),
      .valid_o(any), .ready_i(1'b1), .payload_o(returned)
    );
    assign credit_o[p*V+:V] = {V{any}} & returned;
  end

  NOC_ROUTER #(.PI(PI), .PO(PO), .V(V), .B(B), .W(W), .N(N), .M(M)) u_router (
    .clk, .rst_n, .table_i,
    .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o(credit),
    .valid_o, .vc_o, .flit_o, .credit_i
  );

endmodule
