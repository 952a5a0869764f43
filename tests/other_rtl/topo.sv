// SPDX-License-Identifier: Apache-2.0
// All links in one loop over nodes, without hierarchy. Node n sends through x[i] to the node i+1 columns further, and
// through y[i] to the node i+1 rows further.
`include "packet.svh"

module TOPO #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
) (
  input logic    clk,
  input logic    rst_n,
  pkt_con_if.slv node_if [NX*NY-1:0]
);
  localparam int unsigned W = `PACKET_W(link_pkg::bits(NX) + link_pkg::bits(NY), FLIT_W);

  for (genvar n = 0; n < NX * NY; n++) begin : node
    for (genvar i = 0; i < NX - 1; i++) begin : x
`ifdef BUG_CROSSED_WIRES
      // The packets of x[0] and x[NX-2] that node 1 sends arrive at each other's nodes. Both links are wires.
      localparam int unsigned Hop = n == 1 && i == 0 ? NX - 1 : n == 1 && i == NX - 2 ? 1 : i + 1;
      localparam int unsigned To  = link_pkg::right_of(n, Hop, NX);
      localparam int unsigned In  = Hop - 1;
`else
      localparam int unsigned To  = link_pkg::right_of(n, i + 1, NX);
      localparam int unsigned In  = i;
`endif
      IRS_N #(.PYLD_W(W), .IRS_DEEP(link_pkg::stages(i + 1, NX))) link (
        .clk, .rst_n,
        .valid_i  (node_if[n].xo_vld[i]),
        .ready_o  (node_if[n].xo_rdy[i]),
        .payload_i({node_if[n].xo_type[i], node_if[n].xo_qos[i], node_if[n].xo_src[i], node_if[n].xo_tgt[i],
                    node_if[n].xo_data[i]}),
        .valid_o  (node_if[To].xi_vld[In]),
        .ready_i  (node_if[To].xi_rdy[In]),
        .payload_o({node_if[To].xi_type[In], node_if[To].xi_qos[In], node_if[To].xi_src[In], node_if[To].xi_tgt[In],
                    node_if[To].xi_data[In]})
      );
    end
    for (genvar i = 0; i < NY - 1; i++) begin : y
      localparam int unsigned To = link_pkg::below(n, i + 1, NX, NY);
      IRS_N #(.PYLD_W(W), .IRS_DEEP(link_pkg::stages(i + 1, NY))) link (
        .clk, .rst_n,
        .valid_i  (node_if[n].yo_vld[i]),
        .ready_o  (node_if[n].yo_rdy[i]),
        .payload_i({node_if[n].yo_type[i], node_if[n].yo_qos[i], node_if[n].yo_src[i], node_if[n].yo_tgt[i],
                    node_if[n].yo_data[i]}),
        .valid_o  (node_if[To].yi_vld[i]),
        .ready_i  (node_if[To].yi_rdy[i]),
        .payload_o({node_if[To].yi_type[i], node_if[To].yi_qos[i], node_if[To].yi_src[i], node_if[To].yi_tgt[i],
                    node_if[To].yi_data[i]})
      );
    end
  end
endmodule
