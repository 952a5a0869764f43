// SPDX-License-Identifier: Apache-2.0
// Baseline coding of the two-entry skid stage; see README.md.
module IRS_LP #(
  parameter int PYLD_W = 23,
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

  logic              skid_valid;
  logic [PYLD_W-1:0] skid_payload;

  assign ready_o = !skid_valid;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      valid_o      <= 1'b0;
      payload_o    <= '0;
      skid_valid   <= 1'b0;
      skid_payload <= '0;
    end else if (!valid_o || ready_i) begin
      if (skid_valid) begin
        valid_o    <= 1'b1;
        payload_o  <= skid_payload;
        skid_valid <= 1'b0;
      end else begin
        valid_o <= valid_i;
        if (valid_i) payload_o <= payload_i;
      end
    end else if (valid_i && ready_o) begin
      skid_valid   <= 1'b1;
      skid_payload <= payload_i;
    end
  end

endmodule
