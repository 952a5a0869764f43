// SPDX-License-Identifier: Apache-2.0
// Verilog of 1995 to 2001: reg, always @*, non-blocking in one always.
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
  reg main_valid, skid_valid;
  reg [PYLD_W-1:0] main_data, skid_data;
  assign ready_o = !skid_valid;
  assign valid_o = main_valid;
  assign payload_o = main_data;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      main_valid <= 1'b0;
      skid_valid <= 1'b0;
    end else if (ready_i || !main_valid) begin
      main_valid <= skid_valid || valid_i;
      skid_valid <= 1'b0;
    end else if (valid_i && !skid_valid) skid_valid <= 1'b1;
  always @(posedge clk)
    if (ready_i || !main_valid) begin
      if (skid_valid) main_data <= skid_data;
      else main_data <= payload_i;
    end
  always @(posedge clk) if (!skid_valid) skid_data <= payload_i;
endmodule
