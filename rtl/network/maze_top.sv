// SPDX-License-Identifier: Apache-2.0
// The MAZE network of 8 x 8 nodes with a port A and a port B for each node: MAZE_ARRAY behind single interfaces.
// The test-enable pins of the clock gates are to be connected where the scan chains are.
`define MAZE_TOP_NODE(N) \
  assign a[N].pkt_in_vld          = pkt_in_``N.pkt_in_vld; \
  assign a[N].pkt_in_type         = pkt_in_``N.pkt_in_type; \
  assign a[N].pkt_in_qos          = pkt_in_``N.pkt_in_qos; \
  assign a[N].pkt_in_src          = pkt_in_``N.pkt_in_src; \
  assign a[N].pkt_in_tgt          = pkt_in_``N.pkt_in_tgt; \
  assign a[N].pkt_in_data         = pkt_in_``N.pkt_in_data; \
  assign pkt_in_``N.pkt_in_rdy    = a[N].pkt_in_rdy; \
  assign pkt_out_``N.pkt_out_vld  = b[N].pkt_out_vld; \
  assign pkt_out_``N.pkt_out_type = b[N].pkt_out_type; \
  assign pkt_out_``N.pkt_out_qos  = b[N].pkt_out_qos; \
  assign pkt_out_``N.pkt_out_src  = b[N].pkt_out_src; \
  assign pkt_out_``N.pkt_out_tgt  = b[N].pkt_out_tgt; \
  assign pkt_out_``N.pkt_out_data = b[N].pkt_out_data; \
  assign b[N].pkt_out_rdy         = pkt_out_``N.pkt_out_rdy;

module MAZE_TOP #(
  parameter int unsigned FLIT_W     = 8,
  parameter int          HIGH_BOUND = 16,
  parameter bit          FIXED      = 1'b0
) (
  input logic       clk,
  input logic       rst_n,
  input logic       pg_en,
  input logic [5:0] pg_node,
  pkt_in.mst pkt_in_0, pkt_in.mst pkt_in_1, pkt_in.mst pkt_in_2, pkt_in.mst pkt_in_3,
  pkt_in.mst pkt_in_4, pkt_in.mst pkt_in_5, pkt_in.mst pkt_in_6, pkt_in.mst pkt_in_7,
  pkt_in.mst pkt_in_8, pkt_in.mst pkt_in_9, pkt_in.mst pkt_in_10, pkt_in.mst pkt_in_11,
  pkt_in.mst pkt_in_12, pkt_in.mst pkt_in_13, pkt_in.mst pkt_in_14, pkt_in.mst pkt_in_15,
  pkt_in.mst pkt_in_16, pkt_in.mst pkt_in_17, pkt_in.mst pkt_in_18, pkt_in.mst pkt_in_19,
  pkt_in.mst pkt_in_20, pkt_in.mst pkt_in_21, pkt_in.mst pkt_in_22, pkt_in.mst pkt_in_23,
  pkt_in.mst pkt_in_24, pkt_in.mst pkt_in_25, pkt_in.mst pkt_in_26, pkt_in.mst pkt_in_27,
  pkt_in.mst pkt_in_28, pkt_in.mst pkt_in_29, pkt_in.mst pkt_in_30, pkt_in.mst pkt_in_31,
  pkt_in.mst pkt_in_32, pkt_in.mst pkt_in_33, pkt_in.mst pkt_in_34, pkt_in.mst pkt_in_35,
  pkt_in.mst pkt_in_36, pkt_in.mst pkt_in_37, pkt_in.mst pkt_in_38, pkt_in.mst pkt_in_39,
  pkt_in.mst pkt_in_40, pkt_in.mst pkt_in_41, pkt_in.mst pkt_in_42, pkt_in.mst pkt_in_43,
  pkt_in.mst pkt_in_44, pkt_in.mst pkt_in_45, pkt_in.mst pkt_in_46, pkt_in.mst pkt_in_47,
  pkt_in.mst pkt_in_48, pkt_in.mst pkt_in_49, pkt_in.mst pkt_in_50, pkt_in.mst pkt_in_51,
  pkt_in.mst pkt_in_52, pkt_in.mst pkt_in_53, pkt_in.mst pkt_in_54, pkt_in.mst pkt_in_55,
  pkt_in.mst pkt_in_56, pkt_in.mst pkt_in_57, pkt_in.mst pkt_in_58, pkt_in.mst pkt_in_59,
  pkt_in.mst pkt_in_60, pkt_in.mst pkt_in_61, pkt_in.mst pkt_in_62, pkt_in.mst pkt_in_63,
  pkt_out.mst pkt_out_0, pkt_out.mst pkt_out_1, pkt_out.mst pkt_out_2, pkt_out.mst pkt_out_3,
  pkt_out.mst pkt_out_4, pkt_out.mst pkt_out_5, pkt_out.mst pkt_out_6, pkt_out.mst pkt_out_7,
  pkt_out.mst pkt_out_8, pkt_out.mst pkt_out_9, pkt_out.mst pkt_out_10, pkt_out.mst pkt_out_11,
  pkt_out.mst pkt_out_12, pkt_out.mst pkt_out_13, pkt_out.mst pkt_out_14, pkt_out.mst pkt_out_15,
  pkt_out.mst pkt_out_16, pkt_out.mst pkt_out_17, pkt_out.mst pkt_out_18, pkt_out.mst pkt_out_19,
  pkt_out.mst pkt_out_20, pkt_out.mst pkt_out_21, pkt_out.mst pkt_out_22, pkt_out.mst pkt_out_23,
  pkt_out.mst pkt_out_24, pkt_out.mst pkt_out_25, pkt_out.mst pkt_out_26, pkt_out.mst pkt_out_27,
  pkt_out.mst pkt_out_28, pkt_out.mst pkt_out_29, pkt_out.mst pkt_out_30, pkt_out.mst pkt_out_31,
  pkt_out.mst pkt_out_32, pkt_out.mst pkt_out_33, pkt_out.mst pkt_out_34, pkt_out.mst pkt_out_35,
  pkt_out.mst pkt_out_36, pkt_out.mst pkt_out_37, pkt_out.mst pkt_out_38, pkt_out.mst pkt_out_39,
  pkt_out.mst pkt_out_40, pkt_out.mst pkt_out_41, pkt_out.mst pkt_out_42, pkt_out.mst pkt_out_43,
  pkt_out.mst pkt_out_44, pkt_out.mst pkt_out_45, pkt_out.mst pkt_out_46, pkt_out.mst pkt_out_47,
  pkt_out.mst pkt_out_48, pkt_out.mst pkt_out_49, pkt_out.mst pkt_out_50, pkt_out.mst pkt_out_51,
  pkt_out.mst pkt_out_52, pkt_out.mst pkt_out_53, pkt_out.mst pkt_out_54, pkt_out.mst pkt_out_55,
  pkt_out.mst pkt_out_56, pkt_out.mst pkt_out_57, pkt_out.mst pkt_out_58, pkt_out.mst pkt_out_59,
  pkt_out.mst pkt_out_60, pkt_out.mst pkt_out_61, pkt_out.mst pkt_out_62, pkt_out.mst pkt_out_63
);

  pkt_in  #(.FLIT_W(FLIT_W)) a [63:0] ();
  pkt_out #(.FLIT_W(FLIT_W)) b [63:0] ();

  `MAZE_TOP_NODE(0) `MAZE_TOP_NODE(1) `MAZE_TOP_NODE(2) `MAZE_TOP_NODE(3) `MAZE_TOP_NODE(4) `MAZE_TOP_NODE(5) `MAZE_TOP_NODE(6) `MAZE_TOP_NODE(7)
  `MAZE_TOP_NODE(8) `MAZE_TOP_NODE(9) `MAZE_TOP_NODE(10) `MAZE_TOP_NODE(11) `MAZE_TOP_NODE(12) `MAZE_TOP_NODE(13) `MAZE_TOP_NODE(14) `MAZE_TOP_NODE(15)
  `MAZE_TOP_NODE(16) `MAZE_TOP_NODE(17) `MAZE_TOP_NODE(18) `MAZE_TOP_NODE(19) `MAZE_TOP_NODE(20) `MAZE_TOP_NODE(21) `MAZE_TOP_NODE(22) `MAZE_TOP_NODE(23)
  `MAZE_TOP_NODE(24) `MAZE_TOP_NODE(25) `MAZE_TOP_NODE(26) `MAZE_TOP_NODE(27) `MAZE_TOP_NODE(28) `MAZE_TOP_NODE(29) `MAZE_TOP_NODE(30) `MAZE_TOP_NODE(31)
  `MAZE_TOP_NODE(32) `MAZE_TOP_NODE(33) `MAZE_TOP_NODE(34) `MAZE_TOP_NODE(35) `MAZE_TOP_NODE(36) `MAZE_TOP_NODE(37) `MAZE_TOP_NODE(38) `MAZE_TOP_NODE(39)
  `MAZE_TOP_NODE(40) `MAZE_TOP_NODE(41) `MAZE_TOP_NODE(42) `MAZE_TOP_NODE(43) `MAZE_TOP_NODE(44) `MAZE_TOP_NODE(45) `MAZE_TOP_NODE(46) `MAZE_TOP_NODE(47)
  `MAZE_TOP_NODE(48) `MAZE_TOP_NODE(49) `MAZE_TOP_NODE(50) `MAZE_TOP_NODE(51) `MAZE_TOP_NODE(52) `MAZE_TOP_NODE(53) `MAZE_TOP_NODE(54) `MAZE_TOP_NODE(55)
  `MAZE_TOP_NODE(56) `MAZE_TOP_NODE(57) `MAZE_TOP_NODE(58) `MAZE_TOP_NODE(59) `MAZE_TOP_NODE(60) `MAZE_TOP_NODE(61) `MAZE_TOP_NODE(62) `MAZE_TOP_NODE(63)

  MAZE_ARRAY #(.FLIT_W(FLIT_W), .HIGH_BOUND(HIGH_BOUND), .FIXED(FIXED)) u_array (
    .clk, .rst_n, .test_en(1'b0), .pg_en, .pg_node, .pkt_i(a), .pkt_o(b)
  );

endmodule
`undef MAZE_TOP_NODE
