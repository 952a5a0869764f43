// SPDX-License-Identifier: Apache-2.0
// Port B of a node: packets out of the network.
interface pkt_out #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);

  localparam int unsigned AddrW = maze_pkg::node_addr_w(NX, NY);

  logic              pkt_out_vld;
  logic              pkt_out_rdy;
  logic [1:0]        pkt_out_type;
  logic              pkt_out_qos;
  logic [AddrW-1:0]  pkt_out_src;
  logic [AddrW-1:0]  pkt_out_tgt;
  logic [FLIT_W-1:0] pkt_out_data;

  // Node side.
  modport mst (
    output pkt_out_vld, pkt_out_type, pkt_out_qos, pkt_out_src, pkt_out_tgt, pkt_out_data,
    input  pkt_out_rdy
  );

  // Outside.
  modport slv (
    input  pkt_out_vld, pkt_out_type, pkt_out_qos, pkt_out_src, pkt_out_tgt, pkt_out_data,
    output pkt_out_rdy
  );

endinterface
