// SPDX-License-Identifier: Apache-2.0
// Arrays of structures, and modules for a row or a column of links.
module ROW import maze_pkg::*; (input clk, rst_n, input pkt_t [7:0][6:0] o, input [7:0][6:0] ov, output [7:0][6:0] ordy,
   output pkt_t [7:0][6:0] in, output [7:0][6:0] iv, input [7:0][6:0] irdy);
  for (genvar a = 0; a < 8; a++) for (genvar i = 0; i < 7; i++)
    IRS_N #(.PYLD_W($bits(pkt_t)), .IRS_DEEP(depth(i + 1))) l (.clk(clk), .rst_n(rst_n), .valid_i(ov[a][i]), .ready_o(ordy[a][i]), .payload_i(o[a][i]),
      .valid_o(iv[(a + i + 1) % 8][i]), .ready_i(irdy[(a + i + 1) % 8][i]), .payload_o(in[(a + i + 1) % 8][i]));
endmodule
module TOPO import maze_pkg::*; (input clk, input rst_n, pkt_con_if.slv node_if[63:0]);
  pkt_t [7:0][7:0][6:0] xo, xi, yo, yi; logic [7:0][7:0][6:0] xov, xor_, xiv, xir, yov, yor_, yiv, yir;
  for (genvar n = 0; n < 64; n++) begin : g_n
    assign xov[n/8][n%8] = node_if[n].xo_vld; assign node_if[n].xo_rdy = xor_[n/8][n%8];
    assign node_if[n].xi_vld = xiv[n/8][n%8]; assign xir[n/8][n%8] = node_if[n].xi_rdy;
    assign yov[n%8][n/8] = node_if[n].yo_vld; assign node_if[n].yo_rdy = yor_[n%8][n/8];
    assign node_if[n].yi_vld = yiv[n%8][n/8]; assign yir[n%8][n/8] = node_if[n].yi_rdy;
    for (genvar i = 0; i < 7; i++) begin : g_i
      assign xo[n/8][n%8][i] = '{kind: node_if[n].xo_type[i], qos: node_if[n].xo_qos[i], src: node_if[n].xo_src[i], tgt: node_if[n].xo_tgt[i], data: node_if[n].xo_data[i]};
      assign yo[n%8][n/8][i] = '{kind: node_if[n].yo_type[i], qos: node_if[n].yo_qos[i], src: node_if[n].yo_src[i], tgt: node_if[n].yo_tgt[i], data: node_if[n].yo_data[i]};
      assign node_if[n].xi_type[i] = xi[n/8][n%8][i].kind; assign node_if[n].xi_qos[i] = xi[n/8][n%8][i].qos; assign node_if[n].xi_src[i] = xi[n/8][n%8][i].src;
      assign {node_if[n].xi_tgt[i], node_if[n].xi_data[i]} = xi[n/8][n%8][i][13:0];
      assign {node_if[n].yi_type[i], node_if[n].yi_qos[i], node_if[n].yi_src[i], node_if[n].yi_tgt[i], node_if[n].yi_data[i]} = yi[n%8][n/8][i];
    end
  end
  ROW u_x [7:0] (.clk, .rst_n, .o(xo), .ov(xov), .ordy(xor_), .in(xi), .iv(xiv), .irdy(xir));
  for (genvar x = 0; x < 8; x++) ROW u_y (.clk, .rst_n, .o(yo[x]), .ov(yov[x]), .ordy(yor_[x]), .in(yi[x]), .iv(yiv[x]), .irdy(yir[x]));
endmodule
