// SPDX-License-Identifier: Apache-2.0
// The C++ view of a verilated TOPO: plain ports with the layout of the harness's bit and payload planes
// (port-major, X ports first), so that moving a plane is one memory copy.
//
// The nodes' side of the interfaces is registered; both edges of `apply_i` clock it. The harness toggles
// `apply_i` together with the rising edge of `clk_i`: one evaluation then executes the rising edge, with
// the inputs of the cycle that ends, and applies the inputs of the next cycle.
//
// The TOPO and the interface may be external ones. Fields are therefore accessed one element at a time,
// which fits packed and unpacked arrays, and in the sign-off shape neither gets a parameter.
`ifndef KB_NX
`define KB_NX 8
`endif
`ifndef KB_NY
`define KB_NY 8
`endif
`ifndef KB_FLIT_W
`define KB_FLIT_W 8
`endif

module maze_tb_top #(
  localparam int unsigned NX     = `KB_NX,
  localparam int unsigned NY     = `KB_NY,
  localparam int unsigned FlitW  = `KB_FLIT_W,
  localparam int unsigned XPorts = NX - 1,
  localparam int unsigned YPorts = NY - 1,
  localparam int unsigned Ports  = XPorts + YPorts,
  localparam int unsigned Nodes  = NX * NY,
  // A plane row is a whole number of 64-bit words.
  localparam int unsigned RowW   = ((Nodes + 63) / 64) * 64
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  /* verilator tracing_off */  // the interfaces show the same signals
  input  logic            apply_i,
  // Signals driven by the nodes.
  input  logic [RowW-1:0] out_valid_i   [Ports],
  input  logic [RowW-1:0] in_ready_i    [Ports],
  input  logic [63:0]     out_payload_i [Ports*Nodes],
  // Signals received by the nodes.
  output logic [RowW-1:0] out_ready_o   [Ports],
  output logic [RowW-1:0] in_valid_o    [Ports],
  output logic [63:0]     in_payload_o  [Ports*Nodes]
`ifdef KB_NOTES
  /* verilator tracing_on */
  // Values that nodes, checkers and reference have at one link, for the waveform only.
  ,
  input  logic            want_vld_i, want_rdy_i, seen_vld_i, seen_rdy_i, expected_vld_i, expected_rdy_i,
  input  logic [63:0]     want_pkt_i, seen_pkt_i, expected_pkt_i
`endif
);

  localparam int unsigned XAddrW = (NX <= 8) ? 3 : $clog2(NX);
  localparam int unsigned YAddrW = (NY <= 8) ? 3 : $clog2(NY);
  localparam int unsigned AddrW  = XAddrW + YAddrW;
  localparam int unsigned DataAt = 0;
  localparam int unsigned TgtAt  = FlitW;
  localparam int unsigned SrcAt  = TgtAt + AddrW;
  localparam int unsigned QosAt  = SrcAt + AddrW;
  localparam int unsigned TypeAt = QosAt + 1;
  localparam int unsigned PyldW  = TypeAt + 2;

`ifdef KB_NOTES
  logic unused_notes;
  assign unused_notes = ^{want_vld_i, want_rdy_i, seen_vld_i, seen_rdy_i, expected_vld_i, expected_rdy_i,
                          want_pkt_i, seen_pkt_i, expected_pkt_i};
`endif

/* verilator tracing_on */
`ifdef KB_SIGN_OFF_SHAPE
  pkt_con_if node_if [Nodes-1:0] ();
  TOPO u_topo (
    .clk    (clk_i),
    .rst_n  (rst_ni),
    .node_if(node_if)
  );
`else
  pkt_con_if #(.NX(NX), .NY(NY), .FLIT_W(FlitW)) node_if [Nodes-1:0] ();
  TOPO #(.NX(NX), .NY(NY), .FLIT_W(FlitW)) u_topo (
    .clk    (clk_i),
    .rst_n  (rst_ni),
    .node_if(node_if)
  );
`endif
/* verilator tracing_off */

  for (genvar p = 0; p < Ports; p++) begin : g_port
    logic [Nodes-1:0] ready, valid;

    for (genvar n = 0; n < Nodes; n++) begin : g_node
      localparam int unsigned At = p * Nodes + n;
      logic             valid_q, ready_q;
      logic [PyldW-1:0] pyld_q;
      // Separate scalars, so that Verilator builds each row in one expression.
      logic             rdy, vld;

      always_ff @(posedge apply_i or negedge apply_i) begin
        valid_q <= out_valid_i[p][n];
        ready_q <= in_ready_i[p][n];
        pyld_q  <= out_payload_i[At][PyldW-1:0];
      end
      assign ready[n] = rdy;
      assign valid[n] = vld;

      if (p < XPorts) begin : g_x
        assign node_if[n].xo_vld[p]  = valid_q;
        assign node_if[n].xo_data[p] = pyld_q[DataAt+:FlitW];
        assign node_if[n].xo_tgt[p]  = pyld_q[TgtAt+:AddrW];
        assign node_if[n].xo_src[p]  = pyld_q[SrcAt+:AddrW];
        assign node_if[n].xo_qos[p]  = pyld_q[QosAt];
        assign node_if[n].xo_type[p] = pyld_q[TypeAt+:2];
        assign node_if[n].xi_rdy[p]  = ready_q;
        assign rdy = node_if[n].xo_rdy[p];
        assign vld = node_if[n].xi_vld[p];
        assign in_payload_o[At]      = 64'({node_if[n].xi_type[p], node_if[n].xi_qos[p],
                                            node_if[n].xi_src[p], node_if[n].xi_tgt[p],
                                            node_if[n].xi_data[p]});
      end else begin : g_y
        localparam int unsigned Y = p - XPorts;
        assign node_if[n].yo_vld[Y]  = valid_q;
        assign node_if[n].yo_data[Y] = pyld_q[DataAt+:FlitW];
        assign node_if[n].yo_tgt[Y]  = pyld_q[TgtAt+:AddrW];
        assign node_if[n].yo_src[Y]  = pyld_q[SrcAt+:AddrW];
        assign node_if[n].yo_qos[Y]  = pyld_q[QosAt];
        assign node_if[n].yo_type[Y] = pyld_q[TypeAt+:2];
        assign node_if[n].yi_rdy[Y]  = ready_q;
        assign rdy = node_if[n].yo_rdy[Y];
        assign vld = node_if[n].yi_vld[Y];
        assign in_payload_o[At]      = 64'({node_if[n].yi_type[Y], node_if[n].yi_qos[Y],
                                            node_if[n].yi_src[Y], node_if[n].yi_tgt[Y],
                                            node_if[n].yi_data[Y]});
      end
    end
    assign out_ready_o[p] = RowW'(ready);
    assign in_valid_o[p]  = RowW'(valid);
  end

`ifdef KB_CHECKERS
  // A checker for every link, between the interfaces of its two nodes.
  for (genvar n = 0; n < Nodes; n++) begin : g_check
    for (genvar i = 0; i < XPorts; i++) begin : g_x
      localparam int unsigned To = n - n % NX + (n + i + 1) % NX;
      link_checker #(
        .PYLD_W(PyldW),
        .DEPTH (checker_pkg::required_depth(i + 1, NX)),
        .NODE  (n),
        .PORT  (i)
      ) u_checker (
        .clk      (clk_i),
        .rst_n    (rst_ni),
        .valid_i  (node_if[n].xo_vld[i]),
        .ready_o  (node_if[n].xo_rdy[i]),
        .payload_i({node_if[n].xo_type[i], node_if[n].xo_qos[i], node_if[n].xo_src[i],
                    node_if[n].xo_tgt[i], node_if[n].xo_data[i]}),
        .valid_o  (node_if[To].xi_vld[i]),
        .ready_i  (node_if[To].xi_rdy[i]),
        .payload_o({node_if[To].xi_type[i], node_if[To].xi_qos[i], node_if[To].xi_src[i],
                    node_if[To].xi_tgt[i], node_if[To].xi_data[i]})
      );
    end

    for (genvar i = 0; i < YPorts; i++) begin : g_y
      localparam int unsigned To = (n + (i + 1) * NX) % Nodes;
      link_checker #(
        .PYLD_W(PyldW),
        .DEPTH (checker_pkg::required_depth(i + 1, NY)),
        .NODE  (n),
        .PORT  (XPorts + i)
      ) u_checker (
        .clk      (clk_i),
        .rst_n    (rst_ni),
        .valid_i  (node_if[n].yo_vld[i]),
        .ready_o  (node_if[n].yo_rdy[i]),
        .payload_i({node_if[n].yo_type[i], node_if[n].yo_qos[i], node_if[n].yo_src[i],
                    node_if[n].yo_tgt[i], node_if[n].yo_data[i]}),
        .valid_o  (node_if[To].yi_vld[i]),
        .ready_i  (node_if[To].yi_rdy[i]),
        .payload_o({node_if[To].yi_type[i], node_if[To].yi_qos[i], node_if[To].yi_src[i],
                    node_if[To].yi_tgt[i], node_if[To].yi_data[i]})
      );
    end
  end
`endif

endmodule
