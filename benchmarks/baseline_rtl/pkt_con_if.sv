// SPDX-License-Identifier: Apache-2.0
// Baseline coding of the interface: packed vectors; see README.md.
interface pkt_con_if #(
  parameter int unsigned NX     = 8,
  parameter int unsigned NY     = 8,
  parameter int unsigned FLIT_W = 8
);

  localparam int unsigned AddrW = ((NX <= 8) ? 3 : $clog2(NX)) + ((NY <= 8) ? 3 : $clog2(NY));

  // x outgoing: node -> topology
  logic [NX-2:0] xo_vld;
  logic [NX-2:0] xo_rdy;
  logic [NX-2:0][1:0] xo_type;
  logic [NX-2:0] xo_qos;
  logic [NX-2:0][AddrW-1:0] xo_src;
  logic [NX-2:0][AddrW-1:0] xo_tgt;
  logic [NX-2:0][FLIT_W-1:0] xo_data;
  // x incoming: topology -> node
  logic [NX-2:0] xi_vld;
  logic [NX-2:0] xi_rdy;
  logic [NX-2:0][1:0] xi_type;
  logic [NX-2:0] xi_qos;
  logic [NX-2:0][AddrW-1:0] xi_src;
  logic [NX-2:0][AddrW-1:0] xi_tgt;
  logic [NX-2:0][FLIT_W-1:0] xi_data;
  // y outgoing
  logic [NY-2:0] yo_vld;
  logic [NY-2:0] yo_rdy;
  logic [NY-2:0][1:0] yo_type;
  logic [NY-2:0] yo_qos;
  logic [NY-2:0][AddrW-1:0] yo_src;
  logic [NY-2:0][AddrW-1:0] yo_tgt;
  logic [NY-2:0][FLIT_W-1:0] yo_data;
  // y incoming
  logic [NY-2:0] yi_vld;
  logic [NY-2:0] yi_rdy;
  logic [NY-2:0][1:0] yi_type;
  logic [NY-2:0] yi_qos;
  logic [NY-2:0][AddrW-1:0] yi_src;
  logic [NY-2:0][AddrW-1:0] yi_tgt;
  logic [NY-2:0][FLIT_W-1:0] yi_data;

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
