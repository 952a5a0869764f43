// SPDX-License-Identifier: Apache-2.0
// Packet format and torus geometry of the MAZE, as functions of the size of the network.
package maze_pkg;

  typedef enum logic [1:0] {
    PktUnicast    = 2'b00,
    PktXMulticast = 2'b01,
    PktYMulticast = 2'b10,
    PktBroadcast  = 2'b11
  } pkt_type_e;

  localparam int unsigned TypeW = $bits(pkt_type_e);
  localparam int unsigned QosW  = 1;

  // Address bits of a dimension with n nodes: at least 3, so that all shapes up to 8x8 share a format.
  function automatic int unsigned addr_w(int unsigned n);
    return (n <= 8) ? 3 : $clog2(n);
  endfunction

  // Address bits of a node, {y, x}.
  function automatic int unsigned node_addr_w(int unsigned nx, int unsigned ny);
    return addr_w(nx) + addr_w(ny);
  endfunction

  // Packet bits: {type, qos, src, tgt, data}.
  function automatic int unsigned pyld_w(int unsigned nx, int unsigned ny, int unsigned flit_w);
    return TypeW + QosW + 2 * node_addr_w(nx, ny) + flit_w;
  endfunction

  // IRS stages of the link between two nodes of a row or column of n nodes at distance `hop`
  // (1 .. n-1): one stage per node passed on the shorter path around the ring.
  function automatic int irs_depth(int hop, int n);
    return ((hop <= n - hop) ? hop : n - hop) - 1;
  endfunction

endpackage
