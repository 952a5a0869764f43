// SPDX-License-Identifier: Apache-2.0
// Nodes and links in one loop. The failed node has no clock gate: MAZE_NODE keeps its state by itself.
module MAZE_ARRAY #(
  parameter int unsigned NX         = 8,
  parameter int unsigned NY         = 8,
  parameter int unsigned FLIT_W     = 8,
  parameter int          HIGH_BOUND = 16,
  parameter bit          FIXED      = 1'b0
) (
  input logic                                               clk,
  input logic                                               rst_n,
  input logic                                               test_en,
  input logic                                               pg_en,
  input logic [link_pkg::bits(NX)+link_pkg::bits(NY)-1:0]   pg_node,
  pkt_in.mst                                                pkt_i [NX*NY-1:0],
  pkt_out.mst                                               pkt_o [NX*NY-1:0]
);
  logic unused;
  assign unused = test_en;

  pkt_con_if #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) wires [NX*NY-1:0] ();
  TOPO #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) topo (.clk, .rst_n, .node_if(wires));

  for (genvar n = 0; n < NX * NY; n++) begin : node
    MAZE_NODE #(
      .HP(n % NX), .VP(n / NX), .NX(NX), .NY(NY), .FLIT_W(FLIT_W), .HIGH_BOUND(HIGH_BOUND), .FIXED(FIXED)
    ) maze_node (.clk, .rst_n, .pg_en, .pg_node, .pkt_i(pkt_i[n]), .pkt_o(pkt_o[n]), .pkt_con(wires[n]));
  end
endmodule
