// SPDX-License-Identifier: Apache-2.0
// A node of the MAZE at x = HP, y = VP: MAZE_CORE behind the interfaces.
module MAZE_NODE #(
  parameter int unsigned HP     = 0,
  parameter int unsigned VP     = 0,
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8,
  parameter int          HIGH_BOUND = 16,
  parameter bit          FIXED      = 1'b0
) (
  input logic                                  clk,
  input logic                                  rst_n,
  input logic                                  pg_en,
  input logic [maze_pkg::node_addr_w(NX, NY)-1:0] pg_node,
  pkt_in.mst                                   pkt_i,
  pkt_out.mst                                  pkt_o,
  pkt_con_if.mst                               pkt_con
);

  if (NX < 2 || NX > 16 || NY < 2 || NY > 16) begin : g_bad_size
    $error("MAZE_NODE: NX and NY must be 2 to 16");
  end
  if (HP >= NX || VP >= NY) begin : g_bad_place
    $error("MAZE_NODE: HP must be below NX, VP below NY");
  end

  localparam int AX = int'(maze_pkg::addr_w(NX));
  localparam int AY = int'(maze_pkg::addr_w(NY));
  localparam int P  = int'(NX + NY) - 1;
  localparam int W  = int'(maze_pkg::pyld_w(NX, NY, FLIT_W));

  logic [P-1:0]   in_vld, in_rdy, out_vld, out_rdy;
  logic [P*W-1:0] in_pyld, out_pyld;

  for (genvar i = 0; i < NX - 1; i++) begin : g_x
    assign in_vld[i]         = pkt_con.xi_vld[i];
    assign pkt_con.xi_rdy[i] = in_rdy[i];
    assign in_pyld[i*W+:W]   = {pkt_con.xi_type[i], pkt_con.xi_qos[i], pkt_con.xi_src[i],
                                pkt_con.xi_tgt[i], pkt_con.xi_data[i]};
    assign pkt_con.xo_vld[i] = out_vld[i];
    assign out_rdy[i]        = pkt_con.xo_rdy[i];
    assign {pkt_con.xo_type[i], pkt_con.xo_qos[i], pkt_con.xo_src[i], pkt_con.xo_tgt[i],
            pkt_con.xo_data[i]} = out_pyld[i*W+:W];
  end
  for (genvar i = 0; i < NY - 1; i++) begin : g_y
    localparam int Port = int'(NX) - 1 + i;
    assign in_vld[Port]       = pkt_con.yi_vld[i];
    assign pkt_con.yi_rdy[i]  = in_rdy[Port];
    assign in_pyld[Port*W+:W] = {pkt_con.yi_type[i], pkt_con.yi_qos[i], pkt_con.yi_src[i],
                                 pkt_con.yi_tgt[i], pkt_con.yi_data[i]};
    assign pkt_con.yo_vld[i]  = out_vld[Port];
    assign out_rdy[Port]      = pkt_con.yo_rdy[i];
    assign {pkt_con.yo_type[i], pkt_con.yo_qos[i], pkt_con.yo_src[i], pkt_con.yo_tgt[i],
            pkt_con.yo_data[i]} = out_pyld[Port*W+:W];
  end
  assign in_vld[P-1]           = pkt_i.pkt_in_vld;
  assign pkt_i.pkt_in_rdy      = in_rdy[P-1];
  assign in_pyld[(P-1)*W+:W]   = {pkt_i.pkt_in_type, pkt_i.pkt_in_qos, pkt_i.pkt_in_src,
                                  pkt_i.pkt_in_tgt, pkt_i.pkt_in_data};
  assign pkt_o.pkt_out_vld     = out_vld[P-1];
  assign out_rdy[P-1]          = pkt_o.pkt_out_rdy;
  assign {pkt_o.pkt_out_type, pkt_o.pkt_out_qos, pkt_o.pkt_out_src, pkt_o.pkt_out_tgt,
          pkt_o.pkt_out_data}  = out_pyld[(P-1)*W+:W];

  MAZE_CORE #(
    .NX(int'(NX)), .NY(int'(NY)), .FLIT_W(int'(FLIT_W)), .AX(AX), .AY(AY),
    .HIGH_BOUND(HIGH_BOUND), .FIXED(FIXED)
  ) u_core (
    .clk, .rst_n, .x_i(AX'(HP)), .y_i(AY'(VP)), .pg_en_i(pg_en), .pg_node_i(pg_node),
    .valid_i(in_vld), .ready_o(in_rdy), .payload_i(in_pyld),
    .valid_o(out_vld), .ready_i(out_rdy), .payload_o(out_pyld)
  );

endmodule
