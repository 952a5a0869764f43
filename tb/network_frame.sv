// SPDX-License-Identifier: Apache-2.0
// MAZE_ARRAY with plain vectors, for C++: a field of node n is element n.
module network_frame #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
) (
  input  logic                                     clk,
  input  logic                                     rst_n,
  input  logic                                     pg_en,
  input  logic [maze_pkg::node_addr_w(NX, NY)-1:0] pg_node,
  input  logic [NX*NY-1:0]                         a_vld,
  output logic [NX*NY-1:0]                         a_rdy,
  input  logic [maze_pkg::pyld_w(NX, NY, FLIT_W)-1:0] a_pyld [NX*NY],
  output logic [NX*NY-1:0]                         b_vld,
  input  logic [NX*NY-1:0]                         b_rdy,
  output logic [maze_pkg::pyld_w(NX, NY, FLIT_W)-1:0] b_pyld [NX*NY]
);

  pkt_in  #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) a [NX*NY-1:0] ();
  pkt_out #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) b [NX*NY-1:0] ();

  for (genvar n = 0; n < NX * NY; n++) begin : g_node
    assign a[n].pkt_in_vld  = a_vld[n];
    assign a_rdy[n]         = a[n].pkt_in_rdy;
    assign {a[n].pkt_in_type, a[n].pkt_in_qos, a[n].pkt_in_src, a[n].pkt_in_tgt, a[n].pkt_in_data} = a_pyld[n];
    assign b_vld[n]         = b[n].pkt_out_vld;
    assign b[n].pkt_out_rdy = b_rdy[n];
    assign b_pyld[n] = {b[n].pkt_out_type, b[n].pkt_out_qos, b[n].pkt_out_src, b[n].pkt_out_tgt, b[n].pkt_out_data};
  end

  MAZE_ARRAY #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) u_maze (
    .clk, .rst_n, .test_en(1'b0), .pg_en, .pg_node, .pkt_i(a), .pkt_o(b)
  );

endmodule
