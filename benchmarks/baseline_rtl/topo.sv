// SPDX-License-Identifier: Apache-2.0
// Baseline coding of the MAZE topology; see README.md.
module TOPO #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
) (
  input logic     clk,
  input logic     rst_n,
  pkt_con_if.slv  node_if [NX*NY-1:0]
);

  localparam int unsigned PyldW =
      3 + 2 * (((NX <= 8) ? 3 : $clog2(NX)) + ((NY <= 8) ? 3 : $clog2(NY))) + FLIT_W;

  function automatic int irs_depth(int hop, int n);
    return ((hop <= n - hop) ? hop : n - hop) - 1;
  endfunction

  for (genvar y = 0; y < NY; y++) begin : g_y
    for (genvar x = 0; x < NX; x++) begin : g_x
      localparam int unsigned Src = y * NX + x;

      for (genvar i = 0; i < NX - 1; i++) begin : g_xlink
        localparam int unsigned Dst = y * NX + (x + i + 1) % NX;

        IRS_N #(
          .PYLD_W       (PyldW),
          .IRS_DEEP     (irs_depth(i + 1, NX)),
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
          .IRS_DEEP     (irs_depth(i + 1, NY)),
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
