// SPDX-License-Identifier: Apache-2.0
// Two-entry skid stage: latency 1, one packet per cycle sustained, capacity 2. Every output comes from
// a flop.
//
// The main entry drives the output. The skid entry stores the one packet that still arrives in the
// cycle in which the output stalls. It is occupied exactly when ready_o is 0, and only while the main
// entry is occupied.
module IRS_LP #(
  parameter int PYLD_W = 23,
  // 1: a payload flop loads only when it stores a packet.
  // 0: the skid flop follows the input whenever it is free (no logic on its enable).
  parameter bit RO_EN  = 1'b1
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
    $error("IRS_LP: PYLD_W must be at least 1");
  end
`endif

  logic main_vld_d, main_vld_q;
  logic skid_free_d, skid_free_q;
  logic [PYLD_W-1:0] main_pyld_q, skid_pyld_q;
  logic stall, main_load, skid_load;

  // The receiver does not accept the packet in the main entry.
  assign stall = main_vld_q & ~ready_i;
  // The main entry is occupied next if it stalls, or if the skid entry or the input has a packet.
  assign main_vld_d = stall | ~skid_free_q | valid_i;
  // The skid entry is free next if the main entry does not stall, or if it is free and no packet
  // arrives.
  assign skid_free_d = ~stall | (skid_free_q & ~valid_i);

  // The main entry loads when it does not stall and a packet waits. The packet in the skid entry is
  // older and goes first.
  assign main_load = ~stall & (valid_i | ~skid_free_q);
  // The skid entry loads a packet that is accepted while the main entry stalls.
  assign skid_load = RO_EN ? (stall & valid_i & skid_free_q) : skid_free_q;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      main_vld_q  <= 1'b0;
      skid_free_q <= 1'b1;
    end else begin
      main_vld_q  <= main_vld_d;
      skid_free_q <= skid_free_d;
    end
  end

  // Payloads need no reset: they are used only while their entry is occupied.
  always_ff @(posedge clk) begin
    if (main_load) main_pyld_q <= skid_free_q ? payload_i : skid_pyld_q;
    if (skid_load) skid_pyld_q <= payload_i;
  end

  assign valid_o   = main_vld_q;
  assign payload_o = main_pyld_q;
  assign ready_o   = skid_free_q;

endmodule
