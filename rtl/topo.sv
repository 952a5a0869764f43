// SPDX-License-Identifier: Apache-2.0
// The MAZE topology: an NX x NY torus in which every node has a direct link to every other node of its
// row and of its column. Output i leads to the node at distance i+1 (with wrap-around), through one IRS
// stage per node passed on the shorter path around the ring. TOPO contains only the links.
module TOPO #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
) (
  input logic     clk,
  input logic     rst_n,
  pkt_con_if.slv  node_if [NX*NY-1:0]
);

  if (NX < 2 || NX > 16) begin : g_bad_nx
    $error("TOPO: NX must be 2 to 16");
  end
  if (NY < 2 || NY > 16) begin : g_bad_ny
    $error("TOPO: NY must be 2 to 16");
  end
  if (FLIT_W < 1 || FLIT_W > 32) begin : g_bad_flit_w
    $error("TOPO: FLIT_W must be 1 to 32");
  end

  localparam int unsigned PyldW = maze_pkg::pyld_w(NX, NY, FLIT_W);

  for (genvar y = 0; y < NY; y++) begin : g_y
    for (genvar x = 0; x < NX; x++) begin : g_x
      localparam int unsigned Src = y * NX + x;

      for (genvar i = 0; i < NX - 1; i++) begin : g_xlink
        localparam int unsigned Dst = y * NX + (x + i + 1) % NX;

        IRS_N #(
          .PYLD_W       (PyldW),
          .IRS_DEEP     (maze_pkg::irs_depth(i + 1, NX)),
          .TYPE_NO_READY(0),
          .TYPE_HALF    (0),
          .TYPE_RO_EN   (1)
        ) u_irs (
          .clk,
          .rst_n,
          .valid_i  (node_if[Src].xo_vld[i]),
          .ready_o  (node_if[Src].xo_rdy[i]),
          .payload_i({node_if[Src].xo_type[i], node_if[Src].xo_qos[i], node_if[Src].xo_src[i],
                      node_if[Src].xo_tgt[i], node_if[Src].xo_data[i]}),
          .valid_o  (node_if[Dst].xi_vld[i]),
          .ready_i  (node_if[Dst].xi_rdy[i]),
          .payload_o({node_if[Dst].xi_type[i], node_if[Dst].xi_qos[i], node_if[Dst].xi_src[i],
                      node_if[Dst].xi_tgt[i], node_if[Dst].xi_data[i]})
        );
      end

      for (genvar i = 0; i < NY - 1; i++) begin : g_ylink
        localparam int unsigned Dst = ((y + i + 1) % NY) * NX + x;

        IRS_N #(
          .PYLD_W       (PyldW),
          .IRS_DEEP     (maze_pkg::irs_depth(i + 1, NY)),
          .TYPE_NO_READY(0),
          .TYPE_HALF    (0),
          .TYPE_RO_EN   (1)
        ) u_irs (
          .clk,
          .rst_n,
          .valid_i  (node_if[Src].yo_vld[i]),
          .ready_o  (node_if[Src].yo_rdy[i]),
          .payload_i({node_if[Src].yo_type[i], node_if[Src].yo_qos[i], node_if[Src].yo_src[i],
                      node_if[Src].yo_tgt[i], node_if[Src].yo_data[i]}),
          .valid_o  (node_if[Dst].yi_vld[i]),
          .ready_i  (node_if[Dst].yi_rdy[i]),
          .payload_o({node_if[Dst].yi_type[i], node_if[Dst].yi_qos[i], node_if[Dst].yi_src[i],
                      node_if[Dst].yi_tgt[i], node_if[Dst].yi_data[i]})
        );
      end
    end
  end

endmodule
