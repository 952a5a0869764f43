// SPDX-License-Identifier: Apache-2.0
// Packed vectors, and no parameters.
interface pkt_con_if;
  logic [6:0] xo_vld, xo_rdy, xi_vld, xi_rdy, yo_vld, yo_rdy, yi_vld, yi_rdy;
  logic [6:0] xo_qos, xi_qos, yo_qos, yi_qos;
  logic [6:0][1:0] xo_type, xi_type, yo_type, yi_type;
  logic [6:0][5:0] xo_src, xi_src, yo_src, yi_src, xo_tgt, xi_tgt, yo_tgt, yi_tgt;
  logic [6:0][7:0] xo_data, xi_data, yo_data, yi_data;
  modport mst (output xo_vld, xo_type, xo_qos, xo_src, xo_tgt, xo_data, xi_rdy, yo_vld, yo_type, yo_qos, yo_src, yo_tgt, yo_data, yi_rdy,
    input xo_rdy, yo_rdy, xi_vld, xi_type, xi_qos, xi_src, xi_tgt, xi_data, yi_vld, yi_type, yi_qos, yi_src, yi_tgt, yi_data);
  modport slv (input xo_vld, xo_type, xo_qos, xo_src, xo_tgt, xo_data, xi_rdy, yo_vld, yo_type, yo_qos, yo_src, yo_tgt, yo_data, yi_rdy,
    output xo_rdy, yo_rdy, xi_vld, xi_type, xi_qos, xi_src, xi_tgt, xi_data, yi_vld, yi_type, yi_qos, yi_src, yi_tgt, yi_data);
endinterface
