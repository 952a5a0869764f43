// SPDX-License-Identifier: Apache-2.0
// Port A of a node: packets into the network.
interface pkt_in #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);

  localparam int unsigned AddrW = maze_pkg::node_addr_w(NX, NY);

  logic              pkt_in_vld;
  logic              pkt_in_rdy;
  logic [1:0]        pkt_in_type;
  logic              pkt_in_qos;
  logic [AddrW-1:0]  pkt_in_src;
  logic [AddrW-1:0]  pkt_in_tgt;
  logic [FLIT_W-1:0] pkt_in_data;

  // Node side.
  modport mst (
    input  pkt_in_vld, pkt_in_type, pkt_in_qos, pkt_in_src, pkt_in_tgt, pkt_in_data,
    output pkt_in_rdy
  );

  // Outside.
  modport slv (
    output pkt_in_vld, pkt_in_type, pkt_in_qos, pkt_in_src, pkt_in_tgt, pkt_in_data,
    input  pkt_in_rdy
  );

endinterface
