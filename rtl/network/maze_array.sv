// SPDX-License-Identifier: Apache-2.0
// The MAZE network of any size: NX x NY nodes and one TOPO, with arrays of interfaces.
//
// While pg_en is 1 the node pg_node has no clock. Its A ready and B valid are 0.
module MAZE_ARRAY #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8,
  parameter int          HIGH_BOUND = 16,
  parameter bit          FIXED      = 1'b0
) (
  input logic                                     clk,
  input logic                                     rst_n,
  input logic                                     test_en,
  input logic                                     pg_en,
  input logic [maze_pkg::node_addr_w(NX, NY)-1:0] pg_node,
  pkt_in.mst                                      pkt_i [NX*NY-1:0],
  pkt_out.mst                                     pkt_o [NX*NY-1:0]
);

  localparam int unsigned AX = maze_pkg::addr_w(NX);
  localparam int unsigned AY = maze_pkg::addr_w(NY);

  pkt_con_if #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) links [NX*NY-1:0] ();

  TOPO #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) u_topo (.clk, .rst_n, .node_if(links));

  for (genvar y = 0; y < NY; y++) begin : g_y
    for (genvar x = 0; x < NX; x++) begin : g_x
      localparam int unsigned N = y * NX + x;
      logic works, node_clk;
      pkt_in  #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) a ();
      pkt_out #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) b ();

      assign works = ~(pg_en & (pg_node == {AY'(y), AX'(x)}));
      MAZE_CLOCK_GATE u_gate (.clk_i(clk), .en_i(works), .test_en_i(test_en), .clk_o(node_clk));

      assign a.pkt_in_vld          = pkt_i[N].pkt_in_vld;
      assign a.pkt_in_type         = pkt_i[N].pkt_in_type;
      assign a.pkt_in_qos          = pkt_i[N].pkt_in_qos;
      assign a.pkt_in_src          = pkt_i[N].pkt_in_src;
      assign a.pkt_in_tgt          = pkt_i[N].pkt_in_tgt;
      assign a.pkt_in_data         = pkt_i[N].pkt_in_data;
      assign pkt_i[N].pkt_in_rdy   = a.pkt_in_rdy & works;
      assign pkt_o[N].pkt_out_vld  = b.pkt_out_vld & works;
      assign pkt_o[N].pkt_out_type = b.pkt_out_type;
      assign pkt_o[N].pkt_out_qos  = b.pkt_out_qos;
      assign pkt_o[N].pkt_out_src  = b.pkt_out_src;
      assign pkt_o[N].pkt_out_tgt  = b.pkt_out_tgt;
      assign pkt_o[N].pkt_out_data = b.pkt_out_data;
      assign b.pkt_out_rdy         = pkt_o[N].pkt_out_rdy;

      MAZE_NODE #(
        .HP(x), .VP(y), .NX(NX), .NY(NY), .FLIT_W(FLIT_W), .HIGH_BOUND(HIGH_BOUND), .FIXED(FIXED)
      ) u_node (
        .clk(node_clk), .rst_n, .pg_en, .pg_node, .pkt_i(a), .pkt_o(b), .pkt_con(links[N])
      );
    end
  end

endmodule
