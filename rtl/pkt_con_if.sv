// SPDX-License-Identifier: Apache-2.0
// The C interface of one node: NX-1 X links and NY-1 Y links, each with an outgoing and an incoming
// side. Link i of a side is element [i] of each of its fields. Each field of a packet is a separate
// signal.
interface pkt_con_if #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);

  localparam int unsigned AddrW = maze_pkg::node_addr_w(NX, NY);

  // x outgoing: node -> topology
  logic              xo_vld  [NX-1];
  logic              xo_rdy  [NX-1];
  logic [1:0]        xo_type [NX-1];
  logic              xo_qos  [NX-1];
  logic [AddrW-1:0]  xo_src  [NX-1];
  logic [AddrW-1:0]  xo_tgt  [NX-1];
  logic [FLIT_W-1:0] xo_data [NX-1];
  // x incoming: topology -> node
  logic              xi_vld  [NX-1];
  logic              xi_rdy  [NX-1];
  logic [1:0]        xi_type [NX-1];
  logic              xi_qos  [NX-1];
  logic [AddrW-1:0]  xi_src  [NX-1];
  logic [AddrW-1:0]  xi_tgt  [NX-1];
  logic [FLIT_W-1:0] xi_data [NX-1];
  // y outgoing
  logic              yo_vld  [NY-1];
  logic              yo_rdy  [NY-1];
  logic [1:0]        yo_type [NY-1];
  logic              yo_qos  [NY-1];
  logic [AddrW-1:0]  yo_src  [NY-1];
  logic [AddrW-1:0]  yo_tgt  [NY-1];
  logic [FLIT_W-1:0] yo_data [NY-1];
  // y incoming
  logic              yi_vld  [NY-1];
  logic              yi_rdy  [NY-1];
  logic [1:0]        yi_type [NY-1];
  logic              yi_qos  [NY-1];
  logic [AddrW-1:0]  yi_src  [NY-1];
  logic [AddrW-1:0]  yi_tgt  [NY-1];
  logic [FLIT_W-1:0] yi_data [NY-1];

  // Node side.
  modport mst (
    output xo_vld, xo_type, xo_qos, xo_src, xo_tgt, xo_data,
    input  xo_rdy,
    input  xi_vld, xi_type, xi_qos, xi_src, xi_tgt, xi_data,
    output xi_rdy,
    output yo_vld, yo_type, yo_qos, yo_src, yo_tgt, yo_data,
    input  yo_rdy,
    input  yi_vld, yi_type, yi_qos, yi_src, yi_tgt, yi_data,
    output yi_rdy
  );

  // Topology side.
  modport slv (
    input  xo_vld, xo_type, xo_qos, xo_src, xo_tgt, xo_data,
    output xo_rdy,
    output xi_vld, xi_type, xi_qos, xi_src, xi_tgt, xi_data,
    input  xi_rdy,
    input  yo_vld, yo_type, yo_qos, yo_src, yo_tgt, yo_data,
    output yo_rdy,
    output yi_vld, yi_type, yi_qos, yi_src, yi_tgt, yi_data,
    input  yi_rdy
  );

endinterface
