// SPDX-License-Identifier: Apache-2.0
// The C++ view of a verilated MAZE network: plain ports with the layout of the planes of maze/network_frame.hpp,
// so that moving a plane is one memory copy. The shape, FLIT_W, HIGH_BOUND and FIXED are macros.
//
// The users' side of ports A and B is registered; both edges of `apply_i` clock it, as in maze_tb_top.sv. At 8 x 8
// the network is MAZE_TOP, else MAZE_ARRAY. With KB_LINKS the signals between nodes and links are seen, too.
module network_tb_top #(
  localparam int unsigned NX     = `KB_NX,
  localparam int unsigned NY     = `KB_NY,
  localparam int unsigned FlitW  = `KB_FLIT_W,
  localparam int unsigned XPorts = NX - 1,
  localparam int unsigned Ports  = NX + NY - 2,
  localparam int unsigned Nodes  = NX * NY,
  localparam int unsigned AddrW  = ((NX <= 8) ? 3 : $clog2(NX)) + ((NY <= 8) ? 3 : $clog2(NY)),
  localparam int unsigned PyldW  = 3 + 2 * AddrW + FlitW,
  // A plane row is a whole number of 64-bit words.
  localparam int unsigned RowW   = ((Nodes + 63) / 64) * 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  /* verilator tracing_off */  // the interfaces show the same signals
  input  logic             apply_i,
  input  logic             pg_en_i,
  input  logic [AddrW-1:0] pg_node_i,
  // Users.
  input  logic [RowW-1:0]  a_valid_i,
  input  logic [RowW-1:0]  b_ready_i,
  input  logic [63:0]      a_payload_i [Nodes],
  output logic [RowW-1:0]  a_ready_o,
  output logic [RowW-1:0]  b_valid_o,
  output logic [63:0]      b_payload_o [Nodes]
`ifdef KB_LINKS
  ,
  // Signals driven by the nodes, and signals driven by the links.
  output logic [RowW-1:0]  out_valid_o   [Ports],
  output logic [RowW-1:0]  in_ready_o    [Ports],
  output logic [63:0]      out_payload_o [Ports*Nodes],
  output logic [RowW-1:0]  out_ready_o   [Ports],
  output logic [RowW-1:0]  in_valid_o    [Ports],
  output logic [63:0]      in_payload_o  [Ports*Nodes]
`endif
`ifdef KB_NOTES
  /* verilator tracing_on */
  ,
  // Values that the reference expects at one port of a node, for the waveform only.
  input  logic             expected_in_vld_i, expected_in_rdy_i, expected_out_vld_i, expected_out_rdy_i,
  input  logic [63:0]      expected_in_pkt_i, expected_out_pkt_i
`endif
);

`ifdef KB_NOTES
  logic unused_notes;
  assign unused_notes = ^{expected_in_vld_i, expected_in_rdy_i, expected_out_vld_i, expected_out_rdy_i,
                          expected_in_pkt_i, expected_out_pkt_i};
`endif

/* verilator tracing_on */
  logic pg_en_q;
  logic [AddrW-1:0] pg_node_q;
  always_ff @(posedge apply_i or negedge apply_i) begin
    pg_en_q   <= pg_en_i;
    pg_node_q <= pg_node_i;
  end

`ifdef KB_SIGN_OFF_SHAPE
  pkt_in  a [Nodes-1:0] ();
  pkt_out b [Nodes-1:0] ();
  MAZE_TOP u_maze (
    .clk(clk_i), .rst_n(rst_ni), .pg_en(pg_en_q), .pg_node(pg_node_q),
    .pkt_in_0(a[0]), .pkt_out_0(b[0]), .pkt_in_1(a[1]), .pkt_out_1(b[1]), .pkt_in_2(a[2]), .pkt_out_2(b[2]), .pkt_in_3(a[3]), .pkt_out_3(b[3]),
    .pkt_in_4(a[4]), .pkt_out_4(b[4]), .pkt_in_5(a[5]), .pkt_out_5(b[5]), .pkt_in_6(a[6]), .pkt_out_6(b[6]), .pkt_in_7(a[7]), .pkt_out_7(b[7]),
    .pkt_in_8(a[8]), .pkt_out_8(b[8]), .pkt_in_9(a[9]), .pkt_out_9(b[9]), .pkt_in_10(a[10]), .pkt_out_10(b[10]), .pkt_in_11(a[11]), .pkt_out_11(b[11]),
    .pkt_in_12(a[12]), .pkt_out_12(b[12]), .pkt_in_13(a[13]), .pkt_out_13(b[13]), .pkt_in_14(a[14]), .pkt_out_14(b[14]), .pkt_in_15(a[15]), .pkt_out_15(b[15]),
    .pkt_in_16(a[16]), .pkt_out_16(b[16]), .pkt_in_17(a[17]), .pkt_out_17(b[17]), .pkt_in_18(a[18]), .pkt_out_18(b[18]), .pkt_in_19(a[19]), .pkt_out_19(b[19]),
    .pkt_in_20(a[20]), .pkt_out_20(b[20]), .pkt_in_21(a[21]), .pkt_out_21(b[21]), .pkt_in_22(a[22]), .pkt_out_22(b[22]), .pkt_in_23(a[23]), .pkt_out_23(b[23]),
    .pkt_in_24(a[24]), .pkt_out_24(b[24]), .pkt_in_25(a[25]), .pkt_out_25(b[25]), .pkt_in_26(a[26]), .pkt_out_26(b[26]), .pkt_in_27(a[27]), .pkt_out_27(b[27]),
    .pkt_in_28(a[28]), .pkt_out_28(b[28]), .pkt_in_29(a[29]), .pkt_out_29(b[29]), .pkt_in_30(a[30]), .pkt_out_30(b[30]), .pkt_in_31(a[31]), .pkt_out_31(b[31]),
    .pkt_in_32(a[32]), .pkt_out_32(b[32]), .pkt_in_33(a[33]), .pkt_out_33(b[33]), .pkt_in_34(a[34]), .pkt_out_34(b[34]), .pkt_in_35(a[35]), .pkt_out_35(b[35]),
    .pkt_in_36(a[36]), .pkt_out_36(b[36]), .pkt_in_37(a[37]), .pkt_out_37(b[37]), .pkt_in_38(a[38]), .pkt_out_38(b[38]), .pkt_in_39(a[39]), .pkt_out_39(b[39]),
    .pkt_in_40(a[40]), .pkt_out_40(b[40]), .pkt_in_41(a[41]), .pkt_out_41(b[41]), .pkt_in_42(a[42]), .pkt_out_42(b[42]), .pkt_in_43(a[43]), .pkt_out_43(b[43]),
    .pkt_in_44(a[44]), .pkt_out_44(b[44]), .pkt_in_45(a[45]), .pkt_out_45(b[45]), .pkt_in_46(a[46]), .pkt_out_46(b[46]), .pkt_in_47(a[47]), .pkt_out_47(b[47]),
    .pkt_in_48(a[48]), .pkt_out_48(b[48]), .pkt_in_49(a[49]), .pkt_out_49(b[49]), .pkt_in_50(a[50]), .pkt_out_50(b[50]), .pkt_in_51(a[51]), .pkt_out_51(b[51]),
    .pkt_in_52(a[52]), .pkt_out_52(b[52]), .pkt_in_53(a[53]), .pkt_out_53(b[53]), .pkt_in_54(a[54]), .pkt_out_54(b[54]), .pkt_in_55(a[55]), .pkt_out_55(b[55]),
    .pkt_in_56(a[56]), .pkt_out_56(b[56]), .pkt_in_57(a[57]), .pkt_out_57(b[57]), .pkt_in_58(a[58]), .pkt_out_58(b[58]), .pkt_in_59(a[59]), .pkt_out_59(b[59]),
    .pkt_in_60(a[60]), .pkt_out_60(b[60]), .pkt_in_61(a[61]), .pkt_out_61(b[61]), .pkt_in_62(a[62]), .pkt_out_62(b[62]), .pkt_in_63(a[63]), .pkt_out_63(b[63])
  );
`define KB_LINK u_maze.u_array.links
`else
  pkt_in  #(.NX(NX), .NY(NY), .FLIT_W(FlitW)) a [Nodes-1:0] ();
  pkt_out #(.NX(NX), .NY(NY), .FLIT_W(FlitW)) b [Nodes-1:0] ();
  MAZE_ARRAY #(
    .NX(NX), .NY(NY), .FLIT_W(FlitW), .HIGH_BOUND(`KB_HIGH_BOUND), .FIXED(`KB_FIXED)
  ) u_maze (
    .clk(clk_i), .rst_n(rst_ni), .test_en(1'b0), .pg_en(pg_en_q), .pg_node(pg_node_q), .pkt_i(a), .pkt_o(b)
  );
`define KB_LINK u_maze.links
`endif

/* verilator tracing_off */
  logic [Nodes-1:0] a_ready, b_valid;
  for (genvar n = 0; n < Nodes; n++) begin : g_user
    logic             valid_q, ready_q, rdy, vld;
    logic [PyldW-1:0] pyld_q;

    always_ff @(posedge apply_i or negedge apply_i) begin
      valid_q <= a_valid_i[n];
      ready_q <= b_ready_i[n];
      pyld_q  <= a_payload_i[n][PyldW-1:0];
    end
    assign a[n].pkt_in_vld  = valid_q;
    assign {a[n].pkt_in_type, a[n].pkt_in_qos, a[n].pkt_in_src, a[n].pkt_in_tgt, a[n].pkt_in_data} = pyld_q;
    assign b[n].pkt_out_rdy = ready_q;
    assign rdy              = a[n].pkt_in_rdy;
    assign vld              = b[n].pkt_out_vld;
    assign a_ready[n]       = rdy;
    assign b_valid[n]       = vld;
    assign b_payload_o[n]   = 64'({b[n].pkt_out_type, b[n].pkt_out_qos, b[n].pkt_out_src, b[n].pkt_out_tgt,
                                   b[n].pkt_out_data});
  end
  logic unused_rows;  // bits past the last node
  assign unused_rows = ^{a_valid_i, b_ready_i};
  assign a_ready_o = RowW'(a_ready);
  assign b_valid_o = RowW'(b_valid);

`ifdef KB_LINKS
  for (genvar p = 0; p < Ports; p++) begin : g_port
    logic [Nodes-1:0] out_valid, in_ready, out_ready, in_valid;
    for (genvar n = 0; n < Nodes; n++) begin : g_node
      localparam int unsigned At = p * Nodes + n;
      logic ov, ir, orr, iv;
      if (p < XPorts) begin : g_x
        assign ov  = `KB_LINK[n].xo_vld[p];
        assign orr = `KB_LINK[n].xo_rdy[p];
        assign iv  = `KB_LINK[n].xi_vld[p];
        assign ir  = `KB_LINK[n].xi_rdy[p];
        assign out_payload_o[At] = 64'({`KB_LINK[n].xo_type[p], `KB_LINK[n].xo_qos[p], `KB_LINK[n].xo_src[p],
                                        `KB_LINK[n].xo_tgt[p], `KB_LINK[n].xo_data[p]});
        assign in_payload_o[At]  = 64'({`KB_LINK[n].xi_type[p], `KB_LINK[n].xi_qos[p], `KB_LINK[n].xi_src[p],
                                        `KB_LINK[n].xi_tgt[p], `KB_LINK[n].xi_data[p]});
      end else begin : g_y
        localparam int unsigned Y = p - XPorts;
        assign ov  = `KB_LINK[n].yo_vld[Y];
        assign orr = `KB_LINK[n].yo_rdy[Y];
        assign iv  = `KB_LINK[n].yi_vld[Y];
        assign ir  = `KB_LINK[n].yi_rdy[Y];
        assign out_payload_o[At] = 64'({`KB_LINK[n].yo_type[Y], `KB_LINK[n].yo_qos[Y], `KB_LINK[n].yo_src[Y],
                                        `KB_LINK[n].yo_tgt[Y], `KB_LINK[n].yo_data[Y]});
        assign in_payload_o[At]  = 64'({`KB_LINK[n].yi_type[Y], `KB_LINK[n].yi_qos[Y], `KB_LINK[n].yi_src[Y],
                                        `KB_LINK[n].yi_tgt[Y], `KB_LINK[n].yi_data[Y]});
      end
      assign out_valid[n] = ov;
      assign in_ready[n]  = ir;
      assign out_ready[n] = orr;
      assign in_valid[n]  = iv;
    end
    assign out_valid_o[p] = RowW'(out_valid);
    assign in_ready_o[p]  = RowW'(in_ready);
    assign out_ready_o[p] = RowW'(out_ready);
    assign in_valid_o[p]  = RowW'(in_valid);
  end
`endif

endmodule
`undef KB_LINK
