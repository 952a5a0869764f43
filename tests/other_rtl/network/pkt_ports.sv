// SPDX-License-Identifier: Apache-2.0
// Ports A and B.
interface pkt_in #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);
  localparam int unsigned A = link_pkg::bits(NX) + link_pkg::bits(NY);
  logic              pkt_in_vld, pkt_in_rdy, pkt_in_qos;
  logic [1:0]        pkt_in_type;
  logic [A-1:0]      pkt_in_src, pkt_in_tgt;
  logic [FLIT_W-1:0] pkt_in_data;
  modport mst (input pkt_in_vld, pkt_in_type, pkt_in_qos, pkt_in_src, pkt_in_tgt, pkt_in_data, output pkt_in_rdy);
  modport slv (output pkt_in_vld, pkt_in_type, pkt_in_qos, pkt_in_src, pkt_in_tgt, pkt_in_data, input pkt_in_rdy);
endinterface

interface pkt_out #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);
  localparam int unsigned A = link_pkg::bits(NX) + link_pkg::bits(NY);
  logic              pkt_out_vld, pkt_out_rdy, pkt_out_qos;
  logic [1:0]        pkt_out_type;
  logic [A-1:0]      pkt_out_src, pkt_out_tgt;
  logic [FLIT_W-1:0] pkt_out_data;
  modport mst (output pkt_out_vld, pkt_out_type, pkt_out_qos, pkt_out_src, pkt_out_tgt, pkt_out_data,
               input pkt_out_rdy);
  modport slv (input pkt_out_vld, pkt_out_type, pkt_out_qos, pkt_out_src, pkt_out_tgt, pkt_out_data,
               output pkt_out_rdy);
endinterface
