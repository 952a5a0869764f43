// SPDX-License-Identifier: Apache-2.0
// One-entry stage: latency 1.
//
// WITH_READY = 1: accepts only while empty, so at most one packet every two cycles. Every output comes
//                 from a flop (ready_o through an inverter).
// WITH_READY = 0: a plain pipeline register. It is always ready; a packet that the receiver does not
//                 accept is lost.
module IRS_HALF #(
  parameter int PYLD_W     = 23,
  parameter bit WITH_READY = 1'b1
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
    $error("IRS_HALF: PYLD_W must be at least 1");
  end
`endif

  logic vld_d, vld_q, load;
  logic [PYLD_W-1:0] pyld_q;

  if (WITH_READY) begin : g_ready
    // While empty, accept a packet; while occupied, hold it until the receiver accepts it.
    assign vld_d   = vld_q ? ~ready_i : valid_i;
    assign load    = ~vld_q & valid_i;
    assign ready_o = ~vld_q;
  end else begin : g_no_ready
    logic unused_ready;
    // Follow the input, regardless of the stored packet.
    assign vld_d   = valid_i;
    assign load    = valid_i;
    assign ready_o = 1'b1;
    assign unused_ready = ready_i;
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) vld_q <= 1'b0;
    else        vld_q <= vld_d;
  end

  // The payload needs no reset: it is used only while valid.
  always_ff @(posedge clk) begin
    if (load) pyld_q <= payload_i;
  end

  assign valid_o   = vld_q;
  assign payload_o = pyld_q;

endmodule
