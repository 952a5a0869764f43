// SPDX-License-Identifier: Apache-2.0
// A chain of IRS_DEEP register stages between a sender and a receiver; wires for IRS_DEEP = 0.
//
// Kind of stage, in this order: TYPE_NO_READY selects IRS_HALF without ready, TYPE_HALF selects IRS_HALF
// with ready; otherwise it is the full-throughput IRS_LP with RO_EN = TYPE_RO_EN.
module IRS_N #(
  parameter int PYLD_W        = 23,
  parameter int IRS_DEEP      = 1,
  parameter bit TYPE_NO_READY = 1'b0,
  parameter bit TYPE_HALF     = 1'b0,
  parameter bit TYPE_RO_EN    = 1'b1
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [PYLD_W-1:0] payload_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic [PYLD_W-1:0] payload_o
);

`ifndef __ICARUS__  // Icarus does not support elaboration-time $error
  if (PYLD_W < 1) begin : g_bad_pyld_w
    $error("IRS_N: PYLD_W must be at least 1");
  end
`endif

  // Element s connects stage s-1 to stage s. Element 0 is the input, element IRS_DEEP the output.
  logic [IRS_DEEP:0] vld;
  logic [IRS_DEEP:0] rdy;
  logic [(IRS_DEEP+1)*PYLD_W-1:0] pyld;

  assign vld[0]          = valid_i;
  assign pyld[0+:PYLD_W] = payload_i;
  assign ready_o         = rdy[0];
  assign valid_o         = vld[IRS_DEEP];
  assign payload_o       = pyld[IRS_DEEP*PYLD_W+:PYLD_W];
  assign rdy[IRS_DEEP]   = ready_i;

  if (IRS_DEEP == 0) begin : g_wires
    logic unused_clk, unused_rst_n;
    assign unused_clk   = clk;
    assign unused_rst_n = rst_n;
  end

  for (genvar s = 0; s < IRS_DEEP; s++) begin : g_stage
    if (TYPE_NO_READY || TYPE_HALF) begin : g_half
      IRS_HALF #(
        .PYLD_W    (PYLD_W),
        .WITH_READY(!TYPE_NO_READY)
      ) u_irs (
        .clk,
        .rst_n,
        .valid_i  (vld[s]),
        .ready_o  (rdy[s]),
        .payload_i(pyld[s*PYLD_W+:PYLD_W]),
        .valid_o  (vld[s+1]),
        .ready_i  (rdy[s+1]),
        .payload_o(pyld[(s+1)*PYLD_W+:PYLD_W])
      );
    end else begin : g_lp
      IRS_LP #(
        .PYLD_W(PYLD_W),
        .RO_EN (TYPE_RO_EN)
      ) u_irs (
        .clk,
        .rst_n,
        .valid_i  (vld[s]),
        .ready_o  (rdy[s]),
        .payload_i(pyld[s*PYLD_W+:PYLD_W]),
        .valid_o  (vld[s+1]),
        .ready_i  (rdy[s+1]),
        .payload_o(pyld[(s+1)*PYLD_W+:PYLD_W])
      );
    end
  end

endmodule
