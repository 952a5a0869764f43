// SPDX-License-Identifier: Apache-2.0
// MAZE_ARRAY with plain vectors, for C++: a field of node n is element n.
//
// With LINKS the ports between nodes and links are seen, too: bit p of a row is port p, X first.
module network_frame #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8,
  parameter bit          LINKS  = 1'b1,
  localparam int unsigned Ports = NX + NY - 2
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
  output logic [maze_pkg::pyld_w(NX, NY, FLIT_W)-1:0] b_pyld [NX*NY],
  output logic [Ports-1:0]                         out_vld [NX*NY],
  output logic [Ports-1:0]                         out_rdy [NX*NY],
  output logic [Ports-1:0]                         in_vld  [NX*NY],
  output logic [Ports-1:0]                         in_rdy  [NX*NY],
  output logic [maze_pkg::pyld_w(NX, NY, FLIT_W)-1:0] out_pyld [NX*NY*Ports],
  output logic [maze_pkg::pyld_w(NX, NY, FLIT_W)-1:0] in_pyld  [NX*NY*Ports]
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

  for (genvar n = 0; n < NX * NY; n++) begin : g_links
    if (LINKS) begin : g_seen
      for (genvar p = 0; p < NX - 1; p++) begin : g_x
        assign out_vld[n][p] = u_maze.links[n].xo_vld[p];
        assign out_rdy[n][p] = u_maze.links[n].xo_rdy[p];
        assign in_vld[n][p]  = u_maze.links[n].xi_vld[p];
        assign in_rdy[n][p]  = u_maze.links[n].xi_rdy[p];
        assign out_pyld[n*Ports + p] = {
          u_maze.links[n].xo_type[p], u_maze.links[n].xo_qos[p], u_maze.links[n].xo_src[p],
          u_maze.links[n].xo_tgt[p], u_maze.links[n].xo_data[p]};
        assign in_pyld[n*Ports + p] = {
          u_maze.links[n].xi_type[p], u_maze.links[n].xi_qos[p], u_maze.links[n].xi_src[p],
          u_maze.links[n].xi_tgt[p], u_maze.links[n].xi_data[p]};
      end
      for (genvar p = 0; p < NY - 1; p++) begin : g_y
        localparam int unsigned Port = NX - 1 + p;
        assign out_vld[n][Port] = u_maze.links[n].yo_vld[p];
        assign out_rdy[n][Port] = u_maze.links[n].yo_rdy[p];
        assign in_vld[n][Port]  = u_maze.links[n].yi_vld[p];
        assign in_rdy[n][Port]  = u_maze.links[n].yi_rdy[p];
        assign out_pyld[n*Ports + Port] = {
          u_maze.links[n].yo_type[p], u_maze.links[n].yo_qos[p], u_maze.links[n].yo_src[p],
          u_maze.links[n].yo_tgt[p], u_maze.links[n].yo_data[p]};
        assign in_pyld[n*Ports + Port] = {
          u_maze.links[n].yi_type[p], u_maze.links[n].yi_qos[p], u_maze.links[n].yi_src[p],
          u_maze.links[n].yi_tgt[p], u_maze.links[n].yi_data[p]};
      end
    end else begin : g_hidden
      assign out_vld[n] = '0;
      assign out_rdy[n] = '0;
      assign in_vld[n]  = '0;
      assign in_rdy[n]  = '0;
      for (genvar p = 0; p < Ports; p++) begin : g_port
        assign out_pyld[n*Ports + p] = '0;
        assign in_pyld[n*Ports + p]  = '0;
      end
    end
  end

  MAZE_ARRAY #(.NX(NX), .NY(NY), .FLIT_W(FLIT_W)) u_maze (
    .clk, .rst_n, .test_en(1'b0), .pg_en, .pg_node, .pkt_i(a), .pkt_o(b)
  );

endmodule
