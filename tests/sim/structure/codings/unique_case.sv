// SPDX-License-Identifier: Apache-2.0
// A state machine with a unique case.
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
  typedef enum logic [1:0] {EMPTY, ONE, TWO} state_t;
  state_t state_d, state_q;
  logic [PYLD_W-1:0] first_q, second_q;
  logic push, pop;
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      EMPTY: if (push) state_d = ONE;
      ONE: begin
        if (push && !pop) state_d = TWO;
        else if (!push && pop) state_d = EMPTY;
      end
      TWO: if (pop) state_d = ONE;
      default: state_d = EMPTY;
    endcase
  end
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) state_q <= EMPTY;
    else state_q <= state_d;
  always_ff @(posedge clk) begin
    if (pop || state_q == EMPTY) first_q <= state_q == TWO ? second_q : payload_i;
    if (push) second_q <= payload_i;
  end
  assign ready_o = state_q != TWO;
  assign valid_o = state_q != EMPTY;
  assign payload_o = first_q;
endmodule
