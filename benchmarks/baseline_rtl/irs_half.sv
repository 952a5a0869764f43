// SPDX-License-Identifier: Apache-2.0
// Baseline coding of the one-entry stage; see README.md.
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

  assign ready_o = WITH_READY ? !valid_o : 1'b1;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      valid_o   <= 1'b0;
      payload_o <= '0;
    end else if (valid_i && ready_o) begin
      valid_o   <= 1'b1;
      payload_o <= payload_i;
    end else if (ready_i || !WITH_READY) begin
      valid_o <= 1'b0;
    end
  end

endmodule
