// SPDX-License-Identifier: Apache-2.0
// Baseline bench top: one wide packed port each way, link p*Nodes+n at its slice; see README.md.
module maze_tb_top #(
  localparam int unsigned NX     = `KB_NX,
  localparam int unsigned NY     = `KB_NY,
  localparam int unsigned FlitW  = `KB_FLIT_W,
  localparam int unsigned XPorts = NX - 1,
  localparam int unsigned Ports  = NX - 1 + NY - 1,
  localparam int unsigned Nodes  = NX * NY,
  localparam int unsigned AddrW  = ((NX <= 8) ? 3 : $clog2(NX)) + ((NY <= 8) ? 3 : $clog2(NY)),
  localparam int unsigned PyldW  = 3 + 2 * AddrW + FlitW
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Ports*Nodes-1:0]       out_valid_i,
  input  logic [Ports*Nodes-1:0]       in_ready_i,
  input  logic [Ports*Nodes*PyldW-1:0] out_payload_i,
  output logic [Ports*Nodes-1:0]       out_ready_o,
  output logic [Ports*Nodes-1:0]       in_valid_o,
  output logic [Ports*Nodes*PyldW-1:0] in_payload_o
);

  pkt_con_if #(.NX(NX), .NY(NY), .FLIT_W(FlitW)) node_if [Nodes-1:0] ();

  TOPO #(.NX(NX), .NY(NY), .FLIT_W(FlitW)) u_topo (
    .clk    (clk_i),
    .rst_n  (rst_ni),
    .node_if(node_if)
  );

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    for (genvar p = 0; p < Ports; p++) begin : g_port
      localparam int unsigned At = p * Nodes + n;
      if (p < XPorts) begin : g_x
        assign node_if[n].xo_vld[p] = out_valid_i[At];
        assign {node_if[n].xo_type[p], node_if[n].xo_qos[p], node_if[n].xo_src[p],
                node_if[n].xo_tgt[p], node_if[n].xo_data[p]} = out_payload_i[At*PyldW+:PyldW];
        assign out_ready_o[At]      = node_if[n].xo_rdy[p];
        assign in_valid_o[At]       = node_if[n].xi_vld[p];
        assign in_payload_o[At*PyldW+:PyldW] = {
            node_if[n].xi_type[p], node_if[n].xi_qos[p], node_if[n].xi_src[p],
            node_if[n].xi_tgt[p], node_if[n].xi_data[p]};
        assign node_if[n].xi_rdy[p] = in_ready_i[At];
      end else begin : g_y
        localparam int unsigned Y = p - XPorts;
        assign node_if[n].yo_vld[Y] = out_valid_i[At];
        assign {node_if[n].yo_type[Y], node_if[n].yo_qos[Y], node_if[n].yo_src[Y],
                node_if[n].yo_tgt[Y], node_if[n].yo_data[Y]} = out_payload_i[At*PyldW+:PyldW];
        assign out_ready_o[At]      = node_if[n].yo_rdy[Y];
        assign in_valid_o[At]       = node_if[n].yi_vld[Y];
        assign in_payload_o[At*PyldW+:PyldW] = {
            node_if[n].yi_type[Y], node_if[n].yi_qos[Y], node_if[n].yi_src[Y],
            node_if[n].yi_tgt[Y], node_if[n].yi_data[Y]};
        assign node_if[n].yi_rdy[Y] = in_ready_i[At];
      end
    end
  end

endmodule
