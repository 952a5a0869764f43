// SPDX-License-Identifier: Apache-2.0
// A generate loop with a process for each bit of the payload.
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
  logic occupied_q, free_q;
  wire stall = occupied_q & ~ready_i;
  always_ff @(posedge clk, negedge rst_n)
    if (rst_n == 1'b0) begin
      occupied_q <= 1'b0;
      free_q <= 1'b1;
    end else begin
      occupied_q <= stall | !free_q | valid_i;
      free_q <= !stall || free_q && !valid_i;
    end
  for (genvar b = 0; b < PYLD_W; b++) begin : g_bit
    logic main_q, skid_q;
    always_ff @(posedge clk) begin
      if (!stall) main_q <= free_q ? payload_i[b] : skid_q;
      if (free_q) skid_q <= payload_i[b];
    end
    assign payload_o[b] = main_q;
  end
  assign valid_o = occupied_q;
  assign ready_o = free_q;
endmodule
