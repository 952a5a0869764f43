// SPDX-License-Identifier: Apache-2.0
// One IRS_N behind the ports of tb/maze_tb_top.sv, so that it runs as a fabric of 2x2 nodes: output 0 of
// node 0 leads through the IRS_N to input 0 of node 1. The other outputs of the fabric are 0.
//
// Macros give the parameters of the IRS_N: KB_PRIMITIVE_PYLD_W, _DEPTH, _NO_READY, _HALF and _RO_EN.
module maze_tb_top #(
  localparam int unsigned Ports = 2,
  localparam int unsigned Nodes = 4,
  localparam int unsigned RowW  = 64,
  localparam int unsigned PyldW = `KB_PRIMITIVE_PYLD_W,
  // Element of the receiver in `in_payload_o`.
  localparam int unsigned Sink  = 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  /* verilator tracing_off */  // the IRS_N shows the same signals
  input  logic            apply_i,
  input  logic [RowW-1:0] out_valid_i   [Ports],
  input  logic [RowW-1:0] in_ready_i    [Ports],
  input  logic [63:0]     out_payload_i [Ports*Nodes],
  output logic [RowW-1:0] out_ready_o   [Ports],
  output logic [RowW-1:0] in_valid_o    [Ports],
  output logic [63:0]     in_payload_o  [Ports*Nodes]
`ifdef KB_NOTES
  /* verilator tracing_on */
  ,
  input  logic            want_vld_i, want_rdy_i, seen_vld_i, seen_rdy_i, expected_vld_i, expected_rdy_i,
  input  logic [63:0]     want_pkt_i, seen_pkt_i, expected_pkt_i
`endif
);

`ifdef KB_NOTES
  logic unused_notes;
  assign unused_notes = ^{want_vld_i, want_rdy_i, seen_vld_i, seen_rdy_i, expected_vld_i, expected_rdy_i,
                          want_pkt_i, seen_pkt_i, expected_pkt_i};
`endif

  logic             valid_q, ready_q, ready, valid;
  logic [PyldW-1:0] pyld_q, payload;

  // Both edges apply the inputs, as in tb/maze_tb_top.sv.
  always_ff @(posedge apply_i or negedge apply_i) begin
    valid_q <= out_valid_i[0][0];
    ready_q <= in_ready_i[0][Sink];
    pyld_q  <= out_payload_i[0][PyldW-1:0];
  end

/* verilator tracing_on */
  IRS_N #(
    .PYLD_W       (PyldW),
    .IRS_DEEP     (`KB_PRIMITIVE_DEPTH),
    .TYPE_NO_READY(`KB_PRIMITIVE_NO_READY),
    .TYPE_HALF    (`KB_PRIMITIVE_HALF),
    .TYPE_RO_EN   (`KB_PRIMITIVE_RO_EN)
  ) u_irs (
    .clk      (clk_i),
    .rst_n    (rst_ni),
    .valid_i  (valid_q),
    .ready_o  (ready),
    .payload_i(pyld_q),
    .valid_o  (valid),
    .ready_i  (ready_q),
    .payload_o(payload)
  );
/* verilator tracing_off */

  assign out_ready_o[0] = RowW'(ready);
  assign out_ready_o[1] = '0;
  assign in_valid_o[0]  = RowW'(valid) << Sink;
  assign in_valid_o[1]  = '0;
  for (genvar n = 0; n < Ports * Nodes; n++) begin : g_payload
    if (n == Sink) begin : g_sink
      assign in_payload_o[n] = 64'(payload);
    end else begin : g_none
      assign in_payload_o[n] = '0;
    end
  end

endmodule
