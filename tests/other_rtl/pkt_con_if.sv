// SPDX-License-Identifier: Apache-2.0
// The ports of one node as packed vectors.
interface pkt_con_if #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);
  localparam int unsigned A = link_pkg::bits(NX) + link_pkg::bits(NY);

  logic [NX-2:0]             xo_vld, xo_rdy, xo_qos, xi_vld, xi_rdy, xi_qos;
  logic [NX-2:0][1:0]        xo_type, xi_type;
  logic [NX-2:0][A-1:0]      xo_src, xo_tgt, xi_src, xi_tgt;
  logic [NX-2:0][FLIT_W-1:0] xo_data, xi_data;
  logic [NY-2:0]             yo_vld, yo_rdy, yo_qos, yi_vld, yi_rdy, yi_qos;
  logic [NY-2:0][1:0]        yo_type, yi_type;
  logic [NY-2:0][A-1:0]      yo_src, yo_tgt, yi_src, yi_tgt;
  logic [NY-2:0][FLIT_W-1:0] yo_data, yi_data;

  modport mst (
    output xo_vld, xo_type, xo_qos, xo_src, xo_tgt, xo_data, xi_rdy,
    output yo_vld, yo_type, yo_qos, yo_src, yo_tgt, yo_data, yi_rdy,
    input  xi_vld, xi_type, xi_qos, xi_src, xi_tgt, xi_data, xo_rdy,
    input  yi_vld, yi_type, yi_qos, yi_src, yi_tgt, yi_data, yo_rdy
  );
  modport slv (
    input  xo_vld, xo_type, xo_qos, xo_src, xo_tgt, xo_data, xi_rdy,
    input  yo_vld, yo_type, yo_qos, yo_src, yo_tgt, yo_data, yi_rdy,
    output xi_vld, xi_type, xi_qos, xi_src, xi_tgt, xi_data, xo_rdy,
    output yi_vld, yi_type, yi_qos, yi_src, yi_tgt, yi_data, yo_rdy
  );
endinterface
