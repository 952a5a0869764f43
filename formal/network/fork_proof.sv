// SPDX-License-Identifier: Apache-2.0
// MAZE_FORK and its contract, judged at its ports.
module proof_top (
  input  logic clk, rst_n, valid_i,
  input  logic [`KB_P-1:0] to_i, grant_i,
  output logic broken_requests, seen_requests,
  output logic broken_last,     seen_last
);

  localparam int P = `KB_P;

  logic run, judged, misused;
  judged_cycles u_judged (.clk, .rst_n, .misused, .run, .judged);

  logic [P-1:0] request_o;
  logic last_o;
  MAZE_FORK #(.P(P)) dut (.clk, .rst_n(run), .valid_i, .to_i, .request_o, .grant_i, .last_o);

  // A packet stays at the head until its last copy; only requests are granted.
  logic waits_q;
  logic [P-1:0] was_to_q;
  assign misused = waits_q & (~valid_i | to_i != was_to_q) | (grant_i & ~request_o) != '0 | valid_i & to_i == '0;
  always_ff @(posedge clk or negedge run) begin
    if (!run) waits_q <= 1'b0;
    else      waits_q <= valid_i & ~last_o;
  end
  always_ff @(posedge clk) was_to_q <= to_i;

  // Copies of the packet at the head that were granted before.
  logic [P-1:0] taken_q;
  wire [P-1:0] taken = taken_q | grant_i;
  wire all_taken = valid_i & (to_i & ~taken) == '0;
  always_ff @(posedge clk or negedge run) begin
    if (!run) taken_q <= '0;
    else      taken_q <= all_taken ? '0 : taken;
  end

  assign broken_requests = judged & request_o != ({P{valid_i}} & to_i & ~taken_q);
  assign seen_requests   = judged & valid_i & taken_q != '0;

  assign broken_last = judged & last_o != all_taken;
  assign seen_last   = judged & all_taken & taken_q != '0;

endmodule
